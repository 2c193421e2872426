//! Lines that come while the agent is busy.

use crate::support::{Answer, ScriptedTool, Stage, World, call, shape};
use fen_contract::conversation::{QueueContents, QueueName, Submitted, WhenBusy};
use fen_core::RunSetup;
use fen_core::turn_queue::QUEUE_LIMIT;
use serde_json::json;
use std::time::Duration;

fn queue(stage: &Stage, line: &str, when_busy: WhenBusy) -> Submitted {
    stage.conversation.submit_prompt(line.to_owned(), when_busy)
}

fn slow_tool() -> ScriptedTool {
    ScriptedTool::new("slow", |_, _| async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        fen_contract::types::AgentToolResult::text("slept")
    })
}

#[tokio::test(start_paused = true)]
async fn a_steering_line_enters_the_running_turn_after_its_tool_calls() {
    let world = World::answering([
        Answer::calls([call("1", "slow", json!({})), call("2", "slow", json!({}))]),
        Answer::text("done"),
    ])
    .with_tool(slow_tool());
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("tool-call").await;
            let queued = queue(&stage, "left", WhenBusy::Steering);
            assert_eq!(queued, Submitted::Queued(QueueName::Steering));
            stage.until("agent-turn-complete").await;
        })
        .await;
    let result = "message-appended(tool-result) tool-result";
    // When the change is told depends on how long the session takes to store it.
    let turns = world.record.turns().replace("fen/queue-changed ", "");
    assert_eq!(
        turns,
        format!(
            "user message-appended(user) llm-start llm-end message-appended(assistant) \
             tool-call queued {result} tool-call {result} \
             message-appended(user) llm-start llm-end \
             message-appended(assistant) assistant-text agent-turn-complete"
        )
    );
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a(1,2) r(1) r(2) u:left a:done");
    assert_eq!(world.record.of("fen/queue-changed")[0]["steering"], json!(["left"]));
    assert_eq!(world.record.of("fen/queue-changed")[1]["steering"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_steering_line_that_comes_with_the_last_answer_makes_the_turn_go_on() {
    let world =
        World::answering([Answer::text("one").after(Duration::from_secs(1)), Answer::text("two")]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("llm-start").await;
            queue(&stage, "and?", WhenBusy::Steering);
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:one u:and? a:two");
    assert_eq!(world.record.of("agent-turn-complete").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn each_follow_up_is_a_turn_of_its_own_without_another_user_event() {
    let world =
        World::new(|number, _| Answer::text(&number.to_string()).after(Duration::from_secs(1)));
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("llm-start").await;
            queue(&stage, "b", WhenBusy::FollowUp);
            queue(&stage, "c", WhenBusy::FollowUp);
            for _ in 0..3 {
                stage.until("agent-turn-complete").await;
            }
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:1 u:b a:2 u:c a:3");
    assert_eq!(world.record.texts("user", "line"), ["a"]);
    assert_eq!(world.record.texts("queued", "line"), ["b", "c"]);
    let answer = "message-appended(user) llm-start llm-end message-appended(assistant) \
                  assistant-text agent-turn-complete";
    let turns = world.record.turns().replace("fen/queue-changed ", "");
    assert!(turns.ends_with(&format!("{answer} {answer}")), "{turns}");
}

#[tokio::test(start_paused = true)]
async fn steering_goes_before_follow_ups() {
    let world =
        World::new(|number, _| Answer::text(&number.to_string()).after(Duration::from_secs(1)));
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("llm-start").await;
            queue(&stage, "later", WhenBusy::FollowUp);
            queue(&stage, "now", WhenBusy::Steering);
            stage.until("agent-turn-complete").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:1 u:now a:2 u:later a:3");
}

#[tokio::test(start_paused = true)]
async fn a_busy_agent_refuses_a_line_that_may_not_wait_and_tells_nothing_of_it() {
    let world = World::answering([Answer::text("one").after(Duration::from_secs(1))]);
    world
        .run(|stage| async move {
            stage.submit("a");
            let refused = queue(&stage, "b", WhenBusy::Reject);
            assert!(matches!(refused, Submitted::Rejected(_)));
            let empty = queue(&stage, "  \n", WhenBusy::Steering);
            assert!(matches!(empty, Submitted::Rejected(_)));
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(world.record.texts("user", "line"), ["a"]);
    assert!(world.record.of("queued").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_the_line_instead_of_dropping_one() {
    let world = World::answering([Answer::text("one").until_cancelled()]);
    world
        .run(|stage| async move {
            stage.submit("a");
            for number in 0..QUEUE_LIMIT {
                queue(&stage, &number.to_string(), WhenBusy::FollowUp);
            }
            let refused = queue(&stage, "b", WhenBusy::FollowUp);
            let Submitted::Rejected(failure) = refused else { panic!("{refused:?}") };
            assert!(failure.message.contains("full"), "{failure}");
            assert_eq!(stage.conversation.clear_queue().follow_up.len(), QUEUE_LIMIT);
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn lines_that_wait_outlive_the_cancellation_of_the_turn() {
    let world = World::answering([Answer::text("one").until_cancelled(), Answer::text("two")]);
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("llm-start").await;
            queue(&stage, "b", WhenBusy::Steering);
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:one~ u:b a:two");
}

#[tokio::test(start_paused = true)]
async fn waiting_lines_can_be_edited_and_dropped_before_they_are_taken() {
    let world =
        World::new(|number, _| Answer::text(&number.to_string()).after(Duration::from_secs(1)));
    world
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            stage.submit("a");
            stage.until("llm-start").await;
            for line in ["b", "c"] {
                queue(&stage, line, WhenBusy::FollowUp);
            }
            assert!(talk.edit_queued(QueueName::FollowUp, 0, Some("B".to_owned())));
            assert!(talk.edit_queued(QueueName::FollowUp, 1, None));
            assert!(!talk.edit_queued(QueueName::FollowUp, 7, None));
            assert_eq!(talk.queue().follow_up, ["B"]);
            // Only what was looked at is changed.
            assert!(!talk.edit_queued_if(QueueName::FollowUp, 0, "b", None));
            assert!(!talk.edit_queued_if(QueueName::Steering, 0, "B", None));
            assert!(talk.edit_queued_if(QueueName::FollowUp, 0, "B", Some("D".to_owned())));
            assert!(talk.edit_queued_if(QueueName::FollowUp, 0, "D", Some("B".to_owned())));
            stage.until("agent-turn-complete").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:1 u:B a:2");
}

#[tokio::test(start_paused = true)]
async fn clearing_the_queue_gives_back_what_waited() {
    let world = World::answering([Answer::text("one").after(Duration::from_secs(1))]);
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("llm-start").await;
            queue(&stage, "b", WhenBusy::FollowUp);
            queue(&stage, "c", WhenBusy::Steering);
            let dropped = stage.conversation.clear_queue();
            assert_eq!((dropped.steering, dropped.follow_up), (vec!["c".into()], vec!["b".into()]));
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:one");
}

#[tokio::test(start_paused = true)]
async fn a_handler_of_the_completed_turn_finds_the_agent_idle_and_may_begin_the_next() {
    let world = World::new(|number, _| Answer::text(&number.to_string()));
    let api = world.api_of("goal");
    let inner = api.clone();
    api.on(
        "agent-turn-complete",
        std::sync::Arc::new(move |_| {
            let talk = inner.conversation().unwrap();
            if talk.agent().summary().message_count.0 < 4 {
                assert!(!talk.is_busy());
                let submitted = talk.submit_prompt("more".to_owned(), WhenBusy::Reject);
                assert_eq!(submitted, Submitted::Started);
            }
            Ok(())
        }),
    );
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("agent-turn-complete").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:1 u:more a:2");
    assert!(world.record.turns().contains("agent-turn-complete user message-appended(user)"));
}

#[tokio::test(start_paused = true)]
async fn a_line_is_told_as_queued_only_after_the_session_has_it() {
    let world = World::new(|_, _| Answer::text("done").after(Duration::from_secs(1)));
    let sessions = world.sessions.clone();
    world
        .run(move |stage| {
            let sessions = sessions.clone();
            async move {
                stage.submit("a");
                stage.until("llm-start").await;
                queue(&stage, "later", WhenBusy::FollowUp);
                stage.until("queued").await;
                let waiting = json!({"steering": [], "follow-up": ["later"]});
                assert_eq!(sessions.entries(), [("queue".to_owned(), waiting)]);
                stage.until("agent-turn-complete").await;
                stage.until("agent-turn-complete").await;
            }
        })
        .await;
    let nothing = json!({"steering": [], "follow-up": []});
    assert_eq!(world.sessions.entries().last().unwrap().1, nothing);
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_cannot_be_stored_is_told_and_still_served() {
    let world = World::new(|_, _| Answer::text("done").after(Duration::from_secs(1)));
    world.sessions.set_full(true);
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("llm-start").await;
            queue(&stage, "later", WhenBusy::FollowUp);
            stage.until("agent-turn-complete").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(world.record.texts("queued", "line"), ["later"]);
    let errors = world.record.texts("error", "error");
    assert!(errors.iter().any(|error| error.contains("waiting lines are not saved")), "{errors:?}");
}

#[tokio::test(start_paused = true)]
async fn lines_of_an_earlier_run_wait_for_the_first_prompt_and_follow_it() {
    let world = World::new(|number, _| Answer::text(&number.to_string()));
    let queue = QueueContents { follow_up: vec!["later".to_owned()], ..Default::default() };
    let setup = RunSetup { queue, ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            tokio::time::sleep(Duration::from_secs(60)).await;
            assert!(!stage.conversation.is_busy());
            assert_eq!(stage.conversation.queue().follow_up, ["later"]);
            stage.submit("first");
            stage.until("agent-turn-complete").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:first a:1 u:later a:2");
}
