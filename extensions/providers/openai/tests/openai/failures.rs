//! What goes wrong, and what is told of it.

use crate::support::{
    Record, ask_with, calls, comparable, config, context, error, keyed, read, read_both, run, user,
};
use fen_contract::cancel::CancelToken;
use fen_contract::names::Millis;
use fen_contract::provider::CallOptions;
use fen_contract::types::{ErrorKind, StopReason};
use fen_provider_openai::{Compat, Config, presets};
use fen_testing::{Framing, ModelServer, Reply, StreamScript as _, chat, sse};
use fen_transport::http::{Client, Limits};
use serde_json::json;
use std::time::Duration;

const CUT_TEXT: &str = r#"{"choices":[{"delta":{"content":"par"}}]}"#;

#[test]
fn an_error_inside_a_good_stream_is_an_error() {
    for code in [json!(502), json!("server_error")] {
        let event = json!({
            "id": "x", "object": "chat.completion.chunk", "choices": [],
            "error": { "code": code, "message": "upstream limit reached" },
        });
        let first = read_both(sse().data(event.to_string()).reply());
        assert!(error(&first).contains("upstream limit reached"));
        assert_eq!(first.error_kind, Some(ErrorKind::Overloaded));
        let later = read_both(sse().data(CUT_TEXT).data(event.to_string()).reply());
        assert!(error(&later).contains("upstream limit reached"));
        assert_eq!(later.text().as_deref(), Some("par"));
    }
    let wordless = read(chat().text("par").error(json!({})).reply());
    assert_eq!(wordless.error_kind, Some(ErrorKind::Overloaded));
    let choice = json!({ "choices": [{ "delta": { "content": "" }, "finish_reason": "error",
        "error": { "code": 502, "message": "lost" } }] });
    assert!(error(&read(sse().data(choice.to_string()).reply())).contains("lost"));
}

#[test]
fn a_rejection_as_the_first_event_is_not_transient() {
    let rejected = json!({ "error": {
        "message": "invalid request", "type": "invalid_request", "code": 400,
    } });
    let bare = json!({ "message": "invalid request", "code": 400 });
    let vllm = json!({ "object": "error", "message": "invalid request", "code": 400 });
    for script in [
        sse().event("error", &rejected),
        sse().event("error", &bare),
        sse().data(vllm.to_string()),
        sse().data(json!({ "error": "invalid request" }).to_string()),
    ] {
        let message = read_both(script.reply());
        assert_eq!(message.error_kind, Some(ErrorKind::InvalidRequest));
        assert!(error(&message).contains("invalid request"));
    }
    let limited = json!({ "error": { "message": "slow down", "code": 429 } });
    let message = read_both(sse().event("error", &limited).reply());
    assert_eq!(message.error_kind, Some(ErrorKind::RateLimit));
}

#[test]
fn what_is_no_answer_is_named_and_never_shown() {
    let page = format!("<!doctype html><html>{}</html>", "x".repeat(100_000));
    let html = read(Reply::status(200).content_type("text/html; charset=utf-8").body(page));
    assert!(error(&html).contains("text/html") && error(&html).contains("127.0.0.1"));
    assert!(error(&html).len() < 300 && !error(&html).contains("doctype"));
    assert_eq!(html.error_kind, Some(ErrorKind::InvalidRequest));

    let empty = read(Reply::sse(""));
    assert!(error(&empty).contains("an empty body (text/event-stream)"), "{}", error(&empty));
    assert!(empty.error_kind.unwrap().is_transient());
    let comments = read(sse().comment("ping").reply());
    assert!(error(&comments).contains("without a single event"));

    let refused = read_both(Reply::json(&json!({ "error": { "message": "bad key" } })));
    assert!(error(&refused).contains("bad key"));
    assert_eq!(refused.error_kind, Some(ErrorKind::InvalidRequest));
    let other = read(Reply::json(&json!({ "status": "ok" })));
    assert!(error(&other).contains("holds no answer"));
    let plain = read(Reply::status(200).content_type("text/plain").body("It works!"));
    assert!(error(&plain).contains("text/plain in place of an event stream"));
    let junk = read(sse().data(CUT_TEXT).data("<oops>").reply());
    assert!(error(&junk).contains("cannot be read"));
    assert_eq!(junk.text().as_deref(), Some("par"));
}

