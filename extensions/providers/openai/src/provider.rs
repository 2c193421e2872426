//! The contract's provider, put together from the parts of this crate.

use crate::answer::{Reader, map_stop_reason};
use crate::call;
use crate::config::Config;
use crate::list;
use crate::request::{self, WireTool, target, wire_messages};
use fen_contract::api::Extension;
use fen_contract::cancel::CancelToken;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, ModelInfo, NoSink, Provider, StreamSink};
use fen_contract::types::{AgentContext, AssistantMessage, Message, StopReason, Tool};
use fen_provider_kit::assembler::Assembler;
use fen_provider_kit::history::fit;
use fen_provider_kit::json::values;
use fen_provider_kit::registration;
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The name of the protocol family.
pub const API: &str = "openai-completions";

/// An extension that registers one provider of this family.
pub fn extension(config: Config) -> impl Extension {
    registration::extension(API, config, |config, _| Completions(config))
}

/// The callbacks. It keeps no state between calls.
struct Completions(Arc<Config>);

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
        let options = CallOptions::default();
        let place = call::place(&self.0, &options);
        let service = place.service();
        let origin = self.0.origin(API, &model.into());
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
        Box::pin(async { list::models(&self.0, options).await.map_err(Failure::from) })
    }
}
