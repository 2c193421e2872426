//! A streamed answer: from the service's events to the assembler's calls.
//!
//! Pure: it is fed events and says in the end how the answer ended. It neither reads the network
//! nor decides what to do about a failure.

use crate::event::{ContentBlock, Delta, Document, EventKind, StreamEvent, WireUsage};
use crate::stop::{self, Stop};
use fen_contract::types::{AssistantMessage, ErrorKind, StopReason};
use fen_provider_kit::assembler::Assembler;
use fen_provider_kit::exchange::Progress;
use fen_provider_kit::failure::{CallError, ErrorText, Service};
use fen_provider_kit::json;
use serde_json::Value;
use std::collections::HashMap;

/// Marks a reasoning block that the service itself sent without its text, so that it can be told
/// from one whose text was lost.
pub(crate) const OMITTED: &str = "omitted?";

/// What has been seen of an answer beside its content.
#[derive(Default)]
pub(crate) struct Reader {
    blocks: HashMap<u64, Open>,
    stop: Option<Stop>,
    ended: bool,
    failure: Option<Failed>,
    begun: bool,
}

/// An error event, or an event that cannot be read.
enum Failed {
    Reported(ErrorText),
    Unreadable(String),
}

/// A block whose end has not come.
enum Open {
    Text,
    Thinking {
        has_text: bool,
        signed: bool,
    },
    /// A call, with the input that its start had.
    Tool {
        input: Option<String>,
        has_fragments: bool,
    },
    /// One that fen does not know.
    Skipped,
}

/// What became of an event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It was taken in.
    Taken,
    /// It is not an event of the protocol, and stands for nothing.
    Noise,
}

impl Reader {
    /// Takes in one event. `complete` is false for one that the stream's end cut.
    pub fn read(
        &mut self,
        assembler: &mut Assembler<'_>,
        name: &str,
        data: &str,
        complete: bool,
    ) -> Seen {
        if self.is_over() {
            return Seen::Taken;
        }
        let event: StreamEvent = match json::parse(data) {
            Ok(event) => event,
            Err(error) => return self.unreadable(name, data, complete, &error),
        };
        self.begun = true;
        if event.error.is_some() || event.kind.as_deref().unwrap_or(name) == "error" {
            self.failure = Some(reported(data));
            return Seen::Taken;
        }
        self.take(assembler, name, event)
    }

    /// Whether nothing that may still come can change the answer.
    pub fn is_over(&self) -> bool {
        self.ended || self.failure.is_some()
    }

    /// How far the answer has come.
    pub fn progress(&self) -> Progress {
        match (self.is_over(), &self.stop) {
            (true, _) => Progress::Over,
            (false, Some(_)) => Progress::Stopping,
            (false, None) => Progress::Going,
        }
    }

    /// Text that is no JSON object is what some proxies send to keep a connection alive.
    fn unreadable(
        &mut self,
        name: &str,
        data: &str,
        complete: bool,
        error: &serde_json::Error,
    ) -> Seen {
        let event = json::parse::<EventKind>(data);
        let kind = event.as_ref().map(|event| event.kind.as_deref().unwrap_or(name));
        self.failure = match kind {
            Ok("error") => Some(reported(data)),
            Ok(kind) if !KINDS.contains(&kind) => return Seen::Noise,
            Err(_) if !complete || !data.trim_start().starts_with('{') => return Seen::Noise,
            Ok(_) | Err(_) => Some(Failed::Unreadable(error.to_string())),
        };
        Seen::Taken
    }

