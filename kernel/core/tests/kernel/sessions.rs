//! Storing the conversation, taking it up again, and beginning anew.

use crate::support::{Answer, ScriptedTool, World, call, shape};
use fen_contract::events::Event;
use fen_contract::record::Extra;
use fen_contract::types::{
    AssistantBlock, AssistantMessage, ErrorKind, Message, StopReason, TextContent, UserMessage,
};
use fen_core::RunSetup;
use serde_json::json;
use std::sync::OnceLock;

#[tokio::test(start_paused = true)]
async fn a_message_that_cannot_be_stored_is_told_each_time_and_the_conversation_goes_on() {
    let world = World::answering([
        Answer::calls([call("1", "echo", json!({}))]),
        Answer::text("one"),
        Answer::text("two"),
    ])
    .with_tool(ScriptedTool::echo("echo"));
    let sessions = world.sessions.clone();
    sessions.set_full(true);
    world
        .run(move |stage| {
            let sessions = sessions.clone();
            async move {
                stage.say("a").await;
                sessions.set_full(false);
                stage.say("b").await;
            }
        })
        .await;
    let errors = world.record.texts("error", "error");
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(errors.iter().all(|error| error.contains("no space left")), "{errors:?}");
    assert_eq!(shape(&world.provider.asked()[2].messages), "u:a a(1) r(1) a:one u:b");
    assert_eq!(shape(&world.sessions.messages("s1")), "u:b a:two");
    let statuses = world.record.of("agent-turn-complete");
    assert!(statuses.iter().all(|turn| turn["status"] == "ok"));
    assert_eq!(world.record.of("message-appended")[5]["index"], 6);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_counts_as_accepted_once_it_is_stored() {
    let world = World::answering([Answer::text("hello")]);
    let (sessions, seen) = (world.sessions.clone(), std::sync::Arc::new(OnceLock::new()));
    let note = seen.clone();
    world.api_of("watcher").on(
        "user",
        std::sync::Arc::new(move |_| {
            note.set(shape(&sessions.messages("s1"))).unwrap();
            Ok(())
        }),
    );
    world
        .run(|stage| async move {
            stage.say("hi").await;
            assert_eq!(stage.conversation.session().unwrap().message_count.0, 2);
        })
        .await;
    assert_eq!(seen.get().unwrap(), "u:hi");
}

#[tokio::test(start_paused = true)]
async fn a_run_without_a_session_stores_nothing_and_works() {
    let world = World::answering([Answer::text("hello")]);
    let setup = RunSetup { session: None, ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            assert_eq!(stage.conversation.session(), None);
            stage.say("hi").await;
        })
        .await;
    assert_eq!(world.sessions.count(), 0);
    assert!(world.record.of("agent-started")[0]["agent"].get("session-id").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_the_last_run_left_open_gets_its_result_stored_once() {
    let answer = AssistantMessage::new(
        vec![
            AssistantBlock::ToolCall(call("1", "boom", json!({}))),
            AssistantBlock::ToolCall(call("2", "boom", json!({}))),
        ],
        StopReason::ToolUse,
    );
    let stored: Vec<Message> = vec![UserMessage::new("go").into(), answer.into()];
    let world = World::answering([Answer::text("on")]).with_tool(ScriptedTool::panicking("boom"));
    let setup = RunSetup { messages: stored.clone(), ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            assert_eq!(stage.conversation.agent().summary().message_count.0, 4);
            stage.say("continue").await;
        })
        .await;
    assert_eq!(shape(&world.provider.asked()[0].messages), "u:go a(1,2) r(1)! r(2)! u:continue");
    assert_eq!(shape(&world.sessions.messages("s1")), "r(1)! r(2)! u:continue a:on");
    assert_eq!(world.record.of("message-appended")[0]["index"], 5);
    assert!(world.record.of("tool-call").is_empty(), "nothing runs again by itself");

    // A second resume has nothing left to mend.
    let messages = stored.into_iter().chain(world.sessions.messages("s1")).collect();
    let world = World::answering([]);
    let setup = RunSetup { messages, ..world.setup() };
    world.run_with(setup, |_| async {}).await;
    assert_eq!(world.sessions.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_failed_turn_that_was_stored_is_left_out_of_the_context_of_the_next_run() {
    let partial = vec![AssistantBlock::Text(TextContent::new("par"))];
    let failed = AssistantMessage::failed(ErrorKind::Network, "gone", partial);
    let world = World::answering([Answer::text("on")]);
    let messages = vec![UserMessage::new("go").into(), failed.into()];
    let setup = RunSetup { messages, ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("continue").await }).await;
    assert_eq!(shape(&world.provider.asked()[0].messages), "u:go u:continue");
    assert_eq!(world.record.of("message-appended")[0]["index"], 3);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_mended_on_disk_is_told_to_the_presenter() {
    let answer = AssistantMessage::new(
        vec![AssistantBlock::ToolCall(call("1", "t", json!({})))],
        StopReason::ToolUse,
    );
    let world = World::answering([]);
    world.sessions.set_full(true);
    let setup = RunSetup { messages: vec![answer.into()], ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            stage.until("error").await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn beginning_anew_empties_the_conversation_and_opens_a_session() {
    let world = World::answering([Answer::text("one"), Answer::text("two")]);
    world
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            stage.say("a").await;
            assert_eq!(talk.session().unwrap().id, "s1");
            talk.reset().await.unwrap();
            assert_eq!(talk.session().unwrap().id, "s2");
            assert_eq!(talk.agent().summary().message_count.0, 0);
            stage.until("reset-conversation").await;
            stage.say("b").await;
        })
        .await;
    assert_eq!(shape(&world.provider.asked()[1].messages), "u:b");
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:one");
    assert_eq!(shape(&world.sessions.messages("s2")), "u:b a:two");
    assert_eq!(world.sessions.closed(), ["s1", "s2"]);
    assert_eq!(world.record.of("reset-conversation").len(), 1);
    assert_eq!(world.record.of("message-appended")[2]["index"], 1);
}

#[tokio::test(start_paused = true)]
async fn an_extension_that_asks_for_a_reset_gets_it_after_the_turn() {
    let world = World::answering([Answer::text("one")]);
    let api = world.api_of("x");
    let inner = api.clone();
    api.on(
        "llm-start",
        std::sync::Arc::new(move |_| {
            inner.emit(Event::ResetConversation(fen_contract::events::ResetConversation {
                extra: Extra::new(),
            }))
        }),
    );
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("reset-conversation").await;
            assert_eq!(stage.conversation.agent().summary().message_count.0, 0);
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:one");
    let order = world.record.order();
    assert!(order.contains("agent-turn-complete reset-conversation agent-shutdown"), "{order}");
}

#[tokio::test(start_paused = true)]
async fn a_reset_waits_for_no_turn_and_is_refused_while_one_runs() {
    let world = World::answering([Answer::text("one").until_cancelled()]);
    world
        .run(|stage| async move {
            stage.submit("a");
            stage.until("llm-start").await;
            assert!(stage.conversation.reset().await.is_err());
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert!(world.record.of("reset-conversation").is_empty());
}

#[tokio::test(start_paused = true)]
async fn when_no_new_session_can_be_had_the_old_conversation_stays_and_the_asker_is_told() {
    let world = World::answering([Answer::text("one"), Answer::text("two")]);
    let sessions = world.sessions.clone();
    world
        .run(move |stage| {
            let sessions = sessions.clone();
            async move {
                stage.say("a").await;
                sessions.refuse_to_open();
                let failure = stage.conversation.reset().await.unwrap_err();
                assert!(failure.message.contains("no room"), "{failure}");
                stage.say("b").await;
            }
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:one u:b a:two");
    assert!(world.record.of("error").is_empty(), "whoever asked tells it, once");
}

#[tokio::test(start_paused = true)]
async fn a_reset_that_nobody_waits_for_tells_its_failure() {
    let world = World::answering([]);
    world.sessions.refuse_to_open();
    let api = world.api_of("x");
    world
        .run(move |stage| {
            let api = api.clone();
            async move {
                let extra = Extra::new();
                api.emit(fen_contract::events::ResetConversation { extra }.into()).unwrap();
                stage.until("error").await;
            }
        })
        .await;
    assert_eq!(world.record.of("error").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_cannot_be_closed_well_is_told_before_the_events_end() {
    let world = World::answering([]);
    world.sessions.refuse_to_close();
    world
        .run(|stage| async move {
            stage.conversation.quit();
            stage.until("error").await;
            stage.until("agent-shutdown").await;
        })
        .await;
    let errors = world.record.texts("error", "error");
    assert!(errors[0].contains("the disk is gone"), "{errors:?}");
}

#[tokio::test(start_paused = true)]
async fn the_session_is_closed_when_the_run_ends_and_can_still_be_named() {
    let world = World::answering([Answer::text("one")]);
    world
        .run(|stage| async move {
            stage.say("a").await;
            stage.conversation.quit();
            stage.to_the_end().await;
            assert_eq!(stage.conversation.session().unwrap().id, "s1");
        })
        .await;
    assert_eq!(world.sessions.closed(), ["s1"]);
    assert_eq!(world.record.of("agent-shutdown")[0]["agent"]["session-id"], "s1");
}
