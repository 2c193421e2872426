//! Answers in the OpenAI Responses protocol, streamed and whole.
//!
//! Source of the shapes: the OpenAI API reference, "Responses > Streaming". Output items open and
//! close by themselves as the kind of content changes; `responses_writer` writes the events.

use serde_json::{Value, json};

use crate::{
    event_stream::{EventStream, LineEnd, StreamItem},
    reply::Reply,
    request::RecordedRequest,
    responses_writer::Writer,
    stream_script::{StreamScript, fragments},
};

/// A script of one response. Finished, it ends with `response.completed`, `.failed` or
/// `.incomplete`.
#[derive(Debug, Clone)]
pub struct ResponsesScript {
    parts: Vec<Part>,
    id: String,
    model: String,
    usage: Value,
    end: End,
    line_end: LineEnd,
}

#[derive(Debug, Clone)]
enum End {
    Completed,
    Failed { code: String, message: String },
    Incomplete { reason: String },
    Cut,
}

#[derive(Debug, Clone)]
pub(crate) enum Part {
    Text(String),
    ReasoningSummary(String),
    EncryptedReasoning(String),
    CallStart { call_id: String, name: String },
    CallArguments(String),
    EndItem,
    Event { name: String, fields: Value },
    Item(StreamItem),
}

/// An empty response: id `resp_test`, model `test-model`, usage 10 in and 5 out.
pub fn responses() -> ResponsesScript {
    ResponsesScript {
        parts: Vec::new(),
        id: "resp_test".into(),
        model: "test-model".into(),
        usage: usage(10, 5),
        end: End::Completed,
        line_end: LineEnd::default(),
    }
}

impl ResponsesScript {
    /// A delta of the answer's text. Opens a message item unless one is open.
    pub fn text(self, delta: impl Into<String>) -> Self {
        self.part(Part::Text(delta.into()))
    }

    /// A delta of a reasoning summary. Opens a reasoning item unless one is open.
    pub fn reasoning(self, delta: impl Into<String>) -> Self {
        self.part(Part::ReasoningSummary(delta.into()))
    }

    /// The encrypted content of the open reasoning item; without one, of one whose summary is
    /// empty. It is sent when the item is done.
    pub fn encrypted_reasoning(self, content: impl Into<String>) -> Self {
        self.part(Part::EncryptedReasoning(content.into()))
    }

    /// A whole call, its arguments in fragments of a few characters.
    pub fn tool_call(self, call_id: &str, name: &str, arguments: Value) -> Self {
        self.tool_call_text(call_id, name, &arguments.to_string())
    }

    /// Like [`ResponsesScript::tool_call`], with arguments that need not be JSON.
    pub fn tool_call_text(self, call_id: &str, name: &str, arguments: &str) -> Self {
        let mut script = self.tool_start(call_id, name);
        for fragment in fragments(arguments) {
            script = script.tool_arguments(fragment);
        }
        script.end_item()
    }

    /// Opens a call item with empty arguments.
    pub fn tool_start(self, call_id: &str, name: &str) -> Self {
        self.part(Part::CallStart { call_id: call_id.to_owned(), name: name.to_owned() })
    }

    /// A fragment of the arguments of the open call.
    pub fn tool_arguments(self, fragment: impl Into<String>) -> Self {
        self.part(Part::CallArguments(fragment.into()))
    }

    /// Finishes the open item, so that the next delta of the same kind opens another.
    pub fn end_item(self) -> Self {
        self.part(Part::EndItem)
    }

    /// An event of this name with its `type`, the next `sequence_number` and these fields.
    pub fn sequenced(self, name: &str, fields: Value) -> Self {
        self.part(Part::Event { name: name.to_owned(), fields })
    }

    /// A bare `error` event as the last event.
    pub fn error(self, code: &str, message: &str) -> Self {
        self.sequenced("error", json!({ "code": code, "message": message, "param": null })).cut()
    }

    /// Ends with `response.failed`.
    pub fn failed(mut self, code: &str, message: &str) -> Self {
        self.end = End::Failed { code: code.to_owned(), message: message.to_owned() };
        self
    }

    /// Ends with `response.incomplete`, for instance `max_output_tokens`.
    pub fn incomplete(mut self, reason: &str) -> Self {
        self.end = End::Incomplete { reason: reason.to_owned() };
        self
    }

    /// Ends the body in order right here: the open item stays open, and no last event is sent.
    pub fn cut(mut self) -> Self {
        self.end = End::Cut;
        self
    }

    /// Sets the tokens of input and output.
    pub fn usage(self, input: u64, output: u64) -> Self {
        self.usage_object(usage(input, output))
    }

    /// Sets the whole usage object, for cached or reasoning tokens.
    pub fn usage_object(mut self, usage: Value) -> Self {
        self.usage = usage;
        self
    }

    /// Sets the id of the response.
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

    /// The response as one JSON document.
    pub fn json_reply(self) -> Reply {
        Reply::json(&self.render().1).header("x-request-id", "req_test")
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
        let mut response = json!({
            "id": self.id,
            "object": "response",
            "created_at": 1_700_000_000,
            "status": "in_progress",
            "error": null,
            "incomplete_details": null,
            "model": self.model,
            "output": [],
            "parallel_tool_calls": true,
            "store": false,
            "usage": null,
        });
        let mut writer = Writer::new(EventStream::with_line_end(self.line_end), response.clone());
        for part in self.parts {
            writer.write(part);
        }
        let status = match &self.end {
            End::Completed | End::Cut => "completed",
            End::Failed { .. } => "failed",
            End::Incomplete { .. } => "incomplete",
        };
        if !matches!(self.end, End::Cut) {
            writer.ensure_started();
            writer.close_item(status);
        }
        response["status"] = status.into();
        response["output"] = writer.output().into();
        match &self.end {
            End::Failed { code, message } => {
                response["error"] = json!({ "code": code, "message": message });
            }
            End::Incomplete { reason } => {
                response["incomplete_details"] = json!({ "reason": reason });
            }
            End::Completed | End::Cut => {}
        }
        if status != "failed" {
            response["usage"] = self.usage;
        }
        if !matches!(self.end, End::Cut) {
            writer.event(&format!("response.{status}"), json!({ "response": response }));
        }
        (writer.into_stream(), response)
    }
}

impl StreamScript for ResponsesScript {
    fn item(self, item: StreamItem) -> Self {
        self.part(Part::Item(item))
    }

    fn line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }
}

fn usage(input: u64, output: u64) -> Value {
    json!({
        "input_tokens": input,
        "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": output,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": input + output,
    })
}
