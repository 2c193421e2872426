//! Everything that the bus told, each event judged by the contract.

use fen_contract::events::Event;
use fen_contract::validate::check_event;
use fen_core::Kernel;
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// The events as JSON, in the order in which they were delivered.
#[derive(Clone, Default)]
pub struct Record(Arc<Mutex<Vec<Value>>>);

impl Record {
    /// Records the events of a kernel from now on. An event that breaks the contract shows as one
    /// of the name `INVALID`.
    pub fn start(kernel: &Kernel) -> Record {
        let record = Record::default();
        let seen = record.clone();
        kernel.api().on(
            "*",
            Arc::new(move |event| {
                let mut value = serde_json::to_value(event).unwrap();
                if !matches!(**event, Event::Own(_))
                    && let Err(error) = check_event(&value)
                {
                    value = serde_json::json!({"type": format!("INVALID: {error}")});
                }
                seen.0.lock().unwrap().push(value);
                Ok(())
            }),
        );
        record
    }

    /// All events.
    pub fn all(&self) -> Vec<Value> {
        self.0.lock().unwrap().clone()
    }

    /// The events of this name.
    pub fn of(&self, name: &str) -> Vec<Value> {
        self.all().into_iter().filter(|event| event["type"] == name).collect()
    }

    /// A text field of the events of a name.
    pub fn texts(&self, name: &str, field: &str) -> Vec<String> {
        self.of(name).iter().map(|event| event[field].as_str().unwrap_or("?").to_owned()).collect()
    }

    /// The names of the run's events. Behind `message-appended` stands whose message it was.
    pub fn order(&self) -> String {
        let name = |event: &Value| match event["type"].as_str().unwrap_or("?") {
            "message-appended" => {
                format!("message-appended({})", event["message"]["role"].as_str().unwrap_or("?"))
            }
            name => name.to_owned(),
        };
        let all = self.all();
        let names = all.iter().skip_while(|event| event["type"] != "agent-started").map(name);
        names.collect::<Vec<_>>().join(" ")
    }

    /// The names from the first `user` to the last `agent-turn-complete`.
    pub fn turns(&self) -> String {
        let order = self.order();
        let start = order.find("user").unwrap_or(0);
        let last = "agent-turn-complete";
        let end = order.rfind(last).map_or(order.len(), |at| at + last.len());
        order[start..end].to_owned()
    }
}
