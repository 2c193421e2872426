//! What answers hold, in all the ways in which services send it.

use crate::support::{calls, config, provider, read, read_both};
use fen_contract::names::Count;
use fen_contract::types::{AssistantMessage, StopReason};
use fen_testing::{ModelServer, StreamScript as _, chat, sse};
use serde_json::{Value, json};

fn calls_of(deltas: &[Value]) -> AssistantMessage {
    let script =
        deltas.iter().fold(chat(), |script, calls| script.delta(json!({ "tool_calls": calls })));
    read_both(script.finish("tool_calls").reply())
}

fn owned(id: &str, name: &str, arguments: Value) -> (String, String, Value) {
    (id.to_owned(), name.to_owned(), arguments)
}

#[test]
fn calls_without_an_index_stay_apart() {
    let paris = json!([{ "id": "a", "function": { "name": "get_weather", "arguments": "{\"city\":\"Paris\"}" } }]);
    let jst = json!([{ "id": "b", "function": { "name": "get_time", "arguments": "{\"tz\":" } }]);
    let rest = json!([{ "function": { "arguments": "\"JST\"}" } }]);
    let want = [
        owned("a", "get_weather", json!({ "city": "Paris" })),
        owned("b", "get_time", json!({ "tz": "JST" })),
    ];
    assert_eq!(calls(&calls_of(&[paris.clone(), jst.clone(), rest.clone()])), want);
    let mut indexed = paris;
    indexed[0]["index"] = 0.into();
    assert_eq!(calls(&calls_of(&[indexed, jst, rest])), want);
}

#[test]
fn interleaved_fragments_go_to_their_own_call() {
    let message = calls_of(&[
        json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{\"x\":" } }]),
        json!([{ "index": 1, "id": "b", "function": { "name": "g", "arguments": "{\"y\":" } }]),
        json!([{ "index": 0, "function": { "arguments": "1}" } }]),
        json!([{ "index": 1, "function": { "arguments": "2}" } }]),
    ]);
    let want = [owned("a", "f", json!({ "x": 1 })), owned("b", "g", json!({ "y": 2 }))];
    assert_eq!(calls(&message), want);
}

#[test]
fn arguments_may_come_before_their_id_and_an_id_may_never_come() {
    let arguments = json!([{ "index": 0, "function": { "arguments": "{\"p\":1}" } }]);
    let message = calls_of(&[
        arguments.clone(),
        json!([{ "index": 0, "id": "c9", "function": { "name": "read" } }]),
    ]);
    assert_eq!(calls(&message), [owned("c9", "read", json!({ "p": 1 }))]);
    let message = calls_of(&[arguments, json!([{ "index": 0, "function": { "name": "read" } }])]);
    let found = calls(&message);
    assert_eq!(found.len(), 1);
    assert!(!found[0].0.is_empty());
}

