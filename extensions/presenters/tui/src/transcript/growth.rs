//! How the transcript grows: by stored messages, by pieces of an answer, by tool calls and remarks.

use super::block::{
    Audience, Content, Note, NoteKind, Prose, ShellId, ShellRun, Tail, Text, ToolRun, ToolState,
};
use super::{KEPT_STREAMS, Transcript};
use fen_contract::names::ToolCallId;
use fen_contract::types::{
    AssistantBlock, AssistantMessage, Message, ToolCall, ToolResultMessage, UserContent,
};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Captions of tools for people, by name.
pub(crate) type Labels = std::collections::HashMap<String, String>;

/// Which kind of text a piece belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// Reasoning.
    Thinking,
    /// Visible words.
    Answer,
}

impl Voice {
    fn content(self, prose: Prose) -> Content {
        match self {
            Voice::Thinking => Content::Thinking(prose),
            Voice::Answer => Content::Answer(prose),
        }
    }
}

impl Transcript {
    /// Adds a message of a stored conversation.
    pub fn push_stored(&mut self, message: Message, labels: &Labels) {
        match &message {
            Message::User(user) => {
                let time = Some(user.timestamp.0);
                self.push_user(&message, &user.content, time);
            }
            Message::Assistant(answer) => {
                let answer = answer.clone();
                self.push_answer(&message, &answer, None);
                for call in answer.tool_calls() {
                    self.push_call(call.clone(), labels, ToolState::Lost);
                }
                self.note_end(&answer);
            }
            Message::ToolResult(result) => self.finish_call(result.clone(), None),
        }
    }

    /// Adds what the person said.
    pub fn push_user(&mut self, message: &Message, content: &UserContent, time: Option<u64>) {
        let count = match content {
            UserContent::Text(_) => 1,
            UserContent::Blocks(blocks) => blocks.len(),
        };
        for block in 0..count {
            self.push(Content::User(Text::Of { message: message.clone(), block }), time);
        }
    }

    /// A piece of an answer has arrived.
    pub fn grow(&mut self, voice: Voice, delta: &str) {
        let open = self.streaming.last().filter(|(_, last)| *last == voice);
        let at = open.map(|(at, _)| *at).unwrap_or_else(|| {
            let at = self.push(voice.content(Prose::growing()), None);
            self.streaming.push((at, voice));
            self.streams.push_back(at);
            at
        });
        if let Some(stream) = self.prose(at).and_then(Prose::stream) {
            stream.push(delta);
        }
        self.changed(at);
    }

    pub(super) fn prose(&mut self, at: usize) -> Option<&mut Prose> {
        match &mut self.blocks.get_mut(at)?.content {
            Content::Thinking(prose) | Content::Answer(prose) => Some(prose),
            _ => None,
        }
    }

    /// An answer is stored: what streamed in is now its text.
    pub fn push_answer(&mut self, message: &Message, answer: &AssistantMessage, time: Option<u64>) {
        let mut pieces = VecDeque::from(std::mem::take(&mut self.streaming));
        let time = time.or(Some(answer.timestamp.0));
        for (number, block) in answer.content.iter().enumerate() {
            let voice = match block {
                AssistantBlock::Thinking(block) if !block.thinking.trim().is_empty() => {
                    Voice::Thinking
                }
                AssistantBlock::Text(block) if !block.text.trim().is_empty() => Voice::Answer,
                _ => continue,
            };
            let text = Text::Of { message: message.clone(), block: number };
            match self.streamed(&mut pieces, voice) {
                Some(at) => self.settle(at, text, time),
                None => {
                    self.push(voice.content(Prose::whole(text)), time);
                }
            }
        }
        for (at, _) in pieces {
            self.hide(at);
        }
        self.let_streams_go();
    }

    /// The next block of what streamed in that has something of this voice. Those before it have no text
    /// in the answer any more, and go. Where there is none all that is left goes, so that the answer
    /// keeps its order.
    fn streamed(&mut self, pieces: &mut VecDeque<(usize, Voice)>, voice: Voice) -> Option<usize> {
        while let Some((at, its)) = pieces.pop_front() {
            let has_words = self.prose(at).is_some_and(|prose| !prose.text().trim().is_empty());
            if its == voice && has_words {
                return Some(at);
            }
            self.hide(at);
        }
        None
    }

    /// Puts a whole text where its pieces stood.
    fn settle(&mut self, at: usize, text: Text, time: Option<u64>) {
        let mut is_news = true;
        if let Some(prose) = self.prose(at) {
            is_news = prose.text() != text.as_str();
            prose.settle(text);
        }
        if let Some(block) = self.blocks.get_mut(at) {
            block.time = time;
        }
        if is_news {
            self.changed(at);
        } else {
            self.looks_otherwise(at);
        }
    }

    /// Takes a block away, but for its place.
    fn hide(&mut self, at: usize) {
        if let Some(block) = self.blocks.get_mut(at) {
            block.content = Content::Gone;
        }
        self.streams.retain(|stream| *stream != at);
        self.looks_otherwise(at);
        // The next one stands below another block now.
        let below = self.blocks.iter().skip(at + 1);
        let gone = below.take_while(|block| matches!(block.content, Content::Gone)).count();
        self.looks_otherwise(at + 1 + gone);
    }

