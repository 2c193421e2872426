//! One model call: context in, canonical answer out, with retries where the failure is passing.
//!
//! The only place that decides whether a call is repeated, and by the kind of failure alone: it
//! never looks at the words of an error. The turn calls it.

use crate::guard::{guarded, within_grace};
use crate::shared::{RunState, Shared};
use fen_contract::cancel::CancelToken;
use fen_contract::events::{self, Event};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, Kind, ProviderSpec};
use fen_contract::names::{Count, ToolCallId};
use fen_contract::provider::{CallOptions, OutputLimit, StreamSink};
use fen_contract::record::Extra;
use fen_contract::secret::Secret;
use fen_contract::types::{AgentContext, AssistantBlock, AssistantMessage, ErrorKind, StopReason};
use fen_transport::retry::Next;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many tokens an answer may have where neither the person nor the model's entry says.
const DEFAULT_MAX_TOKENS: u64 = 8192;

/// Whether an answer was told by pieces while it came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Streamed {
    Yes,
    No,
}

/// Calls the model. The answer is in the conversation when this returns, or in its record if it
/// failed.
pub(super) async fn call_model(
    shared: &Arc<Shared>,
    run: &RunState,
    cancel: &CancelToken,
) -> Arc<AssistantMessage> {
    let mut attempts = 0;
    loop {
        if cancel.is_cancelled() {
            return shared.append_aborted(run).await;
        }
        attempts += 1;
        let (message, streamed) = attempt(shared, run, cancel).await;
        if !message.is_error() {
            shared.append_answer(&message, streamed).await;
            return message;
        }
        let delay = match next_attempt(run, &message, attempts) {
            Ok(delay) => delay,
            Err(reason) => {
                let message = with_reason(message, reason);
                shared.append_failed(&message, streamed).await;
                return message;
            }
        };
        if !message.content.is_empty() {
            // What was shown stays in the record, though the answer is asked for again.
            shared.append_failed(&message, streamed).await;
        }
        emit_retry(shared, &message, attempts.saturating_add(1), delay);
        tokio::select! {
            biased;
            () = cancel.cancelled() => {}
            () = tokio::time::sleep(delay) => {}
        }
    }
}

/// How long to wait before the next attempt, or why there is none.
fn next_attempt(
    run: &RunState,
    message: &AssistantMessage,
    attempts: u32,
) -> Result<Duration, Option<String>> {
    if !message.error_kind.is_some_and(ErrorKind::is_transient) {
        return Err(None);
    }
    let asked = message.retry_after_ms.map(|wait| Duration::from_millis(wait.0));
    match run.retry.next(attempts, asked, &mut fastrand::Rng::new()) {
        Next::Wait(delay) => Ok(delay),
        Next::GiveUp(reason) => Err(Some(reason.to_string())),
    }
}

fn with_reason(message: Arc<AssistantMessage>, reason: Option<String>) -> Arc<AssistantMessage> {
    let Some(reason) = reason else { return message };
    let mut message = Arc::unwrap_or_clone(message);
    let error = message.error_message.get_or_insert_default();
    error.push_str(&format!(" ({reason})"));
    Arc::new(message)
}

/// Tells that a call is made again; `attempt` is the number of the next try.
fn emit_retry(shared: &Shared, message: &AssistantMessage, attempt: u32, delay: Duration) {
    let kind = message.error_kind.map_or("network", ErrorKind::as_str);
    let delay = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
    // `sealed` gave every failed answer its words.
    let error = message.error_message.as_deref().unwrap_or_default();
    shared.emit_own(
        "fen/retry",
        [
            ("error-kind", kind.into()),
            ("attempt", attempt.into()),
            ("delay-ms", delay.into()),
            ("error", error.into()),
        ],
    );
}

async fn attempt(
    shared: &Arc<Shared>,
    run: &RunState,
    cancel: &CancelToken,
) -> (Arc<AssistantMessage>, Streamed) {
    shared.bus.emit(events::LlmStart {
        model: Some(run.model.clone()),
        provider: Some(run.provider.clone()),
        extra: Extra::new(),
    });
    let sink = Publisher { shared, streamed: AtomicBool::new(false) };
    let answered = complete(shared, run, &sink, cancel).await;
    let (mut message, api) = match answered {
        Ok((message, api)) => (message, Some(api)),
        Err(message) => (message, None),
    };
    if cancel.is_cancelled() && message.is_error() {
        // Whatever broke, it broke because the person cancelled, or nobody waits for it any more.
        message = AssistantMessage::new(message.content, StopReason::Aborted);
    }
    let message = Arc::new(sealed(message, run, api));
    shared.bus.emit(events::LlmEnd { message: message.clone(), extra: Extra::new() });
    let streamed = if sink.streamed.into_inner() { Streamed::Yes } else { Streamed::No };
    (message, streamed)
}

