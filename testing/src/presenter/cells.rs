//! Text measured in the cells of a terminal.
//!
//! Pure. What it gives has no control characters and is never wider than it was asked to be.

use fen_contract::ui::{Row, Segment};
use unicode_width::UnicodeWidthChar as _;

/// The cells of a character, or more: the variation selector for emoji can widen what it follows.
fn cells(c: char) -> usize {
    if c == '\u{fe0f}' { 1 } else { c.width().unwrap_or(0) }
}

/// The cells of a text without control characters.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(cells).sum()
}

/// The cells of a row.
pub(crate) fn row_width(row: &[Segment]) -> usize {
    row.iter().map(|segment| width(&segment.text)).sum()
}

/// The text as one line: breaks and tabs are spaces, other control characters a mark.
pub(crate) fn one_line(text: &str) -> String {
    let mark = |c: char| match c {
        '\n' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(mark).collect()
}

/// A segment of one line.
pub(crate) fn segment(text: &str, style: Option<&str>) -> Segment {
    Segment { text: one_line(text), style: style.map(str::to_owned) }
}

/// The beginning of a row that fits into so many cells.
pub(crate) fn clip(row: &[Segment], room: usize) -> Row {
    let mut left = room;
    let mut clipped = Row::new();
    for segment in row {
        let line = one_line(&segment.text);
        let text = beginning(&line, left);
        left -= width(text);
        let is_whole = text.len() == line.len();
        if !text.is_empty() {
            clipped.push(Segment { text: text.to_owned(), style: segment.style.clone() });
        }
        if !is_whole {
            break;
        }
    }
    clipped
}

/// The longest beginning that fits.
fn beginning(text: &str, room: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += cells(*c);
        used > room
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// The longest end of a line that fits.
pub(crate) fn ending(text: &str, room: usize) -> &str {
    let mut used = 0;
    let cut = text.char_indices().rev().find(|(_, c)| {
        used += cells(*c);
        used > room
    });
    cut.map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

/// The text in lines that fit. A character that is wider than that is left out.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = one_line(line.trim_end_matches('\r'));
        let mut current = String::new();
        let mut used = 0;
        for c in line.chars().filter(|c| cells(*c) <= room) {
            if used + cells(c) > room {
                lines.push(std::mem::take(&mut current));
                used = 0;
            }
            current.push(c);
            used += cells(c);
        }
        lines.push(current);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_are_not_cut_in_half() {
        let row = [segment("a字", None), segment("b", Some("dim"))];
        assert_eq!(clip(&row, 2), [segment("a", None)]);
        assert_eq!(clip(&row, 4), row);
        assert_eq!(wrap("a字b", 2), ["a", "字", "b"]);
        assert_eq!(wrap("字a", 1), ["a"]);
        assert_eq!(ending("a字b", 2), "b");
    }

    #[test]
    fn what_a_terminal_obeys_becomes_a_mark() {
        assert_eq!(one_line("a\u{1b}[2J\nb\tc"), "a\u{fffd}[2J b c");
    }
}
