//! What a provider tells while it answers; the agent publishes it unchanged.

use crate::names::Count;
use crate::record::record;
use crate::types::{self, AssistantMessage};
use std::sync::Arc;

record! {
    /// The provider's stream is open; no block has begun yet.
    Events "start"
    pub struct Start;
    tag "type" = "start" {
        /// Names the event: `start`.
    }
    required {}
    optional {}
    additive {}
}

record! {
    /// A text block begins.
    Events "text-start"
    pub struct TextStart;
    tag "type" = "text-start" {
        /// Names the event: `text-start`.
    }
    required {
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
    }
    optional {}
    additive {}
}

record! {
    /// The provider sent a piece of the open text block.
    Events "text-delta"
    pub struct TextDelta;
    tag "type" = "text-delta" {
        /// Names the event: `text-delta`.
    }
    required {
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
        /// The new piece.
        delta: String = "delta", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A text block is complete.
    Events "text-end"
    pub struct TextEnd;
    tag "type" = "text-end" {
        /// Names the event: `text-end`.
    }
    required {
        /// The block's whole text.
        content: String = "content", "string";
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
    }
    optional {}
    additive {}
}

record! {
    /// A reasoning block begins.
    Events "thinking-start"
    pub struct ThinkingStart;
    tag "type" = "thinking-start" {
        /// Names the event: `thinking-start`.
    }
    required {
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
    }
    optional {}
    additive {}
}

record! {
    /// The provider sent a piece of the open reasoning block.
    Events "thinking-delta"
    pub struct ThinkingDelta;
    tag "type" = "thinking-delta" {
        /// Names the event: `thinking-delta`.
    }
    required {
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
        /// The new piece.
        delta: String = "delta", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A reasoning block is complete.
    Events "thinking-end"
    pub struct ThinkingEnd;
    tag "type" = "thinking-end" {
        /// Names the event: `thinking-end`.
    }
    required {
        /// The block's whole text.
        content: String = "content", "string";
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
    }
    optional {}
    additive {}
}

record! {
    /// A tool call begins; its arguments are still to come.
    Events "tool-call-start"
    pub struct ToolCallStart;
    tag "type" = "tool-call-start" {
        /// Names the event: `tool-call-start`.
    }
    required {
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
    }
    optional {}
    additive {}
}

record! {
    /// The provider sent a piece of the open call's arguments, as JSON text; the pieces join to the whole.
    Events "tool-call-delta"
    pub struct ToolCallDelta;
    tag "type" = "tool-call-delta" {
        /// Names the event: `tool-call-delta`.
    }
    required {
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
        /// The new piece.
        delta: String = "delta", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A tool call is complete.
    Events "tool-call-end"
    pub struct ToolCallEnd;
    tag "type" = "tool-call-end" {
        /// Names the event: `tool-call-end`.
    }
    required {
        /// The block's position in the answer, counted from 1.
        content_index: Count = "content-index", "number";
        /// The whole call.
        tool_call: Arc<types::ToolCall> = "tool-call", "ToolCall";
    }
    optional {}
    additive {}
}

record! {
    /// The provider's stream ended well.
    Events "done"
    pub struct Done;
    tag "type" = "done" {
        /// Names the event: `done`.
    }
    required {
        /// The complete answer.
        message: Arc<AssistantMessage> = "message", "AssistantMessage";
    }
    optional {}
    additive {}
}
