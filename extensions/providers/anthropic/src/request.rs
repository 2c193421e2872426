//! The body of a request, as the service reads it: structs that borrow from the conversation.
//!
//! The order of the fields is part of the design. What stays the same from request to request
//! comes first, so that a prompt that grows begins with the bytes of the one before.

use crate::thinking::{Plan, Thinking};
use fen_contract::types::Tool;
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The body of `POST /v1/messages`.
#[derive(Debug, Serialize)]
pub(crate) struct Body<'a> {
    model: &'a str,
    max_tokens: u64,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<[Block<'a>; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
    messages: Vec<Turn<'a>>,
}

/// What a body is made of.
pub(crate) struct Parts<'a> {
    pub model: &'a str,
    pub plan: Plan,
    pub system: Option<&'a str>,
    pub tools: Vec<WireTool<'a>>,
    pub turns: Vec<Turn<'a>>,
}

impl<'a> Body<'a> {
    /// A body without marks for the cache.
    pub fn new(parts: Parts<'a>) -> Self {
        let Parts { model, plan, system, mut tools, turns } = parts;
        let mut tool_choice = None;
        if tools.is_empty() {
            // The service refuses calls in a conversation whose tools it is not told of.
            tools = used_tools(&turns);
            tool_choice = (!tools.is_empty()).then_some(ToolChoice { kind: "none" });
        }
        let system = system.filter(|text| !text.trim().is_empty());
        Body {
            model,
            max_tokens: plan.max_tokens,
            stream: true,
            thinking: plan.thinking,
            output_config: plan.effort.map(|effort| OutputConfig { effort }),
            system: system.map(|text| [Block::text(Cow::Borrowed(text))]),
            tools,
            tool_choice,
            messages: turns,
        }
    }

    /// Marks how far the prompt is to be cached: the system prompt, the tools, the last turn, and
    /// the person's turn before it, up to which the request before this one was cached. The
    /// service allows four marks.
    pub fn mark_for_cache(&mut self) {
        if let Some([block]) = &mut self.system {
            block.mark();
        }
        if let Some(tool) = self.tools.last_mut() {
            tool.cache_control = Some(EPHEMERAL);
        }
        let Some((last, earlier)) = self.messages.split_last_mut() else { return };
        last.mark();
        if let Some(turn) = earlier.iter_mut().rev().find(|turn| turn.role == Role::User) {
            turn.mark();
        }
    }
}

#[derive(Debug, Serialize)]
struct OutputConfig {
    effort: &'static str,
}

#[derive(Debug, Serialize)]
struct ToolChoice {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// A mark for the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
}

const EPHEMERAL: CacheControl = CacheControl { kind: "ephemeral" };

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// The person's, tool results included.
    User,
    /// The model's.
    Assistant,
}

/// All that one side says before the other does.
#[derive(Debug, Serialize)]
pub(crate) struct Turn<'a> {
    pub role: Role,
    pub content: Vec<Block<'a>>,
}

impl Turn<'_> {
    /// Marks the last block that can be marked.
    fn mark(&mut self) {
        let _marked = self.content.iter_mut().rev().any(Block::mark);
    }
}

/// One block of a turn.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Block<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Thinking {
        thinking: &'a str,
        signature: &'a str,
    },
    RedactedThinking {
        data: &'a str,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        input: Cow<'a, Map<String, Value>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: Vec<Block<'a>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
}

impl<'a> Block<'a> {
    /// A block of text, which must not be blank.
    pub fn text(text: Cow<'a, str>) -> Self {
        Block::Text { text, cache_control: None }
    }

    /// Marks the block, where the service allows it.
    fn mark(&mut self) -> bool {
        match self {
            Block::Text { cache_control, .. }
            | Block::ToolUse { cache_control, .. }
            | Block::ToolResult { cache_control, .. } => {
                *cache_control = Some(EPHEMERAL);
                true
            }
            Block::Thinking { .. } | Block::RedactedThinking { .. } => false,
        }
    }
}

/// A tool on offer.
#[derive(Debug, Serialize)]
pub(crate) struct WireTool<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    input_schema: Cow<'a, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

impl<'a> WireTool<'a> {
    /// The tool with a schema that says it is one of an object, as the service demands.
    pub fn new(tool: &'a Tool) -> Self {
        let input_schema = match &tool.parameters {
            Value::Object(schema) if schema.contains_key("type") => Cow::Borrowed(&tool.parameters),
            other => {
                let mut schema = Map::new();
                schema.insert("type".to_owned(), "object".into());
                schema.extend(other.as_object().cloned().unwrap_or_default());
                Cow::Owned(Value::Object(schema))
            }
        };
        let description = tool.description.trim();
        WireTool { name: Cow::Borrowed(&tool.name), description, input_schema, cache_control: None }
    }

    fn named(name: Cow<'a, str>) -> Self {
        let input_schema = Cow::Owned(serde_json::json!({ "type": "object" }));
        WireTool { name, description: "", input_schema, cache_control: None }
    }
}

/// A tool for each name that the calls of the conversation give, in order of first use.
fn used_tools<'a>(turns: &[Turn<'a>]) -> Vec<WireTool<'a>> {
    let mut tools: Vec<WireTool<'a>> = Vec::new();
    for block in turns.iter().flat_map(|turn| &turn.content) {
        if let Block::ToolUse { name, .. } = block
            && !tools.iter().any(|tool| tool.name == *name)
        {
            tools.push(WireTool::named(name.clone()));
        }
    }
    tools
}
