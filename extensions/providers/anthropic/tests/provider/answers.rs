//! Answers as the service gives them when all is well.

use crate::support::{
    Events, Outcome, answered, call_with, config, context, exchanged, json_of, provider, user,
};
use fen_contract::cancel::CancelToken;
use fen_contract::names::Count;
use fen_contract::provider::CallOptions;
use fen_contract::secret::Secret;
use fen_contract::types::StopReason;
use fen_provider_anthropic::Config;
use fen_provider_kit::config::HeaderText;
use fen_testing::{MessagesScript, ModelServer, Reply, StreamScript as _, messages, sse};
use serde_json::json;

/// An answer with a block of every kind.
fn rich() -> MessagesScript {
    messages()
        .thinking("그 나라 ")
        .thinking("🌍 was")
        .signature("c2ln")
        .redacted_thinking("c2VhbGVk")
        .text("나는 ")
        .text("간다 🌍.")
        .tool_use("toolu_1", "read", json!({ "path": "ü/🌍", "limit": 3 }))
        .tool_start("toolu_2", "list")
        .usage(11, 7)
        .cache_usage(100, 20)
}

fn rich_message() -> serde_json::Value {
    json!({
        "role": "assistant",
        "content": [
            { "type": "thinking", "thinking": "그 나라 🌍 was", "thinking-signature": "c2ln" },
            {
                "type": "thinking", "thinking": "", "redacted?": true,
                "thinking-signature": "c2VhbGVk"
            },
            { "type": "text", "text": "나는 간다 🌍." },
            {
                "type": "tool-call", "id": "toolu_1", "name": "read",
                "arguments": { "path": "ü/🌍", "limit": 3 }
            },
            { "type": "tool-call", "id": "toolu_2", "name": "list", "arguments": {} },
        ],
        "timestamp": 0,
        "api": "anthropic-messages",
        "model": "claude-sonnet-4-5",
        "provider": "anthropic",
        "stop-reason": "tool-use",
        "usage": {
            "input": 11, "cache-read": 100, "cache-write": 20, "output": 7, "total-tokens": 138
        },
    })
}

const RICH_OUTLINE: &str = "start thinking-start thinking-delta thinking-end thinking-start \
    thinking-end text-start text-delta text-end tool-call-start tool-call-delta tool-call-end \
    tool-call-start tool-call-delta tool-call-end done";

#[tokio::test]
async fn a_streamed_answer_becomes_a_message_and_its_events() {
    let outcome = answered(rich().reply()).await;
    assert_eq!(outcome.json(), rich_message());
    assert_eq!(outcome.outline.join(" "), RICH_OUTLINE);
    assert_eq!(outcome.log, Vec::<String>::new());
}

#[tokio::test]
async fn where_the_bytes_are_cut_makes_no_difference() {
    for reply in [
        rich().reply().split_every(1),
        rich().crlf().reply().split_every(1),
        rich().reply().split_every(7),
        rich().reply().split_writes(),
        rich().reply().gzip().split_every(5),
    ] {
        let outcome = answered(reply).await;
        assert_eq!(outcome.json(), rich_message());
        assert_eq!(outcome.outline.join(" "), RICH_OUTLINE);
    }
}

#[tokio::test]
async fn an_answer_that_is_not_streamed_is_the_same() {
    let outcome = answered(rich().json_reply()).await;
    assert_eq!(outcome.json(), rich_message());
    let (spec, _) = provider(config("http://localhost"));
    let document = json!({
        "type": "message", "model": "m",
        "content": [{ "type": "text", "text": "hi" }, { "type": "new_kind", "x": 1 }],
        "stop_reason": "max_tokens",
        "usage": { "input_tokens": 3, "output_tokens": 4 },
    });
    let message = spec.provider.parse_response(&document);
    assert_eq!(message.text().as_deref(), Some("hi"));
    assert_eq!(message.stop_reason, Some(StopReason::Length));
    assert_eq!(message.usage.unwrap().total_tokens, Some(Count(7)));
    let failed = spec.provider.parse_response(&json!({ "type": "error", "error": {
        "type": "overloaded_error", "message": "Overloaded" } }));
    assert_eq!(failed.error_kind.unwrap().as_str(), "overloaded");
}

