//! Which models a service has, in the forms in which services list them.

use crate::config::{Config, address};
use fen_contract::names::{Count, ModelId};
use fen_contract::provider::{CallOptions, ModelInfo};
use fen_contract::types::ErrorKind;
use fen_provider_kit::failure::CallError;
use fen_provider_kit::place::{KeyHeader, Place};
use fen_transport::http::Request;
use serde_json::Value;

/// Parts of the names of models that cannot hold a conversation.
const OTHER_PURPOSES: [&str; 11] = [
    "embed",
    "whisper",
    "tts",
    "dall-e",
    "moderation",
    "realtime",
    "transcribe",
    "gpt-image",
    "gpt-audio",
    "sora",
    "rerank",
];

/// Asks the service. What the settings know of a model goes before what the service says.
pub(crate) async fn models(
    config: &Config,
    options: &CallOptions,
) -> Result<Vec<ModelInfo>, CallError> {
    let place = Place::new(config, address(config, "models"), config.key(options));
    let request = place.authorized(Request::get(place.url()), KeyHeader::Bearer)?;
    let list: Value = place.list(request).await?;
    let service = place.service();
    let entries = entries(&list).ok_or_else(|| service.not_a_list())?;
    let found: Vec<ModelInfo> =
        entries.iter().filter_map(model).map(|found| known(config, found)).collect();
    if found.is_empty() {
        let message = format!(
            "{} ({}) has no model that could answer; load or download one first",
            config.name,
            service.place()
        );
        return Err(CallError::new(ErrorKind::InvalidRequest, message));
    }
    Ok(found)
}

fn entries(list: &Value) -> Option<&Vec<Value>> {
    list.as_array().or_else(|| ["data", "models"].iter().find_map(|key| list.get(key)?.as_array()))
}

fn model(entry: &Value) -> Option<ModelInfo> {
    let id = entry.as_str().or_else(|| entry.get("id")?.as_str()).filter(|id| !id.is_empty())?;
    let lower = id.to_lowercase();
    let type_says = entry.get("type").and_then(Value::as_str).unwrap_or_default();
    if OTHER_PURPOSES.iter().any(|mark| lower.contains(mark) || type_says.contains(mark)) {
        return None;
    }
    let count = |paths: &[&str]| {
        let mut found = paths.iter().filter_map(|path| entry.pointer(path)?.as_u64());
        found.find(|count| *count > 0).map(Count)
    };
    let parameters = entry.get("supported_parameters").and_then(Value::as_array);
    Some(ModelInfo {
        id: ModelId::from(id),
        name: entry.get("name").and_then(Value::as_str).map(str::to_owned),
        context_window: count(&[
            "/context_length",
            "/context_window",
            "/max_model_len",
            "/max_context_length",
            "/meta/n_ctx",
        ]),
        max_tokens: count(&["/top_provider/max_completion_tokens", "/max_completion_tokens"]),
        reasoning: parameters.map(|names| names.iter().any(|name| name == "reasoning")),
        price: None,
    })
}

fn known(config: &Config, found: ModelInfo) -> ModelInfo {
    let Some(known) = config.model(found.id.as_str()).cloned() else { return found };
    ModelInfo {
        id: known.id,
        name: known.name.or(found.name),
        context_window: known.context_window.or(found.context_window),
        max_tokens: known.max_tokens.or(found.max_tokens),
        reasoning: known.reasoning.or(found.reasoning),
        price: known.price.or(found.price),
    }
}
