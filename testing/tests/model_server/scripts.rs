//! The three protocols: that the streams have the shape that the services document.

use fen_testing::{ModelServer, Reply, StreamScript as _, chat, messages, responses, sse};
use serde_json::{Value, json};

use crate::raw_client::RawClient;

fn body(reply: Reply) -> String {
    let server = ModelServer::start();
    server.push(reply);
    RawClient::connect(&server).exchange("/", "{}").text()
}

fn document(reply: Reply) -> Value {
    serde_json::from_str(&body(reply)).unwrap()
}

/// Each event as its name, or nothing, and its data.
fn events(reply: Reply) -> Vec<(String, Value)> {
    let body = body(reply);
    assert!(body.ends_with("\n\n"));
    let event = |block: &str| {
        let (name, data) = block.rsplit_once("data: ").unwrap();
        let name = name.trim_start_matches("event: ").trim().to_owned();
        (name, serde_json::from_str(data).unwrap_or_else(|_| data.into()))
    };
    body.trim_end().split("\n\n").map(event).collect()
}

fn names(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_chat_stream_has_role_deltas_finish_usage_and_done() {
    let events = events(chat().text("Hello ").text("world").usage(9, 4).reply());
    let delta = |index: usize| &events[index].1["choices"][0]["delta"];
    assert_eq!(*delta(0), json!({ "role": "assistant", "content": "" }));
    assert_eq!(*delta(1), json!({ "content": "Hello " }));
    assert_eq!(*delta(2), json!({ "content": "world" }));
    assert_eq!(events[1].1["choices"][0]["finish_reason"], Value::Null);
    assert_eq!(events[1].1.get("usage"), Some(&Value::Null));
    assert_eq!(events[3].1["choices"][0]["finish_reason"], "stop");
    assert_eq!(events[4].1["choices"], json!([]));
    assert_eq!(events[4].1["usage"]["prompt_tokens"], 9);
    assert_eq!(events[4].1["usage"]["total_tokens"], 13);
    assert_eq!(events[5].1, "[DONE]");
    assert_eq!(events.len(), 6);
}

#[test]
fn chat_calls_come_in_fragments_under_their_index() {
    let script = chat().tool_call("call_1", "read", json!({ "path": "src/main.rs" })).tool_call(
        "call_2",
        "list",
        json!({}),
    );
    let events = events(script.clone().reply());
    assert_eq!(events[0].1["choices"][0]["delta"]["content"], Value::Null);
    let mut arguments = [String::new(), String::new()];
    for (_, chunk) in &events {
        let call = &chunk["choices"][0]["delta"]["tool_calls"][0];
        if let Some(index) = call["index"].as_u64() {
            let fragment = call["function"]["arguments"].as_str().unwrap();
            arguments[usize::try_from(index).unwrap()].push_str(fragment);
        }
    }
    assert_eq!(arguments, [r#"{"path":"src/main.rs"}"#, "{}"]);
    let whole = document(script.json_reply());
    assert_eq!(whole["choices"][0]["finish_reason"], "tool_calls");
    let calls = &whole["choices"][0]["message"]["tool_calls"];
    assert_eq!(calls[0]["function"]["arguments"], r#"{"path":"src/main.rs"}"#);
    assert_eq!(calls[1]["id"], "call_2");
}

#[test]
fn chat_fragments_can_be_interleaved_and_deltas_free() {
    let script = chat()
        .tool_start(0, "a", "f", "{\"x\":")
        .tool_start(1, "b", "g", "{\"y\":")
        .tool_arguments(0, "1}")
        .tool_arguments(1, "2}")
        .delta(json!({ "content": null }))
        .chunk(json!({ "choices": null }));
    let events = events(script.clone().reply());
    assert_eq!(events[3].1["choices"][0]["delta"]["tool_calls"][0]["index"], 0);
    assert_eq!(events[5].1["choices"][0]["delta"], json!({ "content": null }));
    assert_eq!(events[6].1["choices"], Value::Null);
    let whole = document(script.json_reply());
    let calls = &whole["choices"][0]["message"]["tool_calls"];
    assert_eq!(calls[0]["function"]["arguments"], "{\"x\":1}");
    assert_eq!(calls[1]["function"]["arguments"], "{\"y\":2}");
}

#[test]
fn a_chat_answer_follows_the_request() {
    let server = ModelServer::start();
    server.respond_with(|request| chat().reasoning("r").text("a").answer(request));
    let mut client = RawClient::connect(&server);
    let with_usage = r#"{"stream":true,"stream_options":{"include_usage":true}}"#;
    assert!(client.exchange("/", with_usage).text().contains("prompt_tokens"));
    assert!(!client.exchange("/", r#"{"stream":true}"#).text().contains("usage"));
    let whole = client.exchange("/", "{}").json();
    assert_eq!(whole["choices"][0]["message"]["reasoning_content"], "r");
}

#[test]
fn chat_streams_can_end_too_early() {
    assert!(!body(chat().text("a").without_done().reply()).contains("[DONE]"));
    assert!(!body(chat().text("a").cut().reply()).contains("\"stop\""));
    let error = body(chat().text("a").error(json!({ "code": 502 })).reply());
    assert!(error.ends_with("data: {\"error\":{\"code\":502}}\n\n"), "{error}");
}

#[test]
fn crlf_ends_every_line_and_raw_bytes_stay_as_they_are() {
    let reply = chat().text("a").comment("ping").raw("data: x\n\n").crlf().reply();
    let body = body(reply).replace("data: x\n\n", "");
    assert!(body.contains(": ping\r\n\r\n"));
    assert_eq!(body.matches('\n').count(), body.matches("\r\n").count());
}

#[test]
fn a_bare_stream_sends_exactly_what_was_added() {
    let reply = sse().data("a\nb").event("e", &json!({ "x": 1 })).border().raw("tail").reply();
    assert_eq!(body(reply), "data: a\ndata: b\n\nevent: e\ndata: {\"x\":1}\n\ntail");
}

#[test]
fn a_message_stream_opens_and_closes_its_blocks() {
    let script = messages()
        .thinking("hm")
        .signature("sig")
        .redacted_thinking("zz")
        .text("Hello ")
        .text("world")
        .tool_use("toolu_1", "read", json!({ "path": "a" }))
        .usage(9, 4);
    let events = events(script.clone().reply());
    assert_eq!(
        names(&events)[..7],
        [
            "message_start",
            "content_block_start",
            "ping",
            "content_block_delta",
            "content_block_delta",
            "content_block_stop",
            "content_block_start",
        ]
    );
    assert_eq!(names(&events)[events.len() - 2..], ["message_delta", "message_stop"]);
    assert!(events.iter().all(|(name, data)| data["type"] == name.as_str()));
    assert_eq!(events[0].1["message"]["usage"]["input_tokens"], 9);
    let last = &events[events.len() - 2].1;
    assert_eq!(last["delta"]["stop_reason"], "tool_use");
    assert_eq!(last["usage"]["output_tokens"], 4);
    let input: String =
        events.iter().filter_map(|(_, data)| data["delta"]["partial_json"].as_str()).collect();
    assert_eq!(input, r#"{"path":"a"}"#);
    assert_eq!(
        document(script.json_reply())["content"],
        json!([
            { "type": "thinking", "thinking": "hm", "signature": "sig" },
            { "type": "redacted_thinking", "data": "zz" },
            { "type": "text", "text": "Hello world" },
            { "type": "tool_use", "id": "toolu_1", "name": "read", "input": { "path": "a" } },
        ])
    );
}

#[test]
fn message_streams_can_fail_be_cut_or_be_empty() {
    let failed = events(messages().text("a").error("overloaded_error", "Overloaded").reply());
    let (name, data) = failed.last().unwrap();
    assert_eq!(name, "error");
    assert_eq!(data["error"]["type"], "overloaded_error");
    let cut = events(messages().text("a").cut().reply());
    assert_eq!(names(&cut).last(), Some(&"content_block_delta"));
    let empty = events(messages().finish("refusal").reply());
    assert_eq!(names(&empty), ["message_start", "message_delta", "message_stop"]);
    let bare = events(messages().tool_start("t", "list").reply());
    assert!(!names(&bare).contains(&"content_block_delta"));
}

#[test]
fn a_response_stream_numbers_its_events_and_ends_with_the_whole() {
    let script = responses()
        .reasoning("plan")
        .encrypted_reasoning("enc")
        .text("Hello ")
        .text("world")
        .tool_call("call_1", "read", json!({ "path": "a" }))
        .usage(9, 4);
    let events = events(script.clone().reply());
    assert_eq!(
        names(&events),
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.reasoning_summary_part.added",
            "response.reasoning_summary_text.delta",
            "response.reasoning_summary_text.done",
            "response.reasoning_summary_part.done",
            "response.output_item.done",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
    for (number, (name, data)) in events.iter().enumerate() {
        assert_eq!(data["sequence_number"], number);
        assert_eq!(data["type"], name.as_str());
    }
    let response = &events.last().unwrap().1["response"];
    assert_eq!(response["usage"]["total_tokens"], 13);
    let output = &response["output"];
    assert_eq!(output[0]["encrypted_content"], "enc");
    assert_eq!(output[1]["content"][0]["text"], "Hello world");
    assert_eq!(output[2]["arguments"], r#"{"path":"a"}"#);
    assert_eq!(events[10].1["item_id"], output[1]["id"]);
    assert_eq!(document(script.json_reply()), *response);
}

#[test]
fn response_streams_can_fail_stop_short_or_be_cut() {
    let failed = events(responses().failed("server_error", "no").reply());
    assert_eq!(failed.last().unwrap().0, "response.failed");
    assert_eq!(failed.last().unwrap().1["response"]["error"]["code"], "server_error");
    let short = events(responses().text("a").incomplete("max_output_tokens").reply());
    let response = &short.last().unwrap().1["response"];
    assert_eq!(response["incomplete_details"]["reason"], "max_output_tokens");
    assert_eq!(response["output"][0]["status"], "incomplete");
    let cut = events(responses().text("a").cut().reply());
    assert_eq!(cut.last().unwrap().0, "response.output_text.delta");
    let error = events(responses().error("rate_limit_exceeded", "slow").reply());
    assert_eq!(error[0].1["code"], "rate_limit_exceeded");
}
