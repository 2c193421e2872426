//! Whatever is appended is what loads, in order.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::names::{Count, Millis};
use fen_contract::record::Extra;
use fen_contract::types::*;
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i32>().prop_map(|number| Value::from(f64::from(number) / 4.0)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn extra() -> impl Strategy<Value = Extra> {
    prop::collection::vec(("x-[a-z]{1,8}", json_value()), 0..3)
        .prop_map(|fields| fields.into_iter().collect())
}

fn text_block() -> impl Strategy<Value = TextContent> {
    (any::<String>(), extra()).prop_map(|(text, extra)| TextContent { text, extra })
}

fn block() -> impl Strategy<Value = AssistantBlock> {
    prop_oneof![
        text_block().prop_map(AssistantBlock::Text),
        (any::<String>(), any::<Option<String>>()).prop_map(|(thinking, seal)| {
            let mut block = ThinkingContent::new(thinking);
            block.thinking_signature = seal;
            AssistantBlock::Thinking(block)
        }),
        (any::<String>(), json_value(), extra()).prop_map(|(id, arguments, extra)| {
            let call = ToolCall { extra, ..ToolCall::new(id, "t", arguments) };
            AssistantBlock::ToolCall(Arc::new(call))
        }),
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
            UserMessage { content, timestamp: Millis(timestamp), extra }.into()
        });
    let assistant = (prop::collection::vec(block(), 0..4), any::<Option<String>>(), extra())
        .prop_map(|(content, error, extra)| {
            let mut message = AssistantMessage::new(content, StopReason::ToolUse);
            message.error_message = error;
            message.usage = Some(Usage { input: Some(Count(7)), ..Usage::empty() });
            message.extra = extra;
            message.into()
        });
    let result = (
        prop::collection::vec(text_block(), 0..3),
        json_value().prop_filter("null reads as absence", |details| !details.is_null()),
    )
        .prop_map(|(content, details)| {
            let call = ToolCall::new("c", "t", Value::Null);
            let result = AgentToolResult { content, ..AgentToolResult::text("") };
            ToolResultMessage::new(&call, result.with_details(details)).into()
        });
    prop_oneof![user, assistant, result]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn messages_load_as_they_were_appended(
        messages in prop::collection::vec(message(), 1..8),
        reopen_at in 0usize..8,
    ) {
        let store = Store::new();
        let mut session = store.open();
        for (number, message) in messages.iter().enumerate() {
            store.append(&session, message);
            if number == reopen_at {
                store.close(&session);
                session = store.reopen(&session.info.path);
            }
        }
        let loaded = store.load(&session.info.path);
        prop_assert_eq!(&loaded.messages, &messages);
        prop_assert_eq!(loaded.warnings, Vec::<String>::new());
        prop_assert_eq!(store.list()[0].message_count.0, messages.len() as u64);
        let text = std::fs::read_to_string(&session.info.path).unwrap();
        prop_assert_eq!(text.lines().count(), messages.len() + 1);
    }

    #[test]
    fn any_bytes_at_all_are_read_without_harm(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        text in "[\\PC\n{}\":,]{0,200}",
    ) {
        let store = Store::new();
        let mut content = header(3).into_bytes();
        content.extend(entry("a", None, "a").bytes());
        content.extend(&bytes);
        content.extend(text.bytes());
        let path = store.file("x.jsonl", content);
        let session = store.reopen(&path);
        store.say(&session, "after");
        let loaded = store.load(&path);
        let texts = texts(&loaded);
        prop_assert_eq!(texts.first().map(String::as_str), Some("a"));
        prop_assert_eq!(texts.last().map(String::as_str), Some("after"));
    }
}
