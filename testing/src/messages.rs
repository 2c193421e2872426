//! Answers in the Anthropic Messages protocol, streamed and whole.
//!
//! Source of the shapes: the Anthropic API reference, "Streaming Messages". Blocks open and close
//! by themselves as the kind of content changes.

use serde_json::{Value, json};

use crate::{
    event_stream::{EventStream, LineEnd, StreamItem},
    reply::Reply,
    request::RecordedRequest,
    stream_script::{StreamScript, fragments},
};

/// A script of one message. Finished, it ends with `message_delta` and `message_stop`.
#[derive(Debug, Clone)]
pub struct MessagesScript {
    parts: Vec<Part>,
    id: String,
    model: String,
    finish: Option<String>,
    output_tokens: u64,
    input_usage: Value,
    cut: bool,
    line_end: LineEnd,
}

#[derive(Debug, Clone)]
enum Part {
    Text(String),
    Thinking(String),
    Signature(String),
    RedactedThinking(String),
    ToolStart { id: String, name: String },
    ToolJson(String),
    EndBlock,
    Item(StreamItem),
}

/// An empty message: id `msg_test`, model `test-model`, usage 10 in and 5 out.
pub fn messages() -> MessagesScript {
    MessagesScript {
        parts: Vec::new(),
        id: "msg_test".into(),
        model: "test-model".into(),
        finish: None,
        output_tokens: 5,
        input_usage: input_usage(10, 0, 0),
        cut: false,
        line_end: LineEnd::default(),
    }
}

impl MessagesScript {
    /// A delta of text. Opens a text block unless one is open.
    pub fn text(self, delta: impl Into<String>) -> Self {
        self.part(Part::Text(delta.into()))
    }

    /// A delta of thinking. Opens a thinking block unless one is open.
    pub fn thinking(self, delta: impl Into<String>) -> Self {
        self.part(Part::Thinking(delta.into()))
    }

    /// The signature of the open thinking block; without one, of an empty one.
    pub fn signature(self, signature: impl Into<String>) -> Self {
        self.part(Part::Signature(signature.into()))
    }

    /// A whole block of redacted thinking.
    pub fn redacted_thinking(self, data: impl Into<String>) -> Self {
        self.part(Part::RedactedThinking(data.into()))
    }

    /// A whole call, its input in fragments of a few characters.
    pub fn tool_use(self, id: &str, name: &str, input: Value) -> Self {
        self.tool_use_text(id, name, &input.to_string())
    }

    /// Like [`MessagesScript::tool_use`], with input that need not be JSON.
    pub fn tool_use_text(self, id: &str, name: &str, input: &str) -> Self {
        // The service starts with an empty fragment.
        let mut script = self.tool_start(id, name).tool_json("");
        for fragment in fragments(input) {
            script = script.tool_json(fragment);
        }
        script.end_block()
    }

    /// Opens the block of a call, with the input `{}` and no fragment.
    pub fn tool_start(self, id: &str, name: &str) -> Self {
        self.part(Part::ToolStart { id: id.to_owned(), name: name.to_owned() })
    }

    /// A fragment of the input of the open call.
    pub fn tool_json(self, fragment: impl Into<String>) -> Self {
        self.part(Part::ToolJson(fragment.into()))
    }

    /// Closes the open block, so that the next delta of the same kind opens another.
    pub fn end_block(self) -> Self {
        self.part(Part::EndBlock)
    }

    /// A `ping` event. One is sent after the first block's start in any case.
    pub fn ping(self) -> Self {
        self.event("ping", &json!({ "type": "ping" }))
    }

    /// An `error` event as the last event, for instance `overloaded_error`.
    pub fn error(self, kind: &str, message: &str) -> Self {
        let error = json!({ "type": kind, "message": message });
        self.event("error", &json!({ "type": "error", "error": error })).cut()
    }

    /// Sets the stop reason. Without it, it is `tool_use` when calls exist and else `end_turn`.
    pub fn finish(mut self, reason: impl Into<String>) -> Self {
        self.finish = Some(reason.into());
        self
    }

