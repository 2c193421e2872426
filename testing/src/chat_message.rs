//! The message that the deltas of a Chat Completions script add up to.
//!
//! Only `chat` uses it, for the answer in one JSON document.

use serde_json::{Value, json};

/// An assistant message in the making.
#[derive(Debug, Default)]
pub(crate) struct ChatMessage {
    pub(crate) content: String,
    pub(crate) reasoning: String,
    calls: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    index: usize,
    id: String,
    name: String,
    arguments: String,
}

impl ChatMessage {
    pub(crate) fn start_call(&mut self, index: usize, id: &str, name: &str, arguments: &str) {
        self.calls.push(Call {
            index,
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        });
    }

    /// Adds to the call with this index. A fragment without a call is in no whole message.
    pub(crate) fn extend_call(&mut self, index: usize, fragment: &str) {
        if let Some(call) = self.calls.iter_mut().rfind(|call| call.index == index) {
            call.arguments.push_str(fragment);
        }
    }

    /// The message as the service writes it: content is null only beside calls.
    pub(crate) fn into_message(self) -> Value {
        let calls_only = self.content.is_empty() && !self.calls.is_empty();
        let content = if calls_only { Value::Null } else { self.content.into() };
        let mut message = json!({ "role": "assistant", "content": content, "refusal": null });
        if !self.reasoning.is_empty() {
            message["reasoning_content"] = self.reasoning.into();
        }
        if !self.calls.is_empty() {
            let call = |call: Call| {
                json!({
                    "id": call.id,
                    "type": "function",
                    "function": { "name": call.name, "arguments": call.arguments },
                })
            };
            message["tool_calls"] = self.calls.into_iter().map(call).collect();
        }
        message
    }
}