#[tokio::test]
async fn a_request_carries_what_the_protocol_asks_for() {
    let (_, request) = exchanged(messages().text("ok").reply(), &context(vec![user("hi")])).await;
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/messages"));
    assert_eq!(request.header("x-api-key"), Some("sk-test-key"));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.json()["stream"], true);
}

#[tokio::test]
async fn the_calls_own_key_comes_first_and_headers_can_be_set() {
    let server = ModelServer::start();
    server.push(messages().text("ok").reply());
    let headers = vec![("anthropic-beta".to_owned(), HeaderText::Plain("x-1".to_owned()))];
    let config = Config { headers, ..config(&format!("{}/v1/", server.base_url())) };
    let options = CallOptions { api_key: Secret::new("sk-own"), ..CallOptions::default() };
    let outcome = call_with(config, &context(vec![user("hi")]), &options).await;
    assert_eq!(outcome.message.text().as_deref(), Some("ok"));
    let request = server.last_request();
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.header("x-api-key"), Some("sk-own"));
    assert_eq!(request.header("anthropic-beta"), Some("x-1"));
}

#[tokio::test]
async fn each_stop_reason_has_its_outcome() {
    let stopped = async |reason: &str| -> Outcome {
        answered(messages().text("so far").finish(reason).reply()).await
    };
    for (reason, want) in [
        ("end_turn", StopReason::Stop),
        ("stop_sequence", StopReason::Stop),
        ("max_tokens", StopReason::Length),
    ] {
        let message = stopped(reason).await.message;
        assert_eq!((message.stop_reason, message.notice), (Some(want), None), "{reason}");
    }
    let paused = stopped("pause_turn").await.message;
    assert_eq!(paused.stop_reason, Some(StopReason::Stop));
    assert!(paused.notice.unwrap().contains("continue"));
    let unknown = stopped("xyz").await.message;
    assert_eq!(unknown.stop_reason, Some(StopReason::Stop));
    assert!(unknown.notice.unwrap().contains("xyz"));
    let refused = stopped("refusal").await;
    assert_eq!(refused.failure().0, "refused");
    assert_eq!(refused.message.text().as_deref(), Some("so far"));
    assert_eq!(stopped("model_context_window_exceeded").await.failure().0, "overflow");
}

