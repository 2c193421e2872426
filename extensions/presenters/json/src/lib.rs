//! The presenters `json` and `json-stream`: one prompt for a program that reads the outcome.
//!
//! `json` writes one document when the run is over; `json-stream` writes every event of the bus,
//! one a line. Nothing else ever reaches standard output.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::conversation::{Submitted, WhenBusy};
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::names::Count;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::types::{AssistantMessage, Message, Usage};
use fen_presenter_kit::idle::is_idle;
use fen_presenter_kit::output::{Reader, write_json, write_stderr};
use fen_presenter_kit::words;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The extension that registers both presenters.
pub fn extension() -> impl Extension {
    Json
}

struct Json;

impl Extension for Json {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "json".to_owned(),
            description: "Runs one prompt; the outcome or the events go out as JSON".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        for (name, form) in [("json", Form::Document), ("json-stream", Form::Events)] {
            let spec = PresenterSpec {
                name: name.to_owned(),
                one_shot: Some(true),
                presenter: Arc::new(JsonPresenter { form }),
            };
            api.register(spec.into())?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Document,
    Events,
}

struct JsonPresenter {
    form: Form,
}

impl Presenter for JsonPresenter {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let Some(prompt) = context.prompt.clone() else {
                return Err(Failure::caller(
                    "there is no prompt; give one after -p, or on standard input",
                ));
            };
            let mut outcome = Outcome::default();
            let command = match context.conversation.submit_line(prompt, WhenBusy::Reject).await {
                Submitted::Started | Submitted::Queued(_) => Ok(()),
                Submitted::Command(ran) => {
                    context.conversation.quit();
                    ran
                }
                Submitted::Rejected(failure) => return Err(failure),
            };
            while let Some(event) = context.events.next_event().await {
                if self.form == Form::Events && write_json(&*event)? == Reader::Gone {
                    context.conversation.quit();
                }
                if self.form == Form::Document && command.is_ok() {
                    tell_trouble(&event);
                }
                outcome.note(&event);
                let ended = matches!(&*event, Event::AgentTurnComplete(_));
                if ended && is_idle(&*context.conversation) {
                    context.conversation.quit();
                }
            }
            if self.form == Form::Document {
                let session = context.conversation.session().map(|info| json!(info));
                write_json(&outcome.document(session))?;
            }
            command
        })
    }
}

/// What goes wrong on the way is told to people at once; the document comes when all is over.
fn tell_trouble(event: &Event) {
    match event {
        Event::Error(event) => write_stderr(&format!("{}\n", words::error(event))),
        Event::ExtensionError(event) => {
            write_stderr(&format!("{}\n", words::extension_error(event)));
        }
        _ => {}
    }
}

/// What the run has brought so far.
#[derive(Default)]
struct Outcome {
    final_text: Option<String>,
    messages: Vec<Message>,
    usage: Option<Usage>,
    stop_reason: Option<&'static str>,
    error: Option<String>,
    /// Whether a turn has come to its end, and has said itself whether it failed.
    ended: bool,
}

impl Outcome {
    fn note(&mut self, event: &Event) {
        match event {
            Event::MessageAppended(event) => {
                if let Message::Assistant(answer) = &event.message {
                    self.stop_reason = answer.stop_reason.map(|reason| reason.as_str());
                    self.add_usage(answer);
                }
                self.messages.push(event.message.clone());
            }
            Event::AgentTurnComplete(turn) => {
                self.final_text.clone_from(&turn.result);
                self.error.clone_from(&turn.error);
                self.ended = true;
            }
            Event::Error(event) if !self.ended => self.error = Some(event.error.clone()),
            _ => {}
        }
    }

    fn add_usage(&mut self, answer: &AssistantMessage) {
        let Some(more) = &answer.usage else { return };
        let sum = self.usage.get_or_insert_with(Usage::empty);
        for (total, part) in [
            (&mut sum.input, more.input),
            (&mut sum.output, more.output),
            (&mut sum.cache_read, more.cache_read),
            (&mut sum.cache_write, more.cache_write),
            (&mut sum.total_tokens, more.total_tokens),
        ] {
            if let Some(part) = part {
                *total = Some(Count(total.map_or(0, |count| count.0) + part.0));
            }
        }
    }

    /// The document; what is empty is absent.
    fn document(self, session: Option<Value>) -> Value {
        let mut document = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                document.insert(name.to_owned(), value);
            }
        };
        put("final-text", self.final_text.map(Value::from));
        put("messages", (!self.messages.is_empty()).then(|| json!(self.messages)));
        put("usage", self.usage.map(|usage| json!(usage)));
        put("stop-reason", self.stop_reason.map(Value::from));
        put("session", session);
        put("error", self.error.map(Value::from));
        Value::Object(document)
    }
}
