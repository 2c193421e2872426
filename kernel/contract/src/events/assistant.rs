//! The answer as presenters draw it: by pieces while it streams, whole when it is there.

use crate::record::record;

record! {
    /// A piece of visible text, as it streams in.
    Events "assistant-text-delta"
    pub struct AssistantTextDelta;
    tag "type" = "assistant-text-delta" {
        /// Names the event: `assistant-text-delta`.
    }
    required {
        /// The new piece.
        delta: String = "delta", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A piece of reasoning, as it streams in.
    Events "assistant-thinking-delta"
    pub struct AssistantThinkingDelta;
    tag "type" = "assistant-thinking-delta" {
        /// Names the event: `assistant-thinking-delta`.
    }
    required {
        /// The new piece.
        delta: String = "delta", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A streamed answer is complete: all its blocks have ended and the message is stored.
    Events "assistant-stream-end"
    pub struct AssistantStreamEnd;
    tag "type" = "assistant-stream-end" {
        /// Names the event: `assistant-stream-end`.
    }
    required {}
    optional {}
    additive {}
}

record! {
    /// The whole reasoning of one answer, where the provider shows it.
    Events "assistant-thinking"
    pub struct AssistantThinking;
    tag "type" = "assistant-thinking" {
        /// Names the event: `assistant-thinking`.
    }
    required {
        /// The complete reasoning.
        text: String = "text", "string";
    }
    optional {
        /// True where nothing more of it will come.
        is_final: bool = "final?", "boolean";
    }
    additive {}
}

record! {
    /// The whole visible text of one answer.
    Events "assistant-text"
    pub struct AssistantText;
    tag "type" = "assistant-text" {
        /// Names the event: `assistant-text`.
    }
    required {
        /// The complete text.
        text: String = "text", "string";
    }
    optional {
        /// True where nothing more of it will come.
        is_final: bool = "final?", "boolean";
    }
    additive {}
}
