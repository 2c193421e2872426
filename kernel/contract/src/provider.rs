//! The interface of a model provider: the only place where a wire format is known.

use crate::cancel::CancelToken;
use crate::events::Event;
use crate::failure::{BoxFuture, Failure};
use crate::names::{Count, ModelId, SessionId};
use crate::price::Price;
use crate::record::Extra;
use crate::secret::Secret;
use crate::types::{AgentContext, AssistantMessage, Message, StopReason, Tool};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// How much a model is asked to think before it answers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum ThinkingLevel {
    /// Not at all.
    #[default]
    Off,
    /// As little as the model can.
    Minimal,
    /// A little.
    Low,
    /// Moderately.
    Medium,
    /// Much.
    High,
    /// As much as the model can.
    Xhigh,
}

impl ThinkingLevel {
    /// All levels, least first.
    pub const ALL: [ThinkingLevel; 6] = [
        ThinkingLevel::Off,
        ThinkingLevel::Minimal,
        ThinkingLevel::Low,
        ThinkingLevel::Medium,
        ThinkingLevel::High,
        ThinkingLevel::Xhigh,
    ];

    /// The level's name.
    pub fn as_str(self) -> &'static str {
        match self {
            ThinkingLevel::Off => "off",
            ThinkingLevel::Minimal => "minimal",
            ThinkingLevel::Low => "low",
            ThinkingLevel::Medium => "medium",
            ThinkingLevel::High => "high",
            ThinkingLevel::Xhigh => "xhigh",
        }
    }

    /// The level of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

/// Who set the limit of output tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputLimit {
    /// Nobody in particular; a provider whose service can do without may leave it out.
    #[default]
    Default,
    /// The person; it has to be sent.
    Chosen,
}

/// What may vary from call to call beside the context.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// How much to think.
    pub thinking: ThinkingLevel,
    /// The credential to send, if there is one.
    pub api_key: Option<Secret>,
    /// The session, where the provider can use it to find its cache again.
    pub session_id: Option<SessionId>,
    /// Whether the context's `max-tokens` is the person's choice.
    pub output_limit: OutputLimit,
    /// Further options that a caller and a provider agreed on.
    pub extra: Extra,
}

/// Where a provider's stream events go. Only `start`, the block events and `done` may be sent.
pub trait StreamSink: Send + Sync {
    /// Publishes one event.
    fn emit(&self, event: Event);

    /// Waits until listeners have room again. Providers wait here once per network read, so that a
    /// slow listener slows the reading instead of growing a queue.
    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// A sink for callers that need no events.
pub struct NoSink;

impl StreamSink for NoSink {
    fn emit(&self, _event: Event) {}
}

/// What is known of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ModelInfo {
    /// The identifier that requests carry.
    pub id: ModelId,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// How many tokens the model's window holds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub context_window: Option<Count>,
    /// How many tokens one answer may have.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_tokens: Option<Count>,
    /// Whether the model can be asked to think.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reasoning: Option<bool>,
    /// What its tokens cost; additive.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub price: Option<Price>,
}

impl ModelInfo {
    /// A model of which only the identifier is known.
    pub fn named(id: impl Into<ModelId>) -> Self {
        ModelInfo {
            id: id.into(),
            name: None,
            context_window: None,
            max_tokens: None,
            reasoning: None,
            price: None,
        }
    }
}

/// A model provider. See the register kind `provider` for what each method is for.
pub trait Provider: Send + Sync {
    /// Puts canonical messages into the wire format.
    fn convert_messages(&self, messages: &[Message]) -> Vec<Value>;

    /// Puts canonical tools into the wire format.
    fn convert_tools(&self, tools: &[Tool]) -> Vec<Value>;

    /// Translates a stop reason of the wire.
    fn map_stop_reason(&self, reason: &str) -> StopReason;

    /// Reads an answer that was not streamed.
    fn parse_response(&self, response: &Value) -> AssistantMessage;

    /// Makes the body of a request, as JSON text: long conversations are written out once, without
    /// a tree in between.
    fn build_body(
        &self,
        model: &ModelId,
        context: &AgentContext,
        options: &CallOptions,
    ) -> Result<Box<RawValue>, Failure>;

    /// Runs one call. A failure is a message with the stop reason `error`, never a panic; once
    /// `cancel` is tripped, what has arrived is given back as `aborted`.
    fn complete<'a>(
        &'a self,
        model: &'a ModelId,
        context: &'a AgentContext,
        options: &'a CallOptions,
        sink: &'a dyn StreamSink,
        cancel: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage>;

    /// Asks the service which models it has.
    fn list_models<'a>(
        &'a self,
        _options: &'a CallOptions,
    ) -> BoxFuture<'a, Result<Vec<ModelInfo>, Failure>> {
        Box::pin(std::future::ready(Err(Failure::new("this provider cannot list its models"))))
    }
}
