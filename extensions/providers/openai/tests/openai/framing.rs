//! Whatever the bytes look like and wherever they are cut, the answer is the same.

use crate::support::{Record, comparable, config, context, read, read_both, run, user};
use fen_contract::cancel::CancelToken;
use fen_contract::provider::CallOptions;
use fen_contract::types::StopReason;
use fen_testing::{ModelServer, Reply, StreamScript as _, chat, sse};
use serde_json::json;

#[test]
fn line_ends_of_every_kind_read_the_same() {
    let script =
        || chat().text("hi ").text("there").tool_call("c1", "read", json!({ "path": "a" }));
    let lf = read_both(script().reply());
    let crlf = read_both(script().crlf().reply());
    assert_eq!(comparable(&lf), comparable(&crlf));
    assert_eq!(lf.text().as_deref(), Some("hi there"));
    assert_eq!(lf.stop_reason, Some(StopReason::ToolUse));
}

#[test]
fn characters_that_a_read_cuts_stay_whole() {
    let message = read_both(chat().text("那 🌍 현").reply());
    assert_eq!(message.text().as_deref(), Some("那 🌍 현"));
}

#[test]
fn bytes_that_are_no_text_do_not_stop_the_stream() {
    let mut bytes = b"data: {\"choices\":[{\"delta\":{\"content\":\"a".to_vec();
    bytes.extend([0xED, 0xA0, 0x80]);
    bytes.extend(b"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    let message = read(Reply::sse(bytes));
    let text = message.text().unwrap();
    assert!(text.starts_with("a\u{fffd}") && text.ends_with('b'), "{text}");
}

#[test]
fn half_of_a_surrogate_pair_costs_one_character_and_no_event() {
    let data = r#"{"choices":[{"delta":{"content":"현\ud99c 보유","tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"t\":\"x\\ud99c\"}"}}]}}]}"#;
    let finish = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let message = read_both(sse().data(data).data(finish).data("[DONE]").reply());
    assert_eq!(message.text().as_deref(), Some("현\u{fffd} 보유"));
    let call = message.tool_calls().next().unwrap();
    assert_eq!(call.arguments, json!({ "t": "x\u{fffd}" }));
    assert_eq!(call.invalid, None);
}

#[test]
fn keep_alives_in_every_form_are_passed_over() {
    let reply = sse()
        .comment("OPENROUTER PROCESSING")
        .raw(":\n")
        .raw("id: 7\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n: ping\n\n")
        .data(": OPENROUTER PROCESSING")
        .raw("data:\n\n")
        .data(r#"{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}"#)
        .data("[DONE]")
        .reply();
    let message = read_both(reply);
    assert_eq!(message.text().as_deref(), Some("ab"));
    assert_eq!(message.stop_reason, Some(StopReason::Stop));
}

#[test]
fn a_compressed_stream_reads_the_same() {
    let message = read_both(chat().reasoning("hm").text("ok").reply().gzip());
    assert_eq!(message.text().as_deref(), Some("ok"));
    assert_eq!(message.thinking().as_deref(), Some("hm"));
}

#[tokio::test]
async fn events_come_in_order_and_the_stream_ends_with_done() {
    let server = ModelServer::start();
    server.push(
        chat().reasoning("hm").text("a").text("b").tool_call("c1", "read", json!({})).reply(),
    );
    let sink = Record::default();
    let context = context(vec![user("hi")]);
    run(config(&server), &context, &CallOptions::default(), &sink, &CancelToken::new()).await;
    assert_eq!(
        sink.names(),
        [
            "start",
            "thinking-start",
            "thinking-delta",
            "thinking-end",
            "text-start",
            "text-delta",
            "text-delta",
            "text-end",
            "tool-call-start",
            "tool-call-delta",
            "tool-call-end",
            "done",
        ]
    );
}

#[tokio::test]
async fn the_next_call_uses_the_same_connection() {
    let server = ModelServer::start();
    server.fallback(chat().text("x").reply());
    let config = config(&server);
    for _ in 0..3 {
        let context = context(vec![user("hi")]);
        let sink = Record::default();
        let none = CancelToken::new();
        run(config.clone(), &context, &CallOptions::default(), &sink, &none).await;
    }
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_stream_that_stays_open_after_the_answer_said_why_it_stops_is_not_waited_for() {
    let finish = r#"{"choices":[{"delta":{"content":"all"},"finish_reason":"stop"}]}"#;
    let message = read(sse().data(finish).hang().reply());
    assert_eq!(message.text().as_deref(), Some("all"));
    assert_eq!(message.stop_reason, Some(StopReason::Stop));
}

#[test]
fn counts_beyond_all_measure_cost_no_answer() {
    let usage = json!({"prompt_tokens": u64::MAX, "completion_tokens": 5});
    let message = read(chat().text("all").usage_object(usage).reply());
    assert_eq!(message.text().as_deref(), Some("all"));
}
