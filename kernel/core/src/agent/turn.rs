//! One turn: from a prompt to the answer after which the model wants nothing more.
//!
//! It owns the steps of a turn and how messages enter the conversation: stored first, then added,
//! then told. Nothing else adds a message while a run is going on. The task calls it.

use super::calls::{answer_failed, answer_without_running, run_calls};
use super::model::{Streamed, call_model};
use crate::shared::{RunState, Shared, Typed, lock};
use crate::tools::{cancelled_before, refusal};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::QueueName;
use fen_contract::events::{self, AgentTurnComplete, TurnStatus};
use fen_contract::names::Count;
use fen_contract::record::Extra;
use fen_contract::types::{
    AssistantMessage, ErrorKind, Message, StopReason, ToolCall, UserMessage,
};
use std::sync::Arc;

const TRUNCATED: &str = "Not run: the answer reached the limit of output tokens before the call \
                         was complete. Send a shorter call, or split the work.";

/// How often in a row a model may run into its limit with tool calls before the turn ends.
const MAX_CUT_IN_A_ROW: usize = 5;

/// The lines that a turn begins with.
pub(super) enum Beginning {
    /// One that was accepted just now, and is told of as `user`.
    Typed(Typed),
    /// Some that had waited, and were told of as `queued`.
    Queued(Vec<String>),
}

enum End {
    Ok,
    Cancelled,
    Failed(String),
}

/// Runs a turn and gives the event that ends it.
pub(super) async fn run_turn(
    shared: &Arc<Shared>,
    beginning: Beginning,
    cancel: &CancelToken,
) -> AgentTurnComplete {
    let first = shared.transcript.len();
    match beginning {
        Beginning::Typed(typed) => shared.append_typed(typed).await,
        Beginning::Queued(lines) => {
            for line in lines {
                shared.append(UserMessage::new(line).into()).await;
            }
            shared.queue_changed.notify_one();
        }
    }
    let end = steps(shared, cancel).await;
    let (status, error) = match end {
        End::Ok => (TurnStatus::Ok, None),
        End::Cancelled => (TurnStatus::Cancelled, None),
        End::Failed(error) => (TurnStatus::Error, Some(error)),
    };
    let result = match status {
        TurnStatus::Error => None,
        TurnStatus::Ok | TurnStatus::Cancelled => last_text(&shared.transcript.since(first)),
    };
    AgentTurnComplete {
        agent: shared.agent(),
        message_count: Count::from(shared.transcript.len()),
        status,
        error,
        result,
        extra: Extra::new(),
    }
}

fn last_text(messages: &[Message]) -> Option<String> {
    messages.iter().rev().find_map(|message| match message {
        Message::Assistant(message) => message.text(),
        _ => None,
    })
}

async fn steps(shared: &Arc<Shared>, cancel: &CancelToken) -> End {
    let mut calls_made = 0;
    let mut cut_in_a_row = 0;
    loop {
        let run = match shared.run_state() {
            Ok(run) => run,
            Err(failure) => return End::Failed(failure.message),
        };
        if calls_made == run.max_model_calls {
            return stop_runaway(shared, &run).await;
        }
        calls_made += 1;
        let message = call_model(shared, &run, cancel).await;
        let calls: Vec<Arc<ToolCall>> = message.tool_calls().cloned().collect();
        match message.stop_reason.unwrap_or(StopReason::Stop) {
            StopReason::Error => {
                let error = message.error_message.clone().unwrap_or_default();
                shared.emit_error(error.clone());
                return End::Failed(error);
            }
            StopReason::Aborted => {
                answer_without_running(shared, &calls, cancelled_before).await;
                shared.bus.emit(events::Cancelled { extra: Extra::new() });
                return End::Cancelled;
            }
            StopReason::Length => {
                if !calls.is_empty() {
                    cut_in_a_row += 1;
                }
                answer_without_running(shared, &calls, || refusal(TRUNCATED)).await;
            }
            StopReason::Stop | StopReason::ToolUse => {
                cut_in_a_row = 0;
                run_calls(shared, &run, &calls, cancel).await;
            }
        }
        if cut_in_a_row == MAX_CUT_IN_A_ROW {
            let error = format!(
                "stopped after {MAX_CUT_IN_A_ROW} answers in a row whose tool calls were cut off at \
                 the limit of output tokens; raise it with --max-tokens"
            );
            return stop_here(shared, &run, error).await;
        }
        if cancel.is_cancelled() {
            shared.append_aborted(&run).await;
            shared.bus.emit(events::Cancelled { extra: Extra::new() });
            return End::Cancelled;
        }
        let steered = take_steering(shared).await;
        if calls.is_empty() && !steered {
            return End::Ok;
        }
    }
}

