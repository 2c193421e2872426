//! Writes the events of a Responses stream and keeps the output that they add up to.
//!
//! Only `responses` uses it. It numbers the events and opens and closes items and their parts.

use serde_json::{Value, json};

use crate::{event_stream::EventStream, responses::Part, stream_script::StreamScript};

/// The stream being written. The open item, if any, is the last of `output`.
pub(crate) struct Writer {
    stream: EventStream,
    /// What `response.created` carries, until it is sent.
    start: Option<Value>,
    sequence: u64,
    output: Vec<Value>,
    open: Option<Open>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Open {
    Message { text: String },
    Reasoning { summary: String, encrypted: Option<String> },
    Call { arguments: String },
}

impl Writer {
    pub(crate) fn new(stream: EventStream, start: Value) -> Self {
        Self { stream, start: Some(start), sequence: 0, output: Vec::new(), open: None }
    }

    pub(crate) fn into_stream(self) -> EventStream {
        self.stream
    }

    /// The items so far.
    pub(crate) fn output(&self) -> Vec<Value> {
        self.output.clone()
    }

    pub(crate) fn write(&mut self, part: Part) {
        match part {
            Part::Item(item) => self.stream = std::mem::take(&mut self.stream).item(item),
            Part::Event { name, fields } => self.event(&name, fields),
            Part::EndItem => self.close_item("completed"),
            Part::Text(delta) => self.text(&delta),
            Part::ReasoningSummary(delta) => self.summary(&delta),
            Part::EncryptedReasoning(content) => {
                if let Open::Reasoning { encrypted, .. } = self.reasoning() {
                    *encrypted = Some(content);
                }
            }
            Part::CallStart { call_id, name } => {
                let item = json!({
                    "id": self.item_id("fc"),
                    "type": "function_call",
                    "status": "in_progress",
                    "arguments": "",
                    "call_id": call_id,
                    "name": name,
                });
                self.open_item(item, Open::Call { arguments: String::new() });
            }
            Part::CallArguments(delta) => {
                if let Some(Open::Call { arguments }) = &mut self.open {
                    arguments.push_str(&delta);
                }
                self.item_event(
                    "response.function_call_arguments.delta",
                    json!({ "delta": delta }),
                );
            }
        }
    }

    pub(crate) fn ensure_started(&mut self) {
        if let Some(response) = self.start.take() {
            self.event("response.created", json!({ "response": response }));
            self.event("response.in_progress", json!({ "response": response }));
        }
    }

    /// Sends the events that end the open item, if there is one.
    pub(crate) fn close_item(&mut self, response_status: &str) {
        let Some(open) = self.open.take() else {
            return;
        };
        let status = if response_status == "completed" { "completed" } else { "incomplete" };
        match open {
            Open::Message { text } => {
                let place = json!({ "content_index": 0 });
                let part = output_text(&text);
                let done = json!({ "text": text, "logprobs": [] });
                self.item_event("response.output_text.done", merged(place.clone(), done));
                let done = json!({ "part": part });
                self.item_event("response.content_part.done", merged(place, done));
                self.item()["content"] = json!([part]);
                self.item()["status"] = status.into();
            }
            Open::Reasoning { summary, encrypted } => {
                if !summary.is_empty() {
                    let place = json!({ "summary_index": 0 });
                    let part = summary_text(&summary);
                    let done = json!({ "text": summary });
                    let name = "response.reasoning_summary_text.done";
                    self.item_event(name, merged(place.clone(), done));
                    let done = json!({ "part": part });
                    self.item_event("response.reasoning_summary_part.done", merged(place, done));
                    self.item()["summary"] = json!([part]);
                }
                if let Some(content) = encrypted {
                    self.item()["encrypted_content"] = content.into();
                }
            }
            Open::Call { arguments } => {
                let done = json!({ "arguments": arguments });
                self.item_event("response.function_call_arguments.done", done);
                self.item()["arguments"] = arguments.into();
                self.item()["status"] = status.into();
            }
        }
        let done = json!({ "output_index": self.output.len() - 1, "item": self.item().clone() });
        self.event("response.output_item.done", done);
    }

    /// One event with its `type` and number before the other fields.
    pub(crate) fn event(&mut self, name: &str, fields: Value) {
        let head = json!({ "type": name, "sequence_number": self.sequence });
        self.sequence += 1;
        self.stream.add_named(name, &merged(head, fields));
    }

    fn text(&mut self, delta: &str) {
        if !matches!(self.open, Some(Open::Message { .. })) {
            let item = json!({
                "id": self.item_id("msg"),
                "type": "message",
                "status": "in_progress",
                "role": "assistant",
                "content": [],
            });
            self.open_item(item, Open::Message { text: String::new() });
            let part = json!({ "content_index": 0, "part": output_text("") });
            self.item_event("response.content_part.added", part);
        }
        if let Some(Open::Message { text }) = &mut self.open {
            text.push_str(delta);
        }
        let fields = json!({ "content_index": 0, "delta": delta, "logprobs": [] });
        self.item_event("response.output_text.delta", fields);
    }

    fn summary(&mut self, delta: &str) {
        let mut is_first = false;
        if let Open::Reasoning { summary, .. } = self.reasoning() {
            is_first = summary.is_empty();
            summary.push_str(delta);
        }
        if is_first {
            let part = json!({ "summary_index": 0, "part": summary_text("") });
            self.item_event("response.reasoning_summary_part.added", part);
        }
        let fields = json!({ "summary_index": 0, "delta": delta });
        self.item_event("response.reasoning_summary_text.delta", fields);
    }

    /// The open reasoning item, opened if there is none.
    fn reasoning(&mut self) -> &mut Open {
        if !matches!(self.open, Some(Open::Reasoning { .. })) {
            let item = json!({ "id": self.item_id("rs"), "type": "reasoning", "summary": [] });
            self.open_item(item, Open::Reasoning { summary: String::new(), encrypted: None });
        }
        self.open.as_mut().expect("an item was just opened")
    }

    fn open_item(&mut self, item: Value, open: Open) {
        self.close_item("completed");
        self.ensure_started();
        let added = json!({ "output_index": self.output.len(), "item": item });
        self.event("response.output_item.added", added);
        self.output.push(item);
        self.open = Some(open);
    }

    /// An event about the last item.
    fn item_event(&mut self, name: &str, fields: Value) {
        let id = self.output.last().map_or(Value::Null, |item| item["id"].clone());
        let place = json!({ "item_id": id, "output_index": self.output.len().saturating_sub(1) });
        self.event(name, merged(place, fields));
    }

    fn item(&mut self) -> &mut Value {
        self.output.last_mut().expect("an item is open")
    }

    /// The id of the next item.
    fn item_id(&self, kind: &str) -> String {
        format!("{kind}_{}", self.output.len() + 1)
    }
}

fn output_text(text: &str) -> Value {
    json!({ "type": "output_text", "annotations": [], "logprobs": [], "text": text })
}

fn summary_text(text: &str) -> Value {
    json!({ "type": "summary_text", "text": text })
}

fn merged(mut head: Value, fields: Value) -> Value {
    if let (Some(head), Value::Object(fields)) = (head.as_object_mut(), fields) {
        head.extend(fields);
    }
    head
}
