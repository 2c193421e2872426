//! The canonical types: what a conversation is made of.
//!
//! Providers translate between these and their wire formats; nothing else in fen knows a wire
//! format. All of them are plain data that can be shared and cloned cheaply.

use crate::doc::{Entry, Field, Member, MemberKind, Origin, Section};
use crate::names::{Count, Millis, ModelId, ProviderName, ToolCallId};
use crate::record::{Extra, Record, record, union};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

record! {
    /// Text that a person sees.
    Types "TextContent"
    pub struct TextContent;
    tag "type" = "text" {
        /// Says that the block is visible text.
    }
    required {
        /// The text, UTF-8.
        text: String = "text", "string";
    }
    optional {}
    additive {}
}

record! {
    /// What a model thought before it answered: Anthropic's extended thinking and the reasoning of
    /// OpenAI-like servers alike.
    Types "ThinkingContent"
    pub struct ThinkingContent;
    tag "type" = "thinking" {
        /// Says that the block is reasoning.
    }
    required {
        /// The reasoning as text; empty where the provider hides it.
        thinking: String = "thinking", "string";
    }
    optional {
        /// True where the provider withheld the text; the signature then holds the sealed form.
        redacted: bool = "redacted?", "boolean";
        /// An opaque seal, sent back unchanged so that the provider accepts the thought again.
        thinking_signature: String = "thinking-signature", "string";
    }
    additive {}
}

record! {
    /// A model's wish to have a tool run. The arguments are decoded already.
    Types "ToolCall"
    pub struct ToolCall;
    tag "type" = "tool-call" {
        /// Says that the block is a tool call.
    }
    required {
        /// The decoded arguments, which the tool's schema decides about.
        arguments: Value = "arguments", "table";
        /// Pairs the call with its result; made by the provider, or by the agent where it is lacking.
        id: ToolCallId = "id", "string";
        /// The name of the tool to run.
        name: String = "name", "string";
    }
    optional {}
    additive {
        /// Why the arguments could not be decoded; such a call is answered with an error, never run.
        invalid: String = "invalid", "string";
    }
}

union! {
    /// One block of a model's answer.
    pub enum AssistantBlock by "type";
    /// Visible text.
    Text(TextContent as TextContent) = "text";
    /// Reasoning.
    Thinking(ThinkingContent as ThinkingContent) = "thinking";
    /// A tool call.
    ToolCall(Arc<ToolCall> as ToolCall) = "tool-call";
}

/// Why a model stopped producing output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// It had said everything.
    Stop,
    /// It ran into the limit of output tokens.
    Length,
    /// It wants tools to run.
    ToolUse,
    /// The call failed; `error-message` says how.
    Error,
    /// The person cancelled it.
    Aborted,
}

impl StopReason {
    /// The reason in the contract's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::Stop => "stop",
            StopReason::Length => "length",
            StopReason::ToolUse => "tool-use",
            StopReason::Error => "error",
            StopReason::Aborted => "aborted",
        }
    }
}

/// What kind of failure ended a provider call: the kinds that a caller acts on differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The credentials are missing or refused.
    Auth,
    /// Too many requests; `retry-after-ms` says how long to wait, where the server told.
    RateLimit,
    /// The service cannot answer at the moment.
    Overloaded,
    /// The conversation is longer than the model's window.
    Overflow,
    /// The connection could not be made, or it broke.
    Network,
    /// The server stayed silent for too long.
    Stall,
    /// The stream ended before the answer did.
    TruncatedStream,
    /// The request is one that the server will never accept.
    InvalidRequest,
    /// The model or its service declined to answer.
    Refused,
    /// The person cancelled.
    Aborted,
}

impl ErrorKind {
    /// Whether the same request may succeed later.
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            ErrorKind::RateLimit
                | ErrorKind::Overloaded
                | ErrorKind::Network
                | ErrorKind::Stall
                | ErrorKind::TruncatedStream
        )
    }

    /// The kind in its spelling, such as `rate-limit`.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorKind::Auth => "auth",
            ErrorKind::RateLimit => "rate-limit",
            ErrorKind::Overloaded => "overloaded",
            ErrorKind::Overflow => "overflow",
            ErrorKind::Network => "network",
            ErrorKind::Stall => "stall",
            ErrorKind::TruncatedStream => "truncated-stream",
            ErrorKind::InvalidRequest => "invalid-request",
            ErrorKind::Refused => "refused",
            ErrorKind::Aborted => "aborted",
        }
    }
}

