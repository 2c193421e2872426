//! Answers in the Chat Completions protocol, streamed and whole.
//!
//! Source of the shapes: the OpenAI API reference, "Chat Completions > Streaming";
//! `reasoning_content` as DeepSeek documents it.

use serde_json::{Map, Value, json};

use crate::{
    chat_message::ChatMessage,
    event_stream::{EventStream, LineEnd, StreamItem},
    reply::Reply,
    request::RecordedRequest,
    stream_script::{StreamScript, fragments},
};

/// The time that all answers bear, in seconds since 1970.
const CREATED: u64 = 1_700_000_000;

/// A script of one completion. Finished, it ends with a finish reason, the usage and `[DONE]`.
#[derive(Debug, Clone)]
pub struct ChatScript {
    parts: Vec<Part>,
    calls: usize,
    id: String,
    model: String,
    finish: Option<String>,
    usage: Option<Value>,
    done: Done,
    line_end: LineEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// Finish reason, usage, `[DONE]`.
    Complete,
    /// Finish reason and usage only.
    WithoutMark,
    /// Nothing after the last part.
    Cut,
}

#[derive(Debug, Clone)]
enum Part {
    Text(String),
    Reasoning(String),
    CallStart { index: usize, id: String, name: String, arguments: String },
    CallArguments { index: usize, fragment: String },
    Delta(Value),
    Chunk(Map<String, Value>),
    Item(StreamItem),
}

/// An empty completion: id `chatcmpl-test`, model `test-model`, usage 10 in and 5 out.
pub fn chat() -> ChatScript {
    ChatScript {
        parts: Vec::new(),
        calls: 0,
        id: "chatcmpl-test".into(),
        model: "test-model".into(),
        finish: None,
        usage: Some(usage(10, 5)),
        done: Done::Complete,
        line_end: LineEnd::default(),
    }
}

impl ChatScript {
    /// A delta of the answer's text.
    pub fn text(self, delta: impl Into<String>) -> Self {
        self.part(Part::Text(delta.into()))
    }

    /// A delta of `reasoning_content`.
    pub fn reasoning(self, delta: impl Into<String>) -> Self {
        self.part(Part::Reasoning(delta.into()))
    }

    /// A whole call under the next index, its arguments in fragments of a few characters.
    pub fn tool_call(self, id: &str, name: &str, arguments: Value) -> Self {
        self.tool_call_text(id, name, &arguments.to_string())
    }

    /// Like [`ChatScript::tool_call`], with arguments that need not be JSON.
    pub fn tool_call_text(self, id: &str, name: &str, arguments: &str) -> Self {
        let index = self.calls;
        let mut script = self.tool_start(index, id, name, "");
        for fragment in fragments(arguments) {
            script = script.tool_arguments(index, fragment);
        }
        script
    }

    /// Only the first chunk of a call: index, id, name and the first of its arguments.
    pub fn tool_start(mut self, index: usize, id: &str, name: &str, arguments: &str) -> Self {
        self.calls = self.calls.max(index + 1);
        let (id, name, arguments) = (id.to_owned(), name.to_owned(), arguments.to_owned());
        self.part(Part::CallStart { index, id, name, arguments })
    }

    /// A fragment of the arguments of the call with this index.
    pub fn tool_arguments(self, index: usize, fragment: impl Into<String>) -> Self {
        self.part(Part::CallArguments { index, fragment: fragment.into() })
    }

    /// A chunk whose one choice has this delta.
    pub fn delta(self, delta: Value) -> Self {
        self.part(Part::Delta(delta))
    }

    /// A chunk with the usual id, object, time and model, overlaid by the fields of `fields`: for
    /// other `choices`, an `error` beside them, or `prompt_filter_results`.
    ///
    /// # Panics
    /// If `fields` is not an object.
    pub fn chunk(self, fields: Value) -> Self {
        let Value::Object(fields) = fields else {
            panic!("a chunk is a JSON object, not {fields}");
        };
        self.part(Part::Chunk(fields))
    }

    /// `data: {"error": …}` as the last event.
    pub fn error(self, error: Value) -> Self {
        self.data(json!({ "error": error }).to_string()).cut()
    }

    /// Sets the finish reason. Without it, it is `tool_calls` when calls exist and else `stop`.
    pub fn finish(mut self, reason: impl Into<String>) -> Self {
        self.finish = Some(reason.into());
        self
    }

    /// Sets the tokens of prompt and completion.
    pub fn usage(self, prompt: u64, completion: u64) -> Self {
        self.usage_object(usage(prompt, completion))
    }

    /// Sets the whole usage object, for cached or reasoning tokens.
    pub fn usage_object(mut self, usage: Value) -> Self {
        self.usage = Some(usage);
        self
    }

    /// Sends no usage, as services do that were not asked for it.
    pub fn without_usage(mut self) -> Self {
        self.usage = None;
        self
    }

    /// Leaves `[DONE]` out.
    pub fn without_done(mut self) -> Self {
        self.done = Done::WithoutMark;
        self
    }

