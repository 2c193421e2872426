//! Splits a file into lines without ever holding more than one, and none beyond a limit.
//!
//! It knows nothing of what the lines mean. The readers of whole files call it.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is read or written, in bytes.
pub(crate) const MAX_LINE_BYTES: usize = 64 << 20;

const BUFFER_BYTES: usize = 256 << 10;

/// One line, without its newline.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RawLine<'a> {
    /// Its bytes.
    Bytes(&'a [u8]),
    /// It was longer than the limit and has been passed over.
    TooLong,
}

/// Reads a source line by line.
pub(crate) struct Lines<R> {
    source: BufReader<R>,
    limit: usize,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    /// Reads `source` with the usual limit.
    pub(crate) fn new(source: R) -> Self {
        Lines::with_limit(source, MAX_LINE_BYTES)
    }

    fn with_limit(source: R, limit: usize) -> Self {
        Lines { source: BufReader::with_capacity(BUFFER_BYTES, source), limit, line: Vec::new() }
    }

    /// The next line; `None` at the end. A last line needs no newline.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        self.line.clear();
        let mut too_long = false;
        let mut started = false;
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() && !started {
                return Ok(None);
            }
            started = true;
            let newline = memchr::memchr(b'\n', available);
            let end = newline.unwrap_or(available.len());
            if too_long || self.line.len() + end > self.limit {
                too_long = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(&available[..end]);
            }
            let at_end = available.is_empty() || newline.is_some();
            self.source.consume(end + usize::from(newline.is_some()));
            if at_end {
                return Ok(Some(if too_long {
                    RawLine::TooLong
                } else {
                    RawLine::Bytes(&self.line)
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, limit: usize) -> Vec<Option<String>> {
        let mut lines = Lines::with_limit(text.as_bytes(), limit);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push(match line {
                RawLine::Bytes(bytes) => Some(String::from_utf8(bytes.to_vec()).unwrap()),
                RawLine::TooLong => None,
            });
        }
        all
    }

    #[test]
    fn the_last_line_needs_no_newline() {
        assert_eq!(split("a\n\nb", 9), [Some("a".into()), Some("".into()), Some("b".into())]);
        assert_eq!(split("a\n", 9), [Some("a".into())]);
        assert_eq!(split("", 9), []);
    }

    #[test]
    fn a_line_beyond_the_limit_is_passed_over_and_the_next_one_read() {
        assert_eq!(split("abcdef\nab\n", 5), [None, Some("ab".into())]);
        let long = "x".repeat(3 * BUFFER_BYTES);
        assert_eq!(split(&format!("{long}\nab"), BUFFER_BYTES), [None, Some("ab".into())]);
    }
}
