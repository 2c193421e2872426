//! The text with a cursor that stands between graphemes, and the borders that commands move along.
//!
//! It changes text and cursor and knows neither commands nor rows. [`Editor`](crate::Editor) and the
//! motions call it.

use crate::fragment::Fragment;
use std::ops::Range;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

/// A text with a cursor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffer {
    content: Fragment,
    cursor: usize,
}

impl Buffer {
    pub(crate) fn content(&self) -> &Fragment {
        &self.content
    }

    /// The text with pastes folded; all places are bytes of it.
    pub(crate) fn text(&self) -> &str {
        self.content.text()
    }

    pub(crate) fn len(&self) -> usize {
        self.content.len()
    }

    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Puts the cursor on a border of graphemes, `at` itself or the next one.
    pub(crate) fn set_cursor(&mut self, at: usize) {
        self.cursor = self.border(at);
    }

    /// Changes a part and gives what stood there. The cursor goes behind what is new.
    pub(crate) fn splice(&mut self, range: Range<usize>, with: &Fragment) -> Fragment {
        let end = range.start + with.len();
        let removed = self.content.splice(range, with);
        self.set_cursor(end);
        removed
    }

    /// The border of graphemes at a place or behind it.
    pub(crate) fn border(&self, at: usize) -> usize {
        let text = self.text();
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at += 1;
        }
        let mut cursor = GraphemeCursor::new(at, text.len(), true);
        match cursor.is_boundary(text, 0) {
            Ok(false) => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
            _ => at,
        }
    }

    /// The border behind the grapheme at a place; the end stays the end.
    pub(crate) fn next(&self, at: usize) -> usize {
        after(self.text(), at)
    }

    /// The border before a place; the start stays the start.
    pub(crate) fn back(&self, at: usize) -> usize {
        let before = self.text().get(..at).unwrap_or_default();
        at - before.graphemes(true).next_back().map_or(0, str::len)
    }

    /// Where the line of a place begins.
    pub(crate) fn line_start(&self, at: usize) -> usize {
        self.text().get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
    }

    /// Where the line of a place ends, before its line end.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let length = self.text().get(at..).and_then(|after| after.find('\n'));
        length.map_or(self.len(), |length| at + length)
    }

    /// The first character at a place.
    pub(crate) fn character(&self, at: usize) -> Option<char> {
        self.text().get(at..)?.chars().next()
    }
}

/// The border behind the grapheme that begins at a place; the end stays the end.
pub(crate) fn after(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at..) {
        None | Some([]) => text.len(),
        // Nothing joins two of these, as the text has no `\r`.
        Some([0..0x80] | [0..0x80, 0..0x80, ..]) => at + 1,
        Some(_) => {
            let rest = text.get(at..).unwrap_or_default();
            at + rest.graphemes(true).next().map_or(rest.len(), str::len)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn buffer(text: &str) -> Buffer {
        let mut buffer = Buffer::default();
        buffer.splice(0..0, &Fragment::plain(text));
        buffer
    }

    #[test]
    fn a_grapheme_is_one_step() {
        let family = "👨\u{200d}👩\u{200d}👧";
        let text = buffer(&format!("a{family}e\u{301}"));
        assert_eq!(text.next(1), 1 + family.len());
        assert_eq!(text.back(text.len()), 1 + family.len());
        assert_eq!(text.border(2), 1 + family.len());
    }

    proptest! {
        #[test]
        fn steps_forward_and_back_are_the_graphemes(text: String) {
            let text = buffer(&text);
            let mut borders: Vec<usize> =
                text.text().grapheme_indices(true).map(|(at, _)| at).collect();
            borders.push(text.len());
            for pair in borders.windows(2) {
                prop_assert_eq!(text.next(pair[0]), pair[1]);
                prop_assert_eq!(text.back(pair[1]), pair[0]);
            }
            for at in 0..=text.len() {
                let border = text.border(at);
                prop_assert!(border >= at && borders.contains(&border));
            }
        }
    }
}
