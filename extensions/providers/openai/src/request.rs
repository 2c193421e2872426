//! From a canonical context to the body of a request.
//!
//! Pure. The wire structs borrow the conversation and are written out as JSON text directly. The
//! messages come last, so that a request begins with all the bytes of the one before.

mod messages;
mod options;
mod tools;

pub(crate) use messages::{EXTRA_CONTENT, REASONING_DETAILS, WireMessage, wire_messages};
pub(crate) use tools::WireTool;

use crate::compat::{Compat, MaxTokensField, ToolCallIdFormat};
use crate::config::Config;
use crate::models::Tools;
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, OutputLimit};
use fen_contract::types::AgentContext;
use fen_provider_kit::history::{IdRule, Target, fit};
use options::Thinking;
use serde::Serialize;
use serde_json::value::RawValue;

/// What ids of calls are put as where the service that made them is another.
const FOREIGN_IDS: IdRule = IdRule::Plain { max: 40 };

/// The body of a request.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(flatten)]
    thinking: Thinking,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    messages: Vec<WireMessage<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// Whom a conversation is fitted to: the ids that the service takes.
pub(crate) fn target<'a>(config: &'a Config, model: &'a str) -> Target<'a> {
    let (own_ids, other_ids) = match config.compat.tool_call_id_format {
        ToolCallIdFormat::Any => (IdRule::Any, FOREIGN_IDS),
        ToolCallIdFormat::OpenAi => (FOREIGN_IDS, FOREIGN_IDS),
        ToolCallIdFormat::Mistral9 => {
            let nine = IdRule::Exactly { length: 9 };
            (nine, nine)
        }
    };
    Target { provider: &config.name, model, own_ids, other_ids }
}

/// The body as JSON text.
pub(crate) fn body(
    config: &Config,
    model: &ModelId,
    context: &AgentContext,
    options: &CallOptions,
) -> serde_json::Result<Box<RawValue>> {
    let compat = &config.compat;
    let known = config.model(model.as_str());
    let limit = match options.output_limit {
        OutputLimit::Chosen => Some(context.max_tokens.0),
        OutputLimit::Default => {
            known.and_then(|info| info.max_tokens).map(|_| context.max_tokens.0)
        }
    };
    let limit_as = |field| limit.filter(|_| compat.max_tokens_field == field);
    let session = options.session_id.as_ref().filter(|_| compat.supports_prompt_cache_key);
    let offered = if context.tools.is_empty() { Tools::Absent } else { Tools::Offered };
    let turns = fit(&context.messages, &target(config, model.as_str()));
    let system = context.system_prompt.as_deref();
    let body = Body {
        model: model.as_str(),
        stream: true,
        stream_options: stream_options(compat),
        store: compat.supports_store.then_some(false),
        prompt_cache_key: session.map(|id| id.as_str()),
        max_completion_tokens: limit_as(MaxTokensField::MaxCompletionTokens),
        max_tokens: limit_as(MaxTokensField::MaxTokens),
        thinking: Thinking::new(config, model, options.thinking, offered),
        tools: context.tools.iter().map(WireTool::new).collect(),
        messages: wire_messages(system, &turns, compat),
    };
    serde_json::value::to_raw_value(&body)
}

fn stream_options(compat: &Compat) -> Option<StreamOptions> {
    compat.supports_stream_options.then_some(StreamOptions { include_usage: true })
}
