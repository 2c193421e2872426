//! Plays one answer as a stream of events, with the pauses that the script asks for. A cancellation
//! ends it at the next pause, with what was sent so far.

use crate::script::{Call, Turn};
use fen_contract::cancel::CancelToken;
use fen_contract::events::{self, Event};
use fen_contract::names::Count;
use fen_contract::provider::StreamSink;
use fen_contract::record::Extra;
use fen_contract::types::{
    AgentContext, AssistantBlock, AssistantMessage, Message, StopReason, TextContent,
    ThinkingContent, ToolCall, Usage,
};
use serde_json::{Value, json};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

struct Cancelled;

/// The wait that a cancellation cuts short.
async fn pause(milliseconds: u64, cancel: &CancelToken) -> Result<(), Cancelled> {
    if milliseconds > 0 {
        let sleep = std::pin::pin!(tokio::time::sleep(Duration::from_millis(milliseconds)));
        let stop = std::pin::pin!(cancel.cancelled());
        either(sleep, stop).await;
    }
    if cancel.is_cancelled() { Err(Cancelled) } else { Ok(()) }
}

/// Completes with the first of the two.
async fn either(
    mut left: std::pin::Pin<&mut impl Future<Output = ()>>,
    mut right: std::pin::Pin<&mut impl Future<Output = ()>>,
) {
    std::future::poll_fn(|cx| {
        if left.as_mut().poll(cx).is_ready() || right.as_mut().poll(cx).is_ready() {
            return std::task::Poll::Ready(());
        }
        std::task::Poll::Pending
    })
    .await;
}

pub(crate) async fn play(
    turn: Turn,
    context: &AgentContext,
    sink: &dyn StreamSink,
    cancel: &CancelToken,
) -> AssistantMessage {
    let mut content = Vec::new();
    if stream(&turn, context, sink, cancel, &mut content).await.is_err() {
        return AssistantMessage::new(content, StopReason::Aborted);
    }
    if let Some(error) = turn.error {
        return AssistantMessage {
            retry_after_ms: error.retry_after_ms.map(Into::into),
            ..AssistantMessage::failed(error.kind, error.message, content)
        };
    }
    let natural = if turn.tool_calls.is_empty() { StopReason::Stop } else { StopReason::ToolUse };
    let usage = turn.usage.unwrap_or_else(|| estimate(context, &content));
    let message = AssistantMessage {
        usage: Some(usage),
        ..AssistantMessage::new(content, turn.stop_reason.unwrap_or(natural))
    };
    let done = events::Done { message: Arc::new(message.clone()), extra: Extra::new() };
    sink.emit(done.into());
    message
}

async fn stream(
    turn: &Turn,
    context: &AgentContext,
    sink: &dyn StreamSink,
    cancel: &CancelToken,
    content: &mut Vec<AssistantBlock>,
) -> Result<(), Cancelled> {
    pause(turn.delay_ms, cancel).await?;
    let failed_at_once = turn.error.is_some() && turn.thinking.is_none() && turn.text.is_none();
    if failed_at_once && turn.tool_calls.is_empty() {
        return Ok(());
    }
    sink.emit(events::Start { extra: Extra::new() }.into());
    if let Some(thinking) = &turn.thinking {
        let index = Count::from(content.len() + 1);
        sink.emit(events::ThinkingStart { content_index: index, extra: Extra::new() }.into());
        content.push(AssistantBlock::Thinking(ThinkingContent::new("")));
        let delta = |delta: String| -> Event {
            events::ThinkingDelta { content_index: index, delta, extra: Extra::new() }.into()
        };
        pieces(turn, thinking, sink, cancel, content, delta).await?;
        let end = events::ThinkingEnd {
            content: thinking.clone(),
            content_index: index,
            extra: Extra::new(),
        };
        sink.emit(end.into());
    }
    if let Some(text) = &turn.text {
        let index = Count::from(content.len() + 1);
        sink.emit(events::TextStart { content_index: index, extra: Extra::new() }.into());
        content.push(AssistantBlock::Text(TextContent::new("")));
        let delta = |delta: String| -> Event {
            events::TextDelta { content_index: index, delta, extra: Extra::new() }.into()
        };
        pieces(turn, text, sink, cancel, content, delta).await?;
        let end =
            events::TextEnd { content: text.clone(), content_index: index, extra: Extra::new() };
        sink.emit(end.into());
    }
    for (number, call) in turn.tool_calls.iter().enumerate() {
        let index = Count::from(content.len() + 1);
        let call = canonical(call, context, number);
        sink.emit(events::ToolCallStart { content_index: index, extra: Extra::new() }.into());
        let delta = call.arguments.to_string();
        sink.emit(
            events::ToolCallDelta { content_index: index, delta, extra: Extra::new() }.into(),
        );
        let call = Arc::new(call);
        let end = events::ToolCallEnd {
            content_index: index,
            tool_call: call.clone(),
            extra: Extra::new(),
        };
        sink.emit(end.into());
        content.push(AssistantBlock::ToolCall(call));
        sink.ready().await;
        pause(turn.delta_delay_ms, cancel).await?;
    }
    Ok(())
}

