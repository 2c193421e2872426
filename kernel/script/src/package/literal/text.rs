//! Strings of Lua: quoted ones with their escapes, and long ones in brackets.

use super::{Reader, error_at};
use crate::package::field::SyntaxError;

impl Reader<'_> {
    /// A string in quotes. Its escapes can spell any bytes; they have to be UTF-8 together.
    pub(super) fn short_text(&mut self, quote: u8) -> Result<String, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.peek() {
                None | Some(b'\n' | b'\r') => {
                    let message = "this string is not closed on its line".to_owned();
                    return Err(error_at(self.text, start, message));
                }
                Some(b'\\') => self.escape(&mut bytes)?,
                Some(byte) => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                    bytes.push(byte);
                }
            }
        }
        String::from_utf8(bytes).map_err(|_| {
            let message = "the escapes of this string do not give UTF-8 text".to_owned();
            error_at(self.text, start, message)
        })
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), SyntaxError> {
        let start = self.at;
        let wrong = |reader: &Self, message: &str| {
            Err(error_at(reader.text, start, format!("{message} in a string")))
        };
        self.at += 1;
        let Some(letter) = self.peek() else {
            return wrong(self, "the text ends");
        };
        let plain = match letter {
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'\\' | b'"' | b'\'' => letter,
            b'\n' | b'\r' => {
                self.line_end();
                bytes.push(b'\n');
                return Ok(());
            }
            b'z' => {
                self.at += 1;
                while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)) {
                    self.at += 1;
                }
                return Ok(());
            }
            b'x' => {
                let digits = self.text.get(self.at + 1..self.at + 3).unwrap_or("");
                let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                let Some(byte) = u8::from_str_radix(digits, 16)
                    .ok()
                    .filter(|_| hexadecimal && digits.len() == 2)
                else {
                    return wrong(self, "`\\x` needs two hexadecimal digits");
                };
                self.at += 3;
                bytes.push(byte);
                return Ok(());
            }
            b'u' => {
                let inside = self.rest().strip_prefix("u{").and_then(|rest| rest.split_once('}'));
                let character = inside
                    .map(|(digits, _)| digits)
                    .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
                    .and_then(|digits| Some((digits.len(), u32::from_str_radix(digits, 16).ok()?)))
                    .and_then(|(length, number)| Some((length, char::from_u32(number)?)));
                let Some((length, character)) = character else {
                    return wrong(self, "`\\u{…}` needs a character's number");
                };
                self.at += length + 3;
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            b'0'..=b'9' => {
                let length = (1..3)
                    .take_while(|ahead| {
                        self.peek_at(*ahead).is_some_and(|byte| byte.is_ascii_digit())
                    })
                    .count()
                    + 1;
                let digits = self.rest().get(..length).unwrap_or("");
                let Ok(byte) = digits.parse::<u8>() else {
                    return wrong(self, "a number after `\\` goes up to 255");
                };
                self.at += length;
                bytes.push(byte);
                return Ok(());
            }
            _ => return wrong(self, "an escape that Lua does not know"),
        };
        self.at += 1;
        bytes.push(plain);
        Ok(())
    }

    /// Steps over the `[[` or `[=[` here and gives the number of `=`; stays if there is none.
    pub(super) fn long_bracket(&mut self) -> Option<usize> {
        let after = self.rest().strip_prefix('[')?;
        let level = after.bytes().take_while(|byte| *byte == b'=').count();
        after.get(level..)?.starts_with('[').then(|| {
            self.at += level + 2;
            level
        })
    }

    /// The text up to the closing bracket of this level, line ends made `\n`. `start` is where
    /// the whole began, for the error.
    pub(super) fn long_text(&mut self, level: usize, start: usize) -> Result<String, SyntaxError> {
        let close = format!("]{}]", "=".repeat(level));
        let Some(length) = self.rest().find(&close) else {
            let message = format!("this is not closed by `{close}`");
            return Err(error_at(self.text, start, message));
        };
        let end = self.at + length;
        // A line end right after the bracket is not part of the text.
        if matches!(self.peek(), Some(b'\n' | b'\r')) {
            self.line_end();
        }
        let mut text = String::with_capacity(length);
        while self.at < end {
            let piece = self.text.get(self.at..end).unwrap_or("");
            let plain = piece.find(['\n', '\r']).unwrap_or(piece.len());
            text.push_str(piece.get(..plain).unwrap_or(""));
            self.at += plain;
            if self.at < end {
                self.line_end();
                text.push('\n');
            }
        }
        self.at = end + close.len();
        Ok(text)
    }

    /// Steps over one line end in any of its spellings.
    fn line_end(&mut self) {
        let pair = matches!(
            (self.peek(), self.peek_at(1)),
            (Some(b'\r'), Some(b'\n')) | (Some(b'\n'), Some(b'\r'))
        );
        self.at += if pair { 2 } else { 1 };
    }
}
