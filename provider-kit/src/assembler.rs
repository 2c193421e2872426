//! From deltas to an answer: the one place that decides what the stream events of an answer are.
//!
//! It owns the order of events, the content's positions and the reading of arguments; it must never
//! know a wire format, wait, or emit anything after the answer was taken. A provider makes one for
//! each call, feeds it what arrives, and ends it with [`Assembler::finish`], [`Assembler::fail`] or
//! [`Assembler::abort`].
//!
//! Positions count from 1 in order of first appearance. Text and reasoning end where another block
//! begins; calls may interleave and end when the provider says so, or with the answer.

mod arguments;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
mod tool_draft;

pub use arguments::{RAW_ARGUMENTS, read_arguments};

use crate::failure::CallError;
use fen_contract::events::{
    Done, Event, Start, TextDelta, TextEnd, TextStart, ThinkingDelta, ThinkingEnd, ThinkingStart,
    ToolCallDelta, ToolCallEnd, ToolCallStart,
};
use fen_contract::names::{Count, ModelId, ProviderName, ToolCallId};
use fen_contract::provider::StreamSink;
use fen_contract::record::Extra;
use fen_contract::types::{
    AssistantBlock, AssistantMessage, StopReason, TextContent, ThinkingContent, ToolCall, Usage,
};
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;
use tool_draft::ToolDraft;

/// Where an answer comes from; written into its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The protocol family, such as `openai-completions`.
    pub api: String,
    /// The registered name of the provider.
    pub provider: ProviderName,
    /// The model as the request named it, so that later requests can tell its answers from others'.
    pub model: ModelId,
}

/// How many tool calls one answer may have.
const MAX_CALLS: usize = 256;

/// Builds one answer and tells its stream events. See the module's documentation.
pub struct Assembler<'s> {
    sink: &'s dyn StreamSink,
    origin: Origin,
    started: bool,
    /// How many tool calls were begun.
    calls: usize,
    blocks: Vec<Block>,
    /// Whether the last block is text or reasoning that has not ended.
    open: bool,
    usage: Option<Usage>,
    notice: Option<String>,
    fields: Extra,
}

enum Block {
    Text(String),
    Thinking(ThinkingContent),
    Tool(ToolDraft),
}

impl<'s> Assembler<'s> {
    /// An answer of which nothing has come.
    pub fn new(sink: &'s dyn StreamSink, origin: Origin) -> Self {
        Assembler {
            sink,
            origin,
            started: false,
            calls: 0,
            blocks: Vec::new(),
            open: false,
            usage: None,
            notice: None,
            fields: Extra::new(),
        }
    }

    /// Tells that the stream is open. The first block does so by itself.
    pub fn start(&mut self) {
        if !self.started {
            self.started = true;
            self.sink.emit(Start { extra: Extra::new() }.into());
        }
    }

    /// Adds visible text; an empty piece does nothing.
    pub fn text(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if !matches!((self.open, self.blocks.last()), (true, Some(Block::Text(_)))) {
            let content_index = self.push(Block::Text(String::new()));
            self.sink.emit(TextStart { content_index, extra: Extra::new() }.into());
            self.open = true;
        }
        let content_index = Count::from(self.blocks.len());
        if let Some(Block::Text(text)) = self.blocks.last_mut() {
            text.push_str(delta);
        }
        let delta = delta.to_owned();
        self.sink.emit(TextDelta { content_index, delta, extra: Extra::new() }.into());
    }

    /// Adds reasoning; an empty piece does nothing.
    pub fn thinking(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        self.thought().thinking.push_str(delta);
        let content_index = Count::from(self.blocks.len());
        let delta = delta.to_owned();
        self.sink.emit(ThinkingDelta { content_index, delta, extra: Extra::new() }.into());
    }

