//! Fits a conversation to what services accept, whatever it went through before.
//!
//! Pure, and borrowing: nothing of the conversation is copied. It owns the rules that every service
//! shares; spelling the result in a wire format is the provider's. Stored messages are never
//! changed by it, only what is sent.
//!
//! What a provider may rely on in the [`Turn`]s that [`fit`] gives:
//!
//! * each call has exactly one result, right after its assistant turn, and each result has a call;
//! * no text is empty or only white space, and no turn is without content;
//! * reasoning is there only where this provider and model wrote it;
//! * call ids fit the service, differ from one another, and are the same in every request;
//! * the names of calls are ones that services accept;
//! * text of the assistant that a request would end with has no white space at its end.
//!
//! The turns of a conversation's beginning do not depend on how it goes on, but for that last rule.

mod ids;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use ids::{IdMap, IdRule};

use fen_contract::types::{
    AssistantBlock, AssistantMessage, Message, StopReason, TextContent, ThinkingContent, ToolCall,
    ToolResultMessage, UserContent,
};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

/// What a result says that has no text.
pub const NO_OUTPUT: &str = "(no output)";

/// What the result of a call says that never got one.
pub const INTERRUPTED: &str = "The call was interrupted; it has no result.";

/// How long the name of a call may be.
const NAME_LIMIT: usize = 64;

/// Whom a conversation is fitted to.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The provider's registered name.
    pub provider: &'a str,
    /// The model that is asked.
    pub model: &'a str,
    /// What ids of calls that this provider and model made must be like.
    pub own_ids: IdRule,
    /// What ids of all other calls must be like.
    pub other_ids: IdRule,
}

/// One piece of a fitted conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn<'a> {
    /// What a person said: at least one text.
    User(Vec<&'a str>),
    /// What a model answered, with the results of its calls.
    Assistant(AssistantTurn<'a>),
}

/// An answer and the results of its calls.
#[derive(Debug, Clone, PartialEq)]
pub struct AssistantTurn<'a> {
    /// The message that this was.
    pub message: &'a AssistantMessage,
    /// Whether the provider and the model that are asked wrote it.
    pub own: bool,
    /// Its blocks in order; at least one.
    pub blocks: Vec<Block<'a>>,
    /// One result for each call, in the order of the calls.
    pub results: Vec<CallResult<'a>>,
}

/// A block of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<'a> {
    /// Visible text.
    Text(&'a str),
    /// Reasoning of the model that is asked, exactly as it came.
    Thinking(&'a ThinkingContent),
    /// A tool call.
    Call(Call<'a>),
}

/// A tool call with the id and name that the service gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<'a> {
    /// The id to send.
    pub id: Cow<'a, str>,
    /// The name to send.
    pub name: Cow<'a, str>,
    /// The call itself.
    pub call: &'a ToolCall,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult<'a> {
    /// The id to send: the one of its call.
    pub id: Cow<'a, str>,
    /// The name to send: the one of its call.
    pub name: Cow<'a, str>,
    /// The texts; at least one.
    pub texts: Vec<&'a str>,
    /// Whether the call failed or was not run.
    pub is_error: bool,
}

impl CallResult<'_> {
    /// All texts, joined by line breaks.
    pub fn text(&self) -> Cow<'_, str> {
        joined(&self.texts)
    }
}

impl AssistantTurn<'_> {
    /// Whether it calls tools.
    pub fn has_calls(&self) -> bool {
        !self.results.is_empty()
    }
}

/// Texts joined by line breaks; borrowed where there is one.
pub fn joined<'a>(texts: &[&'a str]) -> Cow<'a, str> {
    match texts {
        [] => Cow::Borrowed(""),
        [text] => Cow::Borrowed(text),
        texts => Cow::Owned(texts.join("\n")),
    }
}

