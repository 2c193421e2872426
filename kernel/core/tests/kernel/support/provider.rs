//! A provider that answers as a script says.

use fen_contract::cancel::CancelToken;
use fen_contract::events::{self, Event};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::ProviderSpec;
use fen_contract::names::{Count, Millis, ModelId};
use fen_contract::provider::{CallOptions, Provider, StreamSink};
use fen_contract::record::Extra;
use fen_contract::types::{
    AgentContext, AssistantBlock, AssistantMessage, ErrorKind, Message, Messages, StopReason,
    TextContent, ThinkingContent, Tool, ToolCall,
};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A tool call for an answer.
pub fn call(id: &str, tool: &str, arguments: Value) -> Arc<ToolCall> {
    Arc::new(ToolCall::new(id, tool, arguments))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// The message as it is.
    Gives,
    /// Nothing more until the call is cancelled; then what there is, as aborted.
    WaitsForCancellation,
    /// Nothing more, whatever happens.
    Hangs,
    Panics,
}

/// One answer of the model.
#[derive(Clone)]
pub struct Answer {
    message: AssistantMessage,
    streamed: bool,
    ending: Ending,
    delay: Duration,
}

impl Answer {
    fn of(message: AssistantMessage) -> Answer {
        Answer { message, streamed: false, ending: Ending::Gives, delay: Duration::ZERO }
    }

    /// Some text, not streamed.
    pub fn text(text: &str) -> Answer {
        Answer::nothing().and_text(text)
    }

    /// An answer without any block.
    pub fn nothing() -> Answer {
        Answer::of(AssistantMessage::new(Vec::new(), StopReason::Stop))
    }

    /// Some thinking.
    pub fn thinking(text: &str) -> Answer {
        let mut answer = Answer::nothing();
        answer.message.content.push(AssistantBlock::Thinking(ThinkingContent::new(text)));
        answer
    }

    /// Tool calls.
    pub fn calls(calls: impl IntoIterator<Item = Arc<ToolCall>>) -> Answer {
        let mut answer = Answer::nothing();
        answer.message.content.extend(calls.into_iter().map(AssistantBlock::ToolCall));
        answer.message.stop_reason = Some(StopReason::ToolUse);
        answer
    }

    /// A failure without content.
    pub fn failed(kind: ErrorKind, words: &str) -> Answer {
        Answer::of(AssistantMessage::failed(kind, words, Vec::new()))
    }

    /// The same with more text.
    pub fn and_text(mut self, text: &str) -> Answer {
        self.message.content.push(AssistantBlock::Text(TextContent::new(text)));
        self
    }

    /// The same with one more tool call; the stop reason stays.
    pub fn and_call(mut self, call: Arc<ToolCall>) -> Answer {
        self.message.content.push(AssistantBlock::ToolCall(call));
        self
    }

    /// The same with another stop reason.
    pub fn because(mut self, reason: StopReason) -> Answer {
        self.message.stop_reason = Some(reason);
        self
    }

    /// The same failure with the server's wish for a wait.
    pub fn retry_after(mut self, wait: Duration) -> Answer {
        self.message.retry_after_ms = Some(Millis(u64::try_from(wait.as_millis()).unwrap()));
        self
    }

    /// The same, told by stream events.
    pub fn streamed(mut self) -> Answer {
        self.streamed = true;
        self
    }

    /// The same, begun after a while.
    pub fn after(mut self, delay: Duration) -> Answer {
        self.delay = delay;
        self
    }

    /// The same, never finished: it waits for the cancellation.
    pub fn until_cancelled(mut self) -> Answer {
        self.ending = Ending::WaitsForCancellation;
        self
    }

    /// A provider that neither answers nor heeds the cancellation.
    pub fn deaf() -> Answer {
        Answer { ending: Ending::Hangs, ..Answer::nothing() }
    }

    /// A provider that panics.
    pub fn panic() -> Answer {
        Answer { ending: Ending::Panics, ..Answer::nothing() }
    }
}

/// What the provider was asked with.
#[derive(Clone)]
pub struct Asked {
    pub messages: Messages,
    pub tools: Vec<String>,
    pub system_prompt: Option<Arc<str>>,
    pub key: Option<String>,
    pub model: ModelId,
}

type Script = dyn Fn(usize, &AgentContext) -> Answer + Send + Sync;