record! {
    /// How many tokens a call took. Each provider fills in what its service tells.
    Types "Usage"
    pub struct Usage;
    required {}
    optional {
        /// Input tokens that came from the provider's cache.
        cache_read: Count = "cache-read", "number";
        /// Input tokens that were written to the provider's cache.
        cache_write: Count = "cache-write", "number";
        /// Input tokens beside those read from and written to the cache.
        input: Count = "input", "number";
        /// Output tokens, reasoning included.
        output: Count = "output", "number";
        /// All tokens together, as the provider counts them or else as the sum of the others.
        total_tokens: Count = "total-tokens", "number";
    }
    additive {}
}

record! {
    /// One answer of a model. The content is a list even where it is empty.
    Types "AssistantMessage"
    pub struct AssistantMessage;
    tag "role" = "assistant" {
        /// Says that a model wrote the message.
    }
    required {
        /// Text, reasoning and tool calls in the order in which they came.
        content: Vec<AssistantBlock> = "content", "[TextContent|ThinkingContent|ToolCall]";
        /// When the message was recorded, in milliseconds since the Unix epoch.
        timestamp: Millis = "timestamp", "number";
    }
    optional {
        /// The protocol family that the answer came through, such as `openai-completions`.
        api: String = "api", "keyword";
        /// What went wrong; present only with the stop reason `error`.
        error_message: String = "error-message", "string";
        /// The model that answered, as its provider spells it.
        model: ModelId = "model", "string";
        /// The registered name of the provider.
        provider: ProviderName = "provider", "keyword";
        /// Why the model stopped.
        stop_reason: StopReason = "stop-reason", "StopReason";
        /// What the call took.
        usage: Usage = "usage", "Usage";
    }
    additive {
        /// The kind of failure, for callers that act on it.
        error_kind: ErrorKind = "error-kind", "keyword";
        /// How long the server asked to wait before the next try, in milliseconds.
        retry_after_ms: Millis = "retry-after-ms", "number";
        /// A remark about an answer that ended in an unusual way, for the person to see.
        notice: String = "notice", "string";
    }
}

/// A person's words: plain, or as text blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum UserContent {
    /// Plain text.
    Text(String),
    /// Text blocks.
    Blocks(Vec<TextContent>),
}

impl UserContent {
    /// All text, blocks joined by a line break.
    pub fn text(&self) -> String {
        match self {
            UserContent::Text(text) => text.clone(),
            UserContent::Blocks(blocks) => joined_text(blocks),
        }
    }
}

record! {
    /// What a person said.
    Types "UserMessage"
    pub struct UserMessage;
    tag "role" = "user" {
        /// Says that a person wrote the message.
    }
    required {
        /// The words, as one string or as text blocks.
        content: UserContent = "content", "string|[TextContent]";
        /// When it was said, in milliseconds since the Unix epoch.
        timestamp: Millis = "timestamp", "number";
    }
    optional {}
    additive {}
}

record! {
    /// What came of one tool call; the provider gets it with the next request.
    Types "ToolResultMessage"
    pub struct ToolResultMessage;
    tag "role" = "tool-result" {
        /// Says that a tool wrote the message.
    }
    required {
        /// The tool's output.
        content: Vec<TextContent> = "content", "[TextContent]";
        /// True where the call failed or was not run.
        is_error: bool = "is-error?", "boolean";
        /// When the result was recorded, in milliseconds since the Unix epoch.
        timestamp: Millis = "timestamp", "number";
        /// The id of the call that this answers.
        tool_call_id: ToolCallId = "tool-call-id", "string";
        /// The name of the tool, as the call gave it.
        tool_name: String = "tool-name", "string";
    }
    optional {
        /// Data for presenters; models never see it.
        details: Value = "details", "any";
    }
    additive {}
}

union! {
    /// One entry of a conversation.
    pub enum Message by "role";
    /// A person's words.
    User(Arc<UserMessage> as UserMessage) = "user";
    /// A model's answer.
    Assistant(Arc<AssistantMessage> as AssistantMessage) = "assistant";
    /// A tool's result.
    ToolResult(Arc<ToolResultMessage> as ToolResultMessage) = "tool-result";
}

record! {
    /// A tool as providers see it.
    Types "Tool"
    pub struct Tool;
    required {
        /// When and how a model should call it.
        description: String = "description", "string";
        /// The name that calls give.
        name: String = "name", "string";
        /// The JSON Schema of the arguments; an object at the top.
        parameters: Value = "parameters", "JSONSchema";
    }
    optional {}
    additive {}
}

