//! The one choke point between foreign text and a terminal.
//!
//! Nothing is parsed and nothing is remembered, so a terminal's command that is split over two pieces,
//! or never ends, is as harmless as any.

use crate::width::units;
use compact_str::CompactString;
use std::ops::Deref;

/// How far apart tab stops are, in cells.
const TAB: usize = 4;
/// What a mark that stands alone is put on.
const STAND: char = '\u{25cc}';

/// One row of text that a terminal only prints: no control characters, and each of its
/// [`units`](crate::units) is one or two cells wide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Printable(CompactString);

impl Printable {
    /// Controls become visible marks; tabs become spaces up to the next stop; what is invisible or
    /// reorders other text is left out, since in an answer it means nothing.
    pub fn new(text: &str) -> Printable {
        Printable::from_column(text, 0)
    }

    /// Like [`new`](Printable::new), for text that goes on in a row: its tab stops are those of a row
    /// in which so many cells are before it.
    pub fn from_column(text: &str, column: usize) -> Printable {
        Printable::made(text, column, |shown, c| match mark(c) {
            Some(mark) => shown.push(mark),
            None if is_space_like(c) => shown.push(' '),
            None if is_hidden(c) => {}
            None => shown.push(c),
        })
    }

    /// Like [`new`](Printable::new), and what is invisible or reorders other text is shown by its
    /// number. For questions whose answer depends on what is read.
    pub fn strict(text: &str) -> Printable {
        Printable::made(text, 0, |shown, c| match mark(c) {
            Some(mark) => shown.push(mark),
            None if is_hidden(c) || is_space_like(c) || is_joiner(c) => {
                shown.push_str(&format!("<U+{:04X}>", u32::from(c)));
            }
            None => shown.push(c),
        })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Without what it holds.
    pub fn into_inner(self) -> CompactString {
        self.0
    }

    fn made(text: &str, before: usize, put: impl Fn(&mut CompactString, char)) -> Printable {
        if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
            return Printable(CompactString::new(text));
        }
        let mut shown = CompactString::with_capacity(text.len());
        let mut column = None;
        for c in text.chars() {
            if c == '\t' {
                // Counted only where there are tabs, from the last one on.
                let (from, cells) = column.unwrap_or((0, before));
                let cells: usize = cells + crate::width(shown.get(from..).unwrap_or_default());
                let next = (cells / TAB + 1) * TAB;
                (cells..next).for_each(|_| shown.push(' '));
                column = Some((shown.len(), next));
            } else {
                put(&mut shown, c);
            }
        }
        Printable(standing(shown))
    }
}

impl Deref for Printable {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Puts marks that have nothing to stand on onto something.
fn standing(text: CompactString) -> CompactString {
    if units(&text).all(|unit| unit.width > 0) {
        return text;
    }
    let mut shown = CompactString::with_capacity(text.len() + 4);
    for unit in units(&text) {
        if unit.width > 0 {
            shown.push_str(unit.text);
            continue;
        }
        let mut stood = CompactString::from(STAND.encode_utf8(&mut [0; 4]) as &str);
        stood.push_str(unit.text);
        // Some of what has no width takes none of a neighbour's either.
        if units(&stood).count() == 1 && crate::width(&stood) > 0 {
            shown.push_str(&stood);
        } else {
            shown.push('\u{fffd}');
        }
    }
    shown
}

/// The visible mark for a control character.
fn mark(c: char) -> Option<char> {
    match c {
        // The block of control pictures mirrors C0.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}' => Some('\u{fffd}'),
        // Separators of lines and paragraphs break rows in some terminals.
        '\u{2028}' | '\u{2029}' => Some('\u{240a}'),
        _ => None,
    }
}

/// Bidirectional controls, zero-width characters and tags.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'
        | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Fillers: blank, of a width that terminals do not agree on.
fn is_space_like(c: char) -> bool {
    matches!(c, '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}')
}

/// Joiners, which scripts and emoji need.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn terminal_commands_become_marks_and_later_text_stays() {
        let hostile = "a\u{1b}]52;c;cm0=\u{7}b\u{9b}2Jc\u{1b}cd\u{7f}\r\n";
        assert_eq!(&*Printable::new(hostile), "a␛]52;c;cm0=␇b\u{fffd}2Jc␛cd␡␍␊");
    }

    #[test]
    fn tabs_reach_the_next_stop() {
        assert_eq!(&*Printable::new("\ta\tbcde\t来\tx"), "    a   bcde    来  x");
    }

    #[test]
    fn text_that_goes_on_in_a_row_keeps_its_tab_stops() {
        assert_eq!(&*Printable::from_column("\ta\tb", 3), " a   b");
        assert_eq!(&*Printable::from_column("\ta", 4), "    a");
    }

    #[test]
    fn what_hides_is_left_out_of_answers_and_shown_in_questions() {
        assert_eq!(&*Printable::new("rm \u{202e}x\u{200b}"), "rm x");
        assert_eq!(&*Printable::strict("rm \u{202e}x\u{200b}\t."), "rm <U+202E>x<U+200B>    .");
        assert_eq!(&*Printable::new("ㅤㅤ✅"), "  ✅");
    }

    #[test]
    fn emoji_and_scripts_that_need_joiners_keep_them() {
        for text in ["👨\u{200d}👩\u{200d}👧", "می\u{200c}خواهم", "❤\u{fe0f}", "🇩🇪"]
        {
            assert_eq!(&*Printable::new(text), text);
        }
    }

    #[test]
    fn a_mark_alone_gets_something_to_stand_on() {
        assert_eq!(&*Printable::new("\u{301}a"), "\u{25cc}\u{301}a");
    }

    proptest! {
        #[test]
        fn nothing_is_left_that_a_terminal_would_obey(text: String, strict: bool) {
            let shown = if strict { Printable::strict(&text) } else { Printable::new(&text) };
            prop_assert!(!shown.chars().any(char::is_control));
            prop_assert!(units(&shown).all(|unit| (1..=2).contains(&unit.width)), "{:?}", shown);
        }

        #[test]
        fn any_code_points_in_a_row_have_cells(
            codes in proptest::collection::vec(0u32..0x1f_0000, 0..12),
        ) {
            let text: String = codes.into_iter().filter_map(char::from_u32).collect();
            let shown = Printable::new(&text);
            prop_assert!(units(&shown).all(|unit| (1..=2).contains(&unit.width)), "{:?}", shown);
            prop_assert_eq!(&Printable::new(&shown), &shown);
        }
    }
}
