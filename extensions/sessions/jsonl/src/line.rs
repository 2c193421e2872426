//! What a line of a session file says, and how fen writes one.
//!
//! It turns bytes into headers and entries and back; it opens no file.

use crate::lines::MAX_LINE_BYTES;
use crate::repair::{self, MAX_DEPTH};
use fen_contract::conversation::QueueContents;
use fen_contract::failure::Failure;
use fen_contract::names::Millis;
use fen_contract::types::Message;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The version of the format that fen writes.
pub(crate) const VERSION: u64 = 3;

/// The first line of a file. What is absent could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) version: u64,
    pub(crate) id: Option<String>,
    pub(crate) timestamp: Option<Millis>,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) provider: Option<String>,
    pub(crate) model: Option<String>,
}

/// What an entry follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Parent {
    /// Nothing: it begins a conversation.
    Root,
    /// The entry of this id.
    Entry(String),
    /// It does not say: the entry before it in the file.
    Previous,
}

/// What an entry holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    Message(Message),
    Title(String),
    /// The lines that waited for the agent.
    Queue(QueueContents),
    /// Something that this crate does not interpret.
    Other,
}

/// Any line after the header.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: Option<String>,
    pub(crate) parent: Parent,
    pub(crate) content: Content,
}

/// A line that could be read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Line {
    Header(Header),
    Entry(Entry),
}

/// A line and what is to be told of it, worded to follow "line N".
pub(crate) type Told = (Option<Line>, Option<String>);

/// The shape of nearly every line, read in one pass.
#[derive(Deserialize)]
struct Usual {
    #[serde(rename = "type")]
    kind: Option<String>,
    id: Option<String>,
    #[serde(rename = "parent-id", default, deserialize_with = "present")]
    parent: Option<Option<String>>,
    message: Option<Message>,
}

/// Tells an explicit null from an absent field.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Reads a line. Nothing at all comes of a blank one.
pub(crate) fn parse(line: &[u8]) -> Told {
    if line.iter().all(u8::is_ascii_whitespace) {
        return (None, None);
    }
    if let Ok(usual) = serde_json::from_slice::<Usual>(line)
        && let (Some("message"), Some(message)) = (usual.kind.as_deref(), usual.message)
    {
        let content = Content::Message(message);
        return (Some(Line::Entry(entry(usual.id, usual.parent, content))), None);
    }
    match repair::object(line) {
        Ok(recovered) => {
            let (line, remark) = interpret(recovered.fields);
            (line, remark.or(recovered.remark))
        }
        Err(reason) => (None, Some(format!("{reason}; it was skipped"))),
    }
}

fn entry(id: Option<String>, parent: Option<Option<String>>, content: Content) -> Entry {
    let parent = match parent {
        None => Parent::Previous,
        Some(None) => Parent::Root,
        Some(Some(id)) => Parent::Entry(id),
    };
    Entry { id, parent, content }
}

/// Reads a line of any version, field by field.
fn interpret(mut fields: Map<String, Value>) -> Told {
    let kind = fields.get("type").and_then(Value::as_str).map(str::to_owned);
    if kind.as_deref() == Some("session") {
        return (Some(Line::Header(header(&fields))), None);
    }
    if kind.is_none() && !fields.contains_key("role") {
        return (None, Some("is neither an entry nor a message; it was skipped".into()));
    }
    let id = text(&fields, "id");
    let parent = match fields.get("parent-id") {
        None => None,
        Some(Value::Null) => Some(None),
        Some(_) => Some(text(&fields, "parent-id")),
    };
    let (content, remark) = match kind.as_deref() {
        // Old files hold bare messages; their other fields are the message's own.
        None | Some("message") => {
            let message = fields.remove("message").unwrap_or(Value::Object(fields));
            match serde_json::from_value(message) {
                Ok(message) => (Content::Message(message), None),
                Err(error) => {
                    (Content::Other, Some(format!("is not a message that fen knows ({error})")))
                }
            }
        }
        Some("title") => match text(&fields, "title") {
            Some(title) => (Content::Title(title), None),
            None => (Content::Other, None),
        },
        Some("queue") => match QueueContents::deserialize(Value::Object(fields)) {
            Ok(queue) => (Content::Queue(queue), None),
            Err(error) => (
                Content::Other,
                Some(format!("holds waiting lines that fen cannot read ({error})")),
            ),
        },
        Some(_) => (Content::Other, None),
    };
    (Some(Line::Entry(entry(id, parent, content))), remark)
}

