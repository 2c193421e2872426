//! A piece of text with folded pastes in it: the editor's whole text, and what undo and the kill ring
//! keep of it.
//!
//! A folded paste stands in the text as one character, [`FOLD`], and a list says which of those are
//! pastes. Whoever changes a fragment goes through [`Fragment::splice`], which keeps the two in step.

use std::ops::Range;
use std::sync::Arc;

/// What stands for a folded paste where the text is given with pastes folded. A control character is
/// never part of a larger grapheme, so that the cursor can stand on both sides of it.
pub const FOLD: char = '\u{1a}';

/// From how many lines on a paste is folded, not counting so many.
const FOLD_LINES: usize = 10;
/// From how many characters on a paste is folded, not counting so many.
const FOLD_CHARACTERS: usize = 1_000;

/// What was pasted at once and is shown as a mark.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Paste {
    text: String,
    mark: String,
}

impl Paste {
    /// The paste of a number, if the text is long enough to be folded.
    pub(crate) fn fold(text: &str, number: u32) -> Option<Paste> {
        let lines = text.lines().take(FOLD_LINES + 1).count();
        let extent = if lines > FOLD_LINES {
            format!("{} lines", grouped(text.lines().count()))
        } else if text.chars().nth(FOLD_CHARACTERS).is_some() {
            format!("{} characters", grouped(text.chars().count()))
        } else {
            return None;
        };
        let mark = format!("[paste {number}: {extent}]");
        Some(Paste { text: text.to_owned(), mark })
    }

    /// What is shown in its place.
    pub(crate) fn mark(&self) -> &str {
        &self.mark
    }
}

/// A number with its thousands apart.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Text whose line ends are all `\n`, with pastes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fragment {
    text: String,
    /// Where the pastes stand, in order.
    pastes: Vec<(usize, Arc<Paste>)>,
    /// Bytes that the pastes have beyond what stands for them.
    folded: usize,
}

impl Fragment {
    /// Text without pastes. Terminals send line ends of pastes as `\r`.
    pub(crate) fn plain(text: &str) -> Fragment {
        let text = if text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n")
        } else {
            text.to_owned()
        };
        Fragment { text, ..Fragment::default() }
    }

    /// One folded paste.
    pub(crate) fn folded(paste: Paste) -> Fragment {
        let folded = paste.text.len().saturating_sub(FOLD.len_utf8());
        Fragment { text: FOLD.to_string(), pastes: vec![(0, Arc::new(paste))], folded }
    }

    /// The text with pastes folded.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many bytes the expanded text has.
    pub(crate) fn expanded_len(&self) -> usize {
        self.text.len() + self.folded
    }

    /// The text with pastes expanded.
    pub(crate) fn expanded(&self) -> String {
        let mut whole = String::with_capacity(self.expanded_len());
        let mut from = 0;
        for (at, paste) in &self.pastes {
            whole.push_str(self.text.get(from..*at).unwrap_or_default());
            whole.push_str(&paste.text);
            from = at + FOLD.len_utf8();
        }
        whole.push_str(self.text.get(from..).unwrap_or_default());
        whole
    }

    /// Where a place in the folded text is in the expanded one.
    pub(crate) fn expanded_place(&self, at: usize) -> usize {
        let before = self.pastes.partition_point(|(start, _)| *start < at);
        let extra = |(_, paste): &(usize, Arc<Paste>)| paste.text.len() - FOLD.len_utf8();
        at + self.pastes.iter().take(before).map(extra).sum::<usize>()
    }

    /// The paste that stands at a place.
    pub(crate) fn paste_at(&self, at: usize) -> Option<&Paste> {
        let found = self.pastes.binary_search_by_key(&at, |(start, _)| *start).ok()?;
        self.pastes.get(found).map(|(_, paste)| &**paste)
    }

    /// A copy of a part.
    pub(crate) fn part(&self, range: Range<usize>) -> Fragment {
        let text = self.text.get(range.clone()).unwrap_or_default().to_owned();
        let within = self.pastes_in(&range);
        let pastes: Vec<_> = self.pastes[within]
            .iter()
            .map(|(at, paste)| (at - range.start, Arc::clone(paste)))
            .collect();
        let folded = folded_bytes(&pastes);
        Fragment { text, pastes, folded }
    }

    /// Puts a fragment in the place of a part, and gives what stood there. The borders must be those of
    /// characters.
    pub(crate) fn splice(&mut self, range: Range<usize>, with: &Fragment) -> Fragment {
        let removed = self.part(range.clone());
        let within = self.pastes_in(&range);
        for (at, _) in &mut self.pastes[within.end..] {
            *at = *at - range.len() + with.len();
        }
        let new = with.pastes.iter().map(|(at, paste)| (range.start + at, Arc::clone(paste)));
        self.pastes.splice(within, new);
        self.text.replace_range(range, &with.text);
        self.folded = self.folded - removed.folded + with.folded;
        removed
    }

    /// Adds a fragment at the end.
    pub(crate) fn push(&mut self, more: &Fragment) {
        self.splice(self.len()..self.len(), more);
    }

    fn pastes_in(&self, range: &Range<usize>) -> Range<usize> {
        let from = self.pastes.partition_point(|(at, _)| *at < range.start);
        from..self.pastes.partition_point(|(at, _)| *at < range.end).max(from)
    }
}