    /// Streams hold their text twice; only the newest keep doing so.
    fn let_streams_go(&mut self) {
        while self.streams.len() > KEPT_STREAMS {
            let Some(at) = self.streams.pop_front() else { return };
            if let Some(prose) = self.prose(at) {
                prose.let_stream_go();
            }
        }
    }

    /// What is to be said of how an answer ended.
    pub fn note_end(&mut self, answer: &AssistantMessage) {
        use fen_contract::types::StopReason;
        if let Some(notice) = &answer.notice {
            self.note(NoteKind::Info, notice.as_str().into());
        }
        match (&answer.error_message, answer.stop_reason) {
            (Some(error), _) => self.note(NoteKind::Error, error.as_str().into()),
            (None, Some(StopReason::Aborted)) => self.note(NoteKind::Info, "cancelled".into()),
            (None, Some(StopReason::Length)) => {
                self.note(NoteKind::Info, "the answer was cut off at its limit of tokens".into());
            }
            _ => {}
        }
    }

    /// Adds a remark.
    pub fn note(&mut self, kind: NoteKind, text: Text) {
        self.push(Content::Note(Note { kind, text }), Some(fen_contract::names::Millis::now().0));
    }

    /// A tool call begins.
    pub fn begin_call(&mut self, call: Arc<ToolCall>, labels: &Labels, now: Instant) {
        self.push_call(call, labels, ToolState::Running { since: now, output: Tail::default() });
    }

    fn push_call(&mut self, call: Arc<ToolCall>, labels: &Labels, state: ToolState) {
        let id = call.id.clone();
        let label = labels.get(&call.name).cloned();
        let at = self.push(Content::Tool(ToolRun { call, label, state }), None);
        self.open_calls.insert(id, at);
    }

    /// A running call has put something out.
    pub fn call_output(&mut self, id: &ToolCallId, delta: &str) {
        let Some(at) = self.open_calls.get(id).copied() else { return };
        if let Some(block) = self.blocks.get_mut(at)
            && let Content::Tool(ToolRun { state: ToolState::Running { output, .. }, .. }) =
                &mut block.content
        {
            output.push(delta);
            self.changed(at);
        }
    }

    /// A call has its result.
    pub fn finish_call(&mut self, result: Arc<ToolResultMessage>, now: Option<Instant>) {
        let Some(at) = self.open_calls.remove(&result.tool_call_id) else { return };
        let Some(block) = self.blocks.get_mut(at) else { return };
        if let Content::Tool(run) = &mut block.content {
            let told = result.details.as_ref().and_then(|details| details["duration-ms"].as_u64());
            let took = match (&run.state, now) {
                (ToolState::Running { since, .. }, Some(now)) => {
                    let millis = now.saturating_duration_since(*since).as_millis();
                    u64::try_from(millis).ok()
                }
                _ => None,
            };
            block.time = Some(result.timestamp.0);
            run.state = ToolState::Done { result, took: told.or(took) };
            self.changed(at);
        }
    }

    /// A turn is over: what has no result will get none.
    pub fn turn_over(&mut self) {
        self.streaming.clear();
        let open: Vec<usize> = self.open_calls.drain().map(|(_, at)| at).collect();
        for at in open {
            if let Some(block) = self.blocks.get_mut(at)
                && let Content::Tool(run) = &mut block.content
            {
                run.state = ToolState::Lost;
            }
            self.changed(at);
        }
    }

    /// A command of the person's begins.
    pub fn begin_shell(&mut self, command: String, audience: Audience, now: Instant) -> ShellId {
        let id = ShellId(self.shells);
        self.shells += 1;
        let run = ShellRun { command, audience, output: Tail::default(), since: now, end: None };
        let time = Some(fen_contract::names::Millis::now().0);
        let at = self.push(Content::Shell(run), time);
        self.open_shells.insert(id, at);
        id
    }

    /// A command of the person's has put something out.
    pub fn shell_output(&mut self, id: ShellId, piece: &str) {
        let Some(at) = self.open_shells.get(&id).copied() else { return };
        if let Some(Content::Shell(run)) = self.blocks.get_mut(at).map(|block| &mut block.content) {
            run.output.push(piece);
            self.changed(at);
        }
    }

    /// A command of the person's is over.
    pub fn end_shell(&mut self, id: ShellId, end: Result<(), String>, now: Instant) {
        let Some(at) = self.open_shells.remove(&id) else { return };
        if let Some(Content::Shell(run)) = self.blocks.get_mut(at).map(|block| &mut block.content) {
            let took = now.saturating_duration_since(run.since).as_millis();
            run.end = Some((end, u64::try_from(took).unwrap_or(u64::MAX)));
            self.changed(at);
        }
    }

    /// Time goes by: what runs shows how long. Nothing is new by that.
    pub fn tick(&mut self, now: Instant) {
        self.now = now;
        for at in self.open_calls.values().chain(self.open_shells.values()) {
            if let Some(block) = self.blocks.get_mut(*at) {
                block.version = block.version.wrapping_add(1);
            }
        }
    }
}
