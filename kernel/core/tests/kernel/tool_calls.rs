//! One result for each call, in call order, and which calls run beside which.

use crate::support::{Answer, ScriptedTool, Timeline, World, call, hook, shape};
use fen_contract::hook::Verdict;
use fen_contract::kinds::Exposure;
use fen_contract::tool::Concurrency;
use fen_contract::types::{AgentToolResult, StopReason};
use fen_core::RunSetup;
use fen_core::tools::{RESULT_BYTES, ToolFilter};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A world whose model makes these calls and is then content.
fn calling(calls: Vec<std::sync::Arc<fen_contract::types::ToolCall>>) -> World {
    World::answering([Answer::calls(calls), Answer::text("done")])
}

fn result_texts(world: &World) -> Vec<String> {
    let text = |event: &Value| event["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    world.record.of("tool-result").iter().map(text).collect()
}

/// The one result of a turn with one call: an error that the kernel made.
fn only_refusal(world: &World) -> String {
    let results = world.record.of("tool-result");
    assert_eq!((results.len(), world.record.of("tool-call").len()), (1, 1));
    assert_eq!(results[0]["result"]["is-error?"], true);
    assert_eq!(results[0]["result"]["details"]["synthetic?"], true);
    assert_eq!(shape(&world.provider.asked()[1].messages), "u:hi a(1) r(1)!");
    result_texts(world).remove(0)
}

#[tokio::test(start_paused = true)]
async fn a_call_of_an_unknown_tool_is_answered_with_the_nearest_name() {
    let world = calling(vec![call("1", "ehco", json!({}))]).with_tool(ScriptedTool::echo("echo"));
    world.prompt("hi").await;
    let text = only_refusal(&world);
    assert!(text.contains("no tool `ehco`") && text.contains("`echo`"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_are_answered_with_what_is_wrong() {
    let schema = json!({"type": "object", "required": ["path"], "properties": {
        "path": {"type": "string"}}});
    let world = calling(vec![call("1", "echo", json!({"path": 3}))])
        .with_tool(ScriptedTool::echo("echo").taking(schema));
    world.prompt("hi").await;
    let text = only_refusal(&world);
    assert!(text.contains("`path`"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_could_not_be_decoded_is_answered_and_not_run() {
    let mut broken = fen_contract::types::ToolCall::new("1", "boom", json!({}));
    broken.invalid = Some("the arguments are not JSON".to_owned());
    let world = calling(vec![broken.into()]).with_tool(ScriptedTool::panicking("boom"));
    world.prompt("hi").await;
    let text = only_refusal(&world);
    assert!(text.contains("not JSON"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_denied_tool_is_neither_offered_nor_run() {
    let world = calling(vec![call("1", "boom", json!({}))])
        .with_tool(ScriptedTool::panicking("boom"))
        .with_tool(ScriptedTool::echo("echo"));
    let tools = ToolFilter { deny: vec!["boom".to_owned()], ..ToolFilter::default() };
    let setup = RunSetup { tools, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    let text = only_refusal(&world);
    assert!(text.contains("switched off"), "{text}");
    assert_eq!(world.provider.asked()[0].tools, ["echo"]);
}

#[tokio::test(start_paused = true)]
async fn an_allow_list_keeps_all_other_tools_out() {
    let world = calling(vec![call("1", "boom", json!({}))])
        .with_tool(ScriptedTool::panicking("boom"))
        .with_tool(ScriptedTool::echo("echo"));
    let tools = ToolFilter { allow: Some(vec!["echo".to_owned()]), ..ToolFilter::default() };
    let setup = RunSetup { tools, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    only_refusal(&world);
    assert_eq!(world.provider.asked()[0].tools, ["echo"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_behind_a_search_is_not_offered_and_can_be_called() {
    let hidden = ScriptedTool::echo("rare").but(|spec| spec.exposure = Some(Exposure::Search));
    let world = calling(vec![call("1", "rare", json!({}))]).with_tool(hidden);
    world.prompt("hi").await;
    assert!(world.provider.asked()[0].tools.is_empty());
    assert_eq!(result_texts(&world), ["{}"]);
}

#[tokio::test(start_paused = true)]
async fn a_panicking_tool_is_an_error_result_that_names_its_extension() {
    let world =
        calling(vec![call("1", "boom", json!({}))]).with_tool(ScriptedTool::panicking("boom"));
    world.prompt("hi").await;
    let text = only_refusal(&world);
    assert!(text.contains("extension `boom`") && text.contains("out of cheese"), "{text}");
    let error = &world.record.of("extension-error")[0];
    assert_eq!((&error["owner"], &error["event"]), (&json!("boom"), &json!("execute")));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_panics_over_its_concurrency_is_an_error_result() {
    let tool = ScriptedTool::echo("boom").beside(|_| panic!("out of milk"));
    let world = calling(vec![call("1", "boom", json!({}))]).with_tool(tool);
    world.prompt("hi").await;
    let text = only_refusal(&world);
    assert!(text.contains("extension `boom`") && text.contains("out of milk"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn calls_of_an_answer_cut_by_the_token_limit_are_not_run() {
    let cut =
        Answer::calls([call("1", "boom", json!({"path": "a.txt"}))]).because(StopReason::Length);
    let world =
        World::answering([cut, Answer::text("done")]).with_tool(ScriptedTool::panicking("boom"));
    world.prompt("hi").await;
    let text = only_refusal(&world);
    assert!(text.contains("limit of output tokens"), "{text}");
    assert!(world.record.of("extension-error").is_empty());
}

#[tokio::test(start_paused = true)]
async fn calls_of_an_answer_that_claims_to_be_finished_are_run_nevertheless() {
    let answer = Answer::calls([call("1", "echo", json!({}))]).because(StopReason::Stop);
    let world =
        World::answering([answer, Answer::text("done")]).with_tool(ScriptedTool::echo("echo"));
    world.prompt("hi").await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a(1) r(1) a:done");
    assert_eq!(world.record.of("message-appended")[1]["message"]["stop-reason"], "tool-use");
}

#[tokio::test(start_paused = true)]
async fn empty_and_recurring_ids_are_made_unique_and_pair_with_their_results() {
    let calls = ["", "x", "x", ""].map(|id| call(id, "echo", json!({})));
    let world = calling(calls.to_vec()).with_tool(ScriptedTool::echo("echo"));
    world.prompt("hi").await;
    let ids: Vec<String> = world
        .record
        .of("tool-call")
        .iter()
        .map(|event| event["tool-call"]["id"].as_str().unwrap().to_owned())
        .collect();
    let distinct: std::collections::HashSet<&String> = ids.iter().collect();
    assert_eq!(distinct.len(), 4);
    assert!(ids.iter().all(|id| !id.is_empty()) && ids[1] == "x");
    let results = ids.iter().map(|id| format!("r({id})")).collect::<Vec<_>>().join(" ");
    assert_eq!(
        shape(&world.provider.asked()[1].messages),
        format!("u:hi a({}) {results}", ids.join(","))
    );
}

#[tokio::test(start_paused = true)]
async fn parallel_calls_run_side_by_side_and_their_results_keep_call_order() {
    let timeline = Timeline::default();
    let calls = vec![
        call("1", "slow", json!({"name": "a", "ms": 300})),
        call("2", "slow", json!({"name": "b", "ms": 100})),
        call("3", "slow", json!({"name": "c", "ms": 200})),
    ];
    let world = calling(calls).with_tool(ScriptedTool::slow("slow", &timeline).parallel());
    world.prompt("hi").await;
    assert_eq!(timeline.told(), "+a +b +c -b -c -a");
    assert_eq!(result_texts(&world), ["a", "b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn serial_calls_run_one_at_a_time() {
    let timeline = Timeline::default();
    let calls = vec![
        call("1", "slow", json!({"name": "a", "ms": 300})),
        call("2", "slow", json!({"name": "b", "ms": 100})),
    ];
    let world = calling(calls).with_tool(ScriptedTool::slow("slow", &timeline));
    world.prompt("hi").await;
    assert_eq!(timeline.told(), "+a -a +b -b");
}

#[tokio::test(start_paused = true)]
async fn a_serial_call_waits_for_the_parallel_ones_before_it_and_holds_up_those_behind() {
    let timeline = Timeline::default();
    let one = |id, tool, name| call(id, tool, json!({"name": name, "ms": 100}));
    let world = calling(vec![
        one("1", "side", "a"),
        one("2", "side", "b"),
        one("3", "alone", "c"),
        one("4", "side", "d"),
    ])
    .with_tool(ScriptedTool::slow("side", &timeline).parallel())
    .with_tool(ScriptedTool::slow("alone", &timeline));
    world.prompt("hi").await;
    assert_eq!(timeline.told(), "+a +b -a -b +c -c +d -d");
}

#[tokio::test(start_paused = true)]
async fn a_serial_call_may_bring_the_tool_that_the_next_call_wants() {
    let world = calling(vec![call("1", "install", json!({})), call("2", "late", json!({"a": 1}))]);
    let api = world.api_of("installer");
    let inner = api.clone();
    let install = ScriptedTool::new("install", move |_, _| {
        inner.register(ScriptedTool::echo("late").spec().into()).unwrap();
        async { AgentToolResult::text("installed") }
    });
    api.register(install.spec().into()).unwrap();
    world.prompt("hi").await;
    assert_eq!(result_texts(&world), ["installed", "{\"a\":1}"]);
}

#[tokio::test(start_paused = true)]
async fn calls_on_one_path_never_run_together_and_others_do() {
    let timeline = Timeline::default();
    let one = |id, name, path| call(id, "write", json!({"name": name, "ms": 100, "path": path}));
    let tool = ScriptedTool::slow("write", &timeline).beside(|arguments| {
        Concurrency::ExclusivePath(PathBuf::from(arguments["path"].as_str().unwrap()))
    });
    let world = calling(vec![
        one("1", "a", "/x"),
        one("2", "b", "/y"),
        one("3", "c", "/x"),
        one("4", "d", "/x"),
    ])
    .with_tool(tool);
    world.prompt("hi").await;
    assert_eq!(timeline.told(), "+a +b -a -b +c -c +d -d");
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_of_a_tool_run_at_once_than_its_cap() {
    let timeline = Timeline::default();
    let calls = ["a", "b", "c"].map(|name| call(name, "slow", json!({"name": name, "ms": 100})));
    let tool =
        ScriptedTool::slow("slow", &timeline).parallel().but(|spec| spec.parallel_cap = Some(2));
    let world = calling(calls.to_vec()).with_tool(tool);
    world.prompt("hi").await;
    assert_eq!(timeline.told(), "+a +b -a -b +c -c");
}

#[tokio::test(start_paused = true)]
async fn the_hook_and_the_tool_see_the_repaired_arguments_and_the_record_those_of_the_model() {
    let schema = json!({"type": "object", "properties": {
        "edits": {"type": "array"}, "limit": {"type": "integer"}, "text": {"type": "string"}}});
    let sent = json!({"edits": "[{\"old\":\"a\"}]", "limit": "10", "text": "[1,2]"});
    let repaired = json!({"edits": [{"old": "a"}], "limit": 10, "text": "[1,2]"});
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let world = calling(vec![call("1", "echo", sent.clone())])
        .with_tool(ScriptedTool::echo("echo").taking(schema));
    let note = seen.clone();
    world.contribute(
        "guard",
        hook(move |_, arguments| {
            note.lock().unwrap().push(arguments.clone());
            Ok(Verdict::Allow)
        }),
    );
    world.prompt("hi").await;
    assert_eq!(*seen.lock().unwrap(), vec![repaired.clone()]);
    assert_eq!(serde_json::from_str::<Value>(&result_texts(&world)[0]).unwrap(), repaired);
    assert_eq!(world.record.of("tool-call")[0]["tool-call"]["arguments"], sent);
}

#[tokio::test(start_paused = true)]
async fn a_huge_result_is_bounded_and_an_empty_one_gets_a_stand_in() {
    let tool = ScriptedTool::new("talk", |arguments, _| async move {
        let length = usize::try_from(arguments["length"].as_u64().unwrap()).unwrap();
        AgentToolResult::text("x".repeat(length))
    });
    let world = calling(vec![
        call("1", "talk", json!({"length": 10_000_000})),
        call("2", "talk", json!({"length": 0})),
    ])
    .with_tool(tool);
    world.prompt("hi").await;
    let texts = result_texts(&world);
    assert!(texts[0].len() < RESULT_BYTES + 100 && texts[0].contains("bytes left out"));
    assert_eq!(texts[1], "(no output)");
}

#[tokio::test(start_paused = true)]
async fn live_output_is_told_with_its_call_and_has_a_bound() {
    let tool = ScriptedTool::new("talk", |_, call| async move {
        for _ in 0..100 {
            (call.output)(&"x".repeat(10_000));
        }
        AgentToolResult::text("done")
    });
    let world = calling(vec![call("1", "talk", json!({}))]).with_tool(tool);
    world.prompt("hi").await;
    let pieces = world.record.of("fen/tool-output");
    assert!(pieces.iter().all(|piece| piece["tool-call-id"] == "1"));
    let total: usize = pieces.iter().map(|piece| piece["delta"].as_str().unwrap().len()).sum();
    assert!(total > 200_000 && total < 300_000, "{total}");
    assert!(pieces.last().unwrap()["delta"].as_str().unwrap().contains("see the result"));
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_cut_in_their_calls_again_and_again_end_the_turn() {
    let world = World::new(|_, _| {
        Answer::calls([call("1", "echo", json!({}))]).because(StopReason::Length)
    })
    .with_tool(ScriptedTool::echo("echo"));
    world.prompt("hi").await;
    assert_eq!(world.record.of("llm-start").len(), 5);
    let error = &world.record.of("agent-turn-complete")[0]["error"];
    assert!(error.as_str().unwrap().contains("--max-tokens"), "{error}");
}
