//! A fitted conversation in the wire format.

use crate::compat::{Compat, EmptyContent, SystemRole};
use fen_contract::types::ToolCall;
use fen_provider_kit::history::{AssistantTurn, Block, Call, CallResult, Turn, joined};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;

/// The extra field of an answer that keeps what the service sent as `reasoning_details`.
pub(crate) const REASONING_DETAILS: &str = "reasoning-details";

/// The extra field of a call that keeps what the service sent as its `extra_content`.
pub(crate) const EXTRA_CONTENT: &str = "extra-content";

/// One message.
#[derive(Debug, Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub(crate) enum WireMessage<'a> {
    /// The system prompt.
    System { content: &'a str },
    /// The system prompt, for services that call it so.
    Developer { content: &'a str },
    /// What a person said.
    User { content: Cow<'a, str> },
    /// What a model answered. The content is there always; null only beside calls.
    Assistant {
        content: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_details: Option<&'a Value>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<WireCall<'a>>,
    },
    /// What came of a call.
    Tool { tool_call_id: &'a str, content: Cow<'a, str> },
}

/// A tool call.
#[derive(Debug, Serialize)]
pub(crate) struct WireCall<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    function: CalledFunction<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<&'a Value>,
}

#[derive(Debug, Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: JsonText<'a>,
}

/// A value that travels as JSON inside a string.
#[derive(Debug)]
struct JsonText<'a>(&'a Value);

impl Serialize for JsonText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(_) => serializer.collect_str(self.0),
            // Calls are stored with a table; what is not one is not sent back.
            _ => serializer.serialize_str("{}"),
        }
    }
}

/// The messages of a request, system prompt first.
pub(crate) fn wire_messages<'a>(
    system: Option<&'a str>,
    turns: &'a [Turn<'a>],
    compat: &Compat,
) -> Vec<WireMessage<'a>> {
    let system = system.filter(|prompt| !prompt.trim().is_empty());
    let mut messages = Vec::with_capacity(turns.len() + 1);
    messages.extend(system.map(|content| match compat.system_role {
        SystemRole::System => WireMessage::System { content },
        SystemRole::Developer => WireMessage::Developer { content },
    }));
    for turn in turns {
        match turn {
            Turn::User(texts) => messages.push(WireMessage::User { content: joined(texts) }),
            Turn::Assistant(turn) => {
                messages.push(answer(turn, compat));
                messages.extend(turn.results.iter().map(result));
            }
        }
    }
    messages
}

fn answer<'a>(turn: &'a AssistantTurn<'a>, compat: &Compat) -> WireMessage<'a> {
    let (mut texts, mut thoughts, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    for block in &turn.blocks {
        match block {
            Block::Text(text) => texts.push(*text),
            Block::Thinking(thought) => thoughts.push(thought.thinking.as_str()),
            Block::Call(call) => calls.push(wire_call(call, turn.own)),
        }
    }
    let content = match compat.empty_content_with_tool_calls {
        EmptyContent::Null if texts.is_empty() => None,
        _ => Some(joined(&texts)),
    };
    let details = turn.message.extra.get(REASONING_DETAILS);
    WireMessage::Assistant {
        content,
        reasoning_content: compat.reasoning_content_in_history.then(|| joined(&thoughts)),
        reasoning_details: details.filter(|_| turn.own && compat.reasoning_details_in_history),
        tool_calls: calls,
    }
}

fn wire_call<'a>(call: &'a Call<'a>, own: bool) -> WireCall<'a> {
    let stored: &ToolCall = call.call;
    WireCall {
        id: &call.id,
        kind: "function",
        function: CalledFunction { name: &call.name, arguments: JsonText(&stored.arguments) },
        extra_content: stored.extra.get(EXTRA_CONTENT).filter(|_| own),
    }
}

fn result<'a>(result: &'a CallResult<'a>) -> WireMessage<'a> {
    WireMessage::Tool { tool_call_id: &result.id, content: result.text() }
}