/// Lets waiting lines into the running turn; false if there were none.
async fn take_steering(shared: &Arc<Shared>) -> bool {
    let lines = lock(&shared.inbox).queue.take(QueueName::Steering);
    if lines.is_empty() {
        return false;
    }
    for line in lines {
        shared.append(UserMessage::new(line).into()).await;
    }
    shared.queue_changed.notify_one();
    true
}

async fn stop_runaway(shared: &Arc<Shared>, run: &RunState) -> End {
    let error = format!(
        "stopped after {} model calls in one turn; send \"continue\" to go on",
        run.max_model_calls
    );
    stop_here(shared, run, error).await
}

/// Ends a turn that goes nowhere, with the reason in the record.
async fn stop_here(shared: &Arc<Shared>, run: &RunState, error: String) -> End {
    let message = AssistantMessage {
        provider: Some(run.provider.clone()),
        model: Some(run.model.clone()),
        ..AssistantMessage::failed(ErrorKind::Refused, error.clone(), Vec::new())
    };
    shared.append(message.into()).await;
    shared.emit_error(error.clone());
    End::Failed(error)
}

impl Shared {
    /// Stores a message, adds it to the conversation and tells of it.
    pub(super) async fn append(self: &Arc<Self>, message: Message) {
        self.store(&message).await;
        let index = self.transcript.push(message.clone());
        self.announce(index, message).await;
    }

    /// The same for a line that was typed; it counts as accepted, and is told of, once it is stored.
    async fn append_typed(self: &Arc<Self>, typed: Typed) {
        let message = Message::from(UserMessage::new(typed.text));
        self.store(&message).await;
        if let Some(line) = typed.line {
            self.bus.emit(events::User { line, extra: Extra::new() });
        }
        let index = self.transcript.push(message.clone());
        self.announce(index, message).await;
    }

    /// The same for a message that models are not shown.
    pub(super) async fn append_record(self: &Arc<Self>, message: Message) {
        self.store(&message).await;
        let index = self.transcript.push_record(message.clone());
        self.announce(index, message).await;
    }

    async fn announce(self: &Arc<Self>, index: usize, message: Message) {
        self.bus.emit(events::MessageAppended {
            agent: self.agent(),
            index: Count::from(index),
            message,
            extra: Extra::new(),
        });
        self.bus.ready().await;
    }

    /// Adds an answer to the conversation and tells it; `streamed` says whether it was told by
    /// pieces before.
    pub(super) async fn append_answer(
        self: &Arc<Self>,
        message: &Arc<AssistantMessage>,
        streamed: Streamed,
    ) {
        self.append(Message::Assistant(message.clone())).await;
        self.reveal_called(message.tool_calls().map(|call| &**call));
        self.tell_answer(message, streamed);
    }

    /// Records a failed answer, with a result for each call that had arrived with it.
    pub(super) async fn append_failed(
        self: &Arc<Self>,
        message: &Arc<AssistantMessage>,
        streamed: Streamed,
    ) {
        self.append_record(Message::Assistant(message.clone())).await;
        self.tell_answer(message, streamed);
        let calls: Vec<Arc<ToolCall>> = message.tool_calls().cloned().collect();
        answer_failed(self, &calls).await;
    }

    /// Adds the empty answer that stands for a cancellation.
    pub(super) async fn append_aborted(self: &Arc<Self>, run: &RunState) -> Arc<AssistantMessage> {
        let aborted = Arc::new(AssistantMessage {
            provider: Some(run.provider.clone()),
            model: Some(run.model.clone()),
            ..AssistantMessage::new(Vec::new(), StopReason::Aborted)
        });
        self.append(Message::Assistant(aborted.clone())).await;
        aborted
    }

    /// Tells an answer's thinking and text as a whole.
    fn tell_answer(&self, message: &AssistantMessage, streamed: Streamed) {
        if streamed == Streamed::Yes {
            self.bus.emit(events::AssistantStreamEnd { extra: Extra::new() });
        }
        if let Some(text) = message.thinking() {
            let event =
                events::AssistantThinking { text, is_final: Some(true), extra: Extra::new() };
            self.bus.emit(event);
        }
        if let Some(text) = message.text() {
            self.bus.emit(events::AssistantText {
                text,
                is_final: Some(true),
                extra: Extra::new(),
            });
        }
    }
}