record! {
    /// What a tool hands back when it has run.
    Types "AgentToolResult"
    pub struct AgentToolResult;
    required {
        /// What the model gets to read.
        content: Vec<TextContent> = "content", "[TextContent]";
        /// True where the tool failed.
        is_error: bool = "is-error?", "boolean";
    }
    optional {
        /// Data for presenters; models never see it.
        details: Value = "details", "any";
    }
    additive {}
}

/// The messages of a request: an immutable list that costs nothing to hand on.
pub type Messages = Arc<Vec<Message>>;

record! {
    /// All that a provider needs for one call, beside the model and the options.
    Types "AgentContext"
    pub struct AgentContext;
    required {
        /// How many tokens the answer may have at the most.
        max_tokens: Count = "max-tokens", "number";
        /// The conversation so far, error turns left out.
        messages: Messages = "messages", "[Message]";
        /// The tools on offer.
        tools: Arc<Vec<Tool>> = "tools", "[Tool]";
    }
    optional {
        /// The rendered system prompt, if there is one.
        system_prompt: Arc<str> = "system-prompt", "string|nil";
    }
    additive {}
}

/// The documentation of a tool with its callback; the value itself is
/// [`ToolSpec`](crate::kinds::ToolSpec).
pub const AGENT_TOOL: Entry = Entry {
    section: Section::Types,
    name: "AgentTool",
    summary: "A tool together with what the agent needs to run it: what `register(\"tool\", …)` takes.",
    fields: &[
        Field {
            name: "description",
            ty: "string",
            required: true,
            origin: Origin::Contract,
            summary: "When and how a model should call it; sent along with the schema.",
        },
        Field {
            name: "execute",
            ty: "(args ?yield-fn) -> AgentToolResult",
            required: true,
            origin: Origin::Contract,
            summary: "Runs the tool with decoded, validated arguments.",
        },
        Field {
            name: "label",
            ty: "string",
            required: false,
            origin: Origin::Contract,
            summary: "A short caption for people.",
        },
        Field {
            name: "name",
            ty: "string",
            required: true,
            origin: Origin::Contract,
            summary: "The name by which the registry finds it and models call it.",
        },
        Field {
            name: "parameters",
            ty: "JSONSchema",
            required: true,
            origin: Origin::Contract,
            summary: "The JSON Schema that arguments are validated against.",
        },
    ],
    members: &[],
};

const MESSAGE: Entry = Entry {
    section: Section::Types,
    name: "Message",
    summary: "One entry of a conversation: a person's words, a model's answer or a tool's result.",
    fields: &[],
    members: &[
        Member { name: "UserMessage", kind: MemberKind::Variant, summary: "A person's words." },
        Member {
            name: "AssistantMessage",
            kind: MemberKind::Variant,
            summary: "A model's answer.",
        },
        Member {
            name: "ToolResultMessage",
            kind: MemberKind::Variant,
            summary: "A tool's result.",
        },
    ],
};

const STOP_REASON: Entry = Entry {
    section: Section::Types,
    name: "StopReason",
    summary: "Why a model stopped producing output.",
    fields: &[],
    members: &[
        Member { name: "stop", kind: MemberKind::Enum, summary: "It had said everything." },
        Member { name: "length", kind: MemberKind::Enum, summary: "It reached the output limit." },
        Member { name: "tool-use", kind: MemberKind::Enum, summary: "It wants tools to run." },
        Member { name: "error", kind: MemberKind::Enum, summary: "The call failed." },
        Member { name: "aborted", kind: MemberKind::Enum, summary: "The person cancelled it." },
    ],
};

/// The entries of this section.
pub(crate) const ENTRIES: &[&Entry] = &[
    &AgentContext::ENTRY,
    &AGENT_TOOL,
    &AgentToolResult::ENTRY,
    &AssistantMessage::ENTRY,
    &MESSAGE,
    &STOP_REASON,
    &TextContent::ENTRY,
    &ThinkingContent::ENTRY,
    &Tool::ENTRY,
    &ToolCall::ENTRY,
    &ToolResultMessage::ENTRY,
    &Usage::ENTRY,
    &UserMessage::ENTRY,
];

/// The text of several blocks, joined by line breaks.
pub fn joined_text(blocks: &[TextContent]) -> String {
    let parts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    parts.join("\n")
}

impl TextContent {
    /// A block of visible text.
    pub fn new(text: impl Into<String>) -> Self {
        TextContent { text: text.into(), extra: Extra::new() }
    }
}

