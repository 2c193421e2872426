//! Values survive writing and reading: known fields, unknown fields, in any order of keys.

use fen_contract::events::Event;
use fen_contract::names::{Count, Millis};
use fen_contract::record::Extra;
use fen_contract::types::*;
use fen_contract::validate::{check_event, check_type};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{1,8}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn table() -> impl Strategy<Value = Value> {
    prop::collection::vec(("[a-z_]{1,8}", json_value()), 0..4)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()))
}

fn extra() -> impl Strategy<Value = Extra> {
    prop::collection::vec(("x-[a-z]{1,8}", json_value()), 0..3)
        .prop_map(|fields| fields.into_iter().collect())
}

fn text_block() -> impl Strategy<Value = TextContent> {
    (any::<String>(), extra()).prop_map(|(text, extra)| TextContent { text, extra })
}

fn assistant_block() -> impl Strategy<Value = AssistantBlock> {
    prop_oneof![
        text_block().prop_map(AssistantBlock::Text),
        (any::<String>(), any::<Option<bool>>(), any::<Option<String>>(), extra()).prop_map(
            |(thinking, redacted, thinking_signature, extra)| {
                AssistantBlock::Thinking(ThinkingContent {
                    thinking,
                    redacted,
                    thinking_signature,
                    extra,
                })
            }
        ),
        (any::<String>(), any::<String>(), table(), extra()).prop_map(
            |(id, name, arguments, extra)| {
                let call = ToolCall { extra, ..ToolCall::new(id, name, arguments) };
                AssistantBlock::ToolCall(Arc::new(call))
            }
        ),
    ]
}

fn stop_reason() -> impl Strategy<Value = StopReason> {
    prop_oneof![
        Just(StopReason::Stop),
        Just(StopReason::Length),
        Just(StopReason::ToolUse),
        Just(StopReason::Error),
        Just(StopReason::Aborted),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let user = (
        prop_oneof![
            any::<String>().prop_map(UserContent::Text),
            prop::collection::vec(text_block(), 0..3).prop_map(UserContent::Blocks),
        ],
        any::<u64>(),
        extra(),
    )
        .prop_map(|(content, timestamp, extra)| {
            Message::from(UserMessage { content, timestamp: Millis(timestamp), extra })
        });
    let assistant = (
        prop::collection::vec(assistant_block(), 0..4),
        stop_reason(),
        any::<Option<String>>(),
        any::<Option<u32>>(),
        extra(),
    )
        .prop_map(|(content, stop_reason, error_message, tokens, extra)| {
            let usage = Usage { input: tokens.map(|n| Count(n.into())), ..Usage::empty() };
            Message::from(AssistantMessage {
                error_message,
                usage: Some(usage),
                extra,
                ..AssistantMessage::new(content, stop_reason)
            })
        });
    let result = (prop::collection::vec(text_block(), 0..3), any::<bool>(), extra()).prop_map(
        |(content, is_error, extra)| {
            let result = AgentToolResult { content, is_error, details: None, extra };
            Message::from(ToolResultMessage::new(&ToolCall::new("c", "t", json!({})), result))
        },
    );
    prop_oneof![user, assistant, result]
}

proptest! {
    #[test]
    fn messages_survive(message in message()) {
        let text = serde_json::to_string(&message).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Message>(&text).unwrap(), &message);
        // The same through a tree, where the tag need not come first.
        let mut tree: Value = serde_json::from_str(&text).unwrap();
        prop_assert!(check_type("Message", &tree).is_ok());
        let role = tree.as_object_mut().unwrap().shift_remove("role").unwrap();
        tree["role"] = role;
        prop_assert_eq!(serde_json::from_value::<Message>(tree).unwrap(), message);
    }

    #[test]
    fn events_with_messages_survive(message in message()) {
        let agent = json!({
            "id": "a", "provider": "p", "model": "m", "cwd": "/", "message-count": 1
        });
        let event = json!({
            "type": "message-appended", "agent": agent, "index": 1, "message": message, "x-more": 1
        });
        prop_assert!(check_event(&event).is_ok());
        let read: Event = serde_json::from_value(event.clone()).unwrap();
        prop_assert_eq!(serde_json::to_value(&read).unwrap(), event);
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in "\\PC{0,80}") {
        let _ = serde_json::from_str::<Message>(&text);
        let _ = serde_json::from_str::<Event>(&text);
    }
}

#[test]
fn numbers_from_lua_may_be_whole_floats() {
    let message: Message =
        serde_json::from_str(r#"{"role":"user","content":"hi","timestamp":1700000000000.0}"#)
            .unwrap();
    let Message::User(user) = message else { panic!("a user message") };
    assert_eq!(user.timestamp, Millis(1_700_000_000_000));
}

#[test]
fn a_wrong_value_is_named_by_its_path() {
    let value = json!({
        "role": "assistant", "timestamp": 1,
        "content": [{"type": "text", "text": "ok"}, {"type": "text", "text": 5}],
    });
    let error = check_type("Message", &value).unwrap_err();
    assert_eq!(error.to_string(), "Message: field `content[1].text`: expected string, got number");
    let error = serde_json::from_value::<Message>(value).unwrap_err();
    assert!(error.to_string().contains("expected a string"), "{error}");
}

#[test]
fn an_event_outside_the_contract_needs_an_owner_in_its_name() {
    let own: Event = serde_json::from_value(json!({"type": "clock/tick", "n": 1})).unwrap();
    assert_eq!(own.name(), "clock/tick");
    assert_eq!(serde_json::to_value(&own).unwrap(), json!({"type": "clock/tick", "n": 1}));
    assert!(serde_json::from_value::<Event>(json!({"type": "tick"})).is_err());
}