/// Sends a text in pieces; the block at the end of `content` grows along, so that a cancellation
/// keeps what was sent.
async fn pieces(
    turn: &Turn,
    text: &str,
    sink: &dyn StreamSink,
    cancel: &CancelToken,
    content: &mut [AssistantBlock],
    delta: impl Fn(String) -> Event,
) -> Result<(), Cancelled> {
    let letters: Vec<char> = text.chars().collect();
    let burst = turn.burst.unwrap_or(1).max(1);
    for (number, piece) in letters.chunks(turn.chunk.unwrap_or(8).max(1)).enumerate() {
        let piece: String = piece.iter().collect();
        match content.last_mut() {
            Some(AssistantBlock::Text(block)) => block.text.push_str(&piece),
            Some(AssistantBlock::Thinking(block)) => block.thinking.push_str(&piece),
            _ => {}
        }
        sink.emit(delta(piece));
        sink.ready().await;
        let delay = if (number + 1) % burst == 0 { turn.delta_delay_ms } else { 0 };
        pause(delay, cancel).await?;
    }
    Ok(())
}

/// Ids count through the conversation, so that they differ from turn to turn.
fn canonical(call: &Call, context: &AgentContext, number: usize) -> ToolCall {
    let id = call
        .id
        .clone()
        .unwrap_or_else(|| format!("mock-{}-{}", context.messages.len(), number + 1));
    let arguments = if call.arguments.is_null() { json!({}) } else { call.arguments.clone() };
    ToolCall::new(id, call.name.clone(), arguments)
}

/// About four bytes are a token.
fn estimate(context: &AgentContext, content: &[AssistantBlock]) -> Usage {
    let size = |value: &Value| value.to_string().len() as u64 / 4;
    let input: u64 = context
        .messages
        .iter()
        .map(|message| match message {
            Message::User(message) => message.content.text().len() as u64 / 4,
            Message::ToolResult(message) => message.text().len() as u64 / 4,
            Message::Assistant(message) => size(&json!(message.content)),
        })
        .sum();
    let output = size(&json!(content));
    Usage {
        input: Some(Count(input)),
        output: Some(Count(output)),
        total_tokens: Some(Count(input + output)),
        ..Usage::empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use tokio::time::Instant;

    /// When each delta came.
    #[derive(Default)]
    struct Heard(Mutex<Vec<Instant>>);

    impl StreamSink for Heard {
        fn emit(&self, event: Event) {
            if matches!(event, Event::TextDelta(_)) {
                self.0.lock().unwrap().push(Instant::now());
            }
        }

        fn ready(&self) -> fen_contract::failure::BoxFuture<'_, ()> {
            Box::pin(async {})
        }
    }

    /// The milliseconds from the first delta on at which each came.
    async fn times(turn: Turn) -> Vec<u128> {
        let heard = Heard::default();
        let context = AgentContext {
            max_tokens: Count(1000),
            system_prompt: None,
            messages: Arc::default(),
            tools: Arc::default(),
            extra: Extra::new(),
        };
        play(turn, &context, &heard, &CancelToken::new()).await;
        let heard = heard.0.into_inner().unwrap();
        heard.iter().map(|at| at.duration_since(heard[0]).as_millis()).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_follows_each_delta_or_each_burst_of_them() {
        let turn = Turn { chunk: Some(2), delta_delay_ms: 10, ..Turn::text("abcdefghij") };
        assert_eq!(times(turn.clone()).await, [0, 10, 20, 30, 40]);
        let turn = Turn { burst: Some(2), ..turn };
        assert_eq!(times(turn.clone()).await, [0, 0, 10, 10, 20]);
        let turn = Turn { burst: Some(0), ..turn };
        assert_eq!(times(turn).await, [0, 10, 20, 30, 40]);
    }
}
