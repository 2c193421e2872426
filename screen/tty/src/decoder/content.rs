//! The text of a paste while it comes.
//!
//! Owns what of a paste is kept: text with `\n` for line ends and tabs, up to a bound. It must never
//! let a control character through, whatever is pasted. Bytes are judged here and characters when
//! all have come, so that where the reads split makes no difference.

use crate::input::Input;

/// The longest paste in bytes; what comes after that is dropped, and counted.
pub const PASTE_LIMIT: usize = 16 << 20;

/// The marks of a bracketed paste.
const START_MARK: &[u8] = b"\x1b[200~";
const END_MARK: &[u8] = b"\x1b[201~";

/// Whether a paste ends in these bytes that does not begin in them.
pub(super) fn has_end_mark(bytes: &[u8]) -> bool {
    let mut windows = bytes.windows(END_MARK.len());
    windows.find(|window| [START_MARK, END_MARK].contains(window)) == Some(END_MARK)
}

/// A paste in the making.
#[derive(Debug, Default)]
pub(super) struct Content {
    bytes: Vec<u8>,
    dropped: usize,
    /// The byte before was a carriage return, which stands as `\n` already.
    after_return: bool,
    /// How much of [`END_MARK`] the last bytes were.
    matched: usize,
}

/// What a stretch of bytes was to a bracketed paste.
pub(super) enum Stretch {
    /// All of it belongs to the paste, which goes on.
    Open,
    /// The paste ended after so many bytes.
    Ended(usize),
}

impl Content {
    /// Takes bytes up to the end mark.
    pub(super) fn until_mark(&mut self, bytes: &[u8]) -> Stretch {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.matched == 0 && byte != END_MARK[0] {
                let rest = &bytes[at..];
                let length = rest.iter().position(|&b| b == END_MARK[0]).unwrap_or(rest.len());
                self.take(&rest[..length]);
                at += length;
                continue;
            }
            if END_MARK.get(self.matched) == Some(&byte) {
                self.matched += 1;
                at += 1;
                if self.matched == END_MARK.len() {
                    self.matched = 0;
                    self.seal();
                    return Stretch::Ended(at);
                }
            } else {
                // What looked like the mark was text after an escape character. The byte itself is
                // looked at again: it may begin the mark.
                self.no_mark();
            }
        }
        Stretch::Open
    }

    /// The bytes that looked like the beginning of the mark are content.
    fn no_mark(&mut self) {
        let looked_like = &END_MARK[..std::mem::take(&mut self.matched)];
        self.take(looked_like);
    }

    /// Takes bytes that are all content.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((&first, after)) = rest.split_first() {
            if !is_control(first) {
                let length = rest.iter().position(|&b| is_control(b)).unwrap_or(rest.len());
                self.keep(&rest[..length]);
                self.after_return = false;
                rest = &rest[length..];
                continue;
            }
            match first {
                b'\n' if self.after_return => {}
                b'\r' | b'\n' => self.keep(b"\n"),
                b'\t' => self.keep(b"\t"),
                _ => {}
            }
            self.after_return = first == b'\r';
            rest = after;
        }
    }

    /// Something else came: a character that is not whole stays so, and does not go on in what
    /// follows.
    pub(super) fn seal(&mut self) {
        let unfinished = super::unfinished(&self.bytes);
        if unfinished > 0 && self.dropped == 0 {
            self.bytes.truncate(self.bytes.len() - unfinished);
            self.keep("\u{fffd}".as_bytes());
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        // What is kept is the beginning, without holes.
        let room = if self.dropped > 0 { 0 } else { PASTE_LIMIT.saturating_sub(self.bytes.len()) };
        let kept = bytes.len().min(room);
        self.bytes.extend_from_slice(&bytes[..kept]);
        self.dropped = self.dropped.saturating_add(bytes.len() - kept);
    }

    /// The paste as it is now.
    pub(super) fn deliver(mut self, into: &mut Vec<Input>) {
        self.no_mark();
        if self.dropped > 0 {
            // The bound may have cut a character in two.
            let whole = self.bytes.len() - super::unfinished(&self.bytes);
            self.dropped += self.bytes.len() - whole;
            self.bytes.truncate(whole);
        }
        let text = match String::from_utf8(self.bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        // With all C0 gone what is left are those of C1, which are rare enough to look first.
        let text = if text.contains(char::is_control) {
            text.chars().filter(|&c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
        } else {
            text
        };
        into.push(Input::Paste(text));
        if self.dropped > 0 {
            into.push(Input::PasteCut { dropped: self.dropped });
        }
    }
}

/// A control character of ASCII.
fn is_control(byte: u8) -> bool {
    byte < b' ' || byte == 0x7f
}
