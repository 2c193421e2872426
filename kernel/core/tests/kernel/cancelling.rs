//! What the person's cancellation leaves behind.

use crate::support::{Answer, ScriptedTool, World, call, shape};
use fen_contract::types::{ErrorKind, StopReason};
use serde_json::json;
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn cancelling_a_stream_keeps_its_text_as_aborted() {
    let world = World::answering([Answer::text("par").streamed().until_cancelled()]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("text-end").await;
            assert!(stage.conversation.cancel());
            stage.until("agent-turn-complete").await;
            assert!(!stage.conversation.cancel());
        })
        .await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start start text-start text-delta assistant-text-delta \
         text-end llm-end message-appended(assistant) assistant-stream-end assistant-text \
         cancelled agent-turn-complete"
    );
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:par~");
    let complete = &world.record.of("agent-turn-complete")[0];
    assert_eq!((&complete["status"], &complete["result"]), (&json!("cancelled"), &json!("par")));
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_cancelled_stream_get_their_results_and_do_not_run() {
    let calls = [call("1", "boom", json!({})), call("2", "boom", json!({}))];
    let world = World::answering([Answer::calls(calls).streamed().until_cancelled()])
        .with_tool(ScriptedTool::panicking("boom"));
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("tool-call-end").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a(1,2)~ r(1)! r(2)!");
    assert_eq!(world.record.of("tool-call").len(), 2);
    for result in world.record.of("tool-result") {
        assert_eq!(result["result"]["details"]["synthetic?"], true);
    }
}

#[tokio::test(start_paused = true)]
async fn the_running_call_and_those_after_it_each_get_one_synthetic_result() {
    let calls = ["1", "2", "3"].map(|id| call(id, "wait", json!({})));
    let world = World::answering([Answer::calls(calls), Answer::text("went on")])
        .with_tool(ScriptedTool::until_cancelled("wait"));
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("tool-call").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
            stage.say("go on").await;
        })
        .await;
    let pair = "tool-call message-appended(tool-result) tool-result";
    let turns = world.record.turns();
    assert!(
        turns.starts_with(&format!(
            "user message-appended(user) llm-start llm-end message-appended(assistant) \
             {pair} {pair} {pair} message-appended(assistant) cancelled agent-turn-complete user"
        )),
        "{turns}"
    );
    let results = world.record.of("tool-result");
    assert!(results.iter().all(|result| result["result"]["details"]["synthetic?"] == true));
    assert_eq!(results[0]["result"]["content"][0]["text"], "half of it");
    // The next request is one that every provider accepts: each call with its result.
    assert_eq!(
        shape(&world.provider.asked()[1].messages),
        "u:hi a(1,2,3) r(1)! r(2)! r(3)! u:go on"
    );
    assert_eq!(
        shape(&world.sessions.messages("s1")),
        "u:hi a(1,2,3) r(1)! r(2)! r(3)! a:~ u:go on a:went on"
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_does_not_heed_the_cancellation_is_left_after_a_while() {
    let deaf = ScriptedTool::new("deaf", |_, _| std::future::pending());
    let world = World::answering([Answer::calls([call("1", "deaf", json!({}))])]).with_tool(deaf);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("tool-call").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a(1) r(1)! a:~");
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_does_not_heed_the_cancellation_is_left_after_a_while() {
    let world = World::answering([Answer::deaf()]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("llm-start").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:~");
    assert_eq!(world.record.of("llm-end").len(), 1);
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn cancelling_the_wait_for_a_retry_ends_the_turn_at_once() {
    let world = World::answering([
        Answer::failed(ErrorKind::Overloaded, "busy").retry_after(Duration::from_secs(60))
    ]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("fen/retry").await;
            let before = tokio::time::Instant::now();
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
            assert_eq!(before.elapsed(), Duration::ZERO);
        })
        .await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start llm-end fen/retry message-appended(assistant) \
         cancelled agent-turn-complete"
    );
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:~");
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_is_cancelled_before_anything_is_kept_and_no_model_is_asked() {
    let world = World::answering([]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            assert!(stage.conversation.cancel());
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) message-appended(assistant) cancelled agent-turn-complete"
    );
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:~");
}

#[tokio::test(start_paused = true)]
async fn the_failure_that_a_cancellation_causes_counts_as_the_cancellation() {
    let world = World::answering([Answer::failed(ErrorKind::Network, "connection closed")
        .and_text("par")
        .after(Duration::from_secs(1))]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("llm-start").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start llm-end message-appended(assistant) assistant-text \
         cancelled agent-turn-complete"
    );
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:par~");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_cancelled_while_the_agent_is_idle() {
    let world = World::answering([Answer::text("one")]);
    world
        .run(|stage| async move {
            assert!(!stage.conversation.cancel());
            stage.say("hi").await;
        })
        .await;
    assert!(world.record.of("cancelled").is_empty());
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:one");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_the_provider_calls_aborted_ends_the_turn_as_cancelled() {
    let world = World::answering([Answer::text("par").because(StopReason::Aborted)]);
    world.prompt("hi").await;
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "cancelled");
}
