//! Reads a whole session, line by line, and gathers what is to be told about it.
//!
//! It never fails over a line: each bad one costs itself and a warning.

use crate::layout;
use crate::line::{self, Content, Header, Line, VERSION};
use crate::lines::{Lines, MAX_LINE_BYTES, RawLine};
use crate::tree::{Joined, Tree};
use fen_contract::conversation::QueueContents;
use fen_contract::failure::Failure;
use fen_contract::session::Loaded;
use fen_contract::types::Message;
use std::io::Read;
use std::path::Path;

/// How many warnings of one file are told; the rest is counted.
const MAX_WARNINGS: usize = 50;

/// Everything in a file.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) header: Option<Header>,
    pub(crate) tree: Tree,
    /// The last title that was given.
    pub(crate) title: Option<String>,
    /// The lines that waited, as they were last stored.
    pub(crate) queue: QueueContents,
    /// What the person has said since then.
    messages_since_queue: Vec<String>,
    pub(crate) warnings: Warnings,
}

impl Contents {
    fn note(&mut self, content: &Content) {
        match content {
            Content::Title(title) => self.title = Some(title.clone()),
            Content::Queue(queue) => {
                self.queue = queue.clone();
                self.messages_since_queue.clear();
            }
            Content::Message(Message::User(message)) if self.queue != QueueContents::default() => {
                self.messages_since_queue.push(message.content.text());
            }
            Content::Message(_) | Content::Other => {}
        }
    }

    /// The lines that still wait. A line becomes a message before the queue is stored without it,
    /// so one that was said since does not wait any more.
    fn waiting(&mut self) -> QueueContents {
        let mut queue = std::mem::take(&mut self.queue);
        for said in std::mem::take(&mut self.messages_since_queue) {
            for lines in [&mut queue.steering, &mut queue.follow_up] {
                if let Some(at) = lines.iter().position(|line| *line == said) {
                    lines.remove(at);
                    break;
                }
            }
        }
        queue
    }
}

/// A bounded list of warnings.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    told: Vec<String>,
    untold: usize,
}

impl Warnings {
    pub(crate) fn push(&mut self, warning: String) {
        if self.told.len() < MAX_WARNINGS {
            self.told.push(warning);
        } else {
            self.untold += 1;
        }
    }

    pub(crate) fn into_list(mut self) -> Vec<String> {
        if self.untold > 0 {
            self.told.push(format!("and {} more warnings of this kind", self.untold));
        }
        self.told
    }
}

/// Reads everything. An error of the disk ends the reading, and is a warning like any other.
pub(crate) fn read(source: impl Read) -> Contents {
    let mut contents = Contents::default();
    let mut lines = Lines::new(source);
    let mut number = 0;
    // Whether the lines just before could not be read: what they held explains a missing parent.
    let mut after_gap = false;
    loop {
        number += 1;
        let told = match lines.next_line() {
            Ok(None) => break,
            Ok(Some(RawLine::Bytes(bytes))) => line::parse(bytes),
            Ok(Some(RawLine::TooLong)) => (None, Some(too_long())),
            Err(error) => {
                contents.warnings.push(format!("line {number} and beyond: {error}"));
                break;
            }
        };
        let (line, remark) = told;
        if let Some(remark) = remark {
            after_gap |= line.is_none();
            contents.warnings.push(format!("line {number} {remark}"));
        }
        match line {
            Some(Line::Header(header)) if contents.header.is_none() => {
                contents.header = Some(header);
            }
            Some(Line::Entry(entry)) => {
                contents.note(&entry.content);
                let joined = contents.tree.push(entry);
                if joined == Joined::ToPrevious && !after_gap {
                    contents.warnings.push(format!(
                        "line {number} follows an entry that is not there; it was taken to follow \
                         the line before it"
                    ));
                }
                after_gap = false;
            }
            _ => {}
        }
    }
    contents
}

/// What is told of a line beyond the limit.
pub(crate) fn too_long() -> String {
    format!("is longer than {} MiB; it was skipped", MAX_LINE_BYTES >> 20)
}

/// Loads the conversation of a stored session.
pub(crate) fn load(path: &Path) -> Result<Loaded, Failure> {
    let mut contents = read(layout::readable(path)?);
    let queue = contents.waiting();
    if contents.header.is_none() && contents.tree.is_empty() {
        let shown = path.display();
        return Err(Failure::caller(format!("{shown} holds nothing of a fen session")));
    }
    let mut warnings = contents.warnings.into_list();
    warnings.extend(version_notice(contents.header.as_ref()));
    let messages = contents.tree.into_messages();
    let (mut provider, mut model) = (None, None);
    if let Some(answer) = last_named_answer(&messages) {
        provider = answer.provider.as_ref().map(|name| name.as_str().to_owned());
        model = answer.model.as_ref().map(|name| name.as_str().to_owned());
    } else if let Some(header) = contents.header {
        (provider, model) = (header.provider, header.model);
    }
    Ok(Loaded { messages, queue, warnings, provider, model })
}

/// The last answer that says where it came from. Its provider and model belong together.
fn last_named_answer(messages: &[Message]) -> Option<&fen_contract::types::AssistantMessage> {
    messages.iter().rev().find_map(|message| match message {
        Message::Assistant(answer) if answer.provider.is_some() => Some(&**answer),
        _ => None,
    })
}

/// Why a file with this header is continued in a copy; `None` if it is continued in place.
pub(crate) fn version_notice(header: Option<&Header>) -> Option<String> {
    let reason = match header {
        None => "the first line of the session, which describes it, cannot be read".to_owned(),
        Some(header) if header.version < VERSION => {
            format!("the session is in the older format {}", header.version)
        }
        Some(header) if header.version > VERSION => {
            let version = header.version;
            format!(
                "the session was written by a newer fen, in format {version}, and is only read here"
            )
        }
        Some(_) => return None,
    };
    Some(format!("{reason}; the conversation goes on in a copy, and this file stays as it is"))
}
