//! Calls that fail: each has a kind that callers act on, and words that say what to do.

use crate::support::{answered, call_with, config, context, user};
use fen_contract::provider::CallOptions;
use fen_provider_anthropic::{Compat, Config};
use fen_testing::{Framing, ModelServer, Reply, StreamScript as _, messages, sse};
use fen_transport::http::{self, Client, Limits};
use serde_json::json;
use std::time::Duration;

fn error(kind: &str, message: &str) -> serde_json::Value {
    json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "r" })
}

#[tokio::test]
async fn an_error_status_tells_its_kind() {
    let cases = [
        (400, "invalid_request_error", "messages: bad", "invalid-request"),
        (400, "invalid_request_error", "prompt is too long: 30 tokens > 10 maximum", "overflow"),
        (401, "authentication_error", "invalid x-api-key", "auth"),
        (403, "permission_error", "no", "auth"),
        (404, "not_found_error", "model: x", "invalid-request"),
        (429, "rate_limit_error", "slow down", "rate-limit"),
        (500, "api_error", "Internal server error", "overloaded"),
        (529, "overloaded_error", "Overloaded", "overloaded"),
    ];
    for (status, kind, words, want) in cases {
        let outcome = answered(Reply::status(status).json_body(&error(kind, words))).await;
        let (kind, message) = outcome.failure();
        assert_eq!(kind, want, "{status} {message}");
        assert!(message.contains(words) && message.contains("/v1/messages"), "{message}");
    }
}

#[tokio::test]
async fn an_error_event_tells_its_kind_and_keeps_what_has_come() {
    let cases = [
        ("overloaded_error", "Overloaded", "overloaded"),
        ("rate_limit_error", "slow down", "rate-limit"),
        ("invalid_request_error", "bad", "invalid-request"),
        (
            "invalid_request_error",
            "prompt is too long: 3059586 tokens > 1000000 maximum",
            "overflow",
        ),
        ("authentication_error", "who?", "auth"),
        ("api_error", "Internal", "overloaded"),
        ("brand_new_error", "hm", "overloaded"),
    ];
    for (kind, words, want) in cases {
        let script = messages().text("so far").error(kind, words);
        let outcome = answered(script.reply()).await;
        let (got, message) = outcome.failure();
        assert_eq!(got, want, "{kind}");
        assert!(message.contains(words), "{message}");
        assert_eq!(outcome.message.text().as_deref(), Some("so far"));
        assert!(!outcome.outline.iter().any(|name| name == "done"));
    }
}

#[tokio::test]
async fn a_rejection_as_the_first_event_is_no_passing_fault() {
    for data in [
        r#"{"error":{"message":"invalid request","type":"invalid_request","code":400}}"#,
        r#"{"error":{"message":"invalid request","type":"invalid_request_error"},"message":"x"}"#,
    ] {
        let stream = sse().raw(format!("event: error\ndata: {data}\n\n"));
        let (kind, message) = answered(stream.reply()).await.failure();
        assert_eq!(kind, "invalid-request");
        assert!(message.contains("invalid request"), "{message}");
    }
}

