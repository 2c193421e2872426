use super::*;
use fen_contract::names::{ModelId, ProviderName};
use fen_contract::record::Extra;
use fen_contract::types::{AgentToolResult, UserMessage};
use serde_json::json;
use std::collections::HashSet;

pub(super) const TARGET: Target<'static> = Target {
    provider: "acme",
    model: "m1",
    own_ids: IdRule::Any,
    other_ids: IdRule::Plain { max: 40 },
};

pub(super) fn user(text: &str) -> Message {
    UserMessage::new(text).into()
}

pub(super) fn answer(content: Vec<AssistantBlock>) -> Message {
    AssistantMessage {
        provider: Some(ProviderName::from("acme")),
        model: Some(ModelId::from("m1")),
        ..AssistantMessage::new(content, StopReason::Stop)
    }
    .into()
}

pub(super) fn text(text: &str) -> AssistantBlock {
    AssistantBlock::Text(TextContent::new(text))
}

pub(super) fn call(id: &str) -> AssistantBlock {
    AssistantBlock::ToolCall(ToolCall::new(id, "read", json!({})).into())
}

pub(super) fn result(id: &str, output: &str) -> Message {
    let call = ToolCall::new(id, "read", json!({}));
    ToolResultMessage::new(&call, AgentToolResult::text(output)).into()
}

fn calls<'a>(turn: &'a Turn<'_>) -> (Vec<&'a str>, Vec<&'a str>, Vec<String>) {
    let Turn::Assistant(turn) = turn else { panic!("not an answer") };
    let ids = turn.blocks.iter().filter_map(|block| match block {
        Block::Call(call) => Some(&*call.id),
        _ => None,
    });
    let results = turn.results.iter().map(|result| &*result.id).collect();
    (ids.collect(), results, turn.results.iter().map(|r| r.text().into_owned()).collect())
}

#[test]
fn an_interrupted_turn_gets_its_missing_results_and_loses_the_strays() {
    let messages = [
        result("t0", "stray"),
        user("go"),
        answer(vec![call("t1"), call("t2"), call("t3")]),
        result("t2", "two"),
        user("go on"),
        result("t1", "late"),
        result("t1", "twice"),
        result("tx", "stray"),
    ];
    let turns = fit(&messages, &TARGET);
    assert_eq!(turns.len(), 3);
    let (ids, results, texts) = calls(&turns[1]);
    assert_eq!(ids, ["t1", "t2", "t3"]);
    assert_eq!(results, ids);
    assert_eq!(texts, ["late", "two", INTERRUPTED]);
    let Turn::Assistant(turn) = &turns[1] else { panic!() };
    assert!(turn.results[2].is_error && !turn.results[0].is_error);
}

#[test]
fn nothing_empty_is_sent() {
    let messages = [
        user(""),
        user(" \n"),
        answer(vec![text(""), call("t1")]),
        result("t1", " \n"),
        answer(vec![text("\n")]),
        answer(vec![]),
    ];
    let turns = fit(&messages, &TARGET);
    assert_eq!(turns.len(), 1);
    let (_, _, texts) = calls(&turns[0]);
    assert_eq!(texts, [NO_OUTPUT]);
}

#[test]
fn only_the_assistants_text_at_the_very_end_is_trimmed() {
    let messages = [user("code \n"), answer(vec![text("done \n")])];
    let turns = fit(&messages, &TARGET);
    assert_eq!(turns[0], Turn::User(vec!["code \n"]));
    let Turn::Assistant(turn) = &turns[1] else { panic!() };
    assert_eq!(turn.blocks, [Block::Text("done")]);
    let messages = [answer(vec![text("done \n")]), user("more ")];
    let Turn::Assistant(turn) = &fit(&messages, &TARGET)[0] else { panic!() };
    assert_eq!(turn.blocks, [Block::Text("done \n")]);
}

#[test]
fn reasoning_goes_back_to_the_model_that_wrote_it_and_to_no_other() {
    let thought = ThinkingContent {
        thinking: String::new(),
        redacted: None,
        thinking_signature: Some("abc".to_owned()),
        extra: Extra::new(),
    };
    let messages = [answer(vec![AssistantBlock::Thinking(thought.clone()), text("a")]), user("b")];
    let Turn::Assistant(turn) = &fit(&messages, &TARGET)[0] else { panic!() };
    assert_eq!(turn.blocks, [Block::Thinking(&thought), Block::Text("a")]);
    for other in [Target { model: "m2", ..TARGET }, Target { provider: "other", ..TARGET }] {
        let Turn::Assistant(turn) = &fit(&messages, &other)[0] else { panic!() };
        assert_eq!(turn.blocks, [Block::Text("a")]);
    }
}

#[test]
fn failed_answers_stay_out() {
    let failed = AssistantMessage::failed(
        fen_contract::types::ErrorKind::Network,
        "gone",
        vec![text("half")],
    );
    assert_eq!(fit(&[failed.into()], &TARGET), []);
}

#[test]
fn names_that_models_made_up_are_made_acceptable() {
    assert_eq!(wire_name("read"), "read");
    assert_eq!(wire_name("functions.Bash"), "functions_Bash");
    assert_eq!(wire_name(""), "unknown");
    assert_eq!(wire_name(&"ä".repeat(99)), "_".repeat(64));
}

#[test]
fn ids_of_other_services_are_fitted_and_pairs_still_match() {
    let long = "x".repeat(70);
    let mixed = ["functions.Bash:0", "functions-Bash:0", "call_x|fc_y", &long, "", "call_1"];
    let rules =
        [IdRule::Plain { max: 64 }, IdRule::Plain { max: 40 }, IdRule::Exactly { length: 9 }];
    for rule in rules {
        let target = Target { own_ids: rule, other_ids: rule, ..TARGET };
        let mut messages = Vec::new();
        for id in mixed {
            messages.push(answer(vec![call(id)]));
            messages.push(result(id, id));
        }
        let turns = fit(&messages, &target);
        let mut seen = HashSet::new();
        for turn in &turns {
            let (ids, results, _) = calls(turn);
            assert_eq!(ids, results);
            assert!(rule.fits(ids[0]), "{rule:?} {ids:?}");
            assert!(seen.insert(ids[0].to_owned()), "{ids:?}");
        }
        assert_eq!(fit(&messages, &target), turns);
        assert_eq!(fit(&messages[..4], &target), turns[..2]);
        if rule.fits("call_1") {
            assert_eq!(calls(&turns[5]).0, ["call_1"]);
        }
    }
}

#[test]
fn an_id_that_a_service_uses_again_is_told_apart() {
    let messages = [
        answer(vec![call("call_0"), call("call_0")]),
        result("call_0", "a"),
        result("call_0", "b"),
        answer(vec![call("call_0")]),
        result("call_0", "c"),
    ];
    let turns = fit(&messages, &TARGET);
    let (first, second) = (calls(&turns[0]), calls(&turns[1]));
    assert_eq!(first.2, ["a", "b"]);
    assert_eq!(second.2, ["c"]);
    let ids: HashSet<&str> = first.0.iter().chain(&second.0).copied().collect();
    assert_eq!(ids.len(), 3);
    assert_eq!(first.0[0], "call_0");
}
