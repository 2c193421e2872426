//! JSON as model servers send it: mostly good, now and then with half of a surrogate pair.
//!
//! Pure. Providers call it for events and documents of the wire, the assembler for arguments.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

/// Reads a value; escapes that name half of a surrogate pair stand for U+FFFD.
///
/// # Errors
///
/// What is wrong with the text beside that.
pub fn parse<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) => match mend(text) {
            Cow::Owned(mended) => serde_json::from_str(&mended),
            Cow::Borrowed(_) => Err(error),
        },
    }
}

/// What a provider writes on the wire, as values that a script can look at.
pub fn values<T: Serialize>(items: impl Iterator<Item = T>) -> Vec<Value> {
    // What the wire structs hold can always be written; a mistake of theirs reads as null.
    items.map(|item| serde_json::to_value(item).unwrap_or(Value::Null)).collect()
}

/// The text with each escape of a lone surrogate, such as `\ud99c`, replaced by `\ufffd`. Borrowed
/// where there is none; worth a call only after reading has failed.
pub fn mend(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut mended, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        let escape = at + found;
        at = match surrogate(&bytes[escape..]) {
            // A backslash escapes the next byte, whatever it is.
            None => (escape + 2).min(bytes.len()),
            Some(Half::High)
                if surrogate(bytes.get(escape + 6..).unwrap_or_default()) == Some(Half::Low) =>
            {
                escape + 12
            }
            Some(_) => {
                // Escapes are ASCII, so both ends are borders of characters.
                mended.push_str(&text[copied..escape]);
                mended.push_str("\\ufffd");
                copied = escape + 6;
                copied
            }
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[copied..]);
    Cow::Owned(mended)
}

#[derive(PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// Which half of a pair the escape at the start of `bytes` names, if it names one.
fn surrogate(bytes: &[u8]) -> Option<Half> {
    let [b'\\', b'u', b'd' | b'D', second, third, fourth, ..] = bytes else { return None };
    if !third.is_ascii_hexdigit() || !fourth.is_ascii_hexdigit() {
        return None;
    }
    match second {
        b'8' | b'9' | b'a' | b'b' | b'A' | b'B' => Some(Half::High),
        b'c'..=b'f' | b'C'..=b'F' => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn half_of_a_pair_becomes_the_replacement_character() {
        let cases = [
            (r#""현\ud99c 보유""#, "현\u{fffd} 보유"),
            (r#""\udc00\ud800""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83c\ud83c\udf0d""#, "\u{fffd}🌍"),
            (r#""\ud83c\udf0d \uD83C""#, "🌍 \u{fffd}"),
            (r#""\\ud99c \ud99c""#, "\\ud99c \u{fffd}"),
        ];
        for (text, want) in cases {
            assert_eq!(parse::<String>(text).unwrap(), want, "{text}");
        }
    }

    #[test]
    fn other_faults_stay_faults_and_whole_text_is_not_copied() {
        for text in [r#"{"q"#, r#""\ud99"#, r#""\"#, r#""\ud99c"#, ""] {
            assert!(parse::<Value>(text).is_err(), "{text}");
        }
        assert!(matches!(mend(r#""\ud83c\udf0d\\ud99c""#), Cow::Borrowed(_)));
    }
}
