//! The events: everything that travels on the bus.
//!
//! Events that the contract names are structs of this module and variants of [`Event`]. Whatever
//! else an extension wants to tell is an [`OwnEvent`] named `owner/what`.

mod assistant;
mod delta;
mod lifecycle;
mod notices;
mod stream;

pub use assistant::*;
pub use lifecycle::*;
pub use notices::*;
pub use stream::*;

use crate::doc::Entry;
use crate::record::{Extra, Record, union};
use serde::de::MapAccess;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize};

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnStatus {
    /// The model said everything.
    Ok,
    /// The person cancelled.
    Cancelled,
    /// The turn failed.
    Error,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShutdownReason {
    /// As the person wished.
    Normal,
    /// By a failure.
    Crashed,
}

union! {
    /// One event of the bus.
    pub enum Event by "type";
    /// The run is being taken down.
    AgentShutdown(AgentShutdown as AgentShutdown) = "agent-shutdown";
    /// The run is set up and its first turn is about to begin.
    AgentStarted(AgentStarted as AgentStarted) = "agent-started";
    /// A submitted turn is over and the agent is idle again.
    AgentTurnComplete(AgentTurnComplete as AgentTurnComplete) = "agent-turn-complete";
    /// A streamed answer is complete: all its blocks have ended and the message is stored.
    AssistantStreamEnd(AssistantStreamEnd as AssistantStreamEnd) = "assistant-stream-end";
    /// The whole visible text of one answer.
    AssistantText(AssistantText as AssistantText) = "assistant-text";
    /// A piece of visible text, as it streams in.
    AssistantTextDelta(AssistantTextDelta as AssistantTextDelta) = "assistant-text-delta";
    /// The whole reasoning of one answer, where the provider shows it.
    AssistantThinking(AssistantThinking as AssistantThinking) = "assistant-thinking";
    /// A piece of reasoning, as it streams in.
    AssistantThinkingDelta(AssistantThinkingDelta as AssistantThinkingDelta) = "assistant-thinking-delta";
    /// The person's cancellation took hold.
    Cancelled(Cancelled as Cancelled) = "cancelled";
    /// Older messages were replaced by a summary.
    CompactionSummary(CompactionSummary as CompactionSummary) = "compaction-summary";
    /// Asks the presenter to close what lies open above the transcript.
    Dismiss(Dismiss as Dismiss) = "dismiss";
    /// The provider's stream ended well.
    Done(Done as Done) = "done";
    /// Something failed that the person should see: a command, an input, a turn.
    Error(Error as Error) = "error";
    /// A callback of an extension failed.
    ExtensionError(ExtensionError as ExtensionError) = "extension-error";
    /// An extension was loaded.
    ExtensionLoaded(ExtensionLoaded as ExtensionLoaded) = "extension-loaded";
    /// A passing remark for the person.
    Info(Info as Info) = "info";
    /// A provider call is over, well or not.
    LlmEnd(LlmEnd as LlmEnd) = "llm-end";
    /// A provider call begins.
    LlmStart(LlmStart as LlmStart) = "llm-start";
    /// The conversation has grown by a message, which the session has stored already.
    MessageAppended(MessageAppended as MessageAppended) = "message-appended";
    /// A line came while the agent was busy and waits for its turn.
    Queued(Queued as Queued) = "queued";
    /// Asks the presenter to draw contributed panels and status items anew.
    Redraw(Redraw as Redraw) = "redraw";
    /// Asks the presenter to set its screen up from the beginning.
    ReinitPresenter(ReinitPresenter as ReinitPresenter) = "reinit-presenter";
    /// Asks for an empty conversation in a new session.
    ResetConversation(ResetConversation as ResetConversation) = "reset-conversation";
    /// Shows a passing line of status, or clears it.
    SetStatusInfo(SetStatusInfo as SetStatusInfo) = "set-status-info";
    /// The provider's stream is open.
    Start(Start as Start) = "start";
    /// The provider sent a piece of the open text block.
    TextDelta(TextDelta as TextDelta) = "text-delta";
    /// A text block is complete.
    TextEnd(TextEnd as TextEnd) = "text-end";
    /// A text block begins.
    TextStart(TextStart as TextStart) = "text-start";
    /// The provider sent a piece of the open reasoning block.
    ThinkingDelta(ThinkingDelta as ThinkingDelta) = "thinking-delta";
    /// A reasoning block is complete.
    ThinkingEnd(ThinkingEnd as ThinkingEnd) = "thinking-end";
    /// A reasoning block begins.
    ThinkingStart(ThinkingStart as ThinkingStart) = "thinking-start";
    /// A tool call is about to be checked and run.
    ToolCall(ToolCall as ToolCall) = "tool-call";
    /// The provider sent a piece of the open call's arguments, as JSON text.
    ToolCallDelta(ToolCallDelta as ToolCallDelta) = "tool-call-delta";
    /// A tool call is complete.
    ToolCallEnd(ToolCallEnd as ToolCallEnd) = "tool-call-end";
    /// A tool call begins.
    ToolCallStart(ToolCallStart as ToolCallStart) = "tool-call-start";
    /// A tool call has its result.
    ToolResult(ToolResult as ToolResult) = "tool-result";
    /// A line of the person's was accepted.
    User(User as User) = "user";
    otherwise Own(OwnEvent);
}

/// The entries of this section.
pub(crate) const ENTRIES: &[&Entry] = &[
    &AgentShutdown::ENTRY,
    &AgentStarted::ENTRY,
    &AgentTurnComplete::ENTRY,
    &AssistantStreamEnd::ENTRY,
    &AssistantText::ENTRY,
    &AssistantTextDelta::ENTRY,
    &AssistantThinking::ENTRY,
    &AssistantThinkingDelta::ENTRY,
    &Cancelled::ENTRY,
    &CompactionSummary::ENTRY,
    &Dismiss::ENTRY,
    &Done::ENTRY,
    &Error::ENTRY,
    &ExtensionError::ENTRY,
    &ExtensionLoaded::ENTRY,
    &Info::ENTRY,
    &LlmEnd::ENTRY,
    &LlmStart::ENTRY,
    &MessageAppended::ENTRY,
    &Queued::ENTRY,
    &Redraw::ENTRY,
    &ReinitPresenter::ENTRY,
    &ResetConversation::ENTRY,
    &SetStatusInfo::ENTRY,
    &Start::ENTRY,
    &TextDelta::ENTRY,
    &TextEnd::ENTRY,
    &TextStart::ENTRY,
    &ThinkingDelta::ENTRY,
    &ThinkingEnd::ENTRY,
    &ThinkingStart::ENTRY,
    &ToolCall::ENTRY,
    &ToolCallDelta::ENTRY,
    &ToolCallEnd::ENTRY,
    &ToolCallStart::ENTRY,
    &ToolResult::ENTRY,
    &User::ENTRY,
];

impl Event {
    /// The event's name: its `type`.
    pub fn name(&self) -> &str {
        match self {
            Event::AgentShutdown(_) => "agent-shutdown",
            Event::AgentStarted(_) => "agent-started",
            Event::AgentTurnComplete(_) => "agent-turn-complete",
            Event::AssistantStreamEnd(_) => "assistant-stream-end",
            Event::AssistantText(_) => "assistant-text",
            Event::AssistantTextDelta(_) => "assistant-text-delta",
            Event::AssistantThinking(_) => "assistant-thinking",
            Event::AssistantThinkingDelta(_) => "assistant-thinking-delta",
            Event::Cancelled(_) => "cancelled",
            Event::CompactionSummary(_) => "compaction-summary",
            Event::Dismiss(_) => "dismiss",
            Event::Done(_) => "done",
            Event::Error(_) => "error",
            Event::ExtensionError(_) => "extension-error",
            Event::ExtensionLoaded(_) => "extension-loaded",
            Event::Info(_) => "info",
            Event::LlmEnd(_) => "llm-end",
            Event::LlmStart(_) => "llm-start",
            Event::MessageAppended(_) => "message-appended",
            Event::Queued(_) => "queued",
            Event::Redraw(_) => "redraw",
            Event::ReinitPresenter(_) => "reinit-presenter",
            Event::ResetConversation(_) => "reset-conversation",
            Event::SetStatusInfo(_) => "set-status-info",
            Event::Start(_) => "start",
            Event::TextDelta(_) => "text-delta",
            Event::TextEnd(_) => "text-end",
            Event::TextStart(_) => "text-start",
            Event::ThinkingDelta(_) => "thinking-delta",
            Event::ThinkingEnd(_) => "thinking-end",
            Event::ThinkingStart(_) => "thinking-start",
            Event::ToolCall(_) => "tool-call",
            Event::ToolCallDelta(_) => "tool-call-delta",
            Event::ToolCallEnd(_) => "tool-call-end",
            Event::ToolCallStart(_) => "tool-call-start",
            Event::ToolResult(_) => "tool-result",
            Event::User(_) => "user",
            Event::Own(own) => own.name(),
        }
    }

    /// Whether any extension may emit it; all other events are the kernel's to tell.
    pub fn is_request(&self) -> bool {
        matches!(
            self,
            Event::Dismiss(_)
                | Event::Redraw(_)
                | Event::ReinitPresenter(_)
                | Event::ResetConversation(_)
                | Event::SetStatusInfo(_)
                | Event::Info(_)
                | Event::Error(_)
                | Event::AssistantText(_)
        )
    }
}

macro_rules! from_struct {
    ($($name:ident),+ $(,)?) => { $(
        impl From<$name> for Event {
            fn from(event: $name) -> Self {
                Event::$name(event)
            }
        }
    )+ };
}

from_struct!(
    AgentShutdown,
    AgentStarted,
    AgentTurnComplete,
    AssistantStreamEnd,
    AssistantText,
    AssistantTextDelta,
    AssistantThinking,
    AssistantThinkingDelta,
    Cancelled,
    CompactionSummary,
    Dismiss,
    Done,
    Error,
    ExtensionError,
    ExtensionLoaded,
    Info,
    LlmEnd,
    LlmStart,
    MessageAppended,
    Queued,
    Redraw,
    ReinitPresenter,
    ResetConversation,
    SetStatusInfo,
    Start,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ThinkingEnd,
    ThinkingStart,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    ToolResult,
    User,
);

/// An event beyond the contract, named `owner/what`. The kernel's own additions have the owner
/// `fen`, such as `fen/tool-output`.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnEvent {
    name: String,
    fields: Extra,
}

