//! Streams that carry more than the protocol says, or less, and hold an answer all the same.

use crate::support::{Outcome, answered};
use fen_contract::types::StopReason;
use fen_testing::{EventStream, StreamScript as _, messages, sse};
use serde_json::json;

fn assert_text(outcome: &Outcome, want: &str) {
    assert_eq!(outcome.message.error_message, None);
    assert_eq!(outcome.message.text().as_deref(), Some(want));
    assert_eq!(outcome.message.stop_reason, Some(StopReason::Stop));
}

#[tokio::test]
async fn keep_alives_of_every_kind_stand_for_nothing() {
    let script = messages()
        .comment(" PROCESSING")
        .raw(":\n")
        .text("a")
        .ping()
        .raw("id: 7\ndata: {\"type\":\"ping\"}\n\n: ping\n\n")
        .raw("data: : PROCESSING\n\n")
        .raw("event: ping\ndata:\n\n")
        .raw("data: [DONE]\n\n")
        .text("b");
    let outcome = answered(script.reply().split_every(3)).await;
    assert_text(&outcome, "ab");
    assert_eq!(outcome.log.len(), 1, "{:?}", outcome.log);
}

#[tokio::test]
async fn what_is_not_known_is_skipped() {
    let block = json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} });
    let script = messages()
        .event(
            "content_block_start",
            &json!({
            "type": "content_block_start", "index": 9, "content_block": block }),
        )
        .event(
            "content_block_delta",
            &json!({
            "type": "content_block_delta", "index": 9,
            "delta": { "type": "input_json_delta", "partial_json": "{\"q\":1}" } }),
        )
        .event("content_block_stop", &json!({ "type": "content_block_stop", "index": 9 }))
        .text("a")
        .event(
            "content_block_delta",
            &json!({
            "type": "content_block_delta", "index": 0,
            "delta": { "type": "citations_delta", "citation": { "text": "no" } } }),
        )
        .event("new_event", &json!({ "type": "new_event", "delta": "not an object", "usage": 1 }))
        .text("b");
    assert_text(&answered(script.reply()).await, "ab");
}

#[tokio::test]
async fn an_event_that_is_broken_ends_the_answer() {
    let script = messages().text("a").data(r#"{"type":"content_block_delta","delta":{"te"#);
    let outcome = answered(script.text("b").reply()).await;
    assert_eq!(outcome.failure().0, "truncated-stream");
    assert_eq!(outcome.message.text().as_deref(), Some("a"));
    let script = messages().text("a").data(r#"{"type":"content_block_delta","delta":"odd"}"#);
    assert_eq!(answered(script.reply()).await.failure().0, "truncated-stream");
}

#[tokio::test]
async fn an_event_that_the_end_cut_is_forgotten() {
    let script =
        messages().text("a").cut().raw("event: content_block_delta\ndata: {\"type\":\"cont");
    let outcome = answered(script.reply()).await;
    assert_eq!(outcome.failure().0, "truncated-stream");
    assert!(outcome.failure().1.contains("incomplete"), "{}", outcome.failure().1);
}

#[tokio::test]
async fn a_character_may_be_cut_anywhere() {
    for split in 1..5 {
        let outcome = answered(messages().text("那🌍").text("é").reply().split_every(split)).await;
        assert_text(&outcome, "那🌍é");
    }
}

#[tokio::test]
async fn half_of_a_surrogate_pair_costs_no_event() {
    let arguments = r#"{"text":"현\ud99c 보유"}"#;
    let script = messages()
        .raw(concat!(
            r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"x\ud99c"}}"#,
            "\n\n",
            r#"data: {"type":"content_block_stop","index":0}"#,
            "\n\n",
        ))
        .tool_use_text("t", "write", arguments);
    let message = answered(script.reply()).await.message;
    assert_eq!(message.text().as_deref(), Some("x\u{fffd}"));
    let call = message.tool_calls().next().unwrap();
    assert_eq!(call.arguments, json!({ "text": "현\u{fffd} 보유" }));
    assert_eq!(call.invalid, None);
    let line = serde_json::to_string(&message).unwrap();
    assert!(!line.contains("\\ud99c"));
}

#[tokio::test]
async fn nulls_are_absence() {
    let stream = sse()
        .data(r#"{"type":"message_start","index":null,"message":{"usage":null},"error":null}"#)
        .data(r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":null},"delta":null}"#)
        .data(r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a","thinking":null}}"#)
        .data(r#"{"type":"message_delta","delta":{"stop_reason":null},"usage":null}"#)
        .data(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null}}"#)
        .data(r#"{"type":"message_stop"}"#);
    assert_text(&answered(stream.reply()).await, "a");
}

#[tokio::test]
async fn the_name_of_an_event_may_stand_outside_its_data() {
    let named = |stream: EventStream, name: &str, data: &str| {
        stream.raw(format!("event: {name}\ndata: {data}\n\n"))
    };
    let delta = r#"{"delta":{"type":"text_delta","text":"a"}}"#;
    let stream = named(sse(), "content_block_delta", delta);
    let stream = named(stream, "message_delta", r#"{"delta":{"stop_reason":"end_turn"}}"#);
    assert_text(&answered(stream.reply()).await, "a");
}

#[tokio::test]
async fn calls_may_come_in_pieces_of_each_other() {
    let start = |index: u32, id: &str| {
        json!({ "type": "content_block_start", "index": index, "content_block": {
            "type": "tool_use", "id": id, "name": id, "input": {} } })
    };
    let piece = |index: u32, text: &str| {
        json!({ "type": "content_block_delta", "index": index, "delta": {
            "type": "input_json_delta", "partial_json": text } })
    };
    let stream = sse()
        .event("content_block_start", &start(0, "f"))
        .event("content_block_delta", &piece(0, "{\"x\":"))
        .event("content_block_start", &start(1, "g"))
        .event("content_block_delta", &piece(1, "{\"y\":"))
        .event("content_block_delta", &piece(0, "1}"))
        .event("content_block_delta", &piece(1, "2}"))
        .event(
            "message_delta",
            &json!({
            "type": "message_delta", "delta": { "stop_reason": "tool_use" } }),
        );
    let message = answered(stream.reply()).await.message;
    let calls: Vec<_> =
        message.tool_calls().map(|call| (call.name.clone(), call.arguments.clone())).collect();
    assert_eq!(calls, [("f".to_owned(), json!({ "x": 1 })), ("g".to_owned(), json!({ "y": 2 }))]);
}
