//! The conversation's messages: all of them, and those that a model is shown.
//!
//! It has one writer, the agent. Handing the context to a provider copies no message.

use fen_contract::types::{AgentToolResult, Message, Messages, ToolCall, ToolResultMessage};
use serde_json::json;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError, RwLock};

const INTERRUPTED: &str =
    "Interrupted: fen ended before this call had a result. It may have run in part.";

#[derive(Default)]
struct Content {
    all: Vec<Message>,
    context: Messages,
}

/// The messages of a conversation.
#[derive(Default)]
pub struct Transcript(RwLock<Content>);

impl Transcript {
    /// Takes over stored messages. Calls that never got a result are answered with an error; those
    /// answers are given back, for the session to store.
    pub fn replace(&self, messages: Vec<Message>) -> Vec<ToolResultMessage> {
        let (context, added) = repaired(&messages);
        let mut content = self.0.write().unwrap_or_else(PoisonError::into_inner);
        content.context = Arc::new(context);
        content.all = messages;
        content.all.extend(added.iter().cloned().map(Message::from));
        added
    }

    /// Adds a message and gives its 1-based position.
    pub fn push(&self, message: Message) -> usize {
        let mut content = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if belongs_to_context(&message) {
            Arc::make_mut(&mut content.context).push(message.clone());
        }
        content.all.push(message);
        content.all.len()
    }

    /// Adds a message to the record only; models are not shown it.
    pub fn push_record(&self, message: Message) -> usize {
        let mut content = self.0.write().unwrap_or_else(PoisonError::into_inner);
        content.all.push(message);
        content.all.len()
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The message at a 0-based position.
    pub fn get(&self, position: usize) -> Option<Message> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).all.get(position).cloned()
    }

    /// The messages from a 0-based position on.
    pub fn since(&self, position: usize) -> Vec<Message> {
        let content = self.0.read().unwrap_or_else(PoisonError::into_inner);
        content.all.get(position..).map(<[Message]>::to_vec).unwrap_or_default()
    }

    /// The messages that a model is shown.
    pub fn context(&self) -> Messages {
        self.0.read().unwrap_or_else(PoisonError::into_inner).context.clone()
    }
}

/// Failed answers stay in the record and out of the context, and so do empty ones.
fn belongs_to_context(message: &Message) -> bool {
    match message {
        Message::Assistant(message) => !message.is_error() && !message.content.is_empty(),
        Message::User(_) | Message::ToolResult(_) => true,
    }
}

/// An error result for a call that was not carried out.
pub fn synthetic_result(call: &ToolCall, reason: &str) -> ToolResultMessage {
    ToolResultMessage::new(
        call,
        AgentToolResult::error(reason.to_owned()).with_details(json!({"synthetic?": true})),
    )
}

/// An answer's position, and for each of its calls the position of the result.
type PairedAnswer = (usize, Vec<(Arc<ToolCall>, Option<usize>)>);

/// For each call that models are shown, in order: where its result stands, if it has one.
///
/// Ids may recur from turn to turn, since some servers number their calls afresh; so a result is
/// first looked for before the next answer, and only then anywhere later.
fn pair_calls(messages: &[Message]) -> Vec<PairedAnswer> {
    let answers: Vec<usize> = messages
        .iter()
        .enumerate()
        .filter(|(_, message)| matches!(message, Message::Assistant(_)))
        .map(|(position, _)| position)
        .collect();
    let mut results: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (position, message) in messages.iter().enumerate() {
        if let Message::ToolResult(result) = message {
            results.entry(result.tool_call_id.as_str()).or_default().push_back(position);
        }
    }
    let mut take = |id: &str, from: usize, until: usize| {
        let positions = results.get_mut(id)?;
        let found = positions.iter().position(|at| (from..until).contains(at))?;
        positions.remove(found)
    };
    let mut paired: Vec<PairedAnswer> = Vec::new();
    for (nth, at) in answers.iter().enumerate() {
        let Message::Assistant(answer) = &messages[*at] else { continue };
        if !belongs_to_context(&messages[*at]) {
            continue;
        }
        let until = answers.get(nth + 1).copied().unwrap_or(messages.len());
        let calls = answer
            .tool_calls()
            .map(|call| (call.clone(), take(call.id.as_str(), *at, until)))
            .collect();
        paired.push((*at, calls));
    }
    for (at, calls) in &mut paired {
        for (call, result) in calls.iter_mut().filter(|(_, result)| result.is_none()) {
            *result = take(call.id.as_str(), *at, messages.len());
        }
    }
    paired
}