#[test]
fn nulls_are_absence_everywhere() {
    let reply = sse()
        .data(r#"{"choices":[{"delta":{"content":null,"role":null,"tool_calls":[{"index":0,"id":"c","function":{"arguments":"{\"max_depth\": ","name":"ls"},"type":"function"}],"reasoning_content":null},"finish_reason":null,"index":0}],"usage":null,"error":null}"#)
        .data(r#"{"choices":[{"delta":{"content":null,"role":null,"tool_calls":[{"index":0,"id":null,"function":{"arguments":"2}","name":null},"type":"function"}],"reasoning_content":null},"finish_reason":null,"index":0}]}"#)
        .data(r#"{"choices":[{"delta":{"tool_calls":null},"index":null}]}"#)
        .data(r#"{"choices":[{"delta":null,"finish_reason":"tool_calls"},null]}"#)
        .data(r#"{"choices":[{"delta":{"tool_calls":[null,{"index":0,"function":null}]}}]}"#)
        .data("[DONE]")
        .reply();
    assert_eq!(calls(&read_both(reply)), [owned("c", "ls", json!({ "max_depth": 2 }))]);
}

#[test]
fn events_without_choices_are_no_failure_and_keep_the_usage() {
    for choices in [json!({ "choices": [] }), json!({ "choices": null }), json!({})] {
        let with = |fields: Value| {
            let mut all = choices.clone();
            all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            all.to_string()
        };
        let usage = json!({ "prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13 });
        let reply = sse()
            .data(with(json!({ "prompt_filter_results": [{ "prompt_index": 0 }] })))
            .data(r#"{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}"#)
            .data(with(json!({ "usage": usage })))
            .data("[DONE]")
            .reply();
        let message = read_both(reply);
        assert_eq!(message.text().as_deref(), Some("x"));
        let usage = message.usage.unwrap();
        assert_eq!((usage.input, usage.output), (Some(Count(9)), Some(Count(4))));
    }
}

#[test]
fn usage_tells_cached_tokens_from_others() {
    let usage = json!({
        "prompt_tokens": 100,
        "completion_tokens": 7,
        "total_tokens": 107,
        "prompt_tokens_details": { "cached_tokens": 60, "cache_write_tokens": 10 },
    });
    let usage = read(chat().text("x").usage_object(usage).reply()).usage.unwrap();
    assert_eq!(usage.input, Some(Count(30)));
    assert_eq!(usage.cache_read, Some(Count(60)));
    assert_eq!(usage.cache_write, Some(Count(10)));
    assert_eq!(usage.output, Some(Count(7)));
    assert_eq!(usage.total_tokens, Some(Count(107)));
}

#[test]
fn reasoning_that_is_counted_beside_the_output_is_added_to_it() {
    let usage = |total: u64| {
        json!({
            "prompt_tokens": 10.0,
            "completion_tokens": "5",
            "total_tokens": total,
            "completion_tokens_details": { "reasoning_tokens": 20 },
        })
    };
    let output =
        |total| read(chat().text("x").usage_object(usage(total)).reply()).usage.unwrap().output;
    assert_eq!(output(15), Some(Count(5)));
    assert_eq!(output(35), Some(Count(25)));
}

#[test]
fn a_call_without_arguments_has_an_empty_table() {
    for arguments in ["", " ", "{}"] {
        let message = read_both(chat().tool_start(0, "c", "ls", arguments).reply());
        assert_eq!(calls(&message), [owned("c", "ls", json!({}))]);
        assert_eq!(message.tool_calls().next().unwrap().invalid, None);
    }
    let message = read_both(chat().tool_call_text("c", "ls", "{\"q").reply());
    assert!(message.tool_calls().next().unwrap().invalid.is_some());
}

#[test]
fn a_call_that_the_limit_cut_is_reported_as_cut() {
    for arguments in ["{\"path\":\"a.txt\"", "{\"file_path\":\"x\"}"] {
        let script = chat().tool_call_text("c", "write", arguments).finish("length");
        let message = read_both(script.reply());
        assert_eq!(message.stop_reason, Some(StopReason::Length));
        assert_eq!(message.tool_calls().count(), 1);
    }
}

#[test]
fn arguments_packed_once_more_or_not_at_all_are_unpacked() {
    let packed = "\"{\\\"path\\\":\\\"a\\\"}\"";
    let message = read_both(chat().tool_call_text("c", "read", packed).reply());
    assert_eq!(calls(&message), [owned("c", "read", json!({ "path": "a" }))]);
    let message = calls_of(&[
        json!([{ "index": 0, "id": "c", "function": { "name": "read", "arguments": { "path": "a" } } }]),
    ]);
    assert_eq!(calls(&message), [owned("c", "read", json!({ "path": "a" }))]);
    let control = json!({ "path": "p", "content": "[1,2]", "other": "42" });
    let message = read_both(chat().tool_call("c", "write", control.clone()).reply());
    assert_eq!(calls(&message), [owned("c", "write", control)]);
}

#[test]
fn reasoning_is_read_under_each_of_its_names_once() {
    let both = chat().delta(json!({ "reasoning": "hm", "reasoning_content": "hm" })).text("a");
    assert_eq!(read_both(both.reply()).thinking().as_deref(), Some("hm"));
    let named = chat().delta(json!({ "reasoning": "hm", "reasoning_content": "" })).text("a");
    assert_eq!(read_both(named.reply()).thinking().as_deref(), Some("hm"));
    let parts = chat().delta(json!({ "content": [
        { "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] },
        { "type": "text", "text": "a" },
    ] }));
    let message = read_both(parts.reply());
    assert_eq!(message.thinking().as_deref(), Some("hm"));
    assert_eq!(message.text().as_deref(), Some("a"));
}

#[test]
fn an_answer_in_one_document_is_taken() {
    let script = chat().reasoning("hm").text("ok").tool_call("c", "read", json!({ "path": "a" }));
    let message = read_both(script.usage(9, 4).json_reply());
    assert_eq!(message.text().as_deref(), Some("ok"));
    assert_eq!(message.stop_reason, Some(StopReason::ToolUse));
    assert_eq!(calls(&message), [owned("c", "read", json!({ "path": "a" }))]);
    assert_eq!(message.usage.unwrap().input, Some(Count(9)));
}

#[test]
fn a_stream_under_the_name_of_a_document_is_taken() {
    let reply = chat().text("ok").reply().content_type("application/json");
    assert_eq!(read_both(reply).text().as_deref(), Some("ok"));
}

#[test]
fn an_empty_answer_says_so() {
    let message = read(chat().reply());
    assert_eq!(message.stop_reason, Some(StopReason::Stop));
    assert!(message.notice.unwrap().contains("empty"));
}

#[test]
fn a_document_can_be_read_without_a_call() {
    let server = ModelServer::start();
    let spec = provider(config(&server));
    let document = json!({
        "model": "m",
        "choices": [{ "message": { "role": "assistant", "content": "ok" }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 1 },
    });
    let message = spec.provider.parse_response(&document);
    assert_eq!(message.text().as_deref(), Some("ok"));
    assert_eq!(message.model.unwrap(), "m");
    assert_eq!(message.usage.unwrap().total_tokens, Some(Count(4)));
    let failed = spec.provider.parse_response(&json!({ "error": { "message": "no" } }));
    assert!(failed.error_message.unwrap().contains("no"));
    let reasons = ["stop", "length", "tool_calls", "content_filter", "xyz"];
    let mapped = reasons.map(|reason| spec.provider.map_stop_reason(reason));
    use StopReason as S;
    assert_eq!(mapped, [S::Stop, S::Length, S::ToolUse, S::Error, S::Stop]);
}
