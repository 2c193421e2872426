//! What every script of an event stream can do, whatever protocol it speaks.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::{
    event_stream::{LineEnd, StreamItem},
    reply::Step,
};

/// The part that the scripts share: raw bytes, pauses and ends between the events.
pub trait StreamScript: Sized {
    /// Adds an item at this place of the stream.
    fn item(self, item: StreamItem) -> Self;

    /// Sets the line ends of the events that the script writes itself.
    fn line_end(self, line_end: LineEnd) -> Self;

    /// Ends lines with `\r\n`.
    fn crlf(self) -> Self {
        self.line_end(LineEnd::CrLf)
    }

    /// Bytes that go out as they are, for instance `"data: {…}\n\n"`.
    fn raw(self, bytes: impl Into<Bytes>) -> Self {
        self.item(StreamItem::Raw(bytes.into()))
    }

    /// An event without a name.
    fn data(self, data: impl Into<String>) -> Self {
        self.item(StreamItem::Event { name: None, data: data.into() })
    }

    /// A named event with JSON data.
    fn event(self, name: impl Into<String>, data: &Value) -> Self {
        self.item(StreamItem::Event { name: Some(name.into()), data: data.to_string() })
    }

    /// A comment, as services send to keep a connection alive.
    fn comment(self, text: impl Into<String>) -> Self {
        self.item(StreamItem::Comment(text.into()))
    }

    /// A border between network reads.
    fn border(self) -> Self {
        self.item(StreamItem::Step(Step::Border))
    }

    /// A silence.
    fn delay(self, silence: Duration) -> Self {
        self.item(StreamItem::Step(Step::Delay(silence)))
    }

    /// A TCP reset; nothing after it is sent.
    fn reset(self) -> Self {
        self.item(StreamItem::Step(Step::Reset))
    }

    /// An orderly close without the end of the chunked body; nothing after it is sent.
    fn close(self) -> Self {
        self.item(StreamItem::Step(Step::Close))
    }

    /// Silence until the client leaves; nothing after it is sent.
    fn hang(self) -> Self {
        self.item(StreamItem::Step(Step::Hang))
    }
}

/// Cuts text into pieces of a few characters, as services send the arguments of a call.
pub(crate) fn fragments(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(12).map(|piece| piece.iter().collect()).collect()
}
