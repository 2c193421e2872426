//! A provider without a network: it plays a script, or echoes.
//!
//! It is deterministic, so tests and the demo can run the real loop on it. A script is a list of
//! [`Turn`]s or a closure that makes one from the request.

mod play;
mod script;

pub use script::{Error, MockRequest, Script, ScriptError, Turn};

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::ProviderSpec;
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, ModelInfo, Provider, StreamSink};
use fen_contract::types::{AgentContext, AssistantMessage, Message, StopReason, Tool};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The protocol family of the mock: its wire format is the canonical one.
pub const API: &str = "mock";

/// The provider.
pub struct MockProvider {
    script: Script,
    calls: AtomicUsize,
}

impl MockProvider {
    /// A provider that plays this script from the beginning.
    pub fn new(script: Script) -> Self {
        MockProvider { script, calls: AtomicUsize::new(0) }
    }
}

/// The extension that registers the provider as `mock`, with the models `echo` and `script`.
pub fn extension(script: Script) -> impl Extension {
    Mock { provider: Arc::new(MockProvider::new(script)) }
}

struct Mock {
    provider: Arc<MockProvider>,
}

impl Extension for Mock {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "mock".to_owned(),
            description: "A provider that plays a script or echoes; needs no network".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let default = match self.provider.script {
            Script::Echo => "echo",
            _ => "script",
        };
        api.register(
            ProviderSpec {
                api: API.to_owned(),
                name: "mock".to_owned(),
                auth: None,
                base_url: None,
                default_model: Some(default.into()),
                models: Some(vec![ModelInfo::named("echo"), ModelInfo::named("script")]),
                setup: Some(
                    "Needs nothing: `fen --provider mock` echoes, `--mock-script FILE` plays a \
                     script (JSON or Lua)."
                        .to_owned(),
                ),
                provider: self.provider.clone(),
            }
            .into(),
        )?;
        Ok(())
    }
}

impl Provider for MockProvider {
    fn convert_messages(&self, messages: &[Message]) -> Vec<Value> {
        messages.iter().map(|message| json!(message)).collect()
    }

    fn convert_tools(&self, tools: &[Tool]) -> Vec<Value> {
        tools.iter().map(|tool| json!(tool)).collect()
    }

    fn map_stop_reason(&self, reason: &str) -> StopReason {
        serde_json::from_value(reason.into()).unwrap_or(StopReason::Stop)
    }

    fn parse_response(&self, response: &Value) -> AssistantMessage {
        serde_json::from_value(response.clone()).unwrap_or_else(|error| {
            AssistantMessage::failed(
                fen_contract::types::ErrorKind::InvalidRequest,
                format!("not a canonical answer: {error}"),
                Vec::new(),
            )
        })
    }

    fn build_body(
        &self,
        model: &ModelId,
        context: &AgentContext,
        _options: &CallOptions,
    ) -> Result<Box<RawValue>, Failure> {
        serde_json::value::to_raw_value(&json!({"model": model, "context": context}))
            .map_err(|error| Failure::new(error.to_string()))
    }

    fn complete<'a>(
        &'a self,
        _model: &'a ModelId,
        context: &'a AgentContext,
        _options: &'a CallOptions,
        sink: &'a dyn StreamSink,
        cancel: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            let turn = self.script.turn(&MockRequest { number, context }).await;
            play::play(turn, context, sink, cancel).await
        })
    }
}
