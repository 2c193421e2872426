//! The document behind `agent_state`: which parts there are, and how each is made.

use crate::query::{Document, List, Part};
use fen_contract::agent::Agent;
use fen_contract::api::Api;
use fen_contract::conversation::Conversation;
use fen_contract::names::Count;
use fen_contract::types::Message;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// The names of the parts.
pub(super) const NAMES: [&str; 15] = [
    "model",
    "provider",
    "thinking",
    "session",
    "cwd",
    "busy?",
    "queue",
    "messages",
    "tools",
    "commands",
    "settings",
    "extensions",
    "snapshots",
    "logs",
    "usage",
];

/// The state of the run. Each part is made when it is asked for.
pub(super) struct AgentDocument {
    pub api: Arc<dyn Api>,
    pub conversation: Arc<dyn Conversation>,
    /// Made beforehand, where the query wants them.
    pub snapshots: Vec<Value>,
}

/// The messages, each made when it is looked at.
struct Messages {
    agent: Agent,
    length: usize,
}

impl List for Messages {
    fn len(&self) -> usize {
        self.length
    }

    fn get(&self, position: usize) -> Option<Value> {
        serde_json::to_value(self.agent.0.message(position)?).ok()
    }
}

impl Document for AgentDocument {
    fn names(&self) -> &'static [&'static str] {
        &NAMES
    }

    fn part(&self, name: &str) -> Option<Part> {
        let agent = || self.conversation.agent();
        Some(Part::One(match name {
            "model" => json!(agent().0.model()),
            "provider" => json!(agent().0.provider()),
            "thinking" => json!(self.conversation.thinking()),
            "session" => json!(self.conversation.session()),
            "cwd" => json!(agent().0.cwd()),
            "busy?" => json!(self.conversation.is_busy()),
            "queue" => json!(self.conversation.queue()),
            "messages" => {
                let agent = agent();
                let length = agent.0.message_count();
                return Some(Part::Many(Arc::new(Messages { agent, length })));
            }
            "settings" => self.api.settings(),
            "snapshots" => Value::Array(self.snapshots.clone()),
            "usage" => usage(&agent()),
            "tools" | "commands" | "extensions" | "logs" => {
                Value::Array(self.api.list(name).unwrap_or_default())
            }
            _ => return None,
        }))
    }
}

impl AgentDocument {
    /// Each part with its value, or its size where it has parts itself. No snapshot is made for it.
    pub(super) fn overview(&self) -> String {
        let mut text = String::new();
        for name in NAMES {
            let shown = match name {
                "snapshots" => entries(self.api.list("introspectors").unwrap_or_default().len()),
                "usage" => "token counts of all answers".to_owned(),
                _ => match self.part(name) {
                    Some(Part::One(Value::Array(items))) => entries(items.len()),
                    Some(Part::One(Value::Object(fields))) => {
                        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
                        format!("{{{}}}", names.join(", "))
                    }
                    Some(Part::One(value)) => value.to_string(),
                    Some(Part::Many(list)) => entries(list.len()),
                    None => continue,
                },
            };
            let _ = writeln!(text, "{name}: {shown}");
        }
        text
    }
}

fn entries(count: usize) -> String {
    match count {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    }
}

/// What all answers of the conversation have cost, failed ones included.
fn usage(agent: &Agent) -> Value {
    let mut answers = 0_u64;
    let mut sums = [0_u64; 5];
    for position in 0..agent.0.message_count() {
        let Some(Message::Assistant(answer)) = agent.0.message(position) else { continue };
        answers += 1;
        let Some(usage) = &answer.usage else { continue };
        let counts =
            [usage.input, usage.output, usage.cache_read, usage.cache_write, usage.total_tokens];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum = sum.saturating_add(count.unwrap_or(Count(0)).0);
        }
    }
    let [input, output, cache_read, cache_write, total] = sums;
    json!({
        "answers": answers,
        "input": input,
        "output": output,
        "cache-read": cache_read,
        "cache-write": cache_write,
        "total-tokens": total,
    })
}
