//! Runs a tool's blocking work away from the async thread, so that it ends when the call is
//! cancelled and never takes the program down.

use fen_contract::tool::ToolCallContext;
use fen_contract::types::AgentToolResult;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinError;

use crate::refusal::{Refusal, settle};

/// How long a cancelled job gets to notice; a job stuck in the file system is then left behind.
const PATIENCE: Duration = Duration::from_secs(2);

/// Tells a job that nobody waits for its result any more.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sets the stop when the future that holds it goes away.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Runs a job that changes nothing. It should look at the stop now and then.
pub(crate) async fn interruptible(
    call: &ToolCallContext,
    job: impl FnOnce(&Stop) -> Result<AgentToolResult, Refusal> + Send + 'static,
) -> AgentToolResult {
    if call.cancel.is_cancelled() {
        return cancelled();
    }
    let stop = Stop::default();
    let _guard = StopOnDrop(stop.clone());
    let seen = stop.clone();
    let mut running = tokio::task::spawn_blocking(move || job(&seen));
    tokio::select! {
        outcome = &mut running => joined(outcome),
        () = call.cancel.cancelled() => {
            stop.set();
            // Its result is not wanted; only its end is.
            let _ = tokio::time::timeout(PATIENCE, running).await;
            cancelled()
        }
    }
}

/// Runs a job that changes files. Once begun it is not cut short, so that the result is the truth.
pub(crate) async fn to_the_end(
    call: &ToolCallContext,
    job: impl FnOnce() -> Result<AgentToolResult, Refusal> + Send + 'static,
) -> AgentToolResult {
    if call.cancel.is_cancelled() {
        return cancelled();
    }
    joined(tokio::task::spawn_blocking(job).await)
}

fn joined(outcome: Result<Result<AgentToolResult, Refusal>, JoinError>) -> AgentToolResult {
    match outcome {
        Ok(outcome) => settle(outcome),
        Err(error) => AgentToolResult::error(format!("The tool failed: {error}.")),
    }
}

/// The result of a call that was cancelled before it had anything to show.
pub(crate) fn cancelled() -> AgentToolResult {
    AgentToolResult::error("Cancelled.")
}
