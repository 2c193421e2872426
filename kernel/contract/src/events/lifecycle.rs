//! The life of a run and of its turns.

use super::{ShutdownReason, TurnStatus};
use crate::agent::Agent;
use crate::names::{Count, ModelId, ProviderName};
use crate::record::record;
use crate::types::{self, AssistantMessage, Message, ToolResultMessage};
use std::sync::Arc;

record! {
    /// The run is set up and its first turn is about to begin; comes once.
    Events "agent-started"
    pub struct AgentStarted;
    tag "type" = "agent-started" {
        /// Names the event: `agent-started`.
    }
    required {
        /// The agent that begins.
        agent: Agent = "agent", "Agent";
        /// The directory that the agent works in.
        cwd: String = "cwd", "string";
        /// The model in use.
        model: ModelId = "model", "string";
        /// The provider in use.
        provider: ProviderName = "provider", "keyword|string";
    }
    optional {}
    additive {}
}

record! {
    /// The run is being taken down; comes once. `error` says what went wrong where it did not end normally.
    Events "agent-shutdown"
    pub struct AgentShutdown;
    tag "type" = "agent-shutdown" {
        /// Names the event: `agent-shutdown`.
    }
    required {
        /// The agent that ends.
        agent: Agent = "agent", "Agent";
        /// `normal` or `crashed`.
        reason: ShutdownReason = "reason", "keyword";
    }
    optional {
        /// What ended a crashed run.
        error: String = "error", "string";
    }
    additive {}
}

record! {
    /// A submitted turn is over and the agent is idle again; comes once per turn, however it ended.
    Events "agent-turn-complete"
    pub struct AgentTurnComplete;
    tag "type" = "agent-turn-complete" {
        /// Names the event: `agent-turn-complete`.
    }
    required {
        /// The agent whose turn it was.
        agent: Agent = "agent", "Agent";
        /// How many messages the conversation has now.
        message_count: Count = "message-count", "number";
        /// `ok`, `cancelled` or `error`.
        status: TurnStatus = "status", "keyword";
    }
    optional {
        /// What went wrong, with the status `error`.
        error: String = "error", "string";
        /// The last visible text of the assistant, where there is any.
        result: String = "result", "string";
    }
    additive {}
}

record! {
    /// A line of the person's was accepted.
    Events "user"
    pub struct User;
    tag "type" = "user" {
        /// Names the event: `user`.
    }
    required {
        /// The line as it was typed.
        line: String = "line", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A line came while the agent was busy and waits for its turn.
    Events "queued"
    pub struct Queued;
    tag "type" = "queued" {
        /// Names the event: `queued`.
    }
    required {
        /// The line as it was typed.
        line: String = "line", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A provider call begins.
    Events "llm-start"
    pub struct LlmStart;
    tag "type" = "llm-start" {
        /// Names the event: `llm-start`.
    }
    required {}
    optional {
        /// The model that is asked.
        model: ModelId = "model", "string";
        /// The provider that is asked.
        provider: ProviderName = "provider", "keyword";
    }
    additive {}
}

record! {
    /// A provider call is over, well or not.
    Events "llm-end"
    pub struct LlmEnd;
    tag "type" = "llm-end" {
        /// Names the event: `llm-end`.
    }
    required {
        /// The answer, or the failure as a message.
        message: Arc<AssistantMessage> = "message", "AssistantMessage";
    }
    optional {}
    additive {}
}

record! {
    /// The conversation has grown by a message, which the session has stored already.
    Events "message-appended"
    pub struct MessageAppended;
    tag "type" = "message-appended" {
        /// Names the event: `message-appended`.
    }
    required {
        /// The agent whose conversation it is.
        agent: Agent = "agent", "Agent";
        /// The message's position, counted from 1.
        index: Count = "index", "number";
        /// The message.
        message: Message = "message", "Message";
    }
    optional {}
    additive {}
}

record! {
    /// A tool call is about to be checked and run.
    Events "tool-call"
    pub struct ToolCall;
    tag "type" = "tool-call" {
        /// Names the event: `tool-call`.
    }
    required {
        /// The call.
        tool_call: Arc<types::ToolCall> = "tool-call", "ToolCall";
    }
    optional {}
    additive {}
}

record! {
    /// A tool call has its result.
    Events "tool-result"
    pub struct ToolResult;
    tag "type" = "tool-result" {
        /// Names the event: `tool-result`.
    }
    required {
        /// The result.
        result: Arc<ToolResultMessage> = "result", "ToolResultMessage";
    }
    optional {}
    additive {}
}

record! {
    /// The person's cancellation took hold; an aborted answer stands in the conversation.
    Events "cancelled"
    pub struct Cancelled;
    tag "type" = "cancelled" {
        /// Names the event: `cancelled`.
    }
    required {}
    optional {}
    additive {}
}

record! {
    /// Older messages were replaced by a summary.
    Events "compaction-summary"
    pub struct CompactionSummary;
    tag "type" = "compaction-summary" {
        /// Names the event: `compaction-summary`.
    }
    required {
        /// The summary that the model reads from now on.
        summary: String = "summary", "string";
    }
    optional {
        /// What the person asked the summary to heed.
        guidance: String = "guidance", "string";
        /// How many recent messages stay word for word.
        messages_kept: Count = "messages-kept", "number";
        /// How many older messages went into the summary.
        messages_summarized: Count = "messages-summarized", "number";
        /// About how many tokens the context has now.
        tokens_after: Count = "tokens-after", "number";
        /// About how many tokens the context had.
        tokens_before: Count = "tokens-before", "number";
        /// What set it off, such as `manual`.
        trigger: String = "trigger", "keyword";
    }
    additive {}
}
