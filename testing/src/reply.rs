//! What the server answers to one request: head, body steps, framing and faults.
//!
//! A [`Reply`] is only a description. `wire` turns it into bytes and `play` sends them.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::borders::Borders;

/// One thing that happens while a body is sent.
///
/// Neighbouring writes leave in one TCP write unless a [`Step::Border`] or another step lies
/// between them. Steps after `Reset`, `Close` or `Hang` are not played, but their writes still
/// count in a declared `Content-Length`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Bytes of the body. With chunked framing each write is one chunk.
    Write(Bytes),
    /// Sends what is waiting and pauses, so that the client sees a separate read.
    Border,
    /// Sends what is waiting, then is silent for this long.
    Delay(Duration),
    /// Sends what is waiting, then tears the connection down with a TCP reset.
    Reset,
    /// Sends what is waiting, then closes in order, wherever the body stands.
    Close,
    /// Sends what is waiting, then keeps the connection open in silence until the client leaves.
    Hang,
}

/// How the client is told where the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// `Transfer-Encoding: chunked`, one chunk for each [`Step::Write`], with the end chunk.
    Chunked,
    /// The true `Content-Length`.
    ContentLength,
    /// A body that falls short: `Content-Length` promises this many bytes more than are sent,
    /// then the connection closes in order.
    ContentLengthShort(usize),
    /// No length: the body ends when the connection closes.
    UntilClose,
    /// No head at all: the steps are the bytes of the whole answer, then the connection closes.
    Raw,
}

/// A scripted answer. Built by chaining; later settings of one kind replace earlier ones.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) framing: Framing,
    pub(crate) gzip: bool,
    pub(crate) borders: Borders,
    pub(crate) border_pause: Duration,
    pub(crate) before_head: Vec<Step>,
    pub(crate) steps: Vec<Step>,
}

impl Reply {
    /// An answer with this status, no body, and a `Content-Length` frame.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            framing: Framing::ContentLength,
            gzip: false,
            borders: Borders::AsWritten,
            border_pause: Duration::from_micros(100),
            before_head: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Status 200 with a JSON body.
    pub fn json(value: &Value) -> Self {
        Self::status(200).json_body(value)
    }

    /// Status 200 with a chunked `text/event-stream` body of these bytes, written as one piece.
    pub fn sse(body: impl Into<Bytes>) -> Self {
        Self::status(200)
            .content_type("text/event-stream; charset=utf-8")
            .framing(Framing::Chunked)
            .body(body)
    }

    /// Bytes sent as they are in place of an HTTP answer, then an orderly close.
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self::status(200).framing(Framing::Raw).body(bytes)
    }

    /// A request that is never answered: silence until the client leaves.
    pub fn silence() -> Self {
        Self::status(200).before_head(Step::Hang)
    }

    /// A TCP reset in place of an answer.
    pub fn reset() -> Self {
        Self::status(200).before_head(Step::Reset)
    }

    /// Adds a header. A name given twice is sent twice.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the `Content-Type`.
    pub fn content_type(mut self, value: impl Into<String>) -> Self {
        self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        self.header("content-type", value)
    }

    /// Replaces the status.
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Sets the framing.
    pub fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Replaces the body by one write of these bytes.
    pub fn body(mut self, bytes: impl Into<Bytes>) -> Self {
        self.steps = vec![Step::Write(bytes.into())];
        self
    }

    /// Replaces the body by a JSON document and sets its content type.
    pub fn json_body(self, value: &Value) -> Self {
        self.content_type("application/json").body(value.to_string())
    }

    /// Replaces the body by a list of steps.
    pub fn steps(mut self, steps: Vec<Step>) -> Self {
        self.steps = steps;
        self
    }

    /// Appends one step to the body.
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Appends a write to the body.
    pub fn write(self, bytes: impl Into<Bytes>) -> Self {
        self.step(Step::Write(bytes.into()))
    }

    /// Appends a border to the body.
    pub fn border(self) -> Self {
        self.step(Step::Border)
    }

    /// Appends a silence to the body.
    pub fn delay(self, silence: Duration) -> Self {
        self.step(Step::Delay(silence))
    }

    /// Ends the body with a TCP reset.
    pub fn then_reset(self) -> Self {
        self.step(Step::Reset)
    }

    /// Ends the body with an orderly close, without the end that the framing asks for.
    pub fn then_close(self) -> Self {
        self.step(Step::Close)
    }

    /// Ends the body with silence until the client leaves.
    pub fn then_hang(self) -> Self {
        self.step(Step::Hang)
    }

    /// Adds a step that is played before the head. Writes there are raw bytes of the connection.
    pub fn before_head(mut self, step: Step) -> Self {
        self.before_head.push(step);
        self
    }

    /// Holds the status line and headers back for this long.
    pub fn head_delay(self, silence: Duration) -> Self {
        self.before_head(Step::Delay(silence))
    }

    /// Compresses the body. Each write can be decoded as soon as it arrives; a body that ends in
    /// `Reset`, `Close` or `Hang` lacks the gzip trailer.
    pub fn gzip(mut self) -> Self {
        self.gzip = true;
        self
    }

    /// Puts a border after every `size` bytes of the body as sent, that is after compression.
    /// 1 sends byte by byte.
    pub fn split_every(mut self, size: usize) -> Self {
        assert!(size > 0, "a body cannot be split every 0 bytes");
        self.borders = Borders::Every(size);
        self
    }

    /// Puts borders at these offsets of the body as sent, that is after compression.
    pub fn split_at(mut self, offsets: &[usize]) -> Self {
        self.borders = Borders::At(offsets.to_vec());
        self
    }

    /// Puts a border after each write, as a service does that flushes each event.
    pub fn split_writes(mut self) -> Self {
        self.borders = Borders::EachWrite;
        self
    }

    /// How long a border waits for the client to read; 100 µs at first. Chunk borders hold without
    /// any wait; with other framings a client on a busy machine may need longer.
    pub fn border_pause(mut self, pause: Duration) -> Self {
        self.border_pause = pause;
        self
    }
}