    fn take(&mut self, assembler: &mut Assembler<'_>, name: &str, event: StreamEvent) -> Seen {
        let index = event.index.unwrap_or(0);
        match event.kind.as_deref().unwrap_or(name) {
            "message_start" => {
                assembler.start();
                let usage = event.message.and_then(|message| message.usage);
                note_usage(assembler, usage.or(event.usage));
            }
            "content_block_start" => {
                self.start_block(assembler, index, event.content_block.unwrap_or_default());
            }
            "content_block_delta" => {
                self.add(assembler, index, &event.delta.unwrap_or_default());
            }
            "content_block_stop" => self.end_block(assembler, index),
            "message_delta" => {
                note_usage(assembler, event.usage);
                if let Some(reason) = event.delta.and_then(|delta| delta.stop_reason) {
                    self.stop = Some(stop::read(&reason));
                }
            }
            "message_stop" => self.ended = true,
            "ping" => {}
            _ => return Seen::Noise,
        }
        Seen::Taken
    }

    fn start_block(&mut self, assembler: &mut Assembler<'_>, index: u64, block: ContentBlock) {
        self.end_texts(assembler);
        let open = match block.kind.as_deref() {
            Some("text") => {
                assembler.text(block.text.as_deref().unwrap_or_default());
                Open::Text
            }
            Some("thinking") => {
                let (text, signature) = (block.thinking, block.signature);
                let (text, signature) = (text.unwrap_or_default(), signature.unwrap_or_default());
                assembler.thinking(&text);
                assembler.thinking_signature(&signature);
                Open::Thinking { has_text: !text.is_empty(), signed: !signature.is_empty() }
            }
            Some("redacted_thinking") => {
                assembler.redacted_thinking(block.data.as_deref().unwrap_or_default());
                Open::Skipped
            }
            Some("tool_use") => {
                assembler.tool_delta(index, block.id.as_deref(), block.name.as_deref(), "");
                let input = block.input.map(|input| input.get().to_owned());
                Open::Tool { input, has_fragments: false }
            }
            _ => Open::Skipped,
        };
        self.blocks.insert(index, open);
    }

    fn add(&mut self, assembler: &mut Assembler<'_>, index: u64, delta: &Delta) {
        // Some servers forget to say that a block begins.
        let open = self.blocks.entry(index).or_insert_with(|| match delta.kind.as_deref() {
            Some("text_delta") => Open::Text,
            Some("thinking_delta") => Open::Thinking { has_text: false, signed: false },
            _ => Open::Skipped,
        });
        match (delta.kind.as_deref(), open) {
            (Some("text_delta"), Open::Text) => assembler.text(piece(&delta.text)),
            (Some("thinking_delta"), Open::Thinking { has_text, .. }) => {
                let text = piece(&delta.thinking);
                *has_text |= !text.is_empty();
                assembler.thinking(text);
            }
            (Some("signature_delta"), Open::Thinking { signed, .. }) => {
                let signature = piece(&delta.signature);
                *signed |= !signature.is_empty();
                assembler.thinking_signature(signature);
            }
            (Some("input_json_delta"), Open::Tool { has_fragments, .. }) => {
                let fragment = piece(&delta.partial_json);
                *has_fragments |= !fragment.is_empty();
                assembler.tool_delta(index, None, None, fragment);
            }
            _ => {}
        }
    }

    fn end_block(&mut self, assembler: &mut Assembler<'_>, index: u64) {
        match self.blocks.remove(&index) {
            Some(Open::Thinking { has_text: false, signed: true }) => {
                assembler.thinking_field(OMITTED, Value::Bool(true));
                assembler.end_open();
            }
            Some(Open::Text | Open::Thinking { .. }) => assembler.end_open(),
            Some(Open::Tool { input, has_fragments }) => {
                if let Some(input) = input.filter(|_| !has_fragments) {
                    assembler.tool_delta(index, None, None, &input);
                }
                assembler.end_tool(index);
            }
            Some(Open::Skipped) | None => {}
        }
    }

    /// Takes in an answer that came whole.
    pub fn read_document(&mut self, assembler: &mut Assembler<'_>, document: Document) {
        self.begun = true;
        note_usage(assembler, document.usage);
        for (index, block) in (0..).zip(document.content.unwrap_or_default()) {
            self.start_block(assembler, index, block);
            self.end_block(assembler, index);
        }
        self.stop = document.stop_reason.as_deref().map(stop::read);
        self.ended = true;
    }

