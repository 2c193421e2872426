//! Turns foreign text into text that a terminal only prints.
//!
//! Every control character becomes a visible mark, one for one. Nothing is parsed and nothing is
//! remembered, so a sequence that is split over two pieces, or never ends, is as harmless as any.

use std::borrow::Cow;

/// The text with every control character but line break and tab shown as a mark. A carriage return
/// is left out, since it would let later text overwrite earlier text.
pub fn printable(text: &str) -> Cow<'_, str> {
    // C1 controls are encoded with the lead byte C2, so plain text takes the quick way out.
    let clean = text.bytes().all(|byte| {
        (byte >= 0x20 && byte != 0x7f && byte != 0xc2) || byte == b'\n' || byte == b'\t'
    });
    if clean {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(mark).collect())
}

/// The same for a single line: line breaks and tabs become a space.
pub fn printable_line(text: &str) -> String {
    let text = printable(text);
    text.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c }).collect()
}

/// Like [`printable`], and with characters that hide or reorder others shown by their number. For
/// questions whose answer depends on what is read.
pub fn printable_strict(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in printable(text).chars() {
        if is_invisible(c) {
            shown.push_str(&format!("<U+{:04X}>", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}

fn mark(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => Some(c),
        '\r' => None,
        // The block of control pictures mirrors C0.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}' => Some('\u{fffd}'),
        _ => Some(c),
    }
}

/// Bidirectional controls, zero-width characters, tags and fillers.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn terminal_commands_become_marks_and_later_text_stays() {
        let hostile = "a\u{1b}]52;c;cm0=\u{7}b\u{9b}2Jc\u{1b}cd\u{7f}";
        assert_eq!(printable(hostile), "a␛]52;c;cm0=␇b\u{fffd}2Jc␛cd␡");
    }

    #[test]
    fn questions_show_what_hides() {
        assert_eq!(printable_strict("rm \u{202e}x\u{200b}"), "rm <U+202E>x<U+200B>");
    }

    proptest! {
        #[test]
        fn no_control_character_is_left_and_pieces_join_to_the_whole(a: String, b: String) {
            let whole = printable(&(a.clone() + &b)).into_owned();
            prop_assert!(!whole.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            prop_assert_eq!(printable(&a).into_owned() + &printable(&b), whole);
        }
    }
}
