//! Server-sent events as a list, and its way to a reply.
//!
//! Knows the event-stream format and no model protocol. The protocol scripts render into it;
//! [`sse`] starts a bare one, to which nothing is added.

use bytes::Bytes;
use serde_json::Value;

use crate::{
    reply::{Reply, Step},
    stream_script::StreamScript,
};

/// How the lines of an event stream end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// `\n`, as the services send.
    #[default]
    Lf,
    /// `\r\n`, as some proxies make of it.
    CrLf,
    /// `\r`, which the format allows.
    Cr,
}

impl LineEnd {
    fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// One item of a stream.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamItem {
    /// An event with a `data:` line for each line of the text, and an `event:` line if it is named.
    Event {
        /// The text of the `event:` line.
        name: Option<String>,
        /// The data.
        data: String,
    },
    /// A comment line and the empty line after it.
    Comment(String),
    /// Bytes that go out as they are, whatever the line ends are.
    Raw(Bytes),
    /// Something that is not text: a border, a silence, an end.
    Step(Step),
}

/// A list of events. Each becomes one [`Step::Write`].
#[derive(Debug, Clone, Default)]
pub struct EventStream {
    items: Vec<StreamItem>,
    line_end: LineEnd,
}

/// An empty event stream: exactly what is added is sent.
pub fn sse() -> EventStream {
    EventStream::default()
}

impl EventStream {
    pub(crate) fn with_line_end(line_end: LineEnd) -> Self {
        Self { items: Vec::new(), line_end }
    }

    pub(crate) fn add_named(&mut self, name: &str, data: &Value) {
        let (name, data) = (Some(name.to_owned()), data.to_string());
        self.items.push(StreamItem::Event { name, data });
    }

    pub(crate) fn add_data(&mut self, data: &Value) {
        self.items.push(StreamItem::Event { name: None, data: data.to_string() });
    }

    /// The stream as a chunked 200 reply.
    pub fn reply(self) -> Reply {
        Reply::sse("").steps(self.into_steps())
    }

    /// The body as steps, for putting it into a reply of one's own.
    pub fn into_steps(self) -> Vec<Step> {
        let end = self.line_end.text();
        self.items
            .into_iter()
            .map(|item| match item {
                StreamItem::Event { name, data } => {
                    let mut text = name.map_or(String::new(), |name| format!("event: {name}{end}"));
                    for line in data.split('\n') {
                        text.push_str(&format!("data: {line}{end}"));
                    }
                    text.push_str(end);
                    Step::Write(text.into())
                }
                StreamItem::Comment(text) => Step::Write(format!(": {text}{end}{end}").into()),
                StreamItem::Raw(bytes) => Step::Write(bytes),
                StreamItem::Step(step) => step,
            })
            .collect()
    }
}

impl StreamScript for EventStream {
    fn item(mut self, item: StreamItem) -> Self {
        self.items.push(item);
        self
    }

    fn line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }
}
