//! From the fitted conversation to the turns of a request.
//!
//! Pure, and borrowing. It relies on what the fitting promises (results right after their calls,
//! no blank text) and adds the rules of this protocol: sides take turns, results come first in
//! theirs, and reasoning goes back exactly as it came or not at all.

use crate::answer::OMITTED;
use crate::request::{Block, Role, Turn};
use fen_contract::types::ThinkingContent;
use fen_provider_kit::history;
use serde_json::Map;
use std::borrow::Cow;

/// What the person's side says where a conversation begins with the model's.
const BEGINNING: &str = "(the conversation begins here)";

/// The turns of a request, without marks for the cache.
pub(crate) fn turns<'a>(history: Vec<history::Turn<'a>>) -> Vec<Turn<'a>> {
    let mut turns = Turns(Vec::with_capacity(history.len() + 1));
    if matches!(history.first(), Some(history::Turn::Assistant(_))) {
        turns.add(Role::User, vec![Block::text(Cow::Borrowed(BEGINNING))]);
    }
    for turn in history {
        match turn {
            history::Turn::User(texts) => turns.add(Role::User, texts_of(texts)),
            history::Turn::Assistant(answer) => {
                let blocks = answer.blocks.into_iter().filter_map(block).collect();
                turns.add(Role::Assistant, blocks);
                turns.add(Role::User, answer.results.into_iter().map(result).collect());
            }
        }
    }
    turns.0
}

/// Turns in which neither side speaks twice in a row.
struct Turns<'a>(Vec<Turn<'a>>);

impl<'a> Turns<'a> {
    fn add(&mut self, role: Role, content: Vec<Block<'a>>) {
        match self.0.last_mut() {
            _ if content.is_empty() => {}
            Some(last) if last.role == role => last.content.extend(content),
            _ => self.0.push(Turn { role, content }),
        }
    }
}

fn texts_of(texts: Vec<&str>) -> Vec<Block<'_>> {
    texts.into_iter().map(|text| Block::text(Cow::Borrowed(text))).collect()
}

fn block(block: history::Block<'_>) -> Option<Block<'_>> {
    match block {
        history::Block::Text(text) => Some(Block::text(Cow::Borrowed(text))),
        history::Block::Thinking(thought) => reasoning(thought),
        history::Block::Call(call) => {
            let input = match call.call.arguments.as_object() {
                Some(arguments) => Cow::Borrowed(arguments),
                None => Cow::Owned(Map::new()),
            };
            Some(Block::ToolUse { id: call.id, name: call.name, input, cache_control: None })
        }
    }
}

/// A thought with its seal. The service refuses one that has no seal, and one whose text does not
/// fit it; so an empty text goes back only where it is noted that the service sent it empty.
fn reasoning(thought: &ThinkingContent) -> Option<Block<'_>> {
    let signature = thought.thinking_signature.as_deref().filter(|seal| !seal.is_empty())?;
    if thought.redacted == Some(true) {
        return Some(Block::RedactedThinking { data: signature });
    }
    let sent_empty = thought.extra.get(OMITTED).and_then(serde_json::Value::as_bool) == Some(true);
    if thought.thinking.is_empty() && !sent_empty {
        return None;
    }
    Some(Block::Thinking { thinking: &thought.thinking, signature })
}

fn result(result: history::CallResult<'_>) -> Block<'_> {
    Block::ToolResult {
        tool_use_id: result.id,
        content: texts_of(result.texts),
        is_error: result.is_error,
        cache_control: None,
    }
}
