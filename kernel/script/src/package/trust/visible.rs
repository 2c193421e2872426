//! Shows foreign text in a question so that nothing in it hides, moves or looks like fen's words.

use fen_core::printable::printable_strict;

/// One line of foreign text, of at most `limit` characters: line breaks and tabs are marks too.
pub(super) fn line(text: &str, limit: usize) -> String {
    code(&cut(text, limit)).replace('\n', "␊").replace('\t', "␉")
}

/// A line of code; tabs stay. Without its limit a single line could push the rest off the screen.
pub(super) fn code(text: &str) -> String {
    printable_strict(&text.replace('\r', "␍"))
}

/// The beginning of a text, and how much is left out.
pub(super) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => {
            let left = text.chars().count() - limit;
            format!("{} … {left} more characters", text.get(..end).unwrap_or(""))
        }
        None => text.to_owned(),
    }
}
