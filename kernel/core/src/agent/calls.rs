//! Carries out the tool calls of one answer: in batches that may run side by side, with results in
//! call order, one for each call whatever happens.

use crate::shared::{RunState, Shared, lock};
use crate::tools::{Prepared, cancelled_before};
use fen_contract::cancel::CancelToken;
use fen_contract::events::{self, Event, OwnEvent};
use fen_contract::record::Extra;
use fen_contract::tool::{Concurrency, ToolCallContext};
use fen_contract::types::{AgentToolResult, Message, ToolCall, ToolResultMessage};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much live output of one call is put on the bus, in bytes; the result is bounded apart.
const LIVE_OUTPUT: usize = 256 * 1024;

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
        let mut batch: Vec<(Arc<ToolCall>, ToolCallContext, Prepared)> = Vec::new();
        let mut paths: Vec<PathBuf> = Vec::new();
        // Taken one by one: the first call that may not run beside the others ends the batch.
        while let Some(call) = rest.peek() {
            let context = context_of(shared, run, call, cancel);
            let prepared = shared.tools.prepare(&registry, &run.tools, call, &context);
            let alone = match &prepared {
                Prepared::Refused(_) => false,
                Prepared::Ready(ready) => match &ready.concurrency {
                    Concurrency::Parallel => false,
                    Concurrency::Serial => true,
                    Concurrency::ExclusivePath(path) => {
                        let taken = paths.contains(path);
                        paths.push(path.clone());
                        taken
                    }
                },
            };
            if alone && !batch.is_empty() {
                break;
            }
            batch.push(((*call).clone(), context, prepared));
            rest.next();
            if alone {
                break;
            }
        }
        run_batch(shared, &registry, batch).await;
    }
}

async fn run_batch(
    shared: &Arc<Shared>,
    registry: &crate::registry::Snapshot,
    batch: Vec<(Arc<ToolCall>, ToolCallContext, Prepared)>,
) {
    for (call, _, _) in &batch {
        emit_call(shared, call);
    }
    let mut running: FuturesOrdered<_> = batch
        .into_iter()
        .map(|(call, context, prepared)| async move {
            let (result, failures) = match prepared {
                Prepared::Refused(result) => (crate::tools::bounded(result), Vec::new()),
                Prepared::Ready(ready) => shared.tools.run(registry, *ready, &context).await,
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
        let mut result = result();
        if result.details.is_none() {
            result.details = Some(serde_json::json!({"synthetic?": true}));
        }
        finish(shared, call, result).await;
    }
}

fn context_of(
    shared: &Arc<Shared>,
    run: &RunState,
    call: &ToolCall,
    cancel: &CancelToken,
) -> ToolCallContext {
    let live = AtomicUsize::new(0);
    let bus = shared.clone();
    let call_id = call.id.clone();
    ToolCallContext {
        cwd: run.cwd.clone(),
        call_id: call.id.clone(),
        session_id: lock(&shared.session).as_ref().map(|open| open.session.info.id.clone()),
        cancel: cancel.clone(),
        output: Arc::new(move |delta: &str| {
            let before = live.fetch_add(delta.len(), Ordering::Relaxed);
            let delta = match before {
                sent if sent + delta.len() <= LIVE_OUTPUT => delta,
                sent if sent <= LIVE_OUTPUT => "\n[more output follows; see the result]\n",
                _ => return,
            };
            let mut fields = Extra::new();
            fields.insert("tool-call-id".to_owned(), call_id.as_str().into());
            fields.insert("delta".to_owned(), delta.into());
            if let Ok(event) = OwnEvent::from_fields("fen/tool-output", fields) {
                bus.bus.emit(Event::Own(event));
            }
        }),
    }
}
