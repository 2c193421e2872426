//! Where the rows of a line break.
//!
//! The rules are those of [`fen_cells::wrap_words`], with two differences: every blank keeps its place,
//! and a row leaves one cell free behind its words, in which the blank behind the last word stands, or
//! the cursor at the end of the line. A row depends on nothing before it, and on no more of what
//! follows than fits into it: so that a change lays out only the rows from shortly before it.

use crate::fragment::Fragment;
use crate::place::{Kind, Place, place};

/// How many cells of a row words may take.
pub(crate) fn room(cells: usize) -> usize {
    // In the narrowest rows the cursor gives way, and goes to a row of its own.
    if cells < 3 { cells.max(1) } else { cells - 1 }
}

/// Where the row that begins at `start` ends and the next one of the same line begins; nothing if the
/// line ends in it. `end` is the end of the line.
pub(crate) fn next_row(
    content: &Fragment,
    start: usize,
    end: usize,
    cells: usize,
) -> Option<usize> {
    let cells = cells.max(1);
    let room = room(cells);
    let (mut at, mut column) = (start, 0);
    while at < end {
        let place = place(content, at, column, cells);
        match place.kind {
            Kind::Blank if column + place.width > cells => return Some(at),
            Kind::Blank => {}
            Kind::Alone if column > 0 && column + place.width > room => return Some(at),
            Kind::Alone => {}
            Kind::Letter => {
                let (word_end, width) = word(content, at, end, cells);
                if width <= room && column + width <= room {
                    (at, column) = (word_end, column + width);
                    continue;
                }
                // A word that no row can hold fills one, from its beginning.
                return Some(if column > 0 { at } else { word_end_within(content, at, cells) });
            }
        }
        (at, column) = (place.end, column + place.width);
    }
    (column + 1 > cells).then_some(end)
}

/// Where a word ends and how wide it is, measured only until it is wider than any row.
fn word(content: &Fragment, start: usize, end: usize, cells: usize) -> (usize, usize) {
    let (mut at, mut width) = (start, 0);
    while at < end && width <= room(cells) {
        let place = place(content, at, width, cells);
        if place.kind != Kind::Letter {
            break;
        }
        (at, width) = (place.end, width + place.width);
    }
    (at, width)
}

/// The end of as much of a long word as fits.
fn word_end_within(content: &Fragment, start: usize, cells: usize) -> usize {
    (0..room(cells)).fold(start, |at, column| place(content, at, column, cells).end)
}

/// The places of a row, with the column of each.
pub(crate) fn places(
    content: &Fragment,
    start: usize,
    end: usize,
    cells: usize,
) -> impl Iterator<Item = (usize, Place)> {
    let (mut at, mut column) = (start, 0);
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let place = place(content, at, column, cells.max(1));
        let stands = column;
        (at, column) = (place.end, column + place.width);
        Some((stands, place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_cells::{Line, Prefix, Role, Span, wrap_words};
    use proptest::prelude::*;

    fn rows(text: &str, cells: usize) -> Vec<String> {
        let content = Fragment::plain(text);
        let (mut start, mut rows) = (0, Vec::new());
        while let Some(next) = next_row(&content, start, text.len(), cells) {
            rows.push(text[start..next].to_owned());
            start = next;
        }
        rows.push(text[start..].to_owned());
        rows
    }

    #[test]
    fn rows_break_between_words_and_keep_every_blank() {
        assert_eq!(rows("the quick brown fox", 10), ["the quick ", "brown fox"]);
        assert_eq!(rows("a   b", 3), ["a  ", " b"]);
        assert_eq!(rows("ab cdefghijkl", 6), ["ab ", "cdefg", "hijkl"]);
        assert_eq!(rows("", 6), [""]);
    }

    #[test]
    fn the_end_of_a_line_always_has_a_place() {
        assert_eq!(rows("abcde", 6), ["abcde"]);
        assert_eq!(rows("abcdef", 6), ["abcde", "f"]);
        assert_eq!(rows("abcde ", 6), ["abcde ", ""]);
        assert_eq!(rows("ab", 1), ["a", "b", ""]);
        assert_eq!(rows("来", 2), ["来", ""]);
    }

    proptest! {
        #[test]
        fn text_without_runs_of_blanks_breaks_where_answers_do(
            words in proptest::collection::vec("[a-z来é✅-]{1,12}", 0..12), cells in 3usize..20,
        ) {
            let text = words.join(" ");
            let lines = wrap_words(&[Span::new(&text, Role::Text)], cells - 1, &Prefix::default());
            let expected: Vec<String> = lines.iter().map(Line::text).collect();
            let got: Vec<String> =
                rows(&text, cells).iter().map(|row| row.trim_end().to_owned()).collect();
            prop_assert_eq!(got, expected);
        }

        #[test]
        fn rows_are_the_text_and_never_too_wide(text in "[^\r\n]{0,40}", cells in 1usize..12) {
            let rows = rows(&text, cells);
            prop_assert_eq!(rows.concat(), text);
            for row in &rows {
                let content = Fragment::plain(row);
                let width: usize =
                    places(&content, 0, row.len(), cells).map(|(_, place)| place.width).sum();
                prop_assert!(width <= cells);
            }
        }
    }
}
