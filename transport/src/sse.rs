//! Reading of `text/event-stream` bodies: a pure state machine from bytes to events.
//!
//! It owns the framing of [the standard] and nothing else: no I/O, no clock, no knowledge of what
//! an event means. The bytes may be cut anywhere; the events are the same for every cut. Whoever
//! holds the bytes calls it: `http::SseStream` for a response, tests and replays for a recording.
//!
//! Where it departs from the standard, because model servers do:
//!
//! * a last event that lacks its blank line is delivered by [`SseReader::finish`], marked by
//!   [`SseEvent::complete`] = `false`; the standard throws it away;
//! * an event whose data is the empty string is not delivered; servers send such blocks as
//!   keep-alives, or to set the last event id.
//!
//! [the standard]: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

use std::borrow::Cow;
use std::time::Duration;

use memchr::memchr2;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One event of a stream, borrowed for the time of the call that delivers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseEvent<'a> {
    /// The `event` field, `"message"` where the block has none.
    pub event: &'a str,
    /// The `data` lines joined by a line feed; never empty. Bytes that are not UTF-8 are U+FFFD.
    pub data: &'a str,
    /// The last `id` that the stream has stated, `""` before the first.
    pub id: &'a str,
    /// The last reconnection time (`retry`) that the stream has stated.
    pub retry: Option<Duration>,
    /// `false` for a last event that the stream ended without a blank line: its data may be cut.
    pub complete: bool,
}

/// Why a reader stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SseError {
    /// One event, or one line, is longer than the reader was told to hold.
    #[error("an event of the stream is larger than {limit} bytes")]
    EventTooLarge {
        /// The bound given to [`SseReader::new`].
        limit: usize,
    },
}

/// Turns the bytes of an event stream into events, however the bytes are cut.
///
/// Work is linear in the bytes pushed. An event that lies whole in one pushed slice, with one
/// `data` line, is delivered as a borrow of that slice.
///
/// ```
/// use fen_transport::sse::SseReader;
///
/// let mut seen = Vec::new();
/// let mut reader = SseReader::new(1 << 20);
/// reader.push(b"data: {\"text\":\"\xE9", |event| seen.push(event.data.to_owned()))?;
/// reader.push(b"\x82\xA3\"}\r\n\r\n", |event| seen.push(event.data.to_owned()))?;
/// assert_eq!(seen, ["{\"text\":\"那\"}"]);
/// # Ok::<(), fen_transport::sse::SseError>(())
/// ```
#[derive(Debug)]
pub struct SseReader {
    max_event_bytes: usize,
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
    block: Block,
    at_start: bool,
    /// The last byte was a CR that ended a line: an LF that follows belongs to it.
    after_cr: bool,
    failed: bool,
}

/// What the lines since the last blank line, and the ids before them, have said.
#[derive(Debug, Default)]
struct Block {
    data: Vec<u8>,
    has_data: bool,
    event: String,
    id: String,
    retry: Option<Duration>,
    /// Bytes of the block's lines, without their ends and without comments.
    size: usize,
}

impl SseReader {
    /// A reader at the start of a stream that holds at most `max_event_bytes` for one event: the
    /// lines of its block without their ends, comments apart.
    #[must_use]
    pub fn new(max_event_bytes: usize) -> Self {
        Self {
            max_event_bytes,
            line: Vec::new(),
            block: Block::default(),
            at_start: true,
            after_cr: false,
            failed: false,
        }
    }