#[tokio::test]
async fn usage_is_taken_from_wherever_it_is_told() {
    let stream = sse()
        .data(r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1}}}"#)
        .data(r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}"#)
        .data(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":6,"cache_read_input_tokens":null,"output_tokens":9.0}}"#)
        .data(r#"{"type":"message_stop"}"#);
    let usage = answered(stream.reply()).await.message.usage.unwrap();
    assert_eq!(usage.input, Some(Count(6)));
    assert_eq!(usage.cache_read, None);
    assert_eq!(usage.output, Some(Count(9)));
    assert_eq!(usage.total_tokens, Some(Count(15)));
}

#[tokio::test]
async fn a_call_without_arguments_has_empty_ones() {
    for script in [
        messages().tool_start("toolu_1", "list"),
        messages().tool_use_text("toolu_1", "list", ""),
        messages().tool_use_text("toolu_1", "list", " \n"),
        messages().tool_use_text("toolu_1", "list", "null"),
    ] {
        let message = answered(script.reply()).await.message;
        let call = message.tool_calls().next().unwrap();
        assert_eq!((&call.arguments, &call.invalid), (&json!({}), &None));
    }
    let message =
        answered(messages().tool_use_text("toolu_1", "list", "{\"q").reply()).await.message;
    assert!(message.tool_calls().next().unwrap().invalid.is_some());
}

#[tokio::test]
async fn arguments_may_come_with_the_calls_beginning() {
    let stream = sse()
        .data(r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"read","input":{"path":"a\ud99c"}}}"#)
        .data(r#"{"type":"content_block_stop","index":0}"#)
        .data(r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#);
    let message = answered(stream.reply()).await.message;
    let call = message.tool_calls().next().unwrap();
    assert_eq!(call.arguments, json!({ "path": "a\u{fffd}" }));
}

#[tokio::test]
async fn arguments_packed_into_a_string_are_unpacked_as_a_whole_only() {
    let packed = r#""{\"path\":\"a\",\"content\":\"[1,2]\"}""#;
    let message = answered(messages().tool_use_text("t", "write", packed).reply()).await.message;
    let call = message.tool_calls().next().unwrap();
    assert_eq!(call.arguments, json!({ "path": "a", "content": "[1,2]" }));
}

#[tokio::test]
async fn a_call_that_the_limit_cut_is_told_as_such() {
    for arguments in [r#"{"path":"a.txt""#, r#"{"file_path":"x"}"#] {
        let script = messages().tool_use_text("t", "write", arguments).finish("max_tokens");
        let message = answered(script.reply()).await.message;
        assert_eq!(message.stop_reason, Some(StopReason::Length), "{arguments}");
    }
}

#[tokio::test]
async fn cancelling_keeps_what_has_come_and_leaves_the_server() {
    let server = ModelServer::start();
    server.push(messages().thinking("hm").text("so far").hang().reply());
    let (spec, _) = provider(config(&server.base_url()));
    let (events, cancel) = (Events::default(), CancelToken::new());
    let (model, context) = ("m".into(), context(vec![user("hi")]));
    let options = CallOptions::default();
    let call = spec.provider.complete(&model, &context, &options, &events, &cancel);
    let watch = async {
        while !events.outline().iter().any(|name| name == "text-delta") {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (message, ()) = tokio::join!(call, watch);
    assert_eq!(message.stop_reason, Some(StopReason::Aborted));
    assert_eq!(message.text().as_deref(), Some("so far"));
    assert_eq!(json_of(&message)["error-kind"], json!(null));
    server.wait_for_disconnect().await;
}

#[tokio::test]
async fn the_service_is_asked_for_its_models() {
    let server = ModelServer::start();
    server.push(Reply::json(&json!({
        "data": [
            { "type": "model", "id": "claude-opus-4-5", "display_name": "Opus" },
            { "type": "model", "id": "new", "max_input_tokens": 9, "max_tokens": 5 },
        ],
        "has_more": false,
    })));
    let (spec, _) = provider(config(&server.base_url()));
    let models = spec.provider.list_models(&CallOptions::default()).await.unwrap();
    assert_eq!(models[0].name.as_deref(), Some("Opus"));
    assert_eq!(models[0].context_window, Some(Count(200_000)));
    assert_eq!((models[1].context_window, models[1].max_tokens), (Some(Count(9)), Some(Count(5))));
    let request = server.last_request();
    assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/v1/models"));
    assert_eq!(request.header("x-api-key"), Some("sk-test-key"));
    server.push(Reply::status(401));
    let failure = spec.provider.list_models(&CallOptions::default()).await.unwrap_err();
    assert!(failure.message.contains("ANTHROPIC_API_KEY"), "{failure}");
}

#[tokio::test]
async fn the_registration_says_what_the_provider_is() {
    let (spec, _) = provider(config("http://localhost"));
    assert_eq!((spec.name.as_str(), spec.api.as_str()), ("anthropic", "anthropic-messages"));
    assert_eq!(spec.auth.as_deref(), Some("env"));
    let (default, models) = (spec.default_model.unwrap(), spec.models.unwrap());
    assert!(models.iter().any(|model| model.id == default), "{default}");
    assert_eq!(spec.provider.map_stop_reason("tool_use"), StopReason::ToolUse);
}

#[tokio::test]
async fn calls_share_a_connection() {
    let server = ModelServer::start();
    let (spec, _) = provider(config(&server.base_url()));
    for _ in 0..3 {
        server.push(messages().text("ok").reply().split_writes());
        let (events, cancel) = (Events::default(), CancelToken::new());
        let (model, context) = ("m".into(), context(vec![user("hi")]));
        let options = CallOptions::default();
        spec.provider.complete(&model, &context, &options, &events, &cancel).await;
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn an_empty_answer_is_remarked() {
    let outcome = answered(messages().reply()).await;
    assert_eq!(outcome.message.stop_reason, Some(StopReason::Stop));
    assert_eq!(outcome.message.notice.as_deref(), Some("the model's answer is empty"));
}
