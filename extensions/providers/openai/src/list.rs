//! Which models a service has, in the forms in which services list them.

use crate::call::{Place, error_status, key};
use crate::config::Config;
use fen_contract::failure::Failure;
use fen_contract::names::{Count, ModelId};
use fen_contract::provider::{CallOptions, ModelInfo};
use fen_provider_kit::failure::Begun;
use fen_provider_kit::json;
use fen_transport::http::{Limits, Request};
use serde_json::Value;
use std::time::Duration;

/// How large a list may be.
const LIST_LIMIT: usize = 16 << 20;
/// How long a service may take to begin its list.
const PATIENCE: Duration = Duration::from_secs(20);

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
) -> Result<Vec<ModelInfo>, Failure> {
    let (key, problem) = match key(config, options) {
        Ok(key) => (key, None),
        Err(problem) => (None, Some(problem)),
    };
    let place = Place::new(config, "models", key);
    let service = place.service(config);
    if let Some(problem) = problem {
        return Err(service.without_credentials(&problem).into());
    }
    let broken = |error, begun| Failure::from(service.transport_error(&error, begun));
    let request = Request::get(&place.url)
        .and_then(|request| place.authorized(request, config))
        .map_err(|error| broken(error, Begun::No))?
        .limits(Limits { response: PATIENCE, ..Limits::default() });
    let response = config.client.send(request).await.map_err(|error| broken(error, Begun::No))?;
    if !response.status.is_success() {
        return Err(error_status(&service, response).await.into());
    }
    let body = response.whole_body(LIST_LIMIT).await.map_err(|error| broken(error, Begun::Yes))?;
    let list = json::parse::<Value>(&String::from_utf8_lossy(&body)).ok();
    let Some(entries) = list.as_ref().and_then(entries) else {
        return Err(Failure::new(format!(
            "{} ({}) did not answer with a list of models; check the provider's base URL",
            config.name,
            service.place()
        )));
    };
    let found: Vec<ModelInfo> =
        entries.iter().filter_map(model).map(|found| known(config, found)).collect();
    if found.is_empty() {
        return Err(Failure::new(format!(
            "{} ({}) has no model that could answer; load or download one first",
            config.name,
            service.place()
        )));
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
    })
}

fn known(config: &Config, found: ModelInfo) -> ModelInfo {
    let Some(known) = config.model(&found.id).cloned() else { return found };
    ModelInfo {
        id: known.id,
        name: known.name.or(found.name),
        context_window: known.context_window.or(found.context_window),
        max_tokens: known.max_tokens.or(found.max_tokens),
        reasoning: known.reasoning.or(found.reasoning),
    }
}