    /// Ends the body in order right here: no finish reason, no usage, no `[DONE]`.
    pub fn cut(mut self) -> Self {
        self.done = Done::Cut;
        self
    }

    /// Sets the id of the completion.
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
        self.events().reply().header("x-request-id", "req_test")
    }

    /// The events, for a reply with a head of one's own.
    pub fn events(self) -> EventStream {
        self.render().0
    }

    /// The completion as one JSON document.
    pub fn json_reply(self) -> Reply {
        Reply::json(&self.render().1).header("x-request-id", "req_test")
    }

    /// The answer that the request asks for: streamed or whole by `stream`, with usage in the
    /// stream only by `stream_options.include_usage`.
    pub fn answer(self, request: &RecordedRequest) -> Reply {
        let body = request.json();
        if body["stream"] != true {
            self.json_reply()
        } else if body["stream_options"]["include_usage"] == true {
            self.reply()
        } else {
            self.without_usage().reply()
        }
    }

    fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    fn finish_reason(&self) -> &str {
        let derived = if self.calls > 0 { "tool_calls" } else { "stop" };
        self.finish.as_deref().unwrap_or(derived)
    }

    /// The chunk around `fields`. Where usage was asked for, all chunks but one carry it as null.
    fn envelope(&self, fields: Map<String, Value>) -> Value {
        let mut chunk = json!({
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": self.model,
            "system_fingerprint": "fp_test",
        });
        let map = chunk.as_object_mut().expect("built as an object");
        map.extend(fields);
        if self.usage.is_some() && !map.contains_key("usage") {
            map.insert("usage".into(), Value::Null);
        }
        chunk
    }

    fn choice(&self, delta: Value, finish: Option<&str>) -> Value {
        let choice = json!({
            "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish,
        });
        self.envelope(Map::from_iter([("choices".to_owned(), json!([choice]))]))
    }

    fn render(self) -> (EventStream, Value) {
        let mut stream = EventStream::with_line_end(self.line_end);
        let mut message = ChatMessage::default();
        let mut started = false;
        for part in &self.parts {
            let delta = match part {
                Part::Item(item) => {
                    stream = stream.item(item.clone());
                    continue;
                }
                Part::Chunk(fields) => {
                    stream.add_data(&self.envelope(fields.clone()));
                    continue;
                }
                part => delta_of(part),
            };
            if !started {
                stream.add_data(&self.choice(role(part), None));
                started = true;
            }
            match part {
                Part::Text(text) => message.content.push_str(text),
                Part::Reasoning(text) => message.reasoning.push_str(text),
                Part::CallStart { index, id, name, arguments } => {
                    message.start_call(*index, id, name, arguments);
                }
                Part::CallArguments { index, fragment } => message.extend_call(*index, fragment),
                Part::Delta(_) | Part::Chunk(_) | Part::Item(_) => {}
            }
            stream.add_data(&self.choice(delta, None));
        }
        if self.done != Done::Cut {
            if !started {
                stream.add_data(&self.choice(json!({ "role": "assistant", "content": "" }), None));
            }
            stream.add_data(&self.choice(json!({}), Some(self.finish_reason())));
            if let Some(usage) = &self.usage {
                let fields =
                    [("choices".to_owned(), json!([])), ("usage".to_owned(), usage.clone())];
                stream.add_data(&self.envelope(Map::from_iter(fields)));
            }
        }
        if self.done == Done::Complete {
            stream = stream.data("[DONE]");
        }
        let document = json!({
            "id": self.id,
            "object": "chat.completion",
            "created": CREATED,
            "model": self.model,
            "choices": [{
                "index": 0,
                "message": message.into_message(),
                "logprobs": null,
                "finish_reason": self.finish_reason(),
            }],
            "usage": self.usage,
            "system_fingerprint": "fp_test",
        });
        (stream, document)
    }
}

impl StreamScript for ChatScript {
    fn item(self, item: StreamItem) -> Self {
        self.part(Part::Item(item))
    }

    fn line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }
}

fn role(first: &Part) -> Value {
    match first {
        Part::CallStart { .. } => json!({ "role": "assistant", "content": null }),
        _ => json!({ "role": "assistant", "content": "" }),
    }
}

fn delta_of(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "content": text }),
        Part::Reasoning(text) => json!({ "content": null, "reasoning_content": text }),
        Part::CallStart { index, id, name, arguments } => json!({ "tool_calls": [{
            "index": index,
            "id": id,
            "type": "function",
            "function": { "name": name, "arguments": arguments },
        }] }),
        Part::CallArguments { index, fragment } => json!({ "tool_calls": [{
            "index": index,
            "function": { "arguments": fragment },
        }] }),
        Part::Delta(delta) => delta.clone(),
        Part::Chunk(_) | Part::Item(_) => unreachable!("these parts are not deltas"),
    }
}

fn usage(prompt: u64, completion: u64) -> Value {
    json!({
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": { "cached_tokens": 0 },
        "completion_tokens_details": { "reasoning_tokens": 0 },
    })
}
