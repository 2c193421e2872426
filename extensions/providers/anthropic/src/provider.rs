//! The contract's provider, put together from the parts of this crate.

use crate::call::whole_answer;
use crate::compat::Compat;
use crate::config::{Config, address};
use crate::request::{Body, Parts, WireTool};
use crate::thinking::{self, Limits};
use crate::{API, conversation, listing, stop};
use fen_contract::api::{Api, LogLevel};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, ModelInfo, NoSink, Provider, StreamSink};
use fen_contract::types::{AgentContext, AssistantMessage, Message, StopReason, Tool};
use fen_provider_kit::assembler::Assembler;
use fen_provider_kit::history::{self, IdRule, Target};
use fen_provider_kit::json::values;
use fen_provider_kit::place::Place;
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

/// Ids of calls are `^[a-zA-Z0-9_-]+$`; the length is fen's own bound.
const IDS: IdRule = IdRule::Plain { max: 256 };

/// A provider that speaks the Messages API.
pub(crate) struct Messages {
    pub config: Arc<Config>,
    api: Arc<dyn Api>,
}

impl Messages {
    pub fn new(config: Arc<Config>, api: Arc<dyn Api>) -> Self {
        Messages { config, api }
    }

    /// The address of a resource such as `messages`.
    pub fn address(&self, resource: &str) -> String {
        address(&self.config, resource)
    }

    /// One address of the service, which is asked with the key of a call.
    pub fn place<'a>(&'a self, url: String, options: &'a CallOptions) -> Place<'a, Compat> {
        Place::new(&self.config, url, self.config.key(options))
    }

    /// Tells those who look for a fault.
    pub fn debug(&self, text: &str) {
        self.api.log(LogLevel::Debug, &format!("{}: {text}", self.config.name));
    }

    fn target<'a>(&'a self, model: &'a str) -> Target<'a> {
        Target { provider: &self.config.name, model, own_ids: IDS, other_ids: IDS }
    }
}

impl Provider for Messages {
    /// The model is taken to be the one that this provider asked last.
    fn convert_messages(&self, messages: &[Message]) -> Vec<Value> {
        let name = self.config.name.as_str();
        let last = messages.iter().rev().find_map(|message| match message {
            Message::Assistant(answer) if answer.provider.as_ref()?.as_str() == name => {
                answer.model.as_ref()
            }
            _ => None,
        });
        let model = last.map_or("", ModelId::as_str);
        let turns = conversation::turns(history::fit(messages, &self.target(model)));
        values(turns.iter())
    }

    fn convert_tools(&self, tools: &[Tool]) -> Vec<Value> {
        values(tools.iter().map(WireTool::new))
    }

    fn map_stop_reason(&self, reason: &str) -> StopReason {
        stop::read(reason).reason()
    }

    fn parse_response(&self, response: &Value) -> AssistantMessage {
        let model = response.get("model").and_then(Value::as_str).unwrap_or_default();
        let assembler = Assembler::new(&NoSink, self.config.origin(API, &model.into()));
        let options = CallOptions::default();
        whole_answer(assembler, &self.place(self.address("messages"), &options).service(), response)
    }

    fn build_body(
        &self,
        model: &ModelId,
        context: &AgentContext,
        options: &CallOptions,
    ) -> Result<Box<RawValue>, Failure> {
        let target = self.target(model.as_str());
        let turns = conversation::turns(history::fit(&context.messages, &target));
        if turns.is_empty() {
            return Err(Failure::caller("there is nothing to send: no message has any text"));
        }
        let known = self.config.model(model.as_str());
        let limits = Limits {
            wanted: context.max_tokens.0,
            origin: options.output_limit,
            model: known.and_then(|known| known.max_tokens).map(|limit| limit.0),
        };
        let compat = self.config.compat;
        let plan = thinking::plan(model.as_str(), compat.thinking_format, options.thinking, limits);
        let mut body = Body::new(Parts {
            model: model.as_str(),
            plan,
            system: context.system_prompt.as_deref(),
            tools: context.tools.iter().map(WireTool::new).collect(),
            turns,
        });
        if compat.supports_cache_control {
            body.mark_for_cache();
        }
        serde_json::value::to_raw_value(&body)
            .map_err(|error| Failure::new(format!("the request cannot be written: {error}")))
    }

    fn complete<'a>(
        &'a self,
        model: &'a ModelId,
        context: &'a AgentContext,
        options: &'a CallOptions,
        sink: &'a dyn StreamSink,
        cancel: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage> {
        Box::pin(self.call(model, context, options, sink, cancel))
    }

    fn list_models<'a>(
        &'a self,
        options: &'a CallOptions,
    ) -> BoxFuture<'a, Result<Vec<ModelInfo>, Failure>> {
        Box::pin(async move { listing::models(self, options).await.map_err(Failure::from) })
    }
}
