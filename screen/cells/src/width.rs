//! How many cells text takes: the one measure for wrapping, clipping, cursors and painting.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A piece of text that stands in one cell or two and is never taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit<'a> {
    /// The piece: a grapheme, or a part of one that is wider than two cells.
    pub text: &'a str,
    /// How many cells it takes: 1 or 2, and 0 only for what no [`Printable`](crate::Printable) holds.
    pub width: usize,
}

/// The pieces of a text in order. They cover it without gaps.
pub fn units(text: &str) -> impl Iterator<Item = Unit<'_>> {
    // One iterator for plain text and one for the rest; only one of them has anything.
    let (plain, rich) = if is_plain(text) { (text, "") } else { ("", text) };
    let plain = plain
        .as_bytes()
        .iter()
        .enumerate()
        .map(move |(at, _)| Unit { text: text.get(at..=at).unwrap_or_default(), width: 1 });
    plain.chain(rich.graphemes(true).flat_map(pieces))
}

/// How many cells a text takes.
pub fn width(text: &str) -> usize {
    if is_plain(text) { text.len() } else { units(text).map(|unit| unit.width).sum() }
}

/// The longest beginning of a text that fits into so many cells, in bytes, and how many it takes.
pub fn cut(text: &str, cells: usize) -> (usize, usize) {
    // One byte more than fits: what follows could be a mark on the last character. The rest does not
    // matter, so that cutting a long text row by row is no work over its whole length each time.
    let head = text.as_bytes().get(..cells.saturating_add(1)).unwrap_or(text.as_bytes());
    if head.iter().all(|byte| (0x20..0x7f).contains(byte)) {
        let end = text.len().min(cells);
        return (end, end);
    }
    let (mut end, mut taken) = (0, 0);
    for unit in units(text) {
        if taken + unit.width > cells {
            break;
        }
        end += unit.text.len();
        taken += unit.width;
    }
    (end, taken)
}

/// Whether each byte is a character of one cell.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// A grapheme as it is, or by characters where it is wider than two cells: terminals draw those one
/// after the other.
fn pieces(grapheme: &str) -> impl Iterator<Item = Unit<'_>> {
    let whole = grapheme.width();
    let mut rest = grapheme;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        if whole <= 2 {
            return Some(Unit { text: std::mem::take(&mut rest), width: whole });
        }
        // What takes no cell belongs to the character before it.
        let tail = &rest[first.len_utf8()..];
        let marks = tail.find(|c: char| c.width().unwrap_or(0) > 0).unwrap_or(tail.len());
        let (text, after) = rest.split_at(first.len_utf8() + marks);
        rest = after;
        // A selector among the marks can make a narrow character wide.
        Some(Unit { text, width: text.width().min(2) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_measure_for_what_terminals_draw() {
        for (text, cells) in [
            ("", 0),
            ("abc", 3),
            ("来自上游", 8),
            ("👨\u{200d}👩\u{200d}👧", 2),
            ("🇩🇪", 2),
            ("e\u{301}", 1),
            ("❤\u{fe0f}", 2),
            ("✅", 2),
            ("❤\u{fe0f}🏽", 4),
            ("עברית", 5),
        ] {
            assert_eq!(width(text), cells, "{text}");
        }
    }

    #[test]
    fn a_cut_takes_no_character_without_the_marks_on_it() {
        assert_eq!(cut("abc\u{301}d", 3), (5, 3));
        assert_eq!(cut("abc\u{301}d", 2), (2, 2));
    }

    #[test]
    fn a_cut_never_goes_through_a_character() {
        assert_eq!(cut("a来b", 2), (1, 1));
        assert_eq!(cut("a来b", 3), (4, 3));
        assert_eq!(cut("abc", 9), (3, 3));
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_text_and_their_widths_its_width(text: String) {
            let joined: String = units(&text).map(|unit| unit.text).collect();
            prop_assert_eq!(&joined, &text);
            prop_assert!(units(&text).all(|unit| unit.width <= 2));
            prop_assert_eq!(width(&text), units(&text).map(|unit| unit.width).sum::<usize>());
        }

        #[test]
        fn a_cut_fits_and_is_the_longest_that_does(text: String, cells in 0usize..20) {
            let (end, taken) = cut(&text, cells);
            prop_assert!(taken <= cells);
            prop_assert_eq!(width(&text[..end]), taken);
        }
    }
}
