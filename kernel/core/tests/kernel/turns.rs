//! The order of a turn's events.

use crate::support::{Answer, ScriptedTool, World, call};
use fen_contract::types::{ErrorKind, StopReason};
use fen_core::RunSetup;
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn a_plain_turn_is_told_from_the_start_of_the_run_to_its_end() {
    let world = World::answering([Answer::text("hello")]);
    assert_eq!(
        world.prompt("hi").await,
        "agent-started user message-appended(user) llm-start llm-end message-appended(assistant) \
         assistant-text agent-turn-complete agent-shutdown"
    );
    assert_eq!(world.record.texts("user", "line"), ["hi"]);
    let complete = &world.record.of("agent-turn-complete")[0];
    assert_eq!(complete["status"], "ok");
    assert_eq!(complete["result"], "hello");
    assert_eq!(complete["message-count"], 2);
}

#[tokio::test(start_paused = true)]
async fn agent_started_comes_once_in_a_run_of_several_turns() {
    let world = World::answering([Answer::text("one"), Answer::text("two")]);
    world
        .run(|stage| async move {
            stage.say("a").await;
            stage.say("b").await;
        })
        .await;
    assert_eq!(world.record.of("agent-started").len(), 1);
    assert_eq!(world.record.of("agent-turn-complete").len(), 2);
    assert_eq!(world.record.of("agent-shutdown").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_streamed_answer_has_its_mirrors_and_ends_after_it_is_stored() {
    let world = World::answering([Answer::thinking("hm").and_text("hello").streamed()]);
    world.prompt("hi").await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start start \
         thinking-start thinking-delta assistant-thinking-delta thinking-end \
         text-start text-delta assistant-text-delta text-end done \
         llm-end message-appended(assistant) assistant-stream-end \
         assistant-thinking assistant-text agent-turn-complete"
    );
    assert_eq!(world.record.of("text-delta")[0]["content-index"], 2);
}

#[tokio::test(start_paused = true)]
async fn thinking_and_text_are_told_as_a_whole_in_every_mode_and_thinking_comes_first() {
    let world = World::answering([Answer::text("a").and_text("b")]);
    world.prompt("hi").await;
    assert_eq!(world.record.texts("assistant-text", "text"), ["a\nb"]);
    assert_eq!(world.record.of("assistant-text")[0]["final?"], true);
    assert!(world.record.of("assistant-thinking").is_empty());

    let world = World::answering([Answer::thinking("hm").and_text("a")]);
    world.prompt("hi").await;
    assert!(world.record.turns().contains("assistant-thinking assistant-text"));
    assert_eq!(world.record.of("assistant-thinking")[0]["final?"], true);
}

#[tokio::test(start_paused = true)]
async fn a_tool_turn_tells_the_call_then_stores_the_result_then_tells_it() {
    let world = World::answering([
        Answer::calls([call("1", "echo", json!({"a": 1}))]),
        Answer::text("done"),
    ])
    .with_tool(ScriptedTool::echo("echo"));
    world.prompt("hi").await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start llm-end message-appended(assistant) \
         tool-call message-appended(tool-result) tool-result \
         llm-start llm-end message-appended(assistant) assistant-text agent-turn-complete"
    );
    let result = &world.record.of("tool-result")[0]["result"];
    assert_eq!(result["tool-call-id"], "1");
    assert_eq!(result["is-error?"], false);
}

#[tokio::test(start_paused = true)]
async fn parallel_calls_are_all_told_before_the_first_result() {
    let calls = ["1", "2"].map(|id| call(id, "echo", json!({})));
    let world = World::answering([Answer::calls(calls), Answer::text("done")])
        .with_tool(ScriptedTool::echo("echo").parallel());
    world.prompt("hi").await;
    let turns = world.record.turns();
    assert!(
        turns.contains(
            "tool-call tool-call message-appended(tool-result) tool-result \
             message-appended(tool-result) tool-result llm-start"
        ),
        "{turns}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failed_answer_is_recorded_told_as_an_error_and_ends_the_turn() {
    let world = World::answering([Answer::failed(ErrorKind::Auth, "who are you?")]);
    world.prompt("hi").await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start llm-end message-appended(assistant) error \
         agent-turn-complete"
    );
    assert_eq!(world.record.texts("error", "error"), ["who are you?"]);
    let complete = &world.record.of("agent-turn-complete")[0];
    assert_eq!(complete["status"], "error");
    assert_eq!(complete["error"], "who are you?");
    assert!(complete.get("result").is_none());
    let message = &world.record.of("message-appended")[1]["message"];
    assert_eq!(message["stop-reason"], "error");
    assert_eq!(message["error-message"], "who are you?");
}

#[tokio::test(start_paused = true)]
async fn a_failure_without_words_still_says_something() {
    let world = World::answering([Answer::text("par").because(StopReason::Error)]);
    world.prompt("hi").await;
    let errors = world.record.texts("error", "error");
    assert!(errors[0].contains("scripted"), "{errors:?}");
}

#[tokio::test(start_paused = true)]
async fn the_partial_text_of_a_failed_answer_is_kept_and_its_stream_is_ended() {
    let partial = Answer::failed(ErrorKind::InvalidRequest, "broke").and_text("par").streamed();
    let world = World::answering([partial]);
    world.prompt("hi").await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start start text-start text-delta assistant-text-delta \
         text-end llm-end message-appended(assistant) assistant-stream-end assistant-text error \
         agent-turn-complete"
    );
    assert_eq!(world.record.texts("assistant-text", "text"), ["par"]);
    assert_eq!(world.sessions.messages("s1").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_runaway_turn_is_stopped_with_words_after_the_cap() {
    let world =
        World::new(|number, _| Answer::calls([call(&format!("c{number}"), "echo", json!({}))]))
            .with_tool(ScriptedTool::echo("echo"));
    let setup = RunSetup { max_model_calls: 3, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    let step = "llm-start llm-end message-appended(assistant) tool-call \
                message-appended(tool-result) tool-result";
    assert_eq!(
        world.record.turns(),
        format!(
            "user message-appended(user) {step} {step} {step} message-appended(assistant) error \
             agent-turn-complete"
        )
    );
    let errors = world.record.texts("error", "error");
    assert!(errors[0].contains("3 model calls"), "{errors:?}");
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "error");
}

#[tokio::test(start_paused = true)]
async fn an_answer_cut_by_the_token_limit_without_calls_ends_the_turn_well() {
    let world = World::answering([Answer::text("half").because(StopReason::Length)]);
    world.prompt("hi").await;
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "ok");
}

#[tokio::test(start_paused = true)]
async fn the_positions_of_messages_count_from_one_and_only_stored_messages_are_told() {
    let world =
        World::answering([Answer::calls([call("1", "echo", json!({}))]), Answer::text("done")])
            .with_tool(ScriptedTool::echo("echo"));
    let sessions = world.sessions.clone();
    let short = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = short.clone();
    world.api_of("watcher").on(
        "message-appended",
        std::sync::Arc::new(move |event| {
            let event = serde_json::to_value(event).unwrap();
            seen.lock().unwrap().push((event["index"].as_u64().unwrap(), sessions.count()));
            Ok(())
        }),
    );
    world.prompt("hi").await;
    assert_eq!(*short.lock().unwrap(), [(1, 1), (2, 2), (3, 3), (4, 4)]);
}