    /// Sets the tokens of input and output.
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        self.input_usage["input_tokens"] = input.into();
        self.output_tokens = output;
        self
    }

    /// Sets the tokens that were read from the prompt cache and written to it.
    pub fn cache_usage(mut self, read: u64, written: u64) -> Self {
        self.input_usage["cache_read_input_tokens"] = read.into();
        self.input_usage["cache_creation_input_tokens"] = written.into();
        self
    }

    /// Ends the body in order right here: the open block stays open, no `message_delta`, no
    /// `message_stop`.
    pub fn cut(mut self) -> Self {
        self.cut = true;
        self
    }

    /// Sets the id of the message.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets the name of the model.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = model.into();
        self
    }

    /// The stream as a chunked 200 reply.
    pub fn reply(self) -> Reply {
        self.events().reply().header("request-id", "req_test")
    }

    /// The events, for a reply with a head of one's own.
    pub fn events(self) -> EventStream {
        self.render().0
    }

    /// The message as one JSON document.
    pub fn json_reply(self) -> Reply {
        Reply::json(&self.render().1).header("request-id", "req_test")
    }

    /// The answer that the request asks for: streamed or whole by `stream`.
    pub fn answer(self, request: &RecordedRequest) -> Reply {
        if request.json()["stream"] == true { self.reply() } else { self.json_reply() }
    }

    fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    fn render(self) -> (EventStream, Value) {
        let mut usage = self.input_usage.clone();
        usage["output_tokens"] = 1.into();
        let mut message = json!({
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": usage,
        });
        let mut writer = Writer {
            stream: EventStream::with_line_end(self.line_end),
            start: Some(message.clone()),
            content: Vec::new(),
            input: String::new(),
            open: None,
        };
        let has_calls = self.parts.iter().any(|part| matches!(part, Part::ToolStart { .. }));
        for part in self.parts {
            writer.write(part);
        }
        let derived = if has_calls { "tool_use" } else { "end_turn" };
        let stop_reason = self.finish.unwrap_or_else(|| derived.into());
        if !self.cut {
            writer.ensure_started();
            writer.close_block();
            writer.stream.add_named(
                "message_delta",
                &json!({
                    "type": "message_delta",
                    "delta": { "stop_reason": stop_reason, "stop_sequence": null },
                    "usage": { "output_tokens": self.output_tokens },
                }),
            );
            writer.stream.add_named("message_stop", &json!({ "type": "message_stop" }));
        }
        message["content"] = writer.content.into();
        message["stop_reason"] = stop_reason.into();
        message["usage"]["output_tokens"] = self.output_tokens.into();
        (writer.stream, message)
    }
}

impl StreamScript for MessagesScript {
    fn item(self, item: StreamItem) -> Self {
        self.part(Part::Item(item))
    }

    fn line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }
}

fn input_usage(input: u64, read: u64, written: u64) -> Value {
    json!({
        "input_tokens": input,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
    })
}

/// Writes the events and keeps the message that they add up to.
struct Writer {
    stream: EventStream,
    /// What `message_start` carries, until it is sent.
    start: Option<Value>,
    content: Vec<Value>,
    /// The fragments of the open call.
    input: String,
    /// The type of the open block, which is the last of `content`.
    open: Option<&'static str>,
}

impl Writer {
    fn write(&mut self, part: Part) {
        match part {
            Part::Item(item) => self.stream = std::mem::take(&mut self.stream).item(item),
            Part::EndBlock => self.close_block(),
            Part::Text(text) => self.append("text", "text", "text_delta", &text),
            Part::Thinking(text) => self.append("thinking", "thinking", "thinking_delta", &text),
            Part::Signature(text) => {
                self.append("thinking", "signature", "signature_delta", &text);
            }
            Part::RedactedThinking(data) => {
                self.open_block("redacted_thinking", json!({ "data": data }));
                self.close_block();
            }
            Part::ToolStart { id, name } => {
                self.open_block("tool_use", json!({ "id": id, "name": name, "input": {} }));
            }
            Part::ToolJson(fragment) => {
                self.input.push_str(&fragment);
                self.delta(&json!({ "type": "input_json_delta", "partial_json": fragment }));
            }
        }
    }

    /// A delta for a block of type `kind`, whose field `field` grows.
    fn append(&mut self, kind: &'static str, field: &str, delta: &str, text: &str) {
        if self.open != Some(kind) {
            let fields = match kind {
                "thinking" => json!({ "thinking": "", "signature": "" }),
                _ => json!({ "text": "" }),
            };
            self.open_block(kind, fields);
        }
        self.delta(&json!({ "type": delta, field: text }));
        let block = self.content.last_mut().expect("a block is open");
        let grown = block[field].as_str().unwrap_or_default().to_owned() + text;
        block[field] = grown.into();
    }

    fn open_block(&mut self, kind: &'static str, fields: Value) {
        self.ensure_started();
        self.close_block();
        let mut block = json!({ "type": kind });
        if let (Some(block), Value::Object(fields)) = (block.as_object_mut(), fields) {
            block.extend(fields);
        }
        let index = self.content.len();
        self.stream.add_named(
            "content_block_start",
            &json!({ "type": "content_block_start", "index": index, "content_block": block }),
        );
        if index == 0 {
            self.stream.add_named("ping", &json!({ "type": "ping" }));
        }
        self.content.push(block);
        self.open = Some(kind);
    }

    fn delta(&mut self, delta: &Value) {
        let index = self.content.len().saturating_sub(1);
        self.stream.add_named(
            "content_block_delta",
            &json!({ "type": "content_block_delta", "index": index, "delta": delta }),
        );
    }

    fn close_block(&mut self) {
        let Some(kind) = self.open.take() else {
            return;
        };
        let index = self.content.len() - 1;
        let stop = json!({ "type": "content_block_stop", "index": index });
        self.stream.add_named("content_block_stop", &stop);
        if kind == "tool_use" {
            let input = std::mem::take(&mut self.input);
            self.content[index]["input"] = serde_json::from_str(&input).unwrap_or(json!({}));
        }
    }

    fn ensure_started(&mut self) {
        if let Some(message) = self.start.take() {
            let start = json!({ "type": "message_start", "message": message });
            self.stream.add_named("message_start", &start);
        }
    }
}