    /// Ends the answer.
    pub fn finish(mut self, mut assembler: Assembler<'_>, end: End<'_>) -> AssistantMessage {
        let service = end.service;
        match (self.failure.take(), self.stop.take()) {
            (Some(Failed::Reported(text)), _) => {
                assembler.fail(service.reported_error(&text, ErrorKind::Overloaded))
            }
            (Some(Failed::Unreadable(reason)), _) => {
                let what = format!("an event that is not as it should be: {reason}");
                assembler.fail(service.not_an_answer(ErrorKind::TruncatedStream, &what))
            }
            (None, Some(stop)) => {
                self.end_blocks(&mut assembler);
                conclude(assembler, service, stop)
            }
            (None, None) if self.ended => {
                self.end_blocks(&mut assembler);
                without_reason(assembler)
            }
            (None, None) => match end.broken {
                Some(error) => assembler.fail(error),
                None if !self.begun => assembler.fail(end.nothing),
                None if !end.requires_reason && !assembler.is_empty() => {
                    self.end_blocks(&mut assembler);
                    without_reason(assembler)
                }
                None => assembler.fail(service.cut_short()),
            },
        }
    }

    /// Ends text and reasoning whose ends the service left out before it began another block.
    fn end_texts(&mut self, assembler: &mut Assembler<'_>) {
        let texts = self.blocks.iter().filter(|(_, open)| !matches!(open, Open::Tool { .. }));
        for index in texts.map(|(index, _)| *index).collect::<Vec<_>>() {
            self.end_block(assembler, index);
        }
    }

    /// Ends the blocks of a whole answer whose ends the service left out.
    fn end_blocks(&mut self, assembler: &mut Assembler<'_>) {
        let mut open: Vec<u64> = self.blocks.keys().copied().collect();
        open.sort_unstable();
        for index in open {
            self.end_block(assembler, index);
        }
    }
}

/// How an answer came to its end, beside what it said of that itself.
pub(crate) struct End<'a> {
    /// Who answered.
    pub service: &'a Service<'a>,
    /// What to say where nothing came that belongs to an answer.
    pub nothing: CallError,
    /// What broke the connection.
    pub broken: Option<CallError>,
    /// Whether a stream without a stop reason is one that broke off.
    pub requires_reason: bool,
}

/// Ends an answer that the service called complete without saying why it stopped.
fn without_reason(mut assembler: Assembler<'_>) -> AssistantMessage {
    assembler.notice("the service did not say why the model stopped");
    assembler.finish(StopReason::Stop)
}

/// Ends an answer that has a stop reason.
fn conclude(mut assembler: Assembler<'_>, service: &Service<'_>, stop: Stop) -> AssistantMessage {
    match stop {
        Stop::Whole(reason) => {
            if assembler.is_empty() {
                assembler.notice("the model's answer is empty");
            }
            assembler.finish(reason)
        }
        Stop::Remarkable(notice) => {
            assembler.notice(notice);
            assembler.finish(StopReason::Stop)
        }
        Stop::Failed(kind, words) => {
            assembler.fail(CallError::new(kind, format!("{}: {words}", service.provider)))
        }
    }
}

/// The text of a piece; one that is left out is empty.
fn piece(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or_default()
}

fn note_usage(assembler: &mut Assembler<'_>, usage: Option<WireUsage>) {
    if let Some(usage) = usage {
        usage.write_to(assembler.usage_mut());
    }
}

fn reported(data: &str) -> Failed {
    let value = json::parse::<Value>(data).unwrap_or_default();
    Failed::Reported(ErrorText::of_json(&value).unwrap_or_default())
}

/// The events without which an answer would have a hole.
const KINDS: [&str; 6] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
];
