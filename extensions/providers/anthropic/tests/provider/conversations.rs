//! Conversations as requests: what is sent, what is left out, and what stays the same.

use crate::support::{
    MODEL, answer, body, body_text, calls, config, context, provider, result, text, tool, unmarked,
    user,
};
use fen_contract::provider::CallOptions;
use fen_contract::types::{
    AgentContext, AgentToolResult, AssistantMessage, Message, StopReason, TextContent, ToolCall,
    ToolResultMessage, UserContent, UserMessage,
};
use fen_provider_anthropic::{Compat, Config};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// The messages of a body without marks.
fn messages_of(messages: Vec<Message>) -> Value {
    unmarked(body(messages)).0["messages"].take()
}

fn conversation() -> Vec<Message> {
    vec![
        user("look"),
        answer(vec![text("I look."), calls("t1", "read"), calls("t2", "read")]),
        result("t1", "one"),
        result("t2", "two"),
        user("steered"),
        answer(vec![text("Done.")]),
        user("thanks"),
    ]
}

#[test]
fn a_conversation_is_written_in_turns() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let call = |id: &str| json!({ "type": "tool_use", "id": id, "name": "read", "input": { "path": "a" } });
    let result = |id: &str, words: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": [text(words)] });
    assert_eq!(
        messages_of(conversation()),
        json!([
            { "role": "user", "content": [text("look")] },
            { "role": "assistant", "content": [text("I look."), call("t1"), call("t2")] },
            {
                "role": "user",
                "content": [result("t1", "one"), result("t2", "two"), text("steered")]
            },
            { "role": "assistant", "content": [text("Done.")] },
            { "role": "user", "content": [text("thanks")] },
        ])
    );
}

#[test]
fn the_fields_stand_in_the_order_that_the_cache_needs() {
    let body = body(conversation());
    let keys: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["model", "max_tokens", "stream", "system", "tools", "messages"]);
    assert_eq!(body["model"], MODEL);
    assert_eq!(body["max_tokens"], 8192);
    assert_eq!(body["system"][0]["text"], "Be brief.");
    let tool = &body["tools"][0];
    assert_eq!(tool["name"], "read");
    assert_eq!(tool["description"], "The tool read");
    assert_eq!(tool["input_schema"]["properties"]["path"]["type"], "string");
}

#[test]
fn the_prompt_is_marked_for_the_cache_in_four_places() {
    let body = body(conversation());
    let mark = json!({ "type": "ephemeral" });
    assert_eq!(body["system"][0]["cache_control"], mark);
    assert_eq!(body["tools"][1]["cache_control"], mark);
    assert_eq!(body["messages"][4]["content"][0]["cache_control"], mark);
    assert_eq!(body["messages"][2]["content"][2]["cache_control"], mark);
    assert_eq!(unmarked(body).1, 4);
}

#[test]
fn marks_can_be_left_out() {
    let compat = Compat { supports_cache_control: false, ..Compat::default() };
    let (spec, _) = provider(Config { compat, ..config("http://localhost") });
    let context = context(conversation());
    let body = spec.provider.build_body(&MODEL.into(), &context, &CallOptions::default()).unwrap();
    assert!(!body.get().contains("cache_control"));
}

#[test]
fn no_blank_text_is_sent_and_no_mark_stands_on_one() {
    let blocks = UserContent::Blocks(vec![TextContent::new("x"), TextContent::new(" \n")]);
    let last = UserMessage { content: blocks, ..UserMessage::new("") };
    let history = vec![
        user("go"),
        answer(vec![text(""), calls("t1", "read"), text("  ")]),
        result("t1", ""),
        user(""),
        answer(vec![text("\n")]),
        last.into(),
    ];
    let body = body(history);
    assert_eq!(body["messages"][2]["content"][1]["text"], "x");
    assert!(body["messages"][2]["content"][1]["cache_control"].is_object());
    let body = unmarked(body).0;
    assert_eq!(
        body["messages"],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "go" }] },
            {
                "role": "assistant",
                "content": [
                    { "type": "tool_use", "id": "t1", "name": "read", "input": { "path": "a" } }
                ]
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result", "tool_use_id": "t1",
                        "content": [{ "type": "text", "text": "(no output)" }]
                    },
                    { "type": "text", "text": "x" },
                ]
            },
        ])
    );
}

