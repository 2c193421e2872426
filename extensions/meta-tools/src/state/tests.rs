use super::document::NAMES;
use super::*;
use crate::testing::{contribute, kernel, run, run_in, text_of};
use fen_contract::introspect::Introspect;
use fen_contract::kinds::IntrospectSpec;
use fen_contract::names::Count;
use fen_contract::types::{
    AssistantBlock, AssistantMessage, Message, StopReason, TextContent, Usage, UserMessage,
};
use fen_core::Kernel;
use fen_core::settings::Settings;
use fen_core::tools::ToolFilter;
use std::sync::atomic::{AtomicUsize, Ordering};

fn ask(kernel: &Kernel, query: &str) -> String {
    text_of(&run(kernel, "agent_state", json!({ "query": query })), false)
}

fn ask_of(kernel: &Kernel, messages: Vec<Message>, query: &str) -> String {
    let call = json!({ "query": query });
    text_of(&run_in(kernel, ToolFilter::default(), messages, "agent_state", call), false)
}

fn answer(text: &str, output: u64) -> Message {
    let block = AssistantBlock::Text(TextContent::new(text));
    let usage = Usage { output: Some(Count(output)), ..Usage::empty() };
    let answer = AssistantMessage::new(vec![block], StopReason::Stop);
    AssistantMessage { usage: Some(usage), ..answer }.into()
}

#[test]
fn without_a_query_every_part_is_named_with_its_size() {
    let kernel = kernel();
    let text = text_of(&run(&kernel, "agent_state", json!({})), false);
    for name in NAMES {
        assert!(text.contains(&format!("{name}: ")), "{name}: {text}");
    }
    assert!(text.contains("model: \"m-1\"") && text.contains("messages: 0 entries"), "{text}");
    assert!(text.contains("queue: {steering, follow-up}"), "{text}");
}

#[test]
fn every_part_can_be_read() {
    let kernel = kernel();
    for name in NAMES {
        ask(&kernel, name);
    }
    assert_eq!(ask(&kernel, "{model,provider,cwd}"), "model: m-1\nprovider: nobody\ncwd: /home\n");
    assert_eq!(
        ask(&kernel, "tools[name=tool_search].{source,offer}"),
        r#"[{"source":"bundled","offer":"offered"}]"#
    );
    assert_eq!(ask(&kernel, "extensions[name=meta-tools].state"), "[\"loaded\"]");
}

#[test]
fn messages_and_their_cost_are_read() {
    let kernel = kernel();
    let messages =
        || vec![UserMessage::new("Hello there").into(), answer("one", 3), answer("two", 4)];
    assert_eq!(ask_of(&kernel, messages(), "messages.#"), "3");
    assert_eq!(ask_of(&kernel, messages(), "messages[-1].content[0].text"), "two");
    assert_eq!(ask_of(&kernel, messages(), "messages[content~HELLO].role"), "[\"user\"]");
    assert_eq!(
        ask_of(&kernel, messages(), "usage.{answers,output}"),
        "{\n  \"answers\": 2,\n  \"output\": 7\n}"
    );
}

#[test]
fn a_long_conversation_is_cut_and_says_so() {
    let messages = (0..500).map(|_| UserMessage::new("x".repeat(500)).into()).collect();
    let text = ask_of(&kernel(), messages, "messages");
    assert!(text.len() <= RESULT_BYTES && text.contains("of 500 entries"), "{}", text.len());
    let text = ask_of(&kernel(), vec![UserMessage::new("x".repeat(50_000)).into()], "messages");
    assert!(text.len() <= RESULT_BYTES && text.contains("cut: "), "{}", text.len());
}

#[test]
fn settings_come_without_secrets() {
    let kernel = kernel();
    let settings =
        r#"{"thinking": "low", "max-tokens": 5, "mine": {"api_key": "sk-canary", "a": 1}}"#;
    kernel.set_settings(&Settings::parse(settings).unwrap());
    let text = ask(&kernel, "settings");
    assert!(!text.contains("canary") && text.contains("max-tokens"), "{text}");
    assert_eq!(ask(&kernel, "settings.mine"), "{\n  \"a\": 1\n}");
}

struct Counting(Arc<AtomicUsize>);

impl Introspect for Counting {
    fn snapshot(&self) -> BoxFuture<'_, Result<Value, Failure>> {
        let count = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Box::pin(std::future::ready(Ok(json!({ "count": count }))))
    }
}

#[test]
fn snapshots_are_made_only_where_they_are_asked_for() {
    let kernel = kernel();
    let counts: [Arc<AtomicUsize>; 2] = Default::default();
    for (name, count) in ["one", "two"].into_iter().zip(&counts) {
        let introspect = Arc::new(Counting(count.clone()));
        let spec = IntrospectSpec { name: "n".to_owned(), description: None, introspect };
        contribute(&kernel, name, spec);
    }
    let made = || counts.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert!(ask(&kernel, "").contains("snapshots: 2 entries"));
    ask(&kernel, "{model,messages,usage}");
    assert_eq!(made(), [0, 0]);
    assert_eq!(ask(&kernel, "snapshots[owner=two].snapshot.count"), "[1]");
    assert_eq!(made(), [0, 1]);
    ask(&kernel, "snapshots");
    assert_eq!(made(), [1, 2]);
}

#[test]
fn a_wrong_query_is_an_error_that_helps() {
    let kernel = kernel();
    let text = text_of(&run(&kernel, "agent_state", json!({"query": "mesages[0]"})), true);
    assert!(text.starts_with("position 1: ") && text.contains("messages"), "{text}");
}
