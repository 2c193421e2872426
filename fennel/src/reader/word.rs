//! What a word is: a number, a text such as `:key`, a constant or a name.

use crate::form::Kind;

use super::lexer::{Traits, is_invisible};
use super::number;

/// What a word stands for.
pub(super) enum Word<'a> {
    /// A number, `nil`, `true`, `false` or `...`.
    Constant(Kind),
    /// `:text`, without the colon.
    Text(&'a str),
    Name(&'a str),
}

/// What is wrong with a word.
#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) message: String,
    pub(super) help: String,
    /// Whether it could be a sound word if it went on.
    pub(super) cut_short: bool,
}

impl Malformed {
    fn new(message: String, help: impl Into<String>) -> Self {
        Malformed { message, help: help.into(), cut_short: false }
    }
}

/// Classifies a word. With what is wrong comes the word anyway, so that reading can go on.
pub(super) fn classify(word: &str, traits: Traits) -> (Word<'_>, Option<Malformed>) {
    match word.as_bytes() {
        [b':', _, ..] => (Word::Text(&word[1..]), malformed_characters(word, traits)),
        [b'0'..=b'9', ..] => match number::number(word) {
            Some(number) => (Word::Constant(number), None),
            None => (Word::Constant(Kind::Integer(0)), Some(malformed_number(word))),
        },
        [b'+' | b'-' | b'.', b'.' | b'_' | b'0'..=b'9' | b'i' | b'n', ..] => {
            match number::number(word) {
                Some(number) => (Word::Constant(number), None),
                None => name(word, traits),
            }
        }
        _ => name(word, traits),
    }
}

fn name(word: &str, traits: Traits) -> (Word<'_>, Option<Malformed>) {
    match word {
        "nil" => return (Word::Constant(Kind::Nil), None),
        "true" => return (Word::Constant(Kind::Bool(true)), None),
        "false" => return (Word::Constant(Kind::Bool(false)), None),
        "..." => return (Word::Constant(Kind::Varg), None),
        ":" | "." | ".." | "~=" | "$..." => return (Word::Name(word), None),
        _ => {}
    }
    let fault = malformed_characters(word, traits);
    let fault = fault.or_else(|| traits.has_separator().then(|| malformed_parts(word)).flatten());
    (Word::Name(word), fault)
}

fn malformed_number(word: &str) -> Malformed {
    Malformed {
        cut_short: number::may_become_number(word),
        ..Malformed::new(
            format!("{} is not a number", shown(word)),
            "a name may not begin with a digit; a number may have underscores, a fraction and an \
             exponent, or begin with 0x",
        )
    }
}

fn malformed_characters(word: &str, traits: Traits) -> Option<Malformed> {
    if traits.has_reserved() {
        let reserved = if word.contains('~') { '~' } else { '@' };
        return Some(Malformed {
            cut_short: word == "~",
            ..Malformed::new(
                format!("a name may not have {reserved} in it: {}", shown(word)),
                match reserved {
                    '~' => "only ~= may have it; write (not= a b), or \"…\" for a string",
                    _ => "to splice into a quotation, write ,(unpack list); for a string, \"…\"",
                },
            )
        });
    }
    if !traits.has_wide() {
        return None;
    }
    let hidden = word.chars().find(|&c| !c.is_ascii() && is_invisible(c))?;
    Some(Malformed::new(
        format!("a name may not have the invisible character U+{:04X} in it", hidden as u32),
        "delete it, or write a plain space in its place",
    ))
}

/// The dots and the colon of a name: each has a part on either side, except that a name may begin
/// or end with a dot; the colon comes last.
fn malformed_parts(word: &str) -> Option<Malformed> {
    let is_separator = |byte: &u8| matches!(byte, b'.' | b':');
    let adjacent = word.as_bytes().windows(2).any(|pair| pair.iter().all(is_separator));
    if adjacent || word.ends_with(':') {
        return Some(Malformed {
            cut_short: word == "$.." || (!adjacent && word.matches(':').count() == 1),
            ..Malformed::new(
                format!("a part of the name {} is missing", shown(word)),
                "write a name on both sides of each dot and colon, such as a.b:c; (.. a b) joins strings",
            )
        });
    }
    let (_, behind) = word.split_once(':')?;
    behind.contains(['.', ':']).then(|| {
        Malformed::new(
            format!("in the name {} a part follows the method", shown(word)),
            "the colon belongs before the last part, such as a.b:c",
        )
    })
}

/// A word as messages show it: its beginning, if it is long.
fn shown(word: &str) -> String {
    const SHOWN: usize = 60;
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
