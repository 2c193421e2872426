//! Makes text of bytes that may be anything: bad UTF-8 and NUL become U+FFFD, because neither can
//! be sent to a model.

use std::borrow::Cow;

/// What stands for a byte that cannot be shown.
pub(crate) const REPLACEMENT: char = '\u{FFFD}';

/// The text of complete bytes.
pub(crate) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes) {
        text if text.contains('\0') => Cow::Owned(text.replace('\0', "\u{FFFD}")),
        text => text,
    }
}

/// Decodes a stream whose pieces may end inside a character.
#[derive(Default)]
pub(crate) struct Decoder {
    /// The beginning of a character, at most three bytes.
    pending: Vec<u8>,
}

impl Decoder {
    /// The text of the next piece.
    pub(crate) fn push(&mut self, piece: &[u8]) -> String {
        let joined;
        let mut rest = if self.pending.is_empty() {
            piece
        } else {
            joined = [&self.pending, piece].concat();
            self.pending.clear();
            &joined
        };
        let mut text = String::with_capacity(rest.len());
        loop {
            match std::str::from_utf8(rest) {
                Ok(valid) => {
                    text.push_str(valid);
                    break;
                }
                Err(error) => {
                    let (valid, bad) = rest.split_at(error.valid_up_to());
                    // Valid up to there, by the error's word.
                    text.push_str(std::str::from_utf8(valid).unwrap_or_default());
                    match error.error_len() {
                        Some(length) => {
                            text.push(REPLACEMENT);
                            rest = &bad[length..];
                        }
                        None => {
                            self.pending = bad.to_vec();
                            break;
                        }
                    }
                }
            }
        }
        if text.contains('\0') { text.replace('\0', "\u{FFFD}") } else { text }
    }

    /// The text of a character that never ended.
    pub(crate) fn finish(&mut self) -> &'static str {
        let pending = !self.pending.is_empty();
        self.pending.clear();
        if pending { "\u{FFFD}" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bad_bytes_and_nuls_are_replaced_and_the_rest_is_kept() {
        assert_eq!(readable(b"head\xfftail\0."), "head\u{FFFD}tail\u{FFFD}.");
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"head\xfftail\0\xf0"), "head\u{FFFD}tail\u{FFFD}");
        assert_eq!(decoder.finish(), "\u{FFFD}");
        assert_eq!(decoder.finish(), "");
    }

    proptest! {
        #[test]
        fn pieces_decode_to_the_same_text_as_the_whole(
            bytes: Vec<u8>, cuts in proptest::collection::vec(0_usize..64, 0..8)
        ) {
            let mut decoder = Decoder::default();
            let mut text = String::new();
            let mut rest = bytes.as_slice();
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                text.push_str(&decoder.push(piece));
                rest = after;
            }
            text.push_str(&decoder.push(rest));
            text.push_str(decoder.finish());
            prop_assert_eq!(text, readable(&bytes).into_owned());
        }

        #[test]
        fn characters_survive_any_cut(whole in "\\PC{0,40}", cut in 0_usize..160) {
            let (head, tail) = whole.as_bytes().split_at(cut.min(whole.len()));
            let mut decoder = Decoder::default();
            let text = decoder.push(head) + &decoder.push(tail) + decoder.finish();
            prop_assert_eq!(text, whole);
        }
    }
}
