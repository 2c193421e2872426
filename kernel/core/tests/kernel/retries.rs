//! Model calls that fail and are made again.

use crate::support::{Answer, World, call, shape};
use fen_contract::types::ErrorKind;
use fen_core::RunSetup;
use fen_transport::retry::Policy;
use serde_json::json;
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn a_passing_failure_is_retried_and_each_call_has_its_end() {
    let world = World::answering([
        Answer::failed(ErrorKind::Overloaded, "busy"),
        Answer::failed(ErrorKind::Network, "gone"),
        Answer::text("hello"),
    ]);
    world.prompt("hi").await;
    assert_eq!(
        world.record.turns(),
        "user message-appended(user) llm-start llm-end fen/retry llm-start llm-end fen/retry \
         llm-start llm-end message-appended(assistant) assistant-text agent-turn-complete"
    );
    let retries = world.record.of("fen/retry");
    assert_eq!(
        (&retries[0]["attempt"], &retries[1]["attempt"]),
        (&json!(2), &json!(3)),
        "the next try"
    );
    assert_eq!(retries[0]["error-kind"], "overloaded");
    assert!(retries[0]["delay-ms"].as_u64().unwrap() >= 100);
    assert!(world.record.of("error").is_empty());
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:hello");
}

#[tokio::test(start_paused = true)]
async fn the_wait_that_the_server_asks_for_is_kept() {
    let world = World::answering([
        Answer::failed(ErrorKind::RateLimit, "slow down").retry_after(Duration::from_secs(7)),
        Answer::text("hello"),
    ]);
    let start = tokio::time::Instant::now();
    world.prompt("hi").await;
    assert_eq!(start.elapsed(), Duration::from_secs(7));
    assert_eq!(world.record.of("fen/retry")[0]["delay-ms"], 7000);
}

#[tokio::test(start_paused = true)]
async fn a_wait_over_the_limit_gives_up_and_says_so() {
    let long = Duration::from_secs(1000);
    let world =
        World::answering([Answer::failed(ErrorKind::RateLimit, "slow down").retry_after(long)]);
    let start = tokio::time::Instant::now();
    world.prompt("hi").await;
    assert_eq!(start.elapsed(), Duration::ZERO);
    let errors = world.record.texts("error", "error");
    assert_eq!(errors.len(), 1);
    for words in ["slow down", "1000 s", "120 s"] {
        assert!(errors[0].contains(words), "{errors:?}");
    }
    assert!(world.record.of("fen/retry").is_empty());
    assert_eq!(world.record.of("agent-turn-complete")[0]["error"], errors[0]);
}

#[tokio::test(start_paused = true)]
async fn attempts_are_bounded_and_the_last_failure_is_the_turns() {
    let world = World::new(|_, _| Answer::failed(ErrorKind::Stall, "silence"));
    let setup =
        RunSetup { retry: Policy { max_attempts: 3, ..Policy::default() }, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    assert_eq!(world.provider.asked().len(), 3);
    assert_eq!(world.record.of("llm-start").len(), 3);
    assert_eq!(world.record.of("llm-end").len(), 3);
    assert_eq!(world.record.of("fen/retry").len(), 2);
    let errors = world.record.texts("error", "error");
    assert!(errors.len() == 1 && errors[0].contains("3 attempts"), "{errors:?}");
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:!");
}

#[tokio::test(start_paused = true)]
async fn a_lasting_failure_is_not_retried() {
    for kind in
        [ErrorKind::Auth, ErrorKind::Overflow, ErrorKind::InvalidRequest, ErrorKind::Refused]
    {
        let world = World::answering([Answer::failed(kind, "no")]);
        world.prompt("hi").await;
        assert_eq!(world.provider.asked().len(), 1, "{kind:?}");
        assert_eq!(world.record.texts("error", "error"), ["no"]);
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_shown_before_a_retry_stays_in_the_record_and_out_of_the_context() {
    let world = World::answering([
        Answer::failed(ErrorKind::TruncatedStream, "cut").and_text("par").streamed(),
        Answer::text("whole"),
    ]);
    world.prompt("hi").await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:par! a:whole");
    assert_eq!(shape(&world.provider.asked()[1].messages), "u:hi");
    let turns = world.record.turns();
    assert!(
        turns.contains(
            "llm-end message-appended(assistant) assistant-stream-end assistant-text fen/retry"
        ),
        "{turns}"
    );
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_failed_answer_are_answered_and_not_run() {
    let broken = Answer::failed(ErrorKind::TruncatedStream, "cut")
        .and_call(call("1", "x", json!({})))
        .streamed();
    let world = World::answering([broken, Answer::text("whole")]);
    world.prompt("hi").await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a(1)! r(1)! a:whole");
    let turns = world.record.turns();
    assert!(
        turns.contains(
            "message-appended(assistant) assistant-stream-end \
             tool-call message-appended(tool-result) tool-result fen/retry"
        ),
        "{turns}"
    );
    assert_eq!(shape(&world.provider.asked()[1].messages), "u:hi");
}

#[tokio::test(start_paused = true)]
async fn an_unchanged_context_is_handed_on_without_a_copy() {
    let world =
        World::answering([Answer::failed(ErrorKind::Network, "gone"), Answer::text("hello")]);
    world.prompt("hi").await;
    let asked = world.provider.asked();
    assert!(std::sync::Arc::ptr_eq(&asked[0].messages, &asked[1].messages));
}
