//! Reads lines that a plain JSON parser refuses although their meaning is clear: escapes of half a
//! character, bytes that are no UTF-8, and nesting beyond the parser's cautious limit.
//!
//! It never guesses at what is missing: a line that was cut off stays unreadable.

use serde::Deserialize as _;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The deepest nesting that is read or written. A parser's usual limit of 128 is too small for a
/// tool call whose arguments were at that limit themselves; beyond this the stack is at risk.
pub(crate) const MAX_DEPTH: usize = 256;

/// A line that could be read as an object.
#[derive(Debug)]
pub(crate) struct Recovered {
    /// Its fields.
    pub(crate) fields: Map<String, Value>,
    /// What had to be done to read it.
    pub(crate) remark: Option<String>,
}

/// Reads a line as an object, mended where that is possible; else says what is wrong with it.
pub(crate) fn object(line: &[u8]) -> Result<Recovered, String> {
    let mended = mend(line);
    let remark = matches!(mended, Cow::Owned(_))
        .then(|| "holds characters that are not Unicode; they were replaced by U+FFFD".to_owned());
    if depth(&mended) > MAX_DEPTH {
        return Err(format!("is nested deeper than {MAX_DEPTH} levels"));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(&mended);
    // The depth was checked above.
    deserializer.disable_recursion_limit();
    let read = Map::deserialize(&mut deserializer).and_then(|fields| {
        deserializer.end()?;
        Ok(fields)
    });
    match read {
        Ok(fields) => Ok(Recovered { fields, remark }),
        Err(_) if line.iter().all(|&byte| byte == 0) => Err("is filled with zero bytes".into()),
        Err(error) if error.is_eof() => Err("was cut off".into()),
        Err(_) => Err("is damaged".into()),
    }
}

/// How deep the brackets of a JSON text nest; strings are passed over.
pub(crate) fn depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest, mut at) = (0usize, 0, 0);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                at += 1;
                while let Some(offset) =
                    text.get(at..).and_then(|s| memchr::memchr2(b'"', b'\\', s))
                {
                    at += offset;
                    if text[at] == b'"' {
                        break;
                    }
                    at += 2;
                }
            }
            _ => {}
        }
        at += 1;
    }
    deepest
}

/// Replaces what is not Unicode by U+FFFD; borrowed where there was nothing to replace.
fn mend(line: &[u8]) -> Cow<'_, [u8]> {
    let text = match String::from_utf8_lossy(line) {
        Cow::Borrowed(_) => Cow::Borrowed(line),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    if !has_lone_surrogate(&text) {
        return text;
    }
    let mut mended = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let step = escape_at(&text, at);
        match step {
            Escape::Lone => mended.extend_from_slice(b"\\ufffd"),
            _ => mended.extend_from_slice(&text[at..(at + step.len()).min(text.len())]),
        }
        at += step.len();
    }
    Cow::Owned(mended)
}

fn has_lone_surrogate(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let step = escape_at(text, at + offset);
        if step == Escape::Lone {
            return true;
        }
        at += offset + step.len();
    }
    false
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// No escape: one byte.
    None,
    /// A backslash and one character; of a `\u` the digits then pass as plain bytes.
    Short,
    /// Two escapes that make one character.
    Pair,
    /// Half a character.
    Lone,
}

impl Escape {
    fn len(self) -> usize {
        match self {
            Escape::None => 1,
            Escape::Short => 2,
            Escape::Lone => 6,
            Escape::Pair => 12,
        }
    }
}

fn escape_at(text: &[u8], at: usize) -> Escape {
    if text[at] != b'\\' {
        return Escape::None;
    }
    match code_unit(text, at) {
        Some(0xD800..=0xDBFF) => match code_unit(text, at + 6) {
            Some(0xDC00..=0xDFFF) => Escape::Pair,
            _ => Escape::Lone,
        },
        Some(0xDC00..=0xDFFF) => Escape::Lone,
        _ => Escape::Short,
    }
}

fn code_unit(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text_of(line: &[u8]) -> (Value, bool) {
        let recovered = object(line).unwrap();
        (recovered.fields["t"].clone(), recovered.remark.is_some())
    }

    #[test]
    fn half_characters_become_the_replacement_character() {
        assert_eq!(text_of(br#"{"t":"a\ud99c b"}"#), (json!("a\u{fffd} b"), true));
        assert_eq!(text_of(br#"{"t":"\udc00\ud800"}"#), (json!("\u{fffd}\u{fffd}"), true));
        assert_eq!(text_of(b"{\"t\":\"\xed\xa0\x80\"}").0, json!("\u{fffd}\u{fffd}\u{fffd}"));
    }

    #[test]
    fn whole_characters_and_escaped_backslashes_are_left_alone() {
        assert_eq!(text_of(br#"{"t":"\ud83d\ude00"}"#), (json!("\u{1f600}"), false));
        assert_eq!(text_of(br#"{"t":"\\ud99c"}"#), (json!("\\ud99c"), false));
    }

    #[test]
    fn depth_counts_brackets_outside_of_strings() {
        assert_eq!(depth(br#"{"a":["[[[\"[[",{}]}"#), 3);
        assert_eq!(depth(b"\"open"), 0);
        assert_eq!(depth(b"\"open\\"), 0);
    }

    #[test]
    fn deep_nesting_is_read_up_to_the_limit() {
        let nested =
            |levels: usize| format!("{{\"t\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert!(object(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
        assert!(object(nested(MAX_DEPTH).as_bytes()).unwrap_err().contains("deeper"));
        assert!(object(nested(1_000_000).as_bytes()).is_err());
    }
}