/// Asks the provider. What keeps the call from being made is a failed message as well.
async fn complete(
    shared: &Arc<Shared>,
    run: &RunState,
    sink: &Publisher<'_>,
    cancel: &CancelToken,
) -> Result<(AssistantMessage, String), AssistantMessage> {
    let failed = |kind: ErrorKind, failure: Failure| {
        AssistantMessage::failed(kind, failure.message, Vec::new())
    };
    let spec = shared
        .provider(&run.provider)
        .map_err(|failure| failed(ErrorKind::InvalidRequest, failure))?;
    let aborted = || AssistantMessage::new(Vec::new(), StopReason::Aborted);
    let api_key = tokio::select! {
        biased;
        key = find_key(shared, run, &spec) => {
            key.map_err(|failure| failed(ErrorKind::Auth, failure))?
        }
        () = cancel.cancelled() => return Err(aborted()),
    };
    let context = make_context(shared, run).await;
    let options = CallOptions {
        thinking: run.thinking,
        api_key,
        session_id: shared.session_id(),
        output_limit: match run.max_tokens {
            Some(_) => OutputLimit::Chosen,
            None => OutputLimit::Default,
        },
        extra: Extra::new(),
    };
    let answering =
        guarded(|| spec.provider.complete(&run.model, &context, &options, sink, cancel));
    match within_grace(cancel, answering).await {
        Some(Ok(message)) => Ok((message, spec.api)),
        Some(Err(failure)) => {
            let owner = shared.owner_of(Kind::Provider, &spec.name);
            shared.report_callback(&owner, "complete", &failure.message);
            Err(failed(
                ErrorKind::InvalidRequest,
                Failure::new(format!("the provider `{}` failed: {failure}", spec.name)),
            ))
        }
        None => Err(aborted()),
    }
}

async fn find_key(
    shared: &Shared,
    run: &RunState,
    spec: &ProviderSpec,
) -> Result<Option<Secret>, Failure> {
    if let Some(key) = &run.api_key {
        shared.log.hide(key);
        return Ok(Some(key.clone()));
    }
    let Some(name) = &spec.auth else { return Ok(None) };
    let snapshot = shared.registry.snapshot();
    let Some(entry) = snapshot.find(Kind::AuthBackend, name) else {
        return Err(Failure::caller(format!(
            "the provider `{}` wants the auth backend `{name}`, which does not exist",
            spec.name
        )));
    };
    let Contribution::AuthBackend(backend) = &entry.contribution else { return Ok(None) };
    let asked = guarded(|| backend.backend.api_key(&run.provider)).await;
    if let Err(panic) = &asked {
        shared.report_callback(&entry.by.owner, "api-key", &panic.message);
    }
    let key = asked.flatten().map_err(|failure| Failure {
        message: format!("no key from the auth backend `{name}`: {failure}"),
        ..failure
    })?;
    if let Some(key) = &key {
        shared.log.hide(key);
    }
    Ok(key)
}

async fn make_context(shared: &Arc<Shared>, run: &RunState) -> AgentContext {
    let snippets = shared.snippets(run);
    let (system_prompt, failures) = shared.prompt.render(&snippets).await;
    for failure in failures {
        shared.report_callback(&failure.owner, "prompt", &failure.failure.message);
    }
    let limit = run
        .max_tokens
        .or_else(|| shared.model_info(&run.provider, &run.model).and_then(|info| info.max_tokens));
    AgentContext {
        max_tokens: limit.unwrap_or(Count(DEFAULT_MAX_TOKENS)),
        messages: shared.transcript.context(),
        tools: Arc::new(shared.offered_tools(run)),
        system_prompt,
        extra: Extra::new(),
    }
}

/// The answer with its origin noted, a stop reason, and ids that are there and differ.
fn sealed(mut message: AssistantMessage, run: &RunState, api: Option<String>) -> AssistantMessage {
    message.provider.get_or_insert_with(|| run.provider.clone());
    message.model.get_or_insert_with(|| run.model.clone());
    message.api = message.api.or(api);
    let has_calls = message.tool_calls().next().is_some();
    if message.is_error() && message.error_message.as_deref().is_none_or(str::is_empty) {
        message.error_message =
            Some(format!("the provider `{}` failed without saying why", run.provider));
    }
    let reason = message.stop_reason.get_or_insert(StopReason::Stop);
    if has_calls && *reason == StopReason::Stop {
        *reason = StopReason::ToolUse;
    }
    let mut seen: HashSet<ToolCallId> = HashSet::new();
    for block in &mut message.content {
        let AssistantBlock::ToolCall(call) = block else { continue };
        if call.id.as_str().is_empty() || !seen.insert(call.id.clone()) {
            let id = loop {
                let id = ToolCallId::from(format!("call_{:016x}", fastrand::u64(..)));
                if seen.insert(id.clone()) {
                    break id;
                }
            };
            Arc::make_mut(call).id = id;
        }
    }
    message
}

/// Puts a provider's stream on the bus, with the mirrors that presenters draw from.
struct Publisher<'a> {
    shared: &'a Arc<Shared>,
    streamed: AtomicBool,
}

impl StreamSink for Publisher<'_> {
    fn emit(&self, event: Event) {
        let mirror = match &event {
            Event::TextDelta(delta) => {
                Some(Event::AssistantTextDelta(events::AssistantTextDelta {
                    delta: delta.delta.clone(),
                    extra: Extra::new(),
                }))
            }
            Event::ThinkingDelta(delta) => {
                Some(Event::AssistantThinkingDelta(events::AssistantThinkingDelta {
                    delta: delta.delta.clone(),
                    extra: Extra::new(),
                }))
            }
            Event::Start(_)
            | Event::TextStart(_)
            | Event::TextEnd(_)
            | Event::ThinkingStart(_)
            | Event::ThinkingEnd(_)
            | Event::ToolCallStart(_)
            | Event::ToolCallDelta(_)
            | Event::ToolCallEnd(_)
            | Event::Done(_) => None,
            // Only the events of a stream may come this way.
            _ => return,
        };
        self.streamed.store(true, Ordering::Relaxed);
        self.shared.bus.emit(event);
        if let Some(mirror) = mirror {
            self.shared.bus.emit(mirror);
        }
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.shared.bus.ready())
    }
}
