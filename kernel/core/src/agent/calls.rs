//! Carries out the tool calls of one answer: in batches that may run side by side, with results in
//! call order, one for each call whatever happens.
//!
//! It owns the batches and the order of what is stored and told. What one call is and whether it
//! may run is the tool runner's; the turn calls it.

use crate::registry::Snapshot;
use crate::shared::{RunState, Shared, lock};
use crate::tools::{Prepared, bounded, cancelled_before, refusal};
use crate::transcript::synthetic_result;
use fen_contract::cancel::CancelToken;
use fen_contract::events;
use fen_contract::record::Extra;
use fen_contract::tool::{Concurrency, ToolCallContext};
use fen_contract::types::{AgentToolResult, Message, ToolCall, ToolResultMessage};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much live output of one call is put on the bus, in bytes; the result is bounded apart.
const LIVE_OUTPUT: usize = 256 * 1024;

const FAILED: &str = "Not run: the answer that made this call failed.";

/// Runs the calls.
pub(super) async fn run_calls(
    shared: &Arc<Shared>,
    run: &RunState,
    calls: &[Arc<ToolCall>],
    cancel: &CancelToken,
) {
    let mut rest = calls.iter().peekable();
    while rest.peek().is_some() {
        if cancel.is_cancelled() {
            let unstarted: Vec<Arc<ToolCall>> = rest.cloned().collect();
            answer_without_running(shared, &unstarted, cancelled_before).await;
            return;
        }
        let registry = shared.registry.snapshot();
        let mut batch: Vec<Placed> = Vec::new();
        // Taken one by one: the first call that may not run beside the others ends the batch.
        while let Some(call) = rest.peek() {
            let context = context_of(shared, run, call, cancel);
            let prepared = shared.tools.prepare(&registry, &run.tools, call, &context);
            if !batch.is_empty() && !fits_beside(&batch, call, &prepared) {
                break;
            }
            batch.push(Placed { call: (*call).clone(), context, prepared });
            rest.next();
        }
        run_batch(shared, &registry, batch).await;
    }
}

/// A call with its place in a batch.
struct Placed {
    call: Arc<ToolCall>,
    context: ToolCallContext,
    prepared: Prepared,
}

/// Whether a call may run beside all those that are in the batch.
fn fits_beside(batch: &[Placed], call: &ToolCall, prepared: &Prepared) -> bool {
    let beside = |placed: &Placed| match &placed.prepared {
        Prepared::Ready(ready) => Some(ready.concurrency.clone()),
        Prepared::Refused(_) => None,
    };
    let others: Vec<Concurrency> = batch.iter().filter_map(beside).collect();
    if others.contains(&Concurrency::Serial) {
        // Even a refusal waits: the serial call may bring the very tool that is lacking.
        return false;
    }
    let Prepared::Ready(ready) = prepared else { return true };
    let of_the_same_tool = batch.iter().filter(|other| other.call.name == call.name).count();
    let has_room = ready
        .parallel_cap
        .and_then(|cap| usize::try_from(cap).ok())
        .is_none_or(|cap| of_the_same_tool < cap);
    has_room
        && match &ready.concurrency {
            Concurrency::Parallel => true,
            Concurrency::Serial => false,
            path @ Concurrency::ExclusivePath(_) => !others.contains(path),
        }
}

async fn run_batch(shared: &Arc<Shared>, registry: &Snapshot, batch: Vec<Placed>) {
    for placed in &batch {
        emit_call(shared, &placed.call);
        shared.bus.ready().await;
    }
    let mut running: FuturesOrdered<_> = batch
        .into_iter()
        .map(|Placed { call, context, prepared }| async move {
            let (result, failures) = match prepared {
                Prepared::Refused(result) => (bounded(result), Vec::new()),
                Prepared::Ready(ready) => match shared.blocked() {
                    Some(reason) => (bounded(refusal(reason)), Vec::new()),
                    None => shared.tools.run(registry, *ready, &context).await,
                },
            };
            (call, result, failures)
        })
        .collect();
    while let Some((call, result, failures)) = running.next().await {
        for failure in failures {
            shared.report_callback(&failure.owner, failure.callback, &failure.error);
        }
        finish(shared, &call, result).await;
    }
}

impl Shared {
    /// Why no tool may run now, if so: a hook that should look at the calls cannot.
    fn blocked(&self) -> Option<String> {
        let blocks = lock(&self.blocks);
        let reasons: Vec<&str> = blocks.values().map(String::as_str).collect();
        (!reasons.is_empty()).then(|| format!("Tool calls are blocked: {}", reasons.join("; ")))
    }
}

fn emit_call(shared: &Shared, call: &Arc<ToolCall>) {
    shared.bus.emit(events::ToolCall { tool_call: call.clone(), extra: Extra::new() });
}

async fn finish(shared: &Arc<Shared>, call: &ToolCall, result: AgentToolResult) {
    let message = Arc::new(ToolResultMessage::new(call, result));
    shared.append(Message::ToolResult(message.clone())).await;
    shared.bus.emit(events::ToolResult { result: message, extra: Extra::new() });
}

/// Gives calls that will not run their results.
pub(super) async fn answer_without_running(
    shared: &Arc<Shared>,
    calls: &[Arc<ToolCall>],
    result: impl Fn() -> AgentToolResult,
) {
    for call in calls {
        emit_call(shared, call);
        finish(shared, call, result()).await;
    }
}

/// The same for the calls of a failed answer: models are shown neither them nor their results.
pub(super) async fn answer_failed(shared: &Arc<Shared>, calls: &[Arc<ToolCall>]) {
    for call in calls {
        emit_call(shared, call);
        let result = Arc::new(synthetic_result(call, FAILED));
        shared.append_record(Message::ToolResult(result.clone())).await;
        shared.bus.emit(events::ToolResult { result, extra: Extra::new() });
    }
}

fn context_of(
    shared: &Arc<Shared>,
    run: &RunState,
    call: &ToolCall,
    cancel: &CancelToken,
) -> ToolCallContext {
    let live = AtomicUsize::new(0);
    let told = shared.clone();
    let call_id = call.id.clone();
    ToolCallContext {
        cwd: run.cwd.clone(),
        call_id: call.id.clone(),
        session_id: shared.session_id(),
        cancel: cancel.clone(),
        output: Arc::new(move |delta: &str| {
            let before = live.fetch_add(delta.len(), Ordering::Relaxed);
            let delta = match before {
                sent if sent + delta.len() <= LIVE_OUTPUT => delta,
                sent if sent <= LIVE_OUTPUT => "\n[more output follows; see the result]\n",
                _ => return,
            };
            let fields = [("tool-call-id", call_id.as_str().into()), ("delta", delta.into())];
            told.emit_own("fen/tool-output", fields);
        }),
    }
}