#[tokio::test]
async fn an_error_object_in_any_event_is_an_error() {
    let stream = sse().data(r#"{"type":"error","message":"boom"}"#);
    assert!(answered(stream.reply()).await.failure().1.contains("boom"));
    let stream = sse().data(
        r#"{"type":"message_delta","error":{"code":502,"message":"upstream limit reached"}}"#,
    );
    let (kind, message) = answered(stream.reply()).await.failure();
    assert_eq!(kind, "overloaded");
    assert!(message.contains("upstream limit reached"), "{message}");
}

#[tokio::test]
async fn what_is_no_answer_is_named() {
    let empty = answered(Reply::sse("")).await.failure();
    assert_eq!(empty.0, "truncated-stream");
    assert!(empty.1.contains("127.0.0.1") && empty.1.contains("text/event-stream"), "{}", empty.1);

    let page = "<!doctype html><html>".to_owned() + &"sign in ".repeat(10_000);
    let page = answered(Reply::status(200).content_type("text/html").body(page)).await.failure();
    assert_eq!(page.0, "invalid-request");
    assert!(page.1.contains("text/html") && !page.1.contains("sign in"), "{}", page.1);
    assert!(page.1.contains("/v1/messages") && page.1.len() < 300, "{}", page.1);

    let document = answered(Reply::json(&json!({ "error": { "message": "bad key" } }))).await;
    assert_eq!(document.failure().0, "invalid-request");
    assert!(document.failure().1.contains("bad key"));

    let other = answered(Reply::json(&json!({ "ok": true }))).await.failure();
    assert!(other.1.contains("application/json"), "{}", other.1);

    let plain = answered(Reply::status(200).content_type("text/plain").body("hello")).await;
    let (kind, message) = plain.failure();
    assert_eq!(kind, "invalid-request");
    assert!(message.contains("text/plain in place of an event stream"), "{message}");
    let nothing = answered(Reply::status(200).content_type("application/json")).await.failure();
    assert!(nothing.1.contains("application/json"), "{}", nothing.1);
}

#[tokio::test]
async fn a_stream_of_another_media_type_is_read_all_the_same() {
    let reply = messages().text("ok").reply().content_type("text/plain");
    assert_eq!(answered(reply).await.message.text().as_deref(), Some("ok"));
}

#[tokio::test]
async fn an_answer_without_an_end_is_incomplete() {
    let orderly = answered(messages().text("half").cut().reply()).await;
    assert_eq!(orderly.failure().0, "truncated-stream");
    assert_eq!(orderly.message.text().as_deref(), Some("half"));
    let reset = answered(messages().text("half").reset().reply().split_writes()).await;
    assert!(["truncated-stream", "network"].contains(&reset.failure().0));
    assert_eq!(reset.message.text().as_deref(), Some("half"));
    let short = messages().text("half").cut().reply().framing(Framing::ContentLengthShort(9));
    assert_eq!(answered(short).await.failure().0, "truncated-stream");
}

#[tokio::test]
async fn calls_of_an_incomplete_answer_are_kept_only_whole() {
    let script =
        messages().tool_use("t1", "read", json!({ "path": "a" })).tool_start("t2", "write");
    let outcome = answered(script.tool_json("{\"path\":\"b\"").cut().reply()).await;
    assert_eq!(outcome.failure().0, "truncated-stream");
    let ids: Vec<_> = outcome.message.tool_calls().map(|call| call.id.to_string()).collect();
    assert_eq!(ids, ["t1"]);
}

#[tokio::test]
async fn only_the_last_formality_may_be_missing() {
    let delta = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    for end in [sse(), sse().reset(), sse().close()] {
        let steps = end.into_steps();
        let mut reply = messages().text("all").cut().data(delta).reply().split_writes();
        for step in steps {
            reply = reply.step(step);
        }
        let message = answered(reply).await.message;
        assert_eq!(message.error_message, None);
        assert_eq!(message.text().as_deref(), Some("all"));
    }
    let stop = messages().text("all").cut().data(r#"{"type":"message_stop"}"#);
    let message = answered(stop.reply()).await.message;
    assert_eq!(message.error_message, None);
    assert!(message.notice.is_some());
}

#[tokio::test]
async fn a_service_may_be_known_to_leave_stop_reasons_out() {
    let server = ModelServer::start();
    server.push(messages().text("all").cut().reply());
    let compat = Compat { requires_finish_reason: false, ..Compat::default() };
    let config = Config { compat, ..config(&server.base_url()) };
    let outcome = call_with(config, &context(vec![user("hi")]), &CallOptions::default()).await;
    assert_eq!(outcome.message.error_message, None);
}

#[tokio::test]
async fn the_servers_wish_to_wait_is_handed_on() {
    let waits = async |header: Option<(&str, &str)>, status: u16| {
        let reply = Reply::status(status).json_body(&error("rate_limit_error", "slow down"));
        let reply = match header {
            Some((name, value)) => reply.header(name, value),
            None => reply,
        };
        let outcome = answered(reply).await;
        assert!(outcome.failure().1.contains("slow down"));
        outcome.message.retry_after_ms.map(|wait| wait.0)
    };
    for status in [429, 503, 529] {
        assert_eq!(waits(Some(("retry-after", "3")), status).await, Some(3000));
    }
    assert_eq!(waits(Some(("retry-after-ms", "250")), 429).await, Some(250));
    assert_eq!(waits(Some(("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")), 429).await, Some(0));
    for bad in ["-5", "abc", ""] {
        assert_eq!(waits(Some(("retry-after", bad)), 429).await, None, "{bad}");
    }
    assert_eq!(waits(None, 429).await, None);
    // Too long to be meant; whoever retries gives up by its own cap.
    let absurd = waits(Some(("retry-after", "1771404540")), 429).await;
    assert!(absurd.is_some_and(|wait| wait > 3_600_000), "{absurd:?}");
}

#[tokio::test]
async fn a_missing_key_is_told_without_asking_the_service() {
    let server = ModelServer::start();
    let context = context(vec![user("hi")]);
    let keyless = Config { api_key: None, ..config(&server.base_url()) };
    let outcome = call_with(keyless.clone(), &context, &CallOptions::default()).await;
    let (kind, message) = outcome.failure();
    assert_eq!(kind, "auth");
    assert!(message.contains("ANTHROPIC_API_KEY") && message.contains("--api-key"), "{message}");
    let problem = Some("the variable CORP_KEY is not set".to_owned());
    let named = Config { api_key_problem: problem, auth: None, ..keyless.clone() };
    let outcome = call_with(named, &context, &CallOptions::default()).await;
    assert!(outcome.failure().1.contains("CORP_KEY is not set"));
    assert!(server.requests().is_empty());

    server.push(messages().text("ok").reply());
    let open = Config { auth: None, ..keyless };
    let outcome = call_with(open, &context, &CallOptions::default()).await;
    assert_eq!(outcome.message.text().as_deref(), Some("ok"));
    assert_eq!(server.last_request().header("x-api-key"), None);
}

#[tokio::test]
async fn a_refused_key_is_not_repeated() {
    let body = error("authentication_error", "invalid x-api-key: sk-test-key");
    let (kind, message) = answered(Reply::status(401).json_body(&body)).await.failure();
    assert_eq!(kind, "auth");
    assert!(message.contains("ANTHROPIC_API_KEY") && !message.contains("sk-test"), "{message}");
}

#[tokio::test]
async fn a_dead_address_and_a_useless_one_are_told_apart() {
    let context = context(vec![user("hi")]);
    let outcome = call_with(config("http://127.0.0.1:1"), &context, &CallOptions::default()).await;
    assert_eq!(outcome.failure().0, "network");
    let outcome = call_with(config("no address"), &context, &CallOptions::default()).await;
    assert_eq!(outcome.failure().0, "invalid-request");
    let moved = Reply::status(307).header("location", "https://elsewhere.example/");
    assert_eq!(answered(moved).await.failure().0, "invalid-request");
}

#[tokio::test]
async fn pings_alone_do_not_keep_a_call_waiting_for_ever() {
    let mut script = messages().text("half");
    for _ in 0..100 {
        script = script.ping().delay(Duration::from_millis(10));
    }
    let server = ModelServer::start();
    server.push(script.text(" all").reply());
    let limits = Limits { data: Duration::from_millis(200), ..Limits::default() };
    let client = Client::new(http::Config { limits, ..http::Config::default() });
    let config = Config { client, ..config(&server.base_url()) };
    let outcome = call_with(config, &context(vec![user("hi")]), &CallOptions::default()).await;
    assert_eq!(outcome.failure().0, "stall");
    assert_eq!(outcome.message.text().as_deref(), Some("half"));
}