/// The provider.
pub struct ScriptedProvider {
    script: Box<Script>,
    asked: Mutex<Vec<Asked>>,
}

impl ScriptedProvider {
    pub fn new(
        script: impl Fn(usize, &AgentContext) -> Answer + Send + Sync + 'static,
    ) -> Arc<ScriptedProvider> {
        Arc::new(ScriptedProvider { script: Box::new(script), asked: Mutex::default() })
    }

    /// Its registration under this name.
    pub fn spec(self: &Arc<Self>, name: &str) -> ProviderSpec {
        ProviderSpec {
            api: "scripted".to_owned(),
            name: name.to_owned(),
            auth: None,
            base_url: None,
            default_model: None,
            models: None,
            setup: None,
            provider: self.clone(),
        }
    }

    /// All calls so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn stream(message: &AssistantMessage, sink: &dyn StreamSink) {
    let extra = Extra::new;
    for (position, block) in message.content.iter().enumerate() {
        let content_index = Count::from(position + 1);
        match block {
            AssistantBlock::Text(block) => {
                sink.emit(events::TextStart { content_index, extra: extra() }.into());
                let delta = block.text.clone();
                sink.emit(events::TextDelta { content_index, delta, extra: extra() }.into());
                let content = block.text.clone();
                sink.emit(events::TextEnd { content, content_index, extra: extra() }.into());
            }
            AssistantBlock::Thinking(block) => {
                sink.emit(events::ThinkingStart { content_index, extra: extra() }.into());
                let delta = block.thinking.clone();
                sink.emit(events::ThinkingDelta { content_index, delta, extra: extra() }.into());
                let content = block.thinking.clone();
                sink.emit(events::ThinkingEnd { content, content_index, extra: extra() }.into());
            }
            AssistantBlock::ToolCall(call) => {
                sink.emit(events::ToolCallStart { content_index, extra: extra() }.into());
                let delta = call.arguments.to_string();
                sink.emit(events::ToolCallDelta { content_index, delta, extra: extra() }.into());
                let tool_call = call.clone();
                sink.emit(events::ToolCallEnd { content_index, tool_call, extra: extra() }.into());
            }
        }
    }
}

impl Provider for ScriptedProvider {
    fn convert_messages(&self, _messages: &[Message]) -> Vec<Value> {
        Vec::new()
    }

    fn convert_tools(&self, _tools: &[Tool]) -> Vec<Value> {
        Vec::new()
    }

    fn map_stop_reason(&self, _reason: &str) -> StopReason {
        StopReason::Stop
    }

    fn parse_response(&self, _response: &Value) -> AssistantMessage {
        AssistantMessage::new(Vec::new(), StopReason::Stop)
    }

    fn build_body(
        &self,
        _model: &ModelId,
        _context: &AgentContext,
        _options: &CallOptions,
    ) -> Result<Box<RawValue>, Failure> {
        Err(Failure::new("the scripted provider has no wire format"))
    }

    fn complete<'a>(
        &'a self,
        model: &'a ModelId,
        context: &'a AgentContext,
        options: &'a CallOptions,
        sink: &'a dyn StreamSink,
        cancel: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage> {
        Box::pin(async move {
            let number = {
                let mut asked = self.asked.lock().unwrap();
                asked.push(Asked {
                    messages: context.messages.clone(),
                    tools: context.tools.iter().map(|tool| tool.name.clone()).collect(),
                    system_prompt: context.system_prompt.clone(),
                    key: options.api_key.as_ref().map(|key| key.reveal().to_owned()),
                    model: model.clone(),
                });
                asked.len()
            };
            let mut answer = (self.script)(number, context);
            tokio::time::sleep(answer.delay).await;
            if answer.streamed {
                sink.emit(Event::Start(events::Start { extra: Extra::new() }));
                stream(&answer.message, sink);
                sink.ready().await;
            }
            match answer.ending {
                Ending::Gives => {}
                Ending::Hangs => std::future::pending().await,
                Ending::Panics => panic!("the provider broke"),
                Ending::WaitsForCancellation => {
                    cancel.cancelled().await;
                    answer.message.stop_reason = Some(StopReason::Aborted);
                    return answer.message;
                }
            }
            if answer.streamed && !answer.message.is_error() {
                let message = Arc::new(answer.message.clone());
                sink.emit(Event::Done(events::Done { message, extra: Extra::new() }));
            }
            answer.message
        })
    }
}
