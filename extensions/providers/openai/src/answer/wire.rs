//! The shapes of events and documents. Every field may lack or be null; unknown ones are skipped.

use super::text::{Arguments, Content, Whole, Words};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// An event of a stream, or a whole answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Chunk<'a> {
    #[serde(borrow, default, deserialize_with = "null_is_empty")]
    pub choices: Vec<Choice<'a>>,
    pub usage: Option<WireUsage>,
    pub error: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Choice<'a> {
    pub index: Option<Whole>,
    /// What an event adds.
    #[serde(borrow)]
    pub delta: Option<Delta<'a>>,
    /// What a whole answer is.
    #[serde(borrow)]
    pub message: Option<Delta<'a>>,
    #[serde(borrow)]
    pub finish_reason: Option<Words<'a>>,
    /// Some services put it here.
    pub usage: Option<WireUsage>,
    /// Why this choice failed, as some gateways say.
    pub error: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Delta<'a> {
    #[serde(borrow)]
    pub content: Option<Content<'a>>,
    #[serde(borrow)]
    pub refusal: Option<Content<'a>>,
    #[serde(borrow)]
    pub reasoning_content: Option<Content<'a>>,
    #[serde(borrow)]
    pub reasoning: Option<Content<'a>>,
    pub reasoning_details: Option<Value>,
    #[serde(borrow, default, deserialize_with = "null_is_empty")]
    pub tool_calls: Vec<CallDelta<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CallDelta<'a> {
    pub index: Option<Whole>,
    #[serde(borrow)]
    pub id: Option<Words<'a>>,
    #[serde(borrow)]
    pub function: Option<FunctionDelta<'a>>,
    pub extra_content: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FunctionDelta<'a> {
    #[serde(borrow)]
    pub name: Option<Words<'a>>,
    #[serde(borrow)]
    pub arguments: Option<Arguments<'a>>,
}

/// What a call took.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WireUsage {
    pub prompt_tokens: Option<Whole>,
    pub completion_tokens: Option<Whole>,
    pub total_tokens: Option<Whole>,
    pub prompt_tokens_details: Option<InputDetails>,
    pub completion_tokens_details: Option<OutputDetails>,
    /// DeepSeek's name for cached tokens.
    pub prompt_cache_hit_tokens: Option<Whole>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InputDetails {
    pub cached_tokens: Option<Whole>,
    pub cache_write_tokens: Option<Whole>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct OutputDetails {
    pub reasoning_tokens: Option<Whole>,
}

/// A list; null is an empty one, and elements that are null are left out.
fn null_is_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let list = Option::<Vec<Option<T>>>::deserialize(deserializer)?;
    Ok(list.unwrap_or_default().into_iter().flatten().collect())
}
