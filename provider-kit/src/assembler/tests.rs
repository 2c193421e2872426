use super::*;
use crate::failure::CallError;
use fen_contract::types::ErrorKind;
use serde_json::json;
use std::sync::Mutex;

/// Keeps what is told.
#[derive(Default)]
pub(super) struct Record(Mutex<Vec<Event>>);

impl StreamSink for Record {
    fn emit(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

impl Record {
    pub(super) fn events(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    fn names(&self) -> Vec<String> {
        self.events()
            .iter()
            .map(|event| {
                let value = serde_json::to_value(event).unwrap();
                match value.get("content-index") {
                    Some(index) => format!("{} {index}", event.name()),
                    None => event.name().to_owned(),
                }
            })
            .collect()
    }
}

pub(super) fn origin() -> Origin {
    Origin { api: "wire".to_owned(), provider: "acme".into(), model: "m".into() }
}

fn calls(message: &AssistantMessage) -> Vec<ToolCall> {
    message.tool_calls().map(|call| (**call).clone()).collect()
}

#[test]
fn blocks_begin_and_end_in_order_and_done_carries_the_message() {
    let sink = Record::default();
    let mut answer = Assembler::new(&sink, origin());
    answer.start();
    answer.thinking("hm");
    answer.text("a");
    answer.text("");
    answer.text("b");
    answer.tool_delta(0, Some("c0"), Some("f"), "");
    answer.tool_delta(1, Some("c1"), Some("g"), "{\"y\":");
    answer.tool_delta(0, None, None, "{\"x\":1}");
    answer.tool_delta(1, None, None, "2}");
    answer.usage_mut().input = Some(Count(3));
    let message = answer.finish(StopReason::Stop);
    assert_eq!(
        sink.names(),
        [
            "start",
            "thinking-start 1",
            "thinking-delta 1",
            "thinking-end 1",
            "text-start 2",
            "text-delta 2",
            "text-delta 2",
            "text-end 2",
            "tool-call-start 3",
            "tool-call-start 4",
            "tool-call-delta 4",
            "tool-call-delta 3",
            "tool-call-delta 4",
            "tool-call-end 3",
            "tool-call-end 4",
            "done",
        ]
    );
    assert_eq!(message.stop_reason, Some(StopReason::ToolUse));
    assert_eq!(message.usage.as_ref().unwrap().input, Some(Count(3)));
    assert_eq!(message.provider.as_ref().unwrap(), &"acme");
    let calls = calls(&message);
    assert_eq!(calls[0], ToolCall::new("c0", "f", json!({ "x": 1 })));
    assert_eq!(calls[1], ToolCall::new("c1", "g", json!({ "y": 2 })));
    let Some(Event::Done(done)) = sink.events().pop() else { panic!("no done") };
    assert_eq!(*done.message, message);
}

#[test]
fn arguments_are_read_with_patience_and_never_guessed() {
    let cases = [
        ("", json!({})),
        (" \n", json!({})),
        ("null", json!({})),
        ("{\"t\":\"현\\ud99c 보유\"}", json!({ "t": "현\u{fffd} 보유" })),
        ("\"{\\\"path\\\":\\\"a\\\"}\"", json!({ "path": "a" })),
        ("{\"content\":\"[1,2]\"}", json!({ "content": "[1,2]" })),
    ];
    for (text, want) in cases {
        assert_eq!(read_arguments(text), (want, None), "{text}");
    }
    for text in ["{\"q", "{\"a\":1}}", "[1]", "42", "\"words\""] {
        let (arguments, reason) = read_arguments(text);
        assert_eq!(arguments, json!({}), "{text}");
        assert!(reason.is_some(), "{text}");
    }
}

#[test]
fn unreadable_arguments_are_kept_as_text_within_bounds() {
    let mut answer = Assembler::new(&fen_contract::provider::NoSink, origin());
    answer.tool_delta(0, Some("c"), Some("f"), &"ä".repeat(9999));
    let call = calls(&answer.finish(StopReason::Length)).remove(0);
    assert!(call.invalid.unwrap().contains("not valid JSON"));
    let raw = call.extra[RAW_ARGUMENTS].as_str().unwrap();
    assert!(raw.starts_with('ä') && raw.len() < 5000);
}

#[test]
fn ids_are_made_where_they_lack_or_repeat_and_ghosts_are_left_out() {
    let mut answer = Assembler::new(&fen_contract::provider::NoSink, origin());
    answer.tool_delta(0, None, None, "{\"p\":1}");
    answer.tool_delta(0, Some("c9"), Some("read"), "");
    answer.tool_delta(1, Some(""), Some("read"), "");
    answer.tool_delta(2, Some("c9"), Some("read"), "");
    answer.tool_delta(3, Some("x"), None, "{}");
    let message = answer.finish(StopReason::ToolUse);
    let calls = calls(&message);
    assert_eq!(calls.len(), 3);
    assert_eq!(calls[0], ToolCall::new("c9", "read", json!({ "p": 1 })));
    assert!(!calls[1].id.as_str().is_empty());
    assert_ne!(calls[2].id, calls[0].id);
    assert!(message.notice.unwrap().contains("without a name"));
}

#[test]
fn an_id_of_a_later_call_that_ended_first_is_not_taken_twice() {
    let sink = Record::default();
    let mut answer = Assembler::new(&sink, origin());
    answer.tool_delta(1, Some("b"), Some("f"), "{}");
    answer.tool_delta(0, Some("b"), Some("f"), "{}");
    answer.end_tool(0);
    let calls = calls(&answer.finish(StopReason::Stop));
    assert!(calls[0].id != calls[1].id && calls[1].id.as_str() == "b");
}

#[test]
fn names_come_whole_repeated_growing_or_in_pieces() {
    for names in [&["get_time", "get_time"][..], &["get", "get_time"], &["get_", "time"]] {
        let mut answer = Assembler::new(&fen_contract::provider::NoSink, origin());
        for name in names {
            answer.tool_delta(0, Some("c"), Some(name), "");
        }
        answer.tool_delta(0, None, Some("get_time"), "{}");
        assert_eq!(calls(&answer.finish(StopReason::Stop))[0].name, "get_time");
    }
}

#[test]
fn a_broken_answer_keeps_text_and_whole_calls_only() {
    let build = |sink| {
        let mut answer = Assembler::new(sink, origin());
        answer.tool_delta(0, Some("a"), Some("f"), "{\"x\":1}");
        answer.tool_delta(1, Some("b"), Some("f"), "");
        answer.end_tool(1);
        answer.tool_delta(2, Some("c"), Some("f"), "{\"x\":");
        answer.tool_delta(3, Some("d"), Some("f"), "");
        answer.text("par");
        answer
    };
    let sink = Record::default();
    let aborted = build(&sink).abort();
    assert_eq!(aborted.stop_reason, Some(StopReason::Aborted));
    assert_eq!(aborted.text().unwrap(), "par");
    let ids: Vec<_> = calls(&aborted).into_iter().map(|call| call.id).collect();
    assert_eq!(ids, ["a", "b"]);
    assert!(sink.events().iter().all(|event| event.name() != "done"));
    assert_eq!(sink.names().iter().filter(|name| name.starts_with("tool-call-end")).count(), 2);
    let sink = Record::default();
    let failed = build(&sink).fail(CallError::new(ErrorKind::Network, "gone"));
    assert_eq!(failed.content, aborted.content);
    assert_eq!(failed.error_kind, Some(ErrorKind::Network));
    assert_eq!(failed.error_message.as_deref(), Some("gone"));
}

#[test]
fn sealed_reasoning_is_kept_as_it_came() {
    let mut answer = Assembler::new(&fen_contract::provider::NoSink, origin());
    answer.thinking("t");
    answer.thinking_signature("ab");
    answer.thinking_signature("c");
    answer.end_open();
    answer.thinking_signature("alone");
    answer.redacted_thinking("zz");
    answer.text("x");
    let message = answer.finish(StopReason::Stop);
    let thoughts: Vec<_> = message
        .content
        .iter()
        .filter_map(|block| match block {
            AssistantBlock::Thinking(thought) => Some(thought),
            _ => None,
        })
        .map(|t| (t.thinking.as_str(), t.thinking_signature.as_deref(), t.redacted))
        .collect();
    assert_eq!(
        thoughts,
        [("t", Some("abc"), None), ("", Some("alone"), None), ("", Some("zz"), Some(true))]
    );
}

#[test]
fn calls_beyond_what_an_answer_may_have_are_left_out_with_a_notice() {
    let sink = Record::default();
    let mut answer = Assembler::new(&sink, origin());
    for key in 0..300 {
        answer.tool_delta(key, Some(&format!("c{key}")), Some("f"), "{}");
    }
    let message = answer.finish(StopReason::ToolUse);
    assert_eq!(calls(&message).len(), 256);
    assert!(message.notice.is_some_and(|notice| notice.contains("left out")));
}
