//! The agent's task: takes what is due, one turn after the other, until the run ends.

use super::turn::run_turn;
use crate::shared::{Request, Shared, lock};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::QueueName;
use fen_contract::events;
use fen_contract::record::Extra;
use std::sync::Arc;

enum Work {
    Turn(Vec<String>),
    Request(Request),
}

fn next_work(shared: &Shared) -> Option<(Work, bool)> {
    let mut inbox = lock(&shared.inbox);
    if let Some(line) = inbox.start.take() {
        return Some((Work::Turn(vec![line]), false));
    }
    if let Some(request) = inbox.requests.pop_front() {
        return Some((Work::Request(request), false));
    }
    if inbox.busy {
        // A prompt was accepted and is on its way here.
        return None;
    }
    for name in [QueueName::Steering, QueueName::FollowUp] {
        let lines = inbox.queue.take(name);
        if !lines.is_empty() {
            inbox.busy = true;
            return Some((Work::Turn(lines), true));
        }
    }
    None
}

/// Runs turns until the run ends. A turn that is under way then is cancelled and wound up.
pub(crate) async fn serve(shared: &Arc<Shared>) {
    loop {
        let woken = shared.wake.notified();
        if shared.quit.is_cancelled() {
            return;
        }
        match next_work(shared) {
            Some((Work::Turn(lines), from_queue)) => {
                if from_queue {
                    shared.emit_queue_changed();
                }
                let cancel = CancelToken::new();
                *lock(&shared.turn_cancel) = Some(cancel.clone());
                let quit = shared.quit.cancelled();
                let turn = run_turn(shared, lines, &cancel);
                tokio::pin!(turn);
                let end = tokio::select! {
                    biased;
                    end = &mut turn => end,
                    () = quit => {
                        cancel.cancel();
                        turn.await
                    }
                };
                *lock(&shared.turn_cancel) = None;
                lock(&shared.inbox).busy = false;
                shared.bus.emit(end);
            }
            Some((Work::Request(Request::Reset(done)), _)) => {
                let outcome = shared.begin_anew().await;
                match &outcome {
                    Ok(()) => shared.bus.emit(events::ResetConversation { extra: Extra::new() }),
                    Err(failure) => shared.emit_error(failure.message.clone()),
                }
                // Whoever asked may have stopped waiting.
                let _ = done.send(outcome);
            }
            None => {
                tokio::select! {
                    biased;
                    () = shared.quit.cancelled() => return,
                    () = woken => {}
                }
            }
        }
    }
}
