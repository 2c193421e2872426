//! Lines out of bytes that come in pieces, in bounded memory.

use memchr::memchr;

use super::answer::{Kind, Refusal};

/// Bytes that wait for the end of their line.
#[derive(Debug)]
pub(super) struct Lines {
    longest: usize,
    bytes: Vec<u8>,
    /// What was given out already.
    start: usize,
    /// Up to where no line end was found.
    seen: usize,
}

impl Lines {
    /// Takes lines of up to `longest` bytes.
    pub(super) fn new(longest: usize) -> Self {
        Lines { longest, bytes: Vec::new(), start: 0, seen: 0 }
    }

    /// Adds what came.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole line without its end, LF or CR LF.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>, Refusal> {
        let end = memchr(b'\n', &self.bytes[self.seen..]).map(|at| self.seen + at);
        let line = &self.bytes[self.start..end.unwrap_or(self.bytes.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > self.longest {
            let longest = self.longest;
            return Err(Refusal::new(
                Kind::TooLarge,
                format!("a line is longer than {longest} bytes; 'max-bytes' can raise that"),
            ));
        }
        let Some(end) = end else {
            self.seen = self.bytes.len();
            return Ok(None);
        };
        let line = line.to_vec();
        self.start = end + 1;
        self.seen = self.start;
        Ok(Some(line))
    }

    /// All that is left, `None` if there is nothing.
    pub(super) fn rest(&mut self) -> Option<Vec<u8>> {
        let rest = self.bytes.split_off(self.start);
        self.bytes.clear();
        (self.start, self.seen) = (0, 0);
        (!rest.is_empty()).then_some(rest)
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.start == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_however_the_bytes_are_cut() {
        let text = b"one\r\n\ntwo\nthree\r";
        for size in 1..=text.len() {
            let mut lines = Lines::new(5);
            let mut seen = Vec::new();
            for piece in text.chunks(size) {
                lines.push(piece);
                while let Some(line) = lines.next().unwrap() {
                    seen.push(line);
                }
            }
            seen.extend(lines.rest());
            assert!(lines.is_empty());
            assert_eq!(seen, [&b"one"[..], b"", b"two", b"three\r"]);
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_an_error_and_no_piece_of_it_is_given() {
        let mut lines = Lines::new(3);
        lines.push(b"abc\nabcd");
        assert_eq!(lines.next().unwrap().unwrap(), b"abc");
        assert_eq!(lines.next().unwrap_err().kind, Kind::TooLarge);
        assert_eq!(lines.next().unwrap_err().kind, Kind::TooLarge);
    }
}