/// A name that cannot belong to an extension's event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event `{0}`: expected a name of the contract or `owner/what`")]
pub struct BadEventName(pub String);

impl OwnEvent {
    /// An event of this name and these fields; a field `type` is left out, the name stands for it.
    pub fn from_fields(name: impl Into<String>, mut fields: Extra) -> Result<Self, BadEventName> {
        let name = name.into();
        match name.split_once('/') {
            Some((owner, what)) if !owner.is_empty() && !what.is_empty() => {
                fields.shift_remove("type");
                Ok(OwnEvent { name, fields })
            }
            _ => Err(BadEventName(name)),
        }
    }

    /// `owner/what`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The part before the slash.
    pub fn owner(&self) -> &str {
        self.name.split_once('/').map_or("", |(owner, _)| owner)
    }

    /// Everything beside the name.
    pub fn fields(&self) -> &Extra {
        &self.fields
    }

    pub(crate) fn read_rest<'de, A: MapAccess<'de>>(
        name: String,
        mut map: A,
    ) -> Result<Self, A::Error> {
        let mut fields = Extra::new();
        while let Some(key) = map.next_key::<String>()? {
            fields.insert(key, map.next_value()?);
        }
        OwnEvent::from_fields(name, fields).map_err(serde::de::Error::custom)
    }
}

impl Serialize for OwnEvent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + 1))?;
        map.serialize_entry("type", &self.name)?;
        for (key, value) in &self.fields {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