fn folded_bytes(pastes: &[(usize, Arc<Paste>)]) -> usize {
    pastes.iter().map(|(_, paste)| paste.text.len().saturating_sub(FOLD.len_utf8())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_long_pastes_are_folded() {
        let mark = |text: &str| Paste::fold(text, 3).map(|paste| paste.mark);
        assert_eq!(mark(&"x\n".repeat(10)), None);
        assert_eq!(mark(&"x".repeat(1_000)), None);
        assert_eq!(mark(&"x\n".repeat(11)).as_deref(), Some("[paste 3: 11 lines]"));
        assert_eq!(mark(&"é".repeat(1_001)).as_deref(), Some("[paste 3: 1,001 characters]"));
        assert_eq!(mark(&"\n".repeat(1_234_567)).as_deref(), Some("[paste 3: 1,234,567 lines]"));
    }

    #[test]
    fn every_kind_of_line_end_becomes_one() {
        assert_eq!(Fragment::plain("a\r\nb\rc\nd\r").text(), "a\nb\nc\nd\n");
    }

    #[test]
    fn a_fold_character_that_was_typed_is_no_paste() {
        let mut text = Fragment::plain("\u{1a}");
        text.push(&Fragment::folded(Paste::fold(&"y".repeat(2_000), 1).unwrap()));
        assert!(text.paste_at(0).is_none() && text.paste_at(1).is_some());
        assert_eq!(text.expanded(), format!("\u{1a}{}", "y".repeat(2_000)));
    }

    proptest! {
        #[test]
        fn splicing_folded_text_is_splicing_the_expanded_one(
            pieces in proptest::collection::vec((any::<bool>(), "[a-c]{0,3}"), 0..6),
            more in proptest::collection::vec((any::<bool>(), "[d-f]{0,3}"), 0..3),
            from in 0usize..20,
            len in 0usize..20,
        ) {
            let made = |pieces: &[(bool, String)]| {
                let mut whole = Fragment::default();
                for (number, (folds, text)) in pieces.iter().enumerate() {
                    let long = format!("{number}\n").repeat(11);
                    whole.push(&match folds {
                        true => Fragment::folded(Paste::fold(&long, 1).unwrap()),
                        false => Fragment::plain(text),
                    });
                }
                whole
            };
            let mut text = made(&pieces);
            let before = text.clone();
            let start = from.min(text.len());
            let range = start..(start + len).min(text.len());
            let mut expected = text.expanded();
            expected.replace_range(
                text.expanded_place(range.start)..text.expanded_place(range.end),
                &made(&more).expanded(),
            );
            let removed = text.splice(range.clone(), &made(&more));
            prop_assert_eq!(text.expanded(), expected);
            prop_assert_eq!(text.expanded().len(), text.expanded_len());
            text.splice(range.start..range.start + made(&more).len(), &removed);
            prop_assert_eq!(text, before);
        }
    }
}