    /// Adds to the seal of the open reasoning block, or of a new one that has no text.
    pub fn thinking_signature(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.thought().thinking_signature.get_or_insert_default().push_str(piece);
        }
    }

    /// Sets a further field of the open reasoning block, or of a new one that has no text.
    pub fn thinking_field(&mut self, key: &str, value: Value) {
        self.thought().extra.insert(key.to_owned(), value);
    }

    /// Adds a whole reasoning block whose text the service withholds.
    pub fn redacted_thinking(&mut self, sealed: &str) {
        self.end_open();
        let thought = self.thought();
        thought.redacted = Some(true);
        thought.thinking_signature = Some(sealed.to_owned());
        self.end_open();
    }

    /// Adds to the call with this key, or begins it. The id is what the service first gave; a name
    /// may come whole, again and again, or in pieces before the arguments. `fragment` is a piece of
    /// the arguments as JSON text, possibly empty.
    ///
    /// A call beyond the 256th of an answer is left out, with a notice.
    pub fn tool_delta(&mut self, key: u64, id: Option<&str>, name: Option<&str>, fragment: &str) {
        let found = self.blocks.iter().rposition(|block| match block {
            Block::Tool(draft) => draft.key == key && !draft.is_complete(),
            _ => false,
        });
        let position = match found {
            Some(position) => position,
            None if self.calls == MAX_CALLS => {
                self.notice(
                    "the answer had more tool calls than one answer may have; the rest was left out",
                );
                return;
            }
            None => {
                self.calls += 1;
                let content_index = self.push(Block::Tool(ToolDraft::new(key)));
                self.sink.emit(ToolCallStart { content_index, extra: Extra::new() }.into());
                self.blocks.len() - 1
            }
        };
        let Block::Tool(draft) = &mut self.blocks[position] else { return };
        draft.add(id, name, fragment);
        if !fragment.is_empty() {
            let content_index = Count::from(position + 1);
            let delta = fragment.to_owned();
            self.sink.emit(ToolCallDelta { content_index, delta, extra: Extra::new() }.into());
        }
    }

    /// Sets a further field of the call with this key, to be sent back with it.
    pub fn tool_field(&mut self, key: u64, field: &str, value: Value) {
        let draft = self.blocks.iter_mut().rev().find_map(|block| match block {
            Block::Tool(draft) if draft.key == key => Some(draft),
            _ => None,
        });
        if let Some(draft) = draft {
            draft.extra.insert(field.to_owned(), value);
        }
    }

    /// Ends the call with this key: all its arguments have come.
    pub fn end_tool(&mut self, key: u64) {
        let found = self.blocks.iter().rposition(|block| match block {
            Block::Tool(draft) => draft.key == key && !draft.is_complete(),
            _ => false,
        });
        if let Some(position) = found {
            self.complete_tool(position);
        }
    }

    /// Ends the open text or reasoning block, so that the next piece begins another.
    pub fn end_open(&mut self) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let (content_index, extra) = (Count::from(self.blocks.len()), Extra::new());
        let event: Event = match self.blocks.last() {
            Some(Block::Text(text)) => {
                TextEnd { content: text.clone(), content_index, extra }.into()
            }
            Some(Block::Thinking(thought)) => {
                ThinkingEnd { content: thought.thinking.clone(), content_index, extra }.into()
            }
            Some(Block::Tool(_)) | None => return,
        };
        self.sink.emit(event);
    }

    /// What the call took so far; kept also where the call fails.
    pub fn usage_mut(&mut self) -> &mut Usage {
        self.usage.get_or_insert_with(Usage::empty)
    }

    /// Notes a remark about the answer for the person.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.notice = Some(text.into());
    }

    /// Sets a further field of the message.
    pub fn field(&mut self, key: &str, value: Value) {
        self.fields.insert(key.to_owned(), value);
    }

    /// Whether no block has begun.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Whether a call has begun.
    pub fn has_calls(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Tool(_)))
    }

    /// Ends an answer that is whole, and tells so. Calls without a name are left out with a remark;
    /// the stop reasons `stop` and `tool-use` are set right by whether there are calls.
    pub fn finish(mut self, stop_reason: StopReason) -> AssistantMessage {
        self.start();
        self.end_open();
        for position in 0..self.blocks.len() {
            self.complete_tool(position);
        }
        if self.blocks.iter().any(|block| matches!(block, Block::Tool(draft) if draft.is_ghost())) {
            self.notice.get_or_insert_with(|| {
                "the model made a tool call without a name; it was left out".to_owned()
            });
        }
        let content = self.take_content();
        let has_calls = content.iter().any(|block| matches!(block, AssistantBlock::ToolCall(_)));
        let stop_reason = match (stop_reason, has_calls) {
            (StopReason::Stop, true) => StopReason::ToolUse,
            (StopReason::ToolUse, false) => StopReason::Stop,
            (other, _) => other,
        };
        let message = self.seal(AssistantMessage::new(content, stop_reason));
        let done = Done { message: Arc::new(message.clone()), extra: Extra::new() };
        self.sink.emit(done.into());
        message
    }

    /// Ends an answer that failed. Text and reasoning are kept as far as they came; calls only
    /// where all of their arguments did.
    pub fn fail(mut self, error: CallError) -> AssistantMessage {
        let content = self.partial();
        self.seal(error.into_message(content))
    }

    /// Ends an answer that the person cancelled; what is kept is as in [`Assembler::fail`].
    pub fn abort(mut self) -> AssistantMessage {
        let content = self.partial();
        self.seal(AssistantMessage::new(content, StopReason::Aborted))
    }

    /// The open reasoning block, begun if there is none.
    fn thought(&mut self) -> &mut ThinkingContent {
        if !matches!((self.open, self.blocks.last()), (true, Some(Block::Thinking(_)))) {
            let content_index = self.push(Block::Thinking(ThinkingContent::new("")));
            self.sink.emit(ThinkingStart { content_index, extra: Extra::new() }.into());
            self.open = true;
        }
        match self.blocks.last_mut() {
            Some(Block::Thinking(thought)) => thought,
            _ => unreachable!("a reasoning block was pushed, or lay last, just above"),
        }
    }

    fn push(&mut self, block: Block) -> Count {
        self.start();
        self.end_open();
        self.blocks.push(block);
        Count::from(self.blocks.len())
    }

    /// Reads the arguments of the call at `position`, unless that is done or it is no call at all.
    fn complete_tool(&mut self, position: usize) {
        // Calls that interleave may end before one that began earlier.
        let used: HashSet<ToolCallId> = self
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Tool(draft) => draft.call.as_ref().map(|call| call.id.clone()),
                _ => None,
            })
            .collect();
        let Block::Tool(draft) = &mut self.blocks[position] else { return };
        if draft.is_complete() || draft.name.is_empty() {
            return;
        }
        let tool_call = draft.complete(&used);
        let content_index = Count::from(position + 1);
        self.sink.emit(ToolCallEnd { content_index, tool_call, extra: Extra::new() }.into());
    }

    /// What is kept of an answer that did not end well.
    fn partial(&mut self) -> Vec<AssistantBlock> {
        self.end_open();
        for position in 0..self.blocks.len() {
            if matches!(&self.blocks[position], Block::Tool(draft) if draft.looks_whole()) {
                self.complete_tool(position);
            }
        }
        self.take_content()
    }

    fn take_content(&mut self) -> Vec<AssistantBlock> {
        let blocks = std::mem::take(&mut self.blocks);
        let content = blocks.into_iter().filter_map(|block| match block {
            Block::Text(text) => Some(AssistantBlock::Text(TextContent::new(text))),
            Block::Thinking(thought) => Some(AssistantBlock::Thinking(thought)),
            Block::Tool(draft) => draft.call.map(AssistantBlock::ToolCall),
        });
        content.collect()
    }

    fn seal(&mut self, mut message: AssistantMessage) -> AssistantMessage {
        message.api = Some(self.origin.api.clone());
        message.provider = Some(self.origin.provider.clone());
        message.model = Some(self.origin.model.clone());
        message.usage = self.usage.take();
        message.notice = self.notice.take();
        message.extra = std::mem::take(&mut self.fields);
        message
    }
}

/// A call that came whole, in an answer that was not streamed.
pub fn whole_call(id: &str, name: &str, arguments: &str) -> ToolCall {
    let mut draft = ToolDraft::new(0);
    draft.add(Some(id), Some(name), arguments);
    Arc::unwrap_or_clone(draft.complete(&HashSet::new()))
}