#[test]
fn an_answer_that_breaks_off_is_incomplete() {
    for reply in [
        chat().text("par").cut().reply(),
        chat().text("par").cut().reply().then_close(),
        chat().text("par").border().reset().cut().reply(),
        sse().data(CUT_TEXT).data("[DONE]").reply(),
        sse().data(CUT_TEXT).raw("data: {\"choices\":[{\"delta\":{\"con").reply(),
    ] {
        let message = read(reply);
        assert_eq!(message.error_kind, Some(ErrorKind::TruncatedStream), "{message:?}");
        assert_eq!(message.text().as_deref(), Some("par"));
    }
}

#[test]
fn only_the_end_mark_missing_is_no_fault() {
    let whole = read_both(chat().text("ok").reply());
    for reply in [
        chat().text("ok").without_done().reply(),
        chat().text("ok").without_done().reply().then_close(),
    ] {
        assert_eq!(comparable(&read(reply)), comparable(&whole));
    }
    let unended =
        "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}";
    assert_eq!(read_both(Reply::sse(unended)).text().as_deref(), Some("ok"));
}

#[tokio::test]
async fn a_server_that_never_gives_a_reason_can_be_told_of() {
    let server = ModelServer::start();
    server.script(vec![
        chat().text("ok").cut().reply(),
        chat().text("par").border().reset().cut().reply(),
    ]);
    let compat = Compat { requires_finish_reason: false, ..Compat::default() };
    let config = Config { compat, ..config(&server) };
    let options = CallOptions::default();
    let message = ask_with(config.clone(), vec![user("hi")], &options).await;
    assert_eq!(message.stop_reason, Some(StopReason::Stop));
    let message = ask_with(config, vec![user("hi")], &options).await;
    assert_eq!(message.error_kind, Some(ErrorKind::TruncatedStream));
}

#[test]
fn finish_reasons_of_every_kind_have_an_outcome() {
    let finish = |reason: &str| read_both(chat().text("x").finish(reason).reply());
    let overflow = finish("model_context_window_exceeded");
    assert_eq!(overflow.error_kind, Some(ErrorKind::Overflow));
    for reason in ["content_filter", "refusal"] {
        let refused = finish(reason);
        assert_eq!(refused.error_kind, Some(ErrorKind::Refused));
        assert_eq!(refused.text().as_deref(), Some("x"));
    }
    let unknown = finish("xyz");
    assert_eq!(unknown.stop_reason, Some(StopReason::Stop));
    assert!(unknown.notice.unwrap().contains("xyz"));
    assert!(finish("network_error").error_kind.unwrap().is_transient());
    assert_eq!(finish("length").stop_reason, Some(StopReason::Length));
    assert_eq!(finish("tool_calls").stop_reason, Some(StopReason::Stop));
}

#[test]
fn a_full_window_is_recognised_in_the_words_of_each_service() {
    let texts = [
        "prompt too long; exceeded max context length by 100918 tokens",
        "Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens",
        "This model's maximum context length is 262144 tokens.",
        "exceed_context_size_error",
    ];
    for text in texts {
        let body = json!({ "error": { "message": text, "code": 400 } });
        let message = read(Reply::status(400).json_body(&body));
        assert_eq!(message.error_kind, Some(ErrorKind::Overflow), "{text}");
        let message = read(sse().data(body.to_string()).reply());
        assert_eq!(message.error_kind, Some(ErrorKind::Overflow), "{text}");
    }
    let limited = json!({ "error": {
        "message": "Request too large for model on tokens per min (TPM): Limit 30000",
        "code": "rate_limit_exceeded",
    } });
    let message = read(Reply::status(429).json_body(&limited));
    assert_eq!(message.error_kind, Some(ErrorKind::RateLimit));
}

#[test]
fn the_servers_wish_to_wait_is_handed_on() {
    for (status, kind) in
        [(429, ErrorKind::RateLimit), (503, ErrorKind::Overloaded), (529, ErrorKind::Overloaded)]
    {
        let body = json!({ "error": { "message": "slow down" } });
        let reply = Reply::status(status).json_body(&body);
        let message = read(reply.clone().header("retry-after", "3"));
        assert_eq!(message.error_kind, Some(kind));
        assert_eq!(message.retry_after_ms, Some(Millis(3000)));
        assert!(error(&message).contains("slow down"));
        assert_eq!(read(reply.clone().header("retry-after", "-5")).retry_after_ms, None);
        let past = "Thu, 01 Jan 1970 00:00:01 GMT";
        let message = read(reply.header("retry-after", past));
        assert_eq!(message.retry_after_ms, Some(Millis(0)));
    }
}

