//! A registered provider to call, and what its calls bring.

use fen_contract::api::{
    Api, EventHandler, Extension as _, LogLevel, PromptFragment, RegistrationId,
};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::Conversation;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, ProviderSpec};
use fen_contract::names::{Count, Millis, Owner};
use fen_contract::provider::{CallOptions, StreamSink};
use fen_contract::record::Extra;
use fen_contract::secret::Secret;
use fen_contract::types::{
    AgentContext, AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason,
    TextContent, ThinkingContent, Tool, ToolCall, ToolResultMessage, UserMessage,
};
use fen_contract::validate::ContractError;
use fen_provider_anthropic::{Config, extension, preset};
use fen_testing::{ModelServer, RecordedRequest, Reply};
use fen_transport::http::{self, Client};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

pub const MODEL: &str = "claude-sonnet-4-5";

/// An `Api` that keeps what it is given.
#[derive(Default)]
pub struct Kept {
    pub specs: Mutex<Vec<ProviderSpec>>,
    pub log: Mutex<Vec<String>>,
}

impl Api for Kept {
    fn owner(&self) -> Owner {
        "anthropic".into()
    }
    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError> {
        let Contribution::Provider(spec) = contribution else { panic!("{contribution:?}") };
        self.specs.lock().unwrap().push(spec);
        Ok(RegistrationId(1))
    }
    fn unregister(&self, _id: RegistrationId) -> bool {
        false
    }
    fn on(&self, _event: &str, _handler: EventHandler) -> RegistrationId {
        RegistrationId(0)
    }
    fn emit(&self, _event: Event) -> Result<(), Failure> {
        Ok(())
    }
    fn log(&self, _level: LogLevel, message: &str) {
        self.log.lock().unwrap().push(message.to_owned());
    }
    fn prompt(&self, _fragment: PromptFragment) -> RegistrationId {
        RegistrationId(0)
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

/// A sink that keeps the events.
#[derive(Default)]
pub struct Events(Mutex<Vec<Event>>);

impl StreamSink for Events {
    fn emit(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

impl Events {
    /// The names of the events, deltas of one block in a row told once.
    pub fn outline(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.0.lock().unwrap().iter().map(|event| event.name().to_owned()).collect();
        names.dedup();
        names
    }
}

/// What a call brought.
pub struct Outcome {
    pub message: AssistantMessage,
    pub outline: Vec<String>,
    pub log: Vec<String>,
}

impl Outcome {
    /// The message as JSON without its time.
    pub fn json(&self) -> Value {
        json_of(&self.message)
    }

    /// The kind and words of a failure.
    pub fn failure(&self) -> (&'static str, String) {
        assert_eq!(self.message.stop_reason, Some(StopReason::Error), "{:?}", self.message);
        let kind = self.message.error_kind.unwrap().as_str();
        (kind, self.message.error_message.clone().unwrap())
    }
}

pub fn json_of(message: &AssistantMessage) -> Value {
    let message = AssistantMessage { timestamp: Millis(0), ..message.clone() };
    serde_json::to_value(message).unwrap()
}

/// The settings of a provider in front of `server`, with a key.
pub fn config(base_url: &str) -> Config {
    let config = preset(Client::new(http::Config::default()));
    Config { base_url: base_url.to_owned(), api_key: Secret::new("sk-test-key"), ..config }
}

/// The registered provider.
pub fn provider(config: Config) -> (ProviderSpec, Arc<Kept>) {
    let kept = Arc::new(Kept::default());
    extension(config).register(kept.clone()).unwrap();
    let spec = kept.specs.lock().unwrap().pop().unwrap();
    (spec, kept)
}

/// One call with the settings.
pub async fn call_with(config: Config, context: &AgentContext, options: &CallOptions) -> Outcome {
    let (spec, kept) = provider(config);
    let (events, cancel) = (Events::default(), CancelToken::new());
    let model = MODEL.into();
    let message = spec.provider.complete(&model, context, options, &events, &cancel).await;
    let log = kept.log.lock().unwrap().clone();
    Outcome { message, outline: events.outline(), log }
}

/// One call of a short conversation that is answered by `reply`.
pub async fn answered(reply: Reply) -> Outcome {
    exchanged(reply, &context(vec![user("hi")])).await.0
}

/// One call with the context, and the request that it made.
pub async fn exchanged(reply: Reply, context: &AgentContext) -> (Outcome, RecordedRequest) {
    let server = ModelServer::start();
    server.push(reply);
    let outcome = call_with(config(&server.base_url()), context, &CallOptions::default()).await;
    server.assert_script_played();
    assert_eq!(server.requests().len(), 1);
    (outcome, server.last_request())
}

/// The body of the request for these messages.
pub fn body(messages: Vec<Message>) -> Value {
    serde_json::from_str(&body_text(MODEL, &context(messages), &CallOptions::default())).unwrap()
}

pub fn body_text(model: &str, context: &AgentContext, options: &CallOptions) -> String {
    let (spec, _) = provider(config("http://localhost"));
    spec.provider.build_body(&model.into(), context, options).unwrap().get().to_owned()
}

pub fn context(messages: Vec<Message>) -> AgentContext {
    AgentContext {
        max_tokens: Count(8192),
        messages: Arc::new(messages),
        tools: Arc::new(vec![tool("read"), tool("write")]),
        system_prompt: Some("Be brief.".into()),
        extra: Extra::new(),
    }
}

pub fn tool(name: &str) -> Tool {
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    Tool {
        description: format!("The tool {name}"),
        name: name.to_owned(),
        parameters: schema,
        extra: Extra::new(),
    }
}

pub fn user(text: &str) -> Message {
    UserMessage::new(text).into()
}

pub fn text(text: &str) -> AssistantBlock {
    AssistantBlock::Text(TextContent::new(text))
}

pub fn thought(thinking: &str, signature: Option<&str>) -> AssistantBlock {
    AssistantBlock::Thinking(ThinkingContent {
        thinking_signature: signature.map(str::to_owned),
        ..ThinkingContent::new(thinking)
    })
}

pub fn redacted(data: &str) -> AssistantBlock {
    AssistantBlock::Thinking(ThinkingContent {
        redacted: Some(true),
        thinking_signature: Some(data.to_owned()),
        ..ThinkingContent::new("")
    })
}

pub fn calls(id: &str, name: &str) -> AssistantBlock {
    AssistantBlock::ToolCall(Arc::new(ToolCall::new(id, name, json!({ "path": "a" }))))
}

/// An answer of this provider and model.
pub fn answer(content: Vec<AssistantBlock>) -> Message {
    AssistantMessage {
        provider: Some("anthropic".into()),
        model: Some(MODEL.into()),
        api: Some("anthropic-messages".to_owned()),
        ..AssistantMessage::new(content, StopReason::Stop)
    }
    .into()
}

pub fn result(id: &str, text: &str) -> Message {
    let call = ToolCall::new(id, "read", json!({}));
    ToolResultMessage::new(&call, AgentToolResult::text(text)).into()
}

/// The value without the marks for the cache, and how many there were.
pub fn unmarked(mut value: Value) -> (Value, usize) {
    let mut marks = 0;
    strip(&mut value, &mut marks);
    (value, marks)
}

fn strip(value: &mut Value, marks: &mut usize) {
    match value {
        Value::Object(fields) => {
            if let Some(mark) = fields.shift_remove("cache_control") {
                assert_eq!(mark, json!({ "type": "ephemeral" }));
                *marks += 1;
            }
            fields.values_mut().for_each(|value| strip(value, marks));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| strip(value, marks)),
        _ => {}
    }
}
