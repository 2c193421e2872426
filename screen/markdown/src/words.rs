//! What changed within a line.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// Lines that are longer, in bytes, are not compared.
const LONGEST: usize = 1000;

/// The parts of an old and a new line that differ.
pub(crate) struct Changed {
    pub(crate) old: Vec<Range<usize>>,
    pub(crate) new: Vec<Range<usize>>,
}

/// Compares two lines by their words. `None` where they have too little in common, so that the lines
/// themselves say more, or are too long.
pub(crate) fn changed(old: &str, new: &str) -> Option<Changed> {
    if old.len() > LONGEST || new.len() > LONGEST {
        return None;
    }
    let (old_words, new_words) = (words(old), words(new));
    let texts = |text: &'_ str, words: &[Range<usize>]| -> Vec<String> {
        words.iter().map(|word| text[word.clone()].to_owned()).collect()
    };
    let (old_texts, new_texts) = (texts(old, &old_words), texts(new, &new_words));
    let mut changed = Changed { old: Vec::new(), new: Vec::new() };
    let mut same = 0;
    for op in capture_diff_slices(Algorithm::Myers, &old_texts, &new_texts) {
        let (old_range, new_range) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            same += old_texts[old_range].iter().map(|word| word.trim().len()).sum::<usize>();
            continue;
        }
        changed.old.extend(bytes(&old_words[old_range]));
        changed.new.extend(bytes(&new_words[new_range]));
    }
    (same * 3 > old.trim().len().max(new.trim().len())).then_some(changed)
}

/// From the first of some words to the last.
fn bytes(words: &[Range<usize>]) -> Option<Range<usize>> {
    Some(words.first()?.start..words.last()?.end)
}

/// Words, blanks, and each other character for itself.
fn words(text: &str) -> Vec<Range<usize>> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut last = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match words.last_mut().filter(|_| kind(c) > 0 && kind(c) == last) {
            Some(word) => word.end = end,
            None => words.push(at..end),
        }
        last = kind(c);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_differ_are_found() {
        let changed = changed("let width = old.len();", "let width = new.len() + 1;").unwrap();
        assert_eq!(changed.old.first(), Some(&(12..15)));
        assert_eq!(changed.new, [12..15, 21..25]);
    }

    #[test]
    fn lines_that_have_little_in_common_are_not_compared() {
        assert!(changed("return Ok(());", "let mut total = 0;").is_none());
        assert!(changed(&"a ".repeat(LONGEST), "a").is_none());
    }
}
