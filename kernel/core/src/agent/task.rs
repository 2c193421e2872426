//! The agent's task: takes what is due, one turn after the other, until the run ends.
//!
//! It owns the order of prompts, requests and waiting lines. It never begins a second turn beside
//! one that is under way. The kernel runs it beside the presenter.

use super::turn::{Beginning, run_turn};
use crate::shared::{Request, Shared, lock};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::QueueName;
use fen_contract::events;
use fen_contract::failure::Failure;
use fen_contract::record::Extra;
use fen_contract::session::SessionInfo;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::oneshot;

enum Work {
    Turn(Beginning),
    Request(Request),
}

fn next_work(shared: &Shared) -> Option<Work> {
    let mut inbox = lock(&shared.inbox);
    if let Some(typed) = inbox.start.take() {
        return Some(Work::Turn(Beginning::Typed(typed)));
    }
    if let Some(request) = inbox.requests.pop_front() {
        return Some(Work::Request(request));
    }
    if inbox.busy || inbox.held {
        // A prompt was accepted and is on its way here, or has to come first.
        return None;
    }
    for name in [QueueName::Steering, QueueName::FollowUp] {
        let lines = inbox.queue.take(name);
        if !lines.is_empty() {
            inbox.busy = true;
            return Some(Work::Turn(Beginning::Queued(lines)));
        }
    }
    None
}

/// Runs turns until the run ends. A turn that is under way then is cancelled and wound up, and so
/// is one that was accepted and not yet begun: its prompt must not be lost.
pub(crate) async fn serve(shared: &Arc<Shared>) {
    loop {
        let woken = shared.wake.notified();
        if shared.quit.is_cancelled() {
            break;
        }
        match next_work(shared) {
            Some(Work::Turn(beginning)) => take_turn(shared, beginning).await,
            Some(Work::Request(Request::Reset(done))) => reset(shared, done).await,
            Some(Work::Request(Request::Resume(path, done))) => resume(shared, &path, done).await,
            None => {
                tokio::select! {
                    biased;
                    () = shared.quit.cancelled() => {}
                    () = woken => {}
                }
            }
        }
    }
    let accepted = {
        let mut inbox = lock(&shared.inbox);
        // Whoever waits for an answer hears that there will be none.
        inbox.requests.clear();
        inbox.start.take()
    };
    if let Some(typed) = accepted {
        take_turn(shared, Beginning::Typed(typed)).await;
    }
}

async fn take_turn(shared: &Arc<Shared>, beginning: Beginning) {
    let cancel = lock(&shared.turn_cancel).get_or_insert_with(CancelToken::new).clone();
    if shared.quit.is_cancelled() {
        cancel.cancel();
    }
    let turn = run_turn(shared, beginning, &cancel);
    tokio::pin!(turn);
    let end = tokio::select! {
        biased;
        end = &mut turn => end,
        () = shared.quit.cancelled() => {
            cancel.cancel();
            turn.await
        }
    };
    *lock(&shared.turn_cancel) = None;
    lock(&shared.inbox).busy = false;
    shared.bus.emit(end);
}

async fn reset(shared: &Shared, done: oneshot::Sender<Result<(), Failure>>) {
    let outcome = shared.begin_anew().await;
    if outcome.is_ok() {
        shared.bus.emit(events::ResetConversation { extra: Extra::new() });
    }
    answer(shared, done, outcome);
}

async fn resume(shared: &Shared, path: &Path, done: oneshot::Sender<Result<SessionInfo, Failure>>) {
    let outcome = shared.resume(path).await;
    answer(shared, done, outcome);
}

/// Answers a request. Where nobody waits for that, a failure would go unheard.
fn answer<T>(
    shared: &Shared,
    done: oneshot::Sender<Result<T, Failure>>,
    outcome: Result<T, Failure>,
) {
    if let Err(Err(failure)) = done.send(outcome) {
        shared.emit_error(failure.message);
    }
}