impl ThinkingContent {
    /// A block of reasoning, unsigned.
    pub fn new(thinking: impl Into<String>) -> Self {
        ThinkingContent {
            thinking: thinking.into(),
            redacted: None,
            thinking_signature: None,
            extra: Extra::new(),
        }
    }
}

impl ToolCall {
    /// A call with decoded arguments.
    pub fn new(id: impl Into<ToolCallId>, name: impl Into<String>, arguments: Value) -> Self {
        ToolCall { arguments, id: id.into(), name: name.into(), invalid: None, extra: Extra::new() }
    }
}

impl Usage {
    /// No counters at all.
    pub fn empty() -> Self {
        Usage {
            cache_read: None,
            cache_write: None,
            input: None,
            output: None,
            total_tokens: None,
            extra: Extra::new(),
        }
    }
}

impl AssistantMessage {
    /// An answer with these blocks, stamped now.
    pub fn new(content: Vec<AssistantBlock>, stop_reason: StopReason) -> Self {
        AssistantMessage {
            content,
            timestamp: Millis::now(),
            api: None,
            error_message: None,
            model: None,
            provider: None,
            stop_reason: Some(stop_reason),
            usage: None,
            error_kind: None,
            retry_after_ms: None,
            notice: None,
            extra: Extra::new(),
        }
    }

    /// A call that failed, with what had arrived of its answer.
    pub fn failed(
        kind: ErrorKind,
        message: impl Into<String>,
        partial: Vec<AssistantBlock>,
    ) -> Self {
        AssistantMessage {
            error_message: Some(message.into()),
            error_kind: Some(kind),
            ..AssistantMessage::new(partial, StopReason::Error)
        }
    }

    /// The visible text, blocks joined by line breaks; `None` without any text block.
    pub fn text(&self) -> Option<String> {
        let parts: Vec<&str> = self
            .content
            .iter()
            .filter_map(|block| match block {
                AssistantBlock::Text(block) => Some(block.text.as_str()),
                _ => None,
            })
            .collect();
        if parts.is_empty() { None } else { Some(parts.join("\n")) }
    }

    /// The reasoning, blocks joined by line breaks; `None` without any that can be shown.
    pub fn thinking(&self) -> Option<String> {
        let parts: Vec<&str> = self
            .content
            .iter()
            .filter_map(|block| match block {
                AssistantBlock::Thinking(block) if !block.thinking.is_empty() => {
                    Some(block.thinking.as_str())
                }
                _ => None,
            })
            .collect();
        if parts.is_empty() { None } else { Some(parts.join("\n")) }
    }

    /// The tool calls in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &Arc<ToolCall>> {
        self.content.iter().filter_map(|block| match block {
            AssistantBlock::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Whether the call that produced it failed.
    pub fn is_error(&self) -> bool {
        self.stop_reason == Some(StopReason::Error)
    }
}

impl UserMessage {
    /// Plain words, stamped now.
    pub fn new(text: impl Into<String>) -> Self {
        UserMessage {
            content: UserContent::Text(text.into()),
            timestamp: Millis::now(),
            extra: Extra::new(),
        }
    }
}

impl AgentToolResult {
    /// A success with one block of text.
    pub fn text(text: impl Into<String>) -> Self {
        AgentToolResult {
            content: vec![TextContent::new(text)],
            is_error: false,
            details: None,
            extra: Extra::new(),
        }
    }

    /// A failure with one block of text.
    pub fn error(text: impl Into<String>) -> Self {
        AgentToolResult { is_error: true, ..AgentToolResult::text(text) }
    }

    /// The same result with data for presenters.
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

impl ToolResultMessage {
    /// The result of `call`, stamped now.
    pub fn new(call: &ToolCall, result: AgentToolResult) -> Self {
        ToolResultMessage {
            content: result.content,
            is_error: result.is_error,
            timestamp: Millis::now(),
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            details: result.details,
            extra: result.extra,
        }
    }

    /// All text of the result.
    pub fn text(&self) -> String {
        joined_text(&self.content)
    }
}

impl From<UserMessage> for Message {
    fn from(message: UserMessage) -> Self {
        Message::User(Arc::new(message))
    }
}

impl From<AssistantMessage> for Message {
    fn from(message: AssistantMessage) -> Self {
        Message::Assistant(Arc::new(message))
    }
}

impl From<ToolResultMessage> for Message {
    fn from(message: ToolResultMessage) -> Self {
        Message::ToolResult(Arc::new(message))
    }
}