/// The context in which every call is followed by its result and every result has its call, and
/// the results that had to be made for it.
fn repaired(messages: &[Message]) -> (Vec<Message>, Vec<ToolResultMessage>) {
    let mut paired = pair_calls(messages).into_iter().peekable();
    let mut context = Vec::with_capacity(messages.len());
    let mut added = Vec::new();
    for (position, message) in messages.iter().enumerate() {
        match message {
            Message::User(_) => context.push(message.clone()),
            Message::ToolResult(_) => {}
            Message::Assistant(_) => {
                let Some((_, calls)) = paired.next_if(|(at, _)| *at == position) else { continue };
                context.push(message.clone());
                for (call, result) in calls {
                    match result.and_then(|at| messages.get(at)) {
                        Some(result) => context.push(result.clone()),
                        None => {
                            let result = synthetic_result(&call, INTERRUPTED);
                            context.push(Message::from(result.clone()));
                            added.push(result);
                        }
                    }
                }
            }
        }
    }
    (context, added)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::types::{
        AssistantBlock, AssistantMessage, ErrorKind, StopReason, TextContent, UserMessage,
    };

    fn calls(ids: &[&str]) -> Message {
        let blocks = ids
            .iter()
            .map(|id| AssistantBlock::ToolCall(Arc::new(ToolCall::new(*id, "t", json!({})))))
            .collect();
        Message::from(AssistantMessage::new(blocks, StopReason::ToolUse))
    }

    fn result(id: &str, text: &str) -> Message {
        let call = ToolCall::new(id, "t", json!({}));
        Message::from(ToolResultMessage::new(&call, AgentToolResult::text(text)))
    }

    fn user(text: &str) -> Message {
        Message::from(UserMessage::new(text))
    }

    /// `u`, `a(ids)` and `r(id:text)` in order.
    fn shape(messages: &[Message]) -> String {
        let one = |message: &Message| match message {
            Message::User(_) => "u".to_owned(),
            Message::Assistant(answer) => {
                let ids: Vec<&str> = answer.tool_calls().map(|call| call.id.as_str()).collect();
                format!("a({})", ids.join(","))
            }
            Message::ToolResult(result) => {
                let text: String = result.text().chars().take(11).collect();
                format!("r({}:{text})", result.tool_call_id)
            }
        };
        messages.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_interrupted_call_gets_one_result_once() {
        let transcript = Transcript::default();
        let added = transcript.replace(vec![user("go"), calls(&["1", "2"]), result("1", "one")]);
        assert_eq!(added.len(), 1);
        assert_eq!(shape(&transcript.context()), "u a(1,2) r(1:one) r(2:Interrupted)");
        let stored = transcript.since(0);
        assert_eq!(stored.len(), 4);
        assert!(Transcript::default().replace(stored).is_empty());
    }

    #[test]
    fn results_stand_behind_their_answer_whatever_order_they_were_stored_in() {
        let transcript = Transcript::default();
        transcript.replace(vec![
            user("go"),
            calls(&["1", "2"]),
            user("on"),
            result("2", "two"),
            result("9", "stray"),
            result("1", "one"),
        ]);
        assert_eq!(shape(&transcript.context()), "u a(1,2) r(1:one) r(2:two) u");
    }

    #[test]
    fn ids_that_recur_pair_within_their_own_turn() {
        let transcript = Transcript::default();
        transcript.replace(vec![calls(&["1"]), user("stop"), calls(&["1"]), result("1", "second")]);
        assert_eq!(shape(&transcript.context()), "a(1) r(1:Interrupted) u a(1) r(1:second)");
    }

    #[test]
    fn failed_and_empty_answers_are_recorded_and_not_shown_to_models() {
        let transcript = Transcript::default();
        transcript.push(user("go"));
        let partial = vec![AssistantBlock::Text(TextContent::new("par"))];
        transcript.push(AssistantMessage::failed(ErrorKind::Network, "gone", partial).into());
        transcript.push(AssistantMessage::new(Vec::new(), StopReason::Aborted).into());
        assert_eq!(transcript.len(), 3);
        assert_eq!(shape(&transcript.context()), "u");
    }

    #[test]
    fn the_context_is_shared_and_not_copied() {
        let transcript = Transcript::default();
        transcript.push(user("go"));
        assert!(Arc::ptr_eq(&transcript.context(), &transcript.context()));
        let held = Arc::as_ptr(&transcript.context());
        transcript.push(user("on"));
        assert_eq!(Arc::as_ptr(&transcript.context()), held, "nobody held it, so it grew in place");
    }
}
