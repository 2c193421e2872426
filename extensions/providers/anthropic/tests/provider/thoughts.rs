//! Reasoning: asked for, and sent back as it came or not at all.

use crate::support::{
    MODEL, answer, answered, body, body_text, calls, context, exchanged, redacted, result, text,
    thought, unmarked, user,
};
use fen_contract::provider::{CallOptions, OutputLimit, ThinkingLevel};
use fen_contract::types::{AssistantBlock, AssistantMessage, Message, StopReason, ThinkingContent};
use fen_testing::{StreamScript as _, messages, sse};
use serde_json::{Value, json};

fn asked(model: &str, options: &CallOptions) -> Value {
    serde_json::from_str(&body_text(model, &context(vec![user("hi")]), options)).unwrap()
}

#[test]
fn a_level_becomes_a_budget_below_the_limit() {
    let options = CallOptions { thinking: ThinkingLevel::High, ..CallOptions::default() };
    let body = asked(MODEL, &options);
    assert_eq!(body["thinking"], json!({ "type": "enabled", "budget_tokens": 16384 }));
    assert_eq!(body["max_tokens"], 20480);
    let keys: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["model", "max_tokens", "stream", "thinking", "system", "tools", "messages"]);
    let chosen = CallOptions { output_limit: OutputLimit::Chosen, ..options };
    let body = asked(MODEL, &chosen);
    assert_eq!(
        (&body["max_tokens"], &body["thinking"]["budget_tokens"]),
        (&json!(8192), &json!(7168))
    );
    assert!(asked(MODEL, &CallOptions::default()).get("thinking").is_none());
    assert!(body.get("temperature").is_none());
}

#[test]
fn newer_models_are_asked_by_effort() {
    let options = CallOptions { thinking: ThinkingLevel::Medium, ..CallOptions::default() };
    let body = asked("claude-opus-5-5", &options);
    assert_eq!(body["thinking"], json!({ "type": "adaptive", "display": "summarized" }));
    assert_eq!(body["output_config"], json!({ "effort": "medium" }));
    assert_eq!(body["max_tokens"], 8192);
}

/// The blocks of the second turn of a conversation.
fn replayed(answer: Message) -> Value {
    let body = body(vec![user("hi"), answer, result("t1", "ok")]);
    unmarked(body).0["messages"][1]["content"].take()
}

#[test]
fn thoughts_go_back_as_they_came() {
    let blocks = vec![
        thought("그 나라 🌍 \n", Some("c2ln+/=")),
        redacted("zz"),
        text("So."),
        thought("between", Some("s2")),
        calls("t1", "read"),
    ];
    assert_eq!(
        replayed(answer(blocks)),
        json!([
            { "type": "thinking", "thinking": "그 나라 🌍 \n", "signature": "c2ln+/=" },
            { "type": "redacted_thinking", "data": "zz" },
            { "type": "text", "text": "So." },
            { "type": "thinking", "thinking": "between", "signature": "s2" },
            { "type": "tool_use", "id": "t1", "name": "read", "input": { "path": "a" } },
        ])
    );
}

#[test]
fn thoughts_that_were_damaged_are_left_out() {
    let blocks = vec![
        thought("", Some("abc")),
        thought("t", None),
        thought("t", Some("")),
        redacted(""),
        text("So."),
    ];
    assert_eq!(replayed(answer(blocks)), json!([{ "type": "text", "text": "So." }]));
}

#[test]
fn thoughts_of_another_model_or_provider_are_left_out() {
    let message = |provider: &str, model: &str| AssistantMessage {
        provider: Some(provider.into()),
        model: Some(model.into()),
        ..AssistantMessage::new(
            vec![thought("t", Some("s")), redacted("zz"), text("So.")],
            StopReason::Stop,
        )
    };
    for (provider, model) in [("anthropic", "claude-opus-4-5"), ("other", MODEL)] {
        let blocks = replayed(message(provider, model).into());
        assert_eq!(blocks, json!([{ "type": "text", "text": "So." }]));
    }
    assert_eq!(replayed(message("anthropic", MODEL).into()).as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_thought_that_the_service_sent_without_its_text_goes_back() {
    let script = messages().signature("sealed").text("So.").tool_use("t1", "read", json!({}));
    let outcome = answered(script.reply()).await;
    let AssistantBlock::Thinking(stored) = &outcome.message.content[0] else { panic!() };
    assert_eq!((stored.thinking.as_str(), stored.redacted), ("", None));
    // Through a session file and back.
    let line = serde_json::to_string(&outcome.message).unwrap();
    let stored: AssistantMessage = serde_json::from_str(&line).unwrap();
    let context = context(vec![user("hi"), stored.into(), result("t1", "ok")]);
    let (_, request) = exchanged(messages().text("ok").reply(), &context).await;
    assert_eq!(
        request.json()["messages"][1]["content"][0],
        json!({ "type": "thinking", "thinking": "", "signature": "sealed" })
    );
}

#[tokio::test]
async fn what_was_streamed_goes_back_byte_for_byte() {
    let script = messages()
        .thinking("a\u{2028}\"\\ ")
        .thinking("🌍")
        .signature("c2")
        .signature("ln")
        .redacted_thinking("c2VhbGVk")
        .text("So.");
    let outcome = answered(script.reply().split_every(1)).await;
    let blocks = replayed(outcome.message.into());
    assert_eq!(
        blocks,
        json!([
            { "type": "thinking", "thinking": "a\u{2028}\"\\ 🌍", "signature": "c2ln" },
            { "type": "redacted_thinking", "data": "c2VhbGVk" },
            { "type": "text", "text": "So." },
        ])
    );
}

#[tokio::test]
async fn no_mark_stands_on_a_thought() {
    let stored = answer(vec![text("So."), thought("t", Some("s"))]);
    let body = body(vec![user("hi"), stored]);
    let content = &body["messages"][1]["content"];
    assert!(content[0]["cache_control"].is_object());
    assert!(content[1].get("cache_control").is_none());
}

#[tokio::test]
async fn blocks_whose_ends_are_missing_are_still_apart() {
    let stream = sse()
        .data(r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking"}}"#)
        .data(r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}"#)
        .data(r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#)
        .data(r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}}"#)
        .data(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#);
    let message = answered(stream.reply()).await.message;
    let kinds = message.content.iter().map(|block| match block {
        AssistantBlock::Thinking(ThinkingContent { thinking_signature, .. }) => {
            thinking_signature.clone().unwrap()
        }
        AssistantBlock::Text(text) => text.text.clone(),
        AssistantBlock::ToolCall(_) => panic!(),
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["s", "a"]);
}
