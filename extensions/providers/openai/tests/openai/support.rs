//! The provider as the kernel would hold it, and what a test asks it.

use fen_contract::api::{
    Api, EventHandler, Extension as _, LogLevel, PromptFragment, RegistrationId,
};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::Conversation;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, ProviderSpec};
use fen_contract::names::{Count, ModelId, Owner, ProviderName};
use fen_contract::provider::{CallOptions, StreamSink};
use fen_contract::record::Extra;
use fen_contract::secret::Secret;
use fen_contract::types::{
    AgentContext, AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason,
    TextContent, Tool, ToolCall, ToolResultMessage, UserMessage,
};
use fen_contract::validate::ContractError;
use fen_provider_openai::{Config, extension};
use fen_testing::{ModelServer, Reply};
use fen_transport::http::Client;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

pub const MODEL: &str = "test-model";

/// Settings for a server of the test's own, which wants no key.
pub fn config(server: &ModelServer) -> Config {
    Config::new("acme", format!("{}/v1", server.base_url()), Client::new(Default::default()))
}

/// The provider as it is registered.
pub fn provider(config: Config) -> ProviderSpec {
    let registry = Arc::new(Registry::default());
    extension(config).register(registry.clone()).unwrap();
    let contribution = registry.0.lock().unwrap().take();
    let Some(Contribution::Provider(spec)) = contribution else { panic!("no provider") };
    spec
}

#[derive(Default)]
struct Registry(Mutex<Option<Contribution>>);

impl Api for Registry {
    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError> {
        *self.0.lock().unwrap() = Some(contribution);
        Ok(RegistrationId(1))
    }
    fn owner(&self) -> Owner {
        Owner::from("test")
    }
    fn unregister(&self, _id: RegistrationId) -> bool {
        false
    }
    fn on(&self, _event: &str, _handler: EventHandler) -> RegistrationId {
        RegistrationId(2)
    }
    fn emit(&self, _event: Event) -> Result<(), Failure> {
        Ok(())
    }
    fn log(&self, _level: LogLevel, _message: &str) {}
    fn prompt(&self, _fragment: PromptFragment) -> RegistrationId {
        RegistrationId(3)
    }
    fn list(&self, _surface: &str) -> Result<Vec<Value>, Failure> {
        Ok(Vec::new())
    }
    fn snapshots(&self, _owner: Option<String>) -> BoxFuture<'_, Vec<Value>> {
        Box::pin(std::future::ready(Vec::new()))
    }
    fn conversation(&self) -> Option<Arc<dyn Conversation>> {
        None
    }
}

/// Keeps the events, and cancels at the first delta of text if it is told to.
#[derive(Default)]
pub struct Record {
    pub events: Mutex<Vec<Event>>,
    pub cancel_at_text: Option<CancelToken>,
}

impl StreamSink for Record {
    fn emit(&self, event: Event) {
        if let (Event::TextDelta(_), Some(token)) = (&event, &self.cancel_at_text) {
            token.cancel();
        }
        self.events.lock().unwrap().push(event);
    }
}

impl Record {
    pub fn names(&self) -> Vec<String> {
        self.events.lock().unwrap().iter().map(|event| event.name().to_owned()).collect()
    }
}

pub fn context(messages: Vec<Message>) -> AgentContext {
    AgentContext {
        max_tokens: Count(8192),
        messages: Arc::new(messages),
        tools: Arc::new(Vec::new()),
        system_prompt: None,
        extra: Extra::new(),
    }
}

pub fn tool(name: &str) -> Tool {
    Tool {
        description: format!("The tool {name}."),
        name: name.to_owned(),
        parameters: json!({ "type": "object", "properties": { "path": { "type": "string" } } }),
        extra: Extra::new(),
    }
}

pub fn user(text: &str) -> Message {
    UserMessage::new(text).into()
}

pub fn text(text: &str) -> AssistantBlock {
    AssistantBlock::Text(TextContent::new(text))
}

pub fn call(id: &str, arguments: Value) -> AssistantBlock {
    AssistantBlock::ToolCall(ToolCall::new(id, "read", arguments).into())
}

/// An answer of the provider and model of the tests.
pub fn answer(content: Vec<AssistantBlock>) -> Message {
    AssistantMessage {
        provider: Some(ProviderName::from("acme")),
        model: Some(ModelId::from(MODEL)),
        ..AssistantMessage::new(content, StopReason::Stop)
    }
    .into()
}

pub fn result(id: &str, output: &str) -> Message {
    let call = ToolCall::new(id, "read", json!({}));
    ToolResultMessage::new(&call, AgentToolResult::text(output)).into()
}

pub fn keyed(key: &str) -> CallOptions {
    CallOptions { api_key: Secret::new(key), ..CallOptions::default() }
}

/// Asks with these messages and options.
pub async fn ask_with(
    config: Config,
    messages: Vec<Message>,
    options: &CallOptions,
) -> AssistantMessage {
    let sink = Record::default();
    run(config, &context(messages), options, &sink, &CancelToken::new()).await
}

pub async fn run(
    config: Config,
    context: &AgentContext,
    options: &CallOptions,
    sink: &Record,
    cancel: &CancelToken,
) -> AssistantMessage {
    let spec = provider(config);
    spec.provider.complete(&ModelId::from(MODEL), context, options, sink, cancel).await
}

/// Has one reply read, in a runtime of its own.
#[tokio::main(flavor = "current_thread")]
pub async fn read(reply: Reply) -> AssistantMessage {
    let server = ModelServer::start();
    server.push(reply);
    let message = ask_with(config(&server), vec![user("hi")], &CallOptions::default()).await;
    server.assert_script_played();
    assert_eq!(server.requests().len(), 1);
    message
}

/// The same reply, whole and byte by byte; both must read the same.
pub fn read_both(reply: Reply) -> AssistantMessage {
    let whole = read(reply.clone());
    let split = read(reply.split_every(1));
    assert_eq!(comparable(&whole), comparable(&split));
    whole
}

/// A message without the moment, and without ids that were made up.
pub fn comparable(message: &AssistantMessage) -> Value {
    let mut value = serde_json::to_value(message).unwrap();
    value["timestamp"] = 0.into();
    if let Some(error) = value["error-message"].as_str() {
        value["error-message"] = without_port(error).into();
    }
    for block in value["content"].as_array_mut().unwrap() {
        if block["id"].as_str().is_some_and(|id| id.len() == 21 && id.starts_with("call_")) {
            block["id"] = "made".into();
        }
    }
    value
}

fn without_port(text: &str) -> String {
    match text.split_once("127.0.0.1:") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}127.0.0.1{after}")
        }
        None => text.to_owned(),
    }
}

pub fn calls(message: &AssistantMessage) -> Vec<(String, String, Value)> {
    let parts =
        |call: &Arc<ToolCall>| (call.id.to_string(), call.name.clone(), call.arguments.clone());
    message.tool_calls().map(parts).collect()
}

pub fn error(message: &AssistantMessage) -> &str {
    assert_eq!(message.stop_reason, Some(StopReason::Error), "{message:?}");
    message.error_message.as_deref().unwrap()
}