    /// Takes the next bytes and delivers each event that they complete, in order.
    ///
    /// # Errors
    ///
    /// [`SseError::EventTooLarge`], after the events before the large one. The reader is of no
    /// further use then: every later call returns the same error.
    pub fn push(
        &mut self,
        bytes: &[u8],
        mut on_event: impl FnMut(SseEvent<'_>),
    ) -> Result<(), SseError> {
        if self.failed {
            return Err(self.too_large());
        }
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        if !self.line.is_empty() {
            let Some(end) = memchr2(b'\n', b'\r', rest) else {
                return self.keep(rest);
            };
            self.keep(&rest[..end])?;
            rest = self.after_line_end(rest, end);
            let mut line = std::mem::take(&mut self.line);
            let mut held = None;
            let read = self.read_line(&line, &mut held, &mut on_event);
            self.block.store(held);
            line.clear();
            self.line = line;
            read?;
        }
        let mut held = None;
        while let Some(end) = memchr2(b'\n', b'\r', rest) {
            let line = &rest[..end];
            rest = self.after_line_end(rest, end);
            self.read_line(line, &mut held, &mut on_event)?;
        }
        self.block.store(held);
        self.keep(rest)
    }

    /// Ends the stream: what is left is read as if a line end and a blank line followed, and an
    /// event that this yields is delivered with [`SseEvent::complete`] = `false`.
    ///
    /// A stream that broke off by an error must not be finished; its rest is to be forgotten.
    ///
    /// # Errors
    ///
    /// The error that stopped the reader before, if any.
    pub fn finish(&mut self, mut on_event: impl FnMut(SseEvent<'_>)) -> Result<(), SseError> {
        if self.failed {
            return Err(self.too_large());
        }
        let line = std::mem::take(&mut self.line);
        let mut held = None;
        if !line.is_empty() {
            self.read_line(&line, &mut held, &mut on_event)?;
        }
        self.block.dispatch(held, false, &mut on_event);
        self.at_start = true;
        self.after_cr = false;
        Ok(())
    }

    /// The last `id` that the stream has stated, also by a block without data; `""` before the
    /// first.
    #[must_use]
    pub fn last_event_id(&self) -> &str {
        &self.block.id
    }

    /// The last reconnection time that the stream has stated.
    #[must_use]
    pub fn retry(&self) -> Option<Duration> {
        self.block.retry
    }

    /// What follows the line end at `end`; a CR that is the last byte is remembered.
    fn after_line_end<'a>(&mut self, bytes: &'a [u8], end: usize) -> &'a [u8] {
        let rest = &bytes[end + 1..];
        if bytes[end] == b'\n' {
            return rest;
        }
        self.after_cr = rest.is_empty();
        rest.strip_prefix(b"\n").unwrap_or(rest)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), SseError> {
        self.check(self.line.len() + bytes.len())?;
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn check(&mut self, line_bytes: usize) -> Result<(), SseError> {
        if self.block.size + line_bytes > self.max_event_bytes {
            self.failed = true;
            return Err(self.too_large());
        }
        Ok(())
    }

    fn too_large(&self) -> SseError {
        SseError::EventTooLarge { limit: self.max_event_bytes }
    }

    fn read_line<'a>(
        &mut self,
        line: &'a [u8],
        held: &mut Option<&'a [u8]>,
        on_event: &mut impl FnMut(SseEvent<'_>),
    ) -> Result<(), SseError> {
        self.check(line.len())?;
        let mut line = line;
        if self.at_start {
            self.at_start = false;
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        match line.first() {
            None => self.block.dispatch(held.take(), true, on_event),
            Some(b':') => {}
            Some(_) => {
                self.block.size += line.len();
                self.block.field(line, held);
            }
        }
        Ok(())
    }
}

impl Block {
    /// Reads one line `name: value`. A first `data` value is held as a borrow.
    fn field<'a>(&mut self, line: &'a [u8], held: &mut Option<&'a [u8]>) {
        let (name, value) = match line.strip_prefix(b"data:") {
            Some(value) => (&b"data"[..], value),
            None => match memchr::memchr(b':', line) {
                Some(colon) => (&line[..colon], &line[colon + 1..]),
                None => (line, &b""[..]),
            },
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" if held.is_none() && !self.has_data => *held = Some(value),
            b"data" => {
                self.store(held.take());
                self.store(Some(value));
            }
            b"event" => self.event = String::from_utf8_lossy(value).into_owned(),
            b"id" if !value.contains(&0) => self.id = String::from_utf8_lossy(value).into_owned(),
            b"retry" => self.retry = milliseconds(value).or(self.retry),
            _ => {}
        }
    }

    /// Makes a borrowed `data` value the block's own, before what it borrows goes.
    fn store(&mut self, held: Option<&[u8]>) {
        if let Some(value) = held {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.has_data = true;
            self.data.extend_from_slice(value);
        }
    }

    fn dispatch(
        &mut self,
        held: Option<&[u8]>,
        complete: bool,
        on_event: &mut impl FnMut(SseEvent<'_>),
    ) {
        let bytes = held.unwrap_or(&self.data);
        if !bytes.is_empty() {
            let data = match std::str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            };
            let event = if self.event.is_empty() { "message" } else { &self.event };
            let (id, retry) = (self.id.as_str(), self.retry);
            on_event(SseEvent { event, data: &data, id, retry, complete });
        }
        self.data.clear();
        self.has_data = false;
        self.event.clear();
        self.size = 0;
    }
}

fn milliseconds(value: &[u8]) -> Option<Duration> {
    if !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok().map(Duration::from_millis)
}
