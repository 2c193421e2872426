//! The provider as the registry sees it, and the extension that registers it.

use crate::answer::{Reader, map_stop_reason};
use crate::call::{self, Place};
use crate::config::Config;
use crate::list;
use crate::request::{self, WireTool, target, wire_messages};
use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, ProviderSpec};
use fen_contract::names::{ModelId, ProviderName};
use fen_contract::provider::{CallOptions, ModelInfo, NoSink, Provider, StreamSink};
use fen_contract::types::{AgentContext, AssistantMessage, Message, StopReason, Tool};
use fen_provider_kit::assembler::{Assembler, Origin};
use fen_provider_kit::history::fit;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The name of the protocol family.
pub const API: &str = "openai-completions";

/// An extension that registers one provider of this family.
pub fn extension(config: Config) -> impl Extension {
    OpenAi(Arc::new(config))
}

struct OpenAi(Arc<Config>);

impl Extension for OpenAi {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: self.0.name.clone(),
            description: format!("The provider `{}`.", self.0.name),
            overrides: Vec::new(),
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let config = &self.0;
        let spec = ProviderSpec {
            api: API.to_owned(),
            name: config.name.clone(),
            auth: config.auth.clone(),
            base_url: Some(config.base_url.clone()),
            default_model: config.default_model.clone(),
            models: (!config.models.is_empty()).then(|| config.models.clone()),
            setup: config.setup.clone(),
            provider: Arc::new(Completions(config.clone())),
        };
        api.register(Contribution::Provider(spec))
            .map(drop)
            .map_err(|error| Failure::new(error.to_string()))
    }
}

/// The callbacks. It keeps no state between calls.
struct Completions(Arc<Config>);

fn values<T: Serialize>(items: impl Iterator<Item = T>) -> Vec<Value> {
    // What the wire structs hold can always be written; a mistake of theirs reads as null.
    items.map(|item| serde_json::to_value(item).unwrap_or(Value::Null)).collect()
}

impl Provider for Completions {
    fn convert_messages(&self, messages: &[Message]) -> Vec<Value> {
        // No model is named, so every message counts as another's.
        let turns = fit(messages, &target(&self.0, ""));
        values(wire_messages(None, &turns, &self.0.compat).iter())
    }

    fn convert_tools(&self, tools: &[Tool]) -> Vec<Value> {
        values(tools.iter().map(WireTool::new))
    }

    fn map_stop_reason(&self, reason: &str) -> StopReason {
        map_stop_reason(reason)
    }

    fn parse_response(&self, response: &Value) -> AssistantMessage {
        let model = response.get("model").and_then(Value::as_str).unwrap_or_default();
        let origin = Origin {
            api: API.to_owned(),
            provider: ProviderName::from(self.0.name.as_str()),
            model: ModelId::from(model),
        };
        let place = Place::new(&self.0, "chat/completions", None);
        let service = place.service(&self.0);
        let reader = Reader::new(Assembler::new(&NoSink, origin), service);
        call::whole(service, reader, response, "a document")
    }

    fn build_body(
        &self,
        model: &ModelId,
        context: &AgentContext,
        options: &CallOptions,
    ) -> Result<Box<RawValue>, Failure> {
        request::body(&self.0, model, context, options).map_err(|error| {
            Failure::new(format!("{}: the request cannot be written: {error}", self.0.name))
        })
    }

    fn complete<'a>(
        &'a self,
        model: &'a ModelId,
        context: &'a AgentContext,
        options: &'a CallOptions,
        sink: &'a dyn StreamSink,
        cancel: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage> {
        Box::pin(call::complete(&self.0, model, context, options, sink, cancel))
    }

    fn list_models<'a>(
        &'a self,
        options: &'a CallOptions,
    ) -> BoxFuture<'a, Result<Vec<ModelInfo>, Failure>> {
        Box::pin(list::models(&self.0, options))
    }
}