#[test]
fn nothing_to_send_is_said() {
    let (spec, _) = provider(config("http://localhost"));
    let context = context(vec![user(" ")]);
    let options = CallOptions::default();
    let failure = spec.provider.build_body(&MODEL.into(), &context, &options).unwrap_err();
    assert!(failure.message.contains("nothing to send"), "{failure}");
}

#[test]
fn white_space_is_trimmed_only_where_the_model_is_to_go_on() {
    let ended = messages_of(vec![user("a  "), answer(vec![text("done \n")])]);
    assert_eq!(ended[0]["content"][0]["text"], "a  ");
    assert_eq!(ended[1]["content"][0]["text"], "done");
    let followed = messages_of(vec![user("a"), answer(vec![text("done \n")]), user("b")]);
    assert_eq!(followed[1]["content"][0]["text"], "done \n");
}

#[test]
fn calls_and_results_are_paired_whatever_happened() {
    let aborted = AssistantMessage::new(
        vec![calls("t1", "read"), calls("t2", "read"), calls("t3", "read")],
        StopReason::Aborted,
    );
    let history = vec![
        user("go"),
        aborted.into(),
        result("t1", "cut"),
        user("go on"),
        result("stray", "nobody asked"),
    ];
    let messages = messages_of(history);
    let content = messages[2]["content"].as_array().unwrap();
    let ids: Vec<_> = content.iter().map(|block| block["tool_use_id"].as_str()).collect();
    assert_eq!(ids, [Some("t1"), Some("t2"), Some("t3"), None]);
    assert_eq!(content[1]["is_error"], true);
    assert!(content[1]["content"][0]["text"].as_str().unwrap().contains("interrupted"));
    assert_eq!(content[0].get("is_error"), None);
    assert_eq!(content[3]["text"], "go on");
}

