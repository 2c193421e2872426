//! Tools that stay out of requests until a search has found them.

use crate::support::{Answer, ScriptedTool, World, call};
use fen_contract::conversation::Conversation;
use fen_contract::kinds::Exposure;
use fen_contract::types::{
    AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason, ToolResultMessage,
};
use fen_core::RunSetup;
use fen_core::settings::Settings;
use fen_core::tools::ToolFilter;
use serde_json::{Value, json};
use std::sync::Arc;

fn behind_a_search(name: &str) -> ScriptedTool {
    ScriptedTool::echo(name).but(|spec| spec.exposure = Some(Exposure::Search))
}

/// A world with `a`, the finder `find`, the hidden `b` and `d`, and `c`. The finder reveals what its
/// argument names, and says whether it could.
fn world(answers: impl IntoIterator<Item = Answer>) -> World {
    let world = World::answering(answers);
    let api = world.api_of("finding");
    let kept = api.clone();
    let find = ScriptedTool::new("find", move |arguments, _| {
        let found = kept
            .conversation()
            .is_some_and(|chat| chat.reveal_tool(arguments["name"].as_str().unwrap()));
        async move { AgentToolResult::text(found.to_string()) }
    })
    .but(|spec| spec.exposure = Some(Exposure::Finder));
    let world = world.with_tool(ScriptedTool::echo("a"));
    api.register(find.spec().into()).unwrap();
    world
        .with_tool(behind_a_search("b"))
        .with_tool(ScriptedTool::echo("c"))
        .with_tool(behind_a_search("d"))
}

fn finds(name: &str) -> Answer {
    Answer::calls([call("f", "find", json!({"name": name}))])
}

/// The tools of each request.
fn offered(world: &World) -> Vec<String> {
    world.provider.asked().iter().map(|asked| asked.tools.join(" ")).collect()
}

fn results(world: &World) -> Vec<String> {
    let text = |event: &Value| event["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    world.record.of("tool-result").iter().map(text).collect()
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_was_found_is_offered_in_its_place_from_the_next_call_on() {
    let world = world([finds("d"), Answer::text("x"), finds("b"), Answer::text("y")]);
    world
        .run(|stage| async move {
            stage.say("hi").await;
            stage.say("and").await;
        })
        .await;
    // Once all are found, there is nothing to search for.
    assert_eq!(offered(&world), ["a find c", "a find c d", "a find c d", "a b c d"]);
    assert_eq!(results(&world), ["true", "true"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_was_called_unfound_runs_and_is_offered_afterwards() {
    let first = Answer::calls([call("1", "b", json!({"x": 1}))]);
    let world = world([first, Answer::text("done")]);
    world.prompt("hi").await;
    assert_eq!(results(&world), ["{\"x\":1}"]);
    assert_eq!(offered(&world), ["a find c", "a find b c"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_that_does_not_exist_or_is_switched_off_can_be_found() {
    let world = world([finds("b"), finds("nosuch"), Answer::text("done")]);
    let tools = ToolFilter { deny: vec!["b".to_owned()], ..ToolFilter::default() };
    let setup = RunSetup { tools, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    assert_eq!(results(&world), ["false", "false"]);
    assert_eq!(offered(&world), ["a find c"; 3]);
}

#[tokio::test(start_paused = true)]
async fn a_search_with_nothing_to_find_is_not_offered() {
    let world = world([Answer::text("done")]);
    let deny = vec!["b".to_owned(), "d".to_owned()];
    let tools = ToolFilter { deny, ..ToolFilter::default() };
    let setup = RunSetup { tools, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    assert_eq!(offered(&world), ["a c"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_pinned_is_always_offered() {
    let world = world([Answer::text("done")]);
    let setup = RunSetup { pinned_tools: vec!["d".to_owned()], ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    assert_eq!(offered(&world), ["a find c d"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_allowed_by_name_without_a_search_is_offered() {
    for (allow, expected) in [(["a", "b"], "a b"), (["find", "b"], "find")] {
        let world = world([Answer::text("done")]);
        let allow = Some(allow.map(str::to_owned).to_vec());
        let setup = RunSetup { tools: ToolFilter { allow, deny: Vec::new() }, ..world.setup() };
        world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
        assert_eq!(offered(&world), [expected]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_conversation_forgets_what_was_found() {
    let world = world([finds("d"), Answer::text("x"), Answer::text("y")]);
    world
        .run(|stage| async move {
            stage.say("hi").await;
            stage.conversation.reset().await.unwrap();
            stage.say("again").await;
        })
        .await;
    assert_eq!(offered(&world), ["a find c", "a find c d", "a find c"]);
}

#[tokio::test(start_paused = true)]
async fn a_resumed_conversation_offers_the_tools_that_it_called() {
    let answer = |stop: StopReason, tool: &str| {
        let made = call(tool, tool, json!({}));
        let result = ToolResultMessage::new(&made, AgentToolResult::text("ok"));
        let answer = AssistantMessage::new(vec![AssistantBlock::ToolCall(made)], stop);
        [Message::from(answer), Message::from(result)]
    };
    let world = world([Answer::text("done")]);
    // Models are not shown the calls of a failed answer.
    let messages = [answer(StopReason::ToolUse, "d"), answer(StopReason::Error, "b")].concat();
    let setup = RunSetup { messages, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    assert_eq!(offered(&world), ["a find c d"]);
}

#[tokio::test(start_paused = true)]
async fn the_rows_of_the_tools_tell_how_each_stands() {
    let world = world([]);
    let api = world.api_of("looking");
    assert!(api.list("tools").unwrap().iter().all(|row| row.get("offer").is_none()));
    let tools = ToolFilter { deny: vec!["c".to_owned()], ..ToolFilter::default() };
    let setup = RunSetup { tools, ..world.setup() };
    world
        .run_with(setup, move |stage| {
            let api = api.clone();
            async move {
                let conversation: Arc<dyn Conversation> = stage.conversation.clone();
                assert!(conversation.reveal_tool("d"));
                let rows = api.list("tools").unwrap();
                let told: Vec<String> =
                    rows.iter().map(|row| format!("{}: {}", row["name"], row["offer"])).collect();
                let expected = [
                    r#""a": "offered""#,
                    r#""find": "offered""#,
                    r#""b": "hidden""#,
                    r#""c": "switched-off""#,
                    r#""d": "offered""#,
                ];
                assert_eq!(told, expected);
            }
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn extensions_see_the_settings_without_secrets() {
    let world = World::answering([]);
    let api = world.api_of("looking");
    assert_eq!(api.settings(), json!({}));
    let settings = Settings::parse(r#"{"model": "m", "mine": {"api-key": "sk-canary"}}"#).unwrap();
    world.kernel.set_settings(&settings);
    assert_eq!(api.settings(), json!({"model": "m", "mine": {}}));
}