fn header(fields: &Map<String, Value>) -> Header {
    let timestamp = match fields.get("timestamp") {
        Some(Value::String(text)) => {
            let moment = text.parse::<jiff::Timestamp>().ok();
            moment.and_then(|moment| u64::try_from(moment.as_millisecond()).ok()).map(Millis)
        }
        Some(value) => Millis::deserialize(value).ok(),
        None => None,
    };
    Header {
        version: fields.get("version").and_then(Value::as_u64).unwrap_or(1),
        id: text(fields, "id").filter(|id| !id.is_empty()),
        timestamp,
        cwd: text(fields, "cwd").map(PathBuf::from),
        provider: text(fields, "provider"),
        model: text(fields, "model"),
    }
}

fn text(fields: &Map<String, Value>, name: &str) -> Option<String> {
    fields.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// The header as it is written.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct NewHeader<'a> {
    pub(crate) r#type: &'static str,
    pub(crate) version: u64,
    pub(crate) id: &'a str,
    pub(crate) timestamp: Millis,
    pub(crate) cwd: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) provider: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<&'a str>,
    /// The session that this one is a copy of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forked_from: Option<&'a str>,
}

/// An entry as it is written; `body` holds the fields of its kind.
#[derive(Serialize)]
struct NewEntry<'a, B> {
    r#type: &'a str,
    id: &'a str,
    #[serde(rename = "parent-id", skip_serializing_if = "Option::is_none")]
    parent: Option<Option<&'a str>>,
    timestamp: Millis,
    #[serde(flatten)]
    body: B,
}

/// What stands before the fields of an entry's kind.
#[derive(Clone, Copy)]
pub(crate) struct Stamp<'a> {
    pub(crate) id: &'a str,
    pub(crate) parent: &'a Parent,
    pub(crate) timestamp: Millis,
}

/// Writes a message as a line.
pub(crate) fn message_line(stamp: Stamp<'_>, message: &Message) -> Result<Vec<u8>, Failure> {
    #[derive(Serialize)]
    struct Body<'a> {
        message: &'a Message,
    }
    entry_line(stamp, "message", Body { message })
}

/// Writes an entry of any kind as a line.
pub(crate) fn entry_line(
    stamp: Stamp<'_>,
    kind: &str,
    body: impl Serialize,
) -> Result<Vec<u8>, Failure> {
    let parent = match stamp.parent {
        Parent::Root => Some(None),
        Parent::Entry(id) => Some(Some(id.as_str())),
        Parent::Previous => None,
    };
    let Stamp { id, timestamp, .. } = stamp;
    line_of(&NewEntry { r#type: kind, id, parent, timestamp, body })
}

/// Any JSON object as a line; refuses what could not be read again.
pub(crate) fn line_of(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut line = serde_json::to_vec(value)
        .map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    if line.len() > MAX_LINE_BYTES {
        let limit = MAX_LINE_BYTES >> 20;
        return Err(Failure::new(format!("too large to be stored: the limit is {limit} MiB")));
    }
    if repair::depth(&line) > MAX_DEPTH {
        let limit = MAX_DEPTH;
        return Err(Failure::new(format!("nested too deeply to be stored: the limit is {limit}")));
    }
    line.push(b'\n');
    Ok(line)
}

/// An id for an entry: 62 bits of chance and counting, so that no look at the file is needed.
pub(crate) fn new_entry_id() -> String {
    let (_, low) = uuid::Uuid::now_v7().as_u64_pair();
    format!("{low:016x}")
}