#[test]
fn ids_of_other_services_are_made_to_fit() {
    let long = "a".repeat(70);
    let ids = ["functions.Bash:0", "call_x|fc_y", "functions.Bash.0", &long, "toolu_01Ab-_"];
    let history: Vec<Message> = std::iter::once(user("go"))
        .chain(ids.iter().flat_map(|id| [answer(vec![calls(id, "read")]), result(id, "ok")]))
        .collect();
    let messages = messages_of(history.clone());
    assert_eq!(messages, messages_of(history));
    let mut seen = std::collections::HashSet::new();
    for (position, id) in ids.iter().enumerate() {
        let call = messages[1 + 2 * position]["content"][0]["id"].as_str().unwrap();
        let answered = &messages[2 + 2 * position]["content"][0]["tool_use_id"];
        assert_eq!(answered, call);
        assert!(seen.insert(call.to_owned()), "{call}");
        assert!(call.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'));
        let fits = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        assert_eq!(fits, call == *id);
    }
}

#[test]
fn arguments_that_are_no_object_are_sent_as_none() {
    let call = ToolCall::new("t1", "read", Value::Null);
    let block = fen_contract::types::AssistantBlock::ToolCall(Arc::new(call));
    let messages = messages_of(vec![user("go"), answer(vec![block]), result("t1", "no")]);
    assert_eq!(messages[1]["content"][0]["input"], json!({}));
}

#[test]
fn a_failed_result_says_so() {
    let call = ToolCall::new("t1", "read", json!({}));
    let failed = ToolResultMessage::new(&call, AgentToolResult::error("no such file"));
    let messages = messages_of(vec![user("go"), answer(vec![calls("t1", "read")]), failed.into()]);
    assert_eq!(messages[2]["content"][0]["is_error"], true);
}

#[test]
fn sides_take_turns_and_the_person_begins() {
    let history = vec![answer(vec![text("a")]), answer(vec![text("b")]), user("c"), user("d")];
    let messages = messages_of(history);
    let roles: Vec<_> = messages.as_array().unwrap().iter().map(|m| m["role"].as_str()).collect();
    assert_eq!(roles, [Some("user"), Some("assistant"), Some("user")]);
    assert_eq!(messages[2]["content"][1]["text"], "d");
}

#[test]
fn calls_without_tools_on_offer_keep_their_declaration() {
    let context = AgentContext { tools: Arc::default(), ..context(conversation()) };
    let text = body_text(MODEL, &context, &CallOptions::default());
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(body["tools"].as_array().unwrap().len(), 1);
    assert_eq!(body["tools"][0]["name"], "read");
    assert_eq!(body["tool_choice"], json!({ "type": "none" }));
    let plain = AgentContext { messages: Arc::new(vec![user("hi")]), ..context };
    let text = body_text(MODEL, &plain, &CallOptions::default());
    assert!(!text.contains("tool"), "{text}");
}

#[test]
fn a_schema_says_that_it_is_one_of_an_object() {
    let (spec, _) = provider(config("http://localhost"));
    let mut bare = tool("bare");
    bare.parameters = json!({});
    let tools = spec.provider.convert_tools(&[bare, tool("read")]);
    assert_eq!(tools[0]["input_schema"], json!({ "type": "object" }));
    assert_eq!(tools[1]["input_schema"]["type"], "object");
}

#[test]
fn messages_are_converted_without_marks() {
    let (spec, _) = provider(config("http://localhost"));
    let wire = spec.provider.convert_messages(&conversation());
    assert_eq!(Value::from(wire), messages_of(conversation()));
}

fn without_end(text: &str) -> &str {
    text.strip_suffix("]}]}").unwrap()
}

/// The body as text without marks.
fn plain_body(messages: &[Message]) -> String {
    unmarked(body(messages.to_vec())).0.to_string()
}

#[test]
fn a_request_begins_with_the_bytes_of_the_one_before() {
    let conversation = conversation();
    for end in [4, 5, 7] {
        let (before, after) = (plain_body(&conversation[..1]), plain_body(&conversation[..end]));
        assert!(after.starts_with(without_end(&before)), "{before}\n{after}");
    }
    let (before, after) = (plain_body(&conversation[..4]), plain_body(&conversation));
    assert!(after.starts_with(without_end(&before)), "{before}\n{after}");
}

/// One exchange: what the person says, the answer, and the results of its calls.
fn exchange() -> impl Strategy<Value = Vec<Message>> {
    let said = prop_oneof![Just("go"), Just("go  "), Just("ü🌍")];
    let answered = prop_oneof![Just(""), Just("Well."), Just("Well. \n")];
    let ids = proptest::collection::vec(prop_oneof![Just("a"), Just("b:0"), Just("b.0")], 0..3);
    (said, answered, ids).prop_map(|(said, words, ids)| {
        let mut content = vec![text(words)];
        content.extend(ids.iter().map(|id| calls(id, "read")));
        let mut messages = vec![user(said), answer(content)];
        messages.extend(ids.iter().map(|id| result(id, "out")));
        messages
    })
}

proptest! {
    #[test]
    fn a_growing_conversation_never_changes_its_beginning(
        exchanges in proptest::collection::vec(exchange(), 1..5)
    ) {
        let mut messages: Vec<Message> = Vec::new();
        let mut before: Option<String> = None;
        for exchange in exchanges {
            messages.push(exchange[0].clone());
            let after = plain_body(&messages);
            if let Some(before) = before {
                prop_assert!(after.starts_with(without_end(&before)));
            }
            let (_, marks) = unmarked(body(messages.clone()));
            prop_assert!(marks <= 4);
            messages.extend(exchange.into_iter().skip(1));
            before = Some(after);
        }
    }
}
