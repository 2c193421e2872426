//! The events of a streamed answer, as the service writes them.
//!
//! One loose struct for all of them: what an event lacks is absent, an explicit `null` is absence,
//! and what is not known is not read. So the service can add to its events without harm.

use fen_contract::names::Count;
use fen_contract::types::Usage;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// One event. Source: Claude API reference, "Streaming messages".
#[derive(Debug, Default, Deserialize)]
pub(crate) struct StreamEvent {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub index: Option<u64>,
    pub message: Option<MessageHead>,
    pub content_block: Option<ContentBlock>,
    pub delta: Option<Delta>,
    pub usage: Option<WireUsage>,
    pub error: Option<IgnoredAny>,
}

/// What can still be said of an event whose fields are not what they should be.
#[derive(Debug, Deserialize)]
pub(crate) struct EventKind {
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// The message that an answer begins with.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct MessageHead {
    pub usage: Option<WireUsage>,
}

/// An answer that was not streamed.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Document {
    pub content: Option<Vec<ContentBlock>>,
    pub stop_reason: Option<String>,
    pub usage: Option<WireUsage>,
}

/// A block of content, at its start or whole.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ContentBlock {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub text: Option<String>,
    pub thinking: Option<String>,
    pub signature: Option<String>,
    pub data: Option<String>,
    pub id: Option<String>,
    pub name: Option<String>,
    pub input: Option<Box<RawValue>>,
}

/// What is added to a block, or told of the message at its end.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Delta {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub text: Option<String>,
    pub thinking: Option<String>,
    pub signature: Option<String>,
    pub partial_json: Option<String>,
    pub stop_reason: Option<String>,
}

/// Tokens, counted from the beginning of the answer.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
pub(crate) struct WireUsage {
    #[serde(deserialize_with = "count")]
    pub input_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub cache_read_input_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub cache_creation_input_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub output_tokens: Option<u64>,
}

/// A counter; one that makes no sense is no reason to lose an answer.
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let told = Value::deserialize(deserializer)?;
    Ok(told.as_u64().or_else(|| told.as_f64().filter(|n| *n >= 0.0).map(|n| n as u64)))
}

impl WireUsage {
    /// Takes over the counters that are told, and sums up.
    pub fn write_to(self, usage: &mut Usage) {
        let set = |field: &mut Option<Count>, told: Option<u64>| {
            *field = told.map(Count).or(*field);
        };
        set(&mut usage.input, self.input_tokens);
        set(&mut usage.cache_read, self.cache_read_input_tokens);
        set(&mut usage.cache_write, self.cache_creation_input_tokens);
        set(&mut usage.output, self.output_tokens);
        let counts = [usage.input, usage.cache_read, usage.cache_write, usage.output];
        let total = counts.into_iter().flatten().fold(0u64, |sum, n| sum.saturating_add(n.0));
        usage.total_tokens = Some(Count(total));
    }
}
