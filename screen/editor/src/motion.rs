//! Where words lead: for each kind of word, the place that a motion from a place reaches.
//!
//! Words of readline are letters and digits; words of vi are letters, digits and `_`, or a run of
//! other characters. A folded paste is a word of its own. Nothing is changed here.

use crate::buffer::Buffer;
use std::ops::Range;

/// Behind the word at a place, or the next one.
pub(crate) fn word_right(buffer: &Buffer, from: usize) -> usize {
    let mut at = word_at_or_after(buffer, from);
    if buffer.content().paste_at(at).is_some() {
        return buffer.next(at);
    }
    while buffer.character(at).is_some_and(char::is_alphanumeric) {
        at = buffer.next(at);
    }
    at
}

/// Where the word at a place, or the next one, begins; the end of the text if there is none.
pub(crate) fn word_at_or_after(buffer: &Buffer, from: usize) -> usize {
    let mut at = from;
    while buffer.content().paste_at(at).is_none()
        && buffer.character(at).is_some_and(|c| !c.is_alphanumeric())
    {
        at = buffer.next(at);
    }
    at
}

/// The beginning of the word before a place.
pub(crate) fn word_left(buffer: &Buffer, from: usize) -> usize {
    let mut at = from;
    let mut within = false;
    while at > 0 {
        let before = buffer.back(at);
        if buffer.content().paste_at(before).is_some() {
            return if within { at } else { before };
        }
        let is_word = buffer.character(before).is_some_and(char::is_alphanumeric);
        if within && !is_word {
            break;
        }
        within |= is_word;
        at = before;
    }
    at
}

/// The beginning of what stands without blanks before a place.
pub(crate) fn to_blank_left(buffer: &Buffer, from: usize) -> usize {
    let mut at = from;
    let mut within = false;
    while at > 0 {
        let before = buffer.back(at);
        let is_blank = buffer.character(before).is_some_and(char::is_whitespace);
        if within && is_blank {
            break;
        }
        within |= !is_blank;
        at = before;
    }
    at
}

/// The kinds of characters whose runs are vi's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Sign,
    Paste,
}

fn class(buffer: &Buffer, at: usize) -> Option<Class> {
    let c = buffer.character(at)?;
    Some(if buffer.content().paste_at(at).is_some() {
        Class::Paste
    } else if c.is_whitespace() {
        Class::Blank
    } else if c.is_alphanumeric() || c == '_' {
        Class::Word
    } else {
        Class::Sign
    })
}

/// Behind the run of one class that begins at a place. Pastes form no runs.
fn run_end(buffer: &Buffer, from: usize) -> usize {
    let run = class(buffer, from);
    let mut at = buffer.next(from);
    while run != Some(Class::Paste) && at < buffer.len() && class(buffer, at) == run {
        at = buffer.next(at);
    }
    at
}

/// vi's `w`: the beginning of the next word; an empty line is one.
pub(crate) fn next_word(buffer: &Buffer, from: usize) -> usize {
    let mut at = from;
    if class(buffer, at) != Some(Class::Blank) {
        at = run_end(buffer, at);
    }
    while class(buffer, at) == Some(Class::Blank) {
        let is_end = buffer.character(at) == Some('\n');
        at = buffer.next(at);
        if is_end && buffer.character(at) == Some('\n') {
            break;
        }
    }
    at
}

/// vi's `e`: the last character of this word, or of the next one from its end.
pub(crate) fn word_end(buffer: &Buffer, from: usize) -> usize {
    let mut at = buffer.next(from);
    while class(buffer, at) == Some(Class::Blank) {
        at = buffer.next(at);
    }
    if at >= buffer.len() { buffer.back(at) } else { buffer.back(run_end(buffer, at)) }
}

/// vi's `b`: the beginning of this word, or of the one before from its beginning.
pub(crate) fn previous_word(buffer: &Buffer, from: usize) -> usize {
    let mut at = buffer.back(from);
    while at > 0 && class(buffer, at) == Some(Class::Blank) {
        let before = buffer.back(at);
        if buffer.character(at) == Some('\n') && buffer.character(before) == Some('\n') {
            return at;
        }
        at = before;
    }
    let run = class(buffer, at);
    while at > 0 && run != Some(Class::Paste) && class(buffer, buffer.back(at)) == run {
        at = buffer.back(at);
    }
    at
}

/// vi's `iw`: the run that a place is in, within its line.
pub(crate) fn inner_word(buffer: &Buffer, from: usize) -> Range<usize> {
    let (first, last) = (buffer.line_start(from), buffer.line_end(from));
    if from >= last {
        return from..from;
    }
    let run = class(buffer, from);
    let mut start = from;
    while start > first && run != Some(Class::Paste) && class(buffer, buffer.back(start)) == run {
        start = buffer.back(start);
    }
    start..run_end(buffer, from).min(last)
}

/// vi's `^`: the first character of a line that is not blank, or the line's end.
pub(crate) fn first_non_blank(buffer: &Buffer, from: usize) -> usize {
    let end = buffer.line_end(from);
    let mut at = buffer.line_start(from);
    while at < end && class(buffer, at) == Some(Class::Blank) {
        at = buffer.next(at);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::{Fragment, Paste};

    fn buffer(text: &str) -> Buffer {
        let mut buffer = Buffer::default();
        buffer.splice(0..0, &Fragment::plain(text));
        buffer
    }

    fn stops(text: &str, step: fn(&Buffer, usize) -> usize, from: usize) -> Vec<usize> {
        let text = buffer(text);
        let mut all = vec![from];
        loop {
            let next = step(&text, all[all.len() - 1]);
            if all.contains(&next) {
                return all;
            }
            all.push(next);
        }
    }

    #[test]
    fn words_are_letters_and_digits() {
        assert_eq!(stops("git-log x_1\n(é2)", word_right, 0), [0, 3, 7, 9, 11, 16, 17]);
        assert_eq!(stops("git-log x_1\n(é2)", word_left, 17), [17, 13, 10, 8, 4, 0]);
        assert_eq!(stops("a --flag=b  ", to_blank_left, 12), [12, 2, 0]);
    }

    #[test]
    fn words_of_vi_are_runs_of_one_kind() {
        assert_eq!(stops("a_b+=c d\n\n e", next_word, 0), [0, 3, 5, 7, 9, 11, 12]);
        assert_eq!(stops("a_b+=c d\n\n e", previous_word, 12), [12, 11, 9, 7, 5, 3, 0]);
        assert_eq!(stops("a_b+=c d\n\n e", word_end, 0), [0, 2, 4, 5, 7, 11]);
        assert_eq!(inner_word(&buffer("ab  cd"), 1), 0..2);
        assert_eq!(inner_word(&buffer("ab  cd"), 2), 2..4);
        assert_eq!(inner_word(&buffer("ab \n cd"), 2), 2..3);
        assert_eq!(first_non_blank(&buffer("x\n  y"), 4), 4);
    }

    #[test]
    fn a_paste_is_a_word_of_its_own() {
        let mut text = buffer("ab cd");
        let paste = Paste::fold(&"x\n".repeat(20), 1).unwrap();
        text.splice(3..3, &Fragment::folded(paste));
        assert_eq!(word_right(&text, 2), 4);
        assert_eq!(word_left(&text, 6), 4);
        assert_eq!(word_left(&text, 4), 3);
        assert_eq!(next_word(&text, 3), 4);
        assert_eq!(previous_word(&text, 4), 3);
        assert_eq!(inner_word(&text, 3), 3..4);
    }
}
