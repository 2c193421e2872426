//! What the transcript is made of: one block for each thing that was said or done.
//!
//! Blocks share their text with the conversation's messages. They know nothing of rows or colours.

use fen_contract::types::{AssistantBlock, Message, ToolCall, ToolResultMessage, UserContent};
use fen_markdown::Stream;
use std::sync::Arc;
use std::time::Instant;

/// One thing that was said or done.
pub(crate) struct Block {
    /// What it is.
    pub content: Content,
    /// When, in milliseconds since the Unix epoch, where it is known.
    pub time: Option<u64>,
    /// Whether the person unfolded or folded this one; `None` follows the custom for all.
    pub fold: Option<Fold>,
    /// Counts its changes.
    pub version: u32,
}

/// Whether a block shows all that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    /// As little as possible.
    Folded,
    /// Everything.
    Unfolded,
}

impl Fold {
    pub fn toggled(self) -> Fold {
        match self {
            Fold::Folded => Fold::Unfolded,
            Fold::Unfolded => Fold::Folded,
        }
    }
}

/// What a block is.
pub(crate) enum Content {
    /// What the person said.
    User(Text),
    /// The model's reasoning.
    Thinking(Prose),
    /// The model's words.
    Answer(Prose),
    /// A tool call.
    Tool(ToolRun),
    /// A command that the person ran aside.
    Shell(ShellRun),
    /// A remark of fen's or of an extension's.
    Note(Note),
    /// What streamed in and is no part of the answer as it was stored. It has no rows; its place stays so
    /// that those of others do not change.
    Gone,
}

/// Text that may still grow.
pub(crate) enum Prose {
    /// Pieces are still to come; here are those that have arrived, and their rows.
    Growing(Box<Stream>),
    /// It is there.
    Whole {
        /// The text.
        text: Text,
        /// The rows of its pieces; kept for a while after the end, then made anew from the text.
        stream: Option<Box<Stream>>,
    },
}

impl Prose {
    /// Text whose pieces are still to come.
    pub fn growing() -> Prose {
        Prose::Growing(Box::default())
    }

    /// Text that is there.
    pub fn whole(text: Text) -> Prose {
        Prose::Whole { text, stream: None }
    }

    /// All of it that has arrived.
    pub fn text(&self) -> &str {
        match self {
            Prose::Growing(stream) => stream.text(),
            Prose::Whole { text, .. } => text.as_str(),
        }
    }

    /// Whether pieces are still to come.
    pub fn is_growing(&self) -> bool {
        matches!(self, Prose::Growing(_))
    }

    /// Whether the rows of its pieces are kept.
    pub fn has_stream(&self) -> bool {
        matches!(self, Prose::Growing(_) | Prose::Whole { stream: Some(_), .. })
    }

    /// Its pieces and their rows, where they are kept.
    pub fn stream(&mut self) -> Option<&mut Stream> {
        match self {
            Prose::Growing(stream) => Some(stream),
            Prose::Whole { stream, .. } => stream.as_deref_mut(),
        }
    }

    /// Says what the whole text is. The rows stay where the pieces were the text.
    pub fn settle(&mut self, text: Text) {
        let stream = match std::mem::replace(self, Prose::growing()) {
            Prose::Growing(stream) => Some(stream),
            Prose::Whole { stream, .. } => stream,
        };
        let mut stream = stream.filter(|stream| stream.text() == text.as_str());
        if let Some(stream) = &mut stream {
            stream.finish();
        }
        *self = Prose::Whole { text, stream };
    }

    /// Forgets the pieces of a text that is whole: they hold it twice.
    pub fn let_stream_go(&mut self) {
        if let Prose::Whole { stream, .. } = self {
            *stream = None;
        }
    }
}

/// Text that belongs to a message, or to nobody else.
#[derive(Clone)]
pub(crate) enum Text {
    /// A block of a message's content.
    Of { message: Message, block: usize },
    /// Its own.
    Own(Arc<str>),
}

impl Text {
    pub fn as_str(&self) -> &str {
        match self {
            Text::Own(text) => text,
            Text::Of { message, block } => match message {
                Message::User(message) => match &message.content {
                    UserContent::Text(text) => text,
                    UserContent::Blocks(blocks) => {
                        blocks.get(*block).map_or("", |block| block.text.as_str())
                    }
                },
                Message::Assistant(message) => match message.content.get(*block) {
                    Some(AssistantBlock::Text(block)) => &block.text,
                    Some(AssistantBlock::Thinking(block)) => &block.thinking,
                    _ => "",
                },
                Message::ToolResult(message) => {
                    message.content.get(*block).map_or("", |block| block.text.as_str())
                }
            },
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::Own(text.into())
    }
}

/// A tool call from its beginning to its result.
pub(crate) struct ToolRun {
    /// The call.
    pub call: Arc<ToolCall>,
    /// The tool's caption for people, where it has one.
    pub label: Option<String>,
    /// How far it is.
    pub state: ToolState,
}

/// How far a tool call is.
pub(crate) enum ToolState {
    /// It runs, or is about to.
    Running {
        /// Since when.
        since: Instant,
        /// The end of what it has put out so far.
        output: Tail,
    },
    /// It is over.
    Done {
        /// What it gave.
        result: Arc<ToolResultMessage>,
        /// How long it took, in milliseconds, where that is known.
        took: Option<u64>,
    },
    /// It never got a result in this conversation.
    Lost,
}

/// One run of a command of the person's. It is never given again, not even after its block is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ShellId(pub(super) u64);

/// A command that the person ran with `!`.
pub(crate) struct ShellRun {
    /// The command.
    pub command: String,
    /// Whether the model is to see it.
    pub audience: Audience,
    /// What it has put out so far, or all of it.
    pub output: Tail,
    /// Since when it runs.
    pub since: Instant,
    /// How it ended, and after how many milliseconds.
    pub end: Option<(Result<(), String>, u64)>,
}

/// Who sees what a command of the person's gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The person and the model.
    Model,
    /// The person alone.
    Person,
}

/// A remark.
pub(crate) struct Note {
    pub kind: NoteKind,
    pub text: Text,
}

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoteKind {
    /// Something to know.
    Info,
    /// Something that failed.
    Error,
    /// Something that an extension says in Markdown.
    Said,
}

/// The most recent output, bounded.
#[derive(Default)]
pub(crate) struct Tail {
    text: String,
    /// Bytes that were dropped from the beginning.
    pub dropped: usize,
}

/// How much output is kept for the screen.
const TAIL_BYTES: usize = 64 * 1024;

impl Tail {
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
        if self.text.len() > 2 * TAIL_BYTES {
            let cut = self.text.ceil_char_boundary(self.text.len() - TAIL_BYTES);
            let cut = self.text[cut..].find('\n').map_or(cut, |end| cut + end + 1);
            self.text.drain(..cut);
            self.dropped += cut;
        }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_keeps_whole_lines_within_its_bound() {
        let mut tail = Tail::default();
        for number in 0..40_000 {
            tail.push(&format!("line {number} äöü\n"));
        }
        assert!(tail.as_str().len() <= 2 * TAIL_BYTES);
        assert!(tail.as_str().starts_with("line "));
        assert!(tail.as_str().ends_with("line 39999 äöü\n"));
        assert!(tail.dropped > 0);
    }
}