/// Fits the messages of a request. Answers that failed are left out, should there be any.
pub fn fit<'a>(messages: &'a [Message], target: &Target<'_>) -> Vec<Turn<'a>> {
    let mut turns = Vec::with_capacity(messages.len());
    let mut ids = IdMap::default();
    let mut rest = messages;
    while let Some((message, after)) = rest.split_first() {
        rest = after;
        match message {
            Message::User(user) => {
                let texts = match &user.content {
                    UserContent::Text(text) => visible(text).into_iter().collect(),
                    UserContent::Blocks(blocks) => visible_texts(blocks),
                };
                if !texts.is_empty() {
                    turns.push(Turn::User(texts));
                }
            }
            Message::Assistant(answer) if answer.stop_reason == Some(StopReason::Error) => {}
            Message::Assistant(answer) => {
                let next = rest.iter().position(|m| matches!(m, Message::Assistant(_)));
                let following = &rest[..next.unwrap_or(rest.len())];
                let turn = assistant_turn(answer, following, target, &mut ids);
                if !turn.blocks.is_empty() {
                    turns.push(Turn::Assistant(turn));
                }
            }
            // Results are taken along with the answer that they belong to.
            Message::ToolResult(_) => {}
        }
    }
    trim_end(&mut turns);
    turns
}

fn assistant_turn<'a>(
    answer: &'a AssistantMessage,
    following: &'a [Message],
    target: &Target<'_>,
    ids: &mut IdMap<'a>,
) -> AssistantTurn<'a> {
    let own = answer.provider.as_ref().is_some_and(|name| name.as_str() == target.provider)
        && answer.model.as_ref().is_some_and(|model| model.as_str() == target.model);
    let rule = if own { target.own_ids } else { target.other_ids };
    let mut found = Results::of(following);
    let (mut blocks, mut results) = (Vec::with_capacity(answer.content.len()), Vec::new());
    for block in &answer.content {
        match block {
            AssistantBlock::Text(text) => blocks.extend(visible(&text.text).map(Block::Text)),
            AssistantBlock::Thinking(thought) if own => blocks.push(Block::Thinking(thought)),
            AssistantBlock::Thinking(_) => {}
            AssistantBlock::ToolCall(call) => {
                let id = ids.map(call.id.as_str(), rule);
                let name = wire_name(&call.name);
                results.push(found.take(call, id.clone(), name.clone()));
                blocks.push(Block::Call(Call { id, name, call }));
            }
        }
    }
    // Reasoning that nothing follows is no answer, and services refuse it.
    if blocks.iter().all(|block| matches!(block, Block::Thinking(_))) {
        blocks.clear();
    }
    AssistantTurn { message: answer, own, blocks, results }
}

/// The results that follow an answer, by the id of their call; of several the first comes first.
struct Results<'a>(HashMap<&'a str, VecDeque<&'a ToolResultMessage>>);

impl<'a> Results<'a> {
    fn of(messages: &'a [Message]) -> Self {
        let mut found: HashMap<&str, VecDeque<_>> = HashMap::new();
        for message in messages {
            if let Message::ToolResult(result) = message {
                found.entry(result.tool_call_id.as_str()).or_default().push_back(&**result);
            }
        }
        Results(found)
    }

    fn take(&mut self, call: &ToolCall, id: Cow<'a, str>, name: Cow<'a, str>) -> CallResult<'a> {
        let stored = self.0.get_mut(call.id.as_str()).and_then(|results| results.pop_front());
        let Some(result) = stored else {
            return CallResult { id, name, texts: vec![INTERRUPTED], is_error: true };
        };
        let mut texts = visible_texts(&result.content);
        if texts.is_empty() {
            texts.push(NO_OUTPUT);
        }
        CallResult { id, name, texts, is_error: result.is_error }
    }
}

fn visible(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

fn visible_texts(blocks: &[TextContent]) -> Vec<&str> {
    blocks.iter().filter_map(|block| visible(&block.text)).collect()
}

/// A name as services accept it in a conversation: `^[a-zA-Z0-9_-]{1,64}$`. Models make up others.
fn wire_name(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.len() <= NAME_LIMIT && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    if name.is_empty() {
        return Cow::Borrowed("unknown");
    }
    Cow::Owned(name.chars().take(NAME_LIMIT).map(|c| if fits(c) { c } else { '_' }).collect())
}

/// Services refuse a request whose last text is the assistant's and ends in white space.
fn trim_end(turns: &mut [Turn<'_>]) {
    if let Some(Turn::Assistant(last)) = turns.last_mut()
        && let Some(Block::Text(text)) = last.blocks.last_mut()
    {
        *text = text.trim_end();
    }
}