#[test]
fn a_refused_parameter_is_shown_and_not_tried_again() {
    let words = "Unsupported parameter: 'max_tokens' is not supported with this model.";
    let body = json!({ "error": {
        "message": words, "param": "max_tokens", "code": "unsupported_parameter",
    } });
    let message = read(Reply::status(400).json_body(&body));
    assert_eq!(message.error_kind, Some(ErrorKind::InvalidRequest));
    assert!(error(&message).contains("'max_tokens' is not supported"));
}

#[test]
fn a_redirect_is_not_followed_and_names_what_to_check() {
    let message = read(Reply::status(307).header("location", "http://evil.test/v1"));
    assert_eq!(message.error_kind, Some(ErrorKind::InvalidRequest));
    assert!(error(&message).contains("check the provider's base URL"), "{}", error(&message));
}

#[tokio::test]
async fn refused_credentials_say_what_to_set_and_show_no_key() {
    let server = ModelServer::start();
    let body = json!({ "error": { "message": "Incorrect API key provided: topsecretkey." } });
    server.push(Reply::status(401).json_body(&body));
    let openai = presets().remove(0).config(Client::new(Default::default()));
    let config = Config { base_url: config(&server).base_url, ..openai };
    let message = ask_with(config, vec![user("hi")], &keyed("topsecretkey")).await;
    assert_eq!(message.error_kind, Some(ErrorKind::Auth));
    let words = error(&message);
    assert!(words.contains("openai (127.0.0.1:") && words.contains("OPENAI_API_KEY"), "{words}");
    assert!(words.contains("`fen providers openai`") && !words.contains("topsecretkey"), "{words}");
}

#[tokio::test]
async fn a_local_server_that_is_not_there_says_how_to_start_it() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", free.local_addr().unwrap());
    drop(free);
    let ollama = presets().into_iter().find(|preset| preset.name == "ollama").unwrap();
    let config = Config { base_url, ..ollama.config(Client::new(Default::default())) };
    let message = ask_with(config, vec![user("hi")], &CallOptions::default()).await;
    assert_eq!(message.error_kind, Some(ErrorKind::Network));
    assert!(error(&message).contains("`ollama serve`"), "{}", error(&message));
}

#[tokio::test]
async fn a_server_that_falls_silent_is_given_up_with_what_has_come() {
    let server = ModelServer::start();
    server.push(chat().text("par").hang().cut().reply());
    let limits = Limits { bytes: Duration::from_millis(50), ..Limits::default() };
    let config = Config { limits: Some(limits), ..config(&server) };
    let message = ask_with(config, vec![user("hi")], &CallOptions::default()).await;
    assert_eq!(message.error_kind, Some(ErrorKind::Stall));
    assert_eq!(message.text().as_deref(), Some("par"));
}

#[tokio::test]
async fn cancelling_keeps_what_has_come_and_leaves_the_server() {
    let server = ModelServer::start();
    let script = chat()
        .tool_call("a", "read", json!({ "path": "x" }))
        .tool_start(1, "b", "read", "{\"pa")
        .text("par")
        .hang();
    server.push(script.cut().reply());
    let cancel = CancelToken::new();
    let sink = Record { cancel_at_text: Some(cancel.clone()), ..Record::default() };
    let context = context(vec![user("hi")]);
    let message = run(config(&server), &context, &CallOptions::default(), &sink, &cancel).await;
    assert_eq!(message.stop_reason, Some(StopReason::Aborted));
    assert_eq!(message.text().as_deref(), Some("par"));
    assert_eq!(calls(&message).len(), 1);
    assert!(!sink.names().contains(&"done".to_owned()));
    server.wait_for_disconnect().await;
}

#[tokio::test]
async fn cancelling_ends_a_wait_for_the_first_byte_and_for_an_error_body() {
    let server = ModelServer::start();
    // In chunks, the body stays open behind what has come.
    let open = Reply::status(500).framing(Framing::Chunked).write("x").then_hang();
    server.script(vec![Reply::silence(), open]);
    for request in 1..=2 {
        let cancel = CancelToken::new();
        let (sink, context, options) =
            (Record::default(), context(vec![user("hi")]), CallOptions::default());
        let asked = run(config(&server), &context, &options, &sink, &cancel);
        let trip = async {
            server.wait_for_requests(request).await;
            cancel.cancel();
        };
        let (message, ()) = tokio::join!(asked, trip);
        assert_eq!(message.stop_reason, Some(StopReason::Aborted));
    }
    let cancel = CancelToken::new();
    cancel.cancel();
    let context = context(vec![user("hi")]);
    let options = CallOptions::default();
    run(config(&server), &context, &options, &Record::default(), &cancel).await;
    assert_eq!(server.requests().len(), 2);
}
