use super::{FinishReason, Reader};
use fen_contract::provider::NoSink;
use fen_contract::types::{AssistantMessage, StopReason};
use fen_provider_kit::assembler::{Assembler, Origin};
use fen_provider_kit::failure::Service;
use fen_transport::sse::SseEvent;
use proptest::prelude::*;
use serde_json::{Value, json};

const SERVICE: Service<'static> = Service {
    provider: "acme",
    url: "http://acme.test/v1",
    credentials: "",
    unreachable: "",
    key: None,
};

fn read(events: &[String]) -> AssistantMessage {
    let origin = Origin { api: "a".to_owned(), provider: "acme".into(), model: "m".into() };
    let mut reader = Reader::new(Assembler::new(&NoSink, origin), SERVICE);
    for data in events {
        reader.event(SseEvent { event: "message", data, id: "", retry: None, complete: true });
    }
    reader.end(FinishReason::Required)
}

/// Values of every type, so that each field meets what it does not expect.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        (-2_i64..3).prop_map(|n| json!(n)),
        Just(json!(1.5)),
        "[a-c{}\"\\\\]{0,3}".prop_map(|text| json!(text)),
        Just(json!([])),
        Just(json!([{ "text": "t", "type": "text" }])),
        Just(json!({})),
        Just(json!({ "a": 1 })),
    ]
}

fn event() -> impl Strategy<Value = String> {
    let call = (value(), value(), value(), value()).prop_map(|(index, id, name, arguments)| {
        json!({ "index": index, "id": id, "function": { "name": name, "arguments": arguments } })
    });
    let delta = (value(), value(), value(), call).prop_map(|(content, reasoning, calls, call)| {
        let calls = if calls.is_null() { json!([call]) } else { calls };
        json!({ "content": content, "reasoning": reasoning, "tool_calls": calls })
    });
    (delta, value(), value(), value()).prop_map(|(delta, finish, usage, error)| {
        let choice = json!({ "delta": delta, "finish_reason": finish });
        let mut event = json!({ "choices": [choice], "usage": usage });
        if error.is_object() {
            event["error"] = error;
        }
        event.to_string()
    })
}

proptest! {
    #[test]
    fn whatever_comes_there_is_an_outcome(
        events in proptest::collection::vec(event(), 0..6),
        junk in ".{0,40}",
    ) {
        for events in [events.clone(), [events, vec![junk]].concat()] {
            let message = read(&events);
            let reason = message.stop_reason.unwrap();
            let failed = reason == StopReason::Error;
            prop_assert_eq!(failed, message.error_kind.is_some());
            prop_assert_eq!(failed, message.error_message.is_some());
            let calls = message.tool_calls().count();
            prop_assert!(reason != StopReason::Stop || calls == 0);
            prop_assert!(reason != StopReason::ToolUse || calls > 0);
            for call in message.tool_calls() {
                prop_assert!(!call.id.as_str().is_empty() && !call.name.is_empty());
                prop_assert!(call.arguments.is_object());
            }
        }
    }

    #[test]
    fn text_is_what_the_pieces_join_to(pieces in proptest::collection::vec("[^\u{0}]{0,5}", 1..9)) {
        let mut events: Vec<String> = pieces
            .iter()
            .map(|piece| json!({ "choices": [{ "delta": { "content": piece } }] }).to_string())
            .collect();
        events.push(json!({ "choices": [{ "finish_reason": "stop" }] }).to_string());
        let message = read(&events);
        prop_assert_eq!(message.text().unwrap_or_default(), pieces.concat());
        prop_assert_eq!(message.stop_reason, Some(StopReason::Stop));
    }
}
