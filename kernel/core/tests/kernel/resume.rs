//! Going on with a stored conversation in place of the present one.

use crate::support::{Answer, ScriptedTool, Shelved, World, call, shape};
use fen_contract::conversation::{QueueContents, QueueName, WhenIdle};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Exposure, ToolSpec};
use fen_contract::session::Loaded;
use fen_contract::types::{
    AssistantBlock, AssistantMessage, Message, StopReason, TextContent, UserMessage,
};
use fen_core::RunSetup;
use serde_json::json;

fn said(user: &str, answer: &str) -> Vec<Message> {
    let answer = vec![AssistantBlock::Text(TextContent::new(answer))];
    vec![UserMessage::new(user).into(), AssistantMessage::new(answer, StopReason::Stop).into()]
}

/// A stored session `old` with a conversation, changed as the closure says.
fn old(change: impl FnOnce(&mut Loaded)) -> Shelved {
    let mut shelved = Shelved::new("old", said("before", "then"));
    shelved.loaded.as_mut().map(change).unwrap();
    shelved
}

fn waiting(lines: &[&str]) -> QueueContents {
    let follow_up = lines.iter().map(|line| (*line).to_owned()).collect();
    QueueContents { steering: Vec::new(), follow_up }
}

#[tokio::test(start_paused = true)]
async fn a_stored_conversation_takes_the_place_of_the_present_one() {
    let world = World::answering([Answer::text("one"), Answer::text("two")]);
    world.sessions.shelve(old(|_| ()));
    world
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            stage.say("a").await;
            let info = talk.resume("/sessions/old".into()).await.unwrap();
            assert_eq!((info.id.as_str(), info.message_count.0), ("old", 2));
            assert_eq!(talk.session().unwrap().id, "old");
            let agent = talk.agent();
            let told: Vec<Message> = (0..2).map(|at| agent.0.message(at).unwrap()).collect();
            assert_eq!(shape(&told), "u:before a:then");
            stage.say("b").await;
        })
        .await;
    assert_eq!(world.sessions.closed(), ["s1", "old"]);
    assert_eq!(shape(&world.provider.asked()[1].messages), "u:before a:then u:b");
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:one");
    assert_eq!(shape(&world.sessions.messages("old")), "u:b a:two");
    let told = world.record.order();
    assert!(told.contains("reset-conversation fen/conversation-resumed user"), "{told}");
    let resumed = &world.record.of("fen/conversation-resumed")[0];
    assert_eq!((&resumed["session-id"], &resumed["message-count"]), (&json!("old"), &json!(2)));
    assert!(world.record.of("info").is_empty() && world.record.of("error").is_empty());
}

#[tokio::test(start_paused = true)]
async fn nothing_changes_while_the_agent_is_busy() {
    let world = World::answering([Answer::text("one")]);
    world.sessions.shelve(old(|_| ()));
    world
        .run(|stage| async move {
            stage.submit("a");
            let refused = stage.conversation.resume("/sessions/old".into()).await.unwrap_err();
            assert!(refused.message.contains("busy"), "{refused}");
            stage.until("agent-turn-complete").await;
            assert_eq!(stage.conversation.session().unwrap().id, "s1");
        })
        .await;
    assert!(world.record.of("reset-conversation").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_failure_changes_nothing() {
    let world = World::answering([Answer::text("one"), Answer::text("two")]);
    let unreadable = Shelved { loaded: Err(Failure::new("it is torn")), ..old(|_| ()) };
    let locked = Shelved {
        opens_as: Err(Failure::caller("it is open in another fen")),
        ..Shelved::new("locked", Vec::new())
    };
    world.sessions.shelve(unreadable);
    world.sessions.shelve(locked);
    world
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            stage.say("a").await;
            for (path, words) in [
                ("/sessions/gone", "no session at /sessions/gone"),
                ("/sessions/locked", "open in another fen"),
                ("/sessions/old", "torn"),
            ] {
                let failed = talk.resume(path.into()).await.unwrap_err();
                assert!(failed.message.contains(words), "{failed}");
            }
            assert_eq!(talk.session().unwrap().id, "s1");
            stage.say("b").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:one u:b a:two");
    // The one that could be opened and not read is given back.
    assert_eq!(world.sessions.closed(), ["old", "s1"]);
    assert!(world.record.of("reset-conversation").is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_model_goes_with_the_conversation() {
    let world = World::answering([Answer::text("one")]);
    world.contribute("others", world.provider.spec("other"));
    world.sessions.shelve(old(|loaded| {
        (loaded.provider, loaded.model) = (Some("other".to_owned()), Some("big".to_owned()));
    }));
    world
        .run(|stage| async move {
            stage.conversation.resume("/sessions/old".into()).await.unwrap();
            let agent = stage.conversation.agent().summary();
            assert_eq!((agent.provider.as_str(), agent.model.as_str()), ("other", "big"));
            stage.say("b").await;
        })
        .await;
    assert_eq!(world.record.texts("info", "info"), ["the conversation goes on with big of other"]);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_is_gone_is_named_and_the_present_one_stays() {
    let world = World::answering([]);
    world.sessions.shelve(old(|loaded| {
        (loaded.provider, loaded.model) = (Some("gone".to_owned()), Some("m1".to_owned()));
    }));
    world
        .run(|stage| async move {
            stage.conversation.resume("/sessions/old".into()).await.unwrap();
            let agent = stage.conversation.agent().summary();
            assert_eq!((agent.provider.as_str(), agent.model.as_str()), ("scripted", "m"));
            assert_eq!(agent.message_count.0, 2);
        })
        .await;
    let errors = world.record.texts("error", "error");
    assert_eq!(errors.len(), 1);
    for part in ["gone", "m1", "scripted"] {
        assert!(errors[0].contains(part), "{errors:?}");
    }
    assert!(world.provider.asked().is_empty(), "nothing is sent without a prompt");
}

#[tokio::test(start_paused = true)]
async fn lines_wait_with_the_conversation_that_they_were_typed_in() {
    let world = World::answering([Answer::text("one"), Answer::text("two")]);
    world.sessions.shelve(old(|loaded| loaded.queue = waiting(&["stored"])));
    world
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            talk.enqueue(QueueName::FollowUp, "present".to_owned(), WhenIdle::Wait);
            talk.resume("/sessions/old".into()).await.unwrap();
            assert_eq!(talk.queue(), waiting(&["stored"]));
            // They are held until the person's prompt, and follow it.
            stage.say("b").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("old")), "u:b a:one u:stored a:two");
    let stored = world.sessions.entries();
    assert!(stored.contains(&("queue".to_owned(), json!(waiting(&["present"])))), "{stored:?}");
}

#[tokio::test(start_paused = true)]
async fn lines_of_a_conversation_that_is_not_stored_come_along() {
    let world = World::answering([]);
    world.sessions.shelve(old(|loaded| loaded.queue = waiting(&["stored"])));
    let backend = fen_contract::kinds::SessionBackendSpec {
        name: "memory".to_owned(),
        backend: world.sessions.clone(),
    };
    world.contribute("stores", backend);
    let setup = RunSetup { session: None, queue: waiting(&["present"]), ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            let talk = stage.conversation.clone();
            talk.resume("/sessions/old".into()).await.unwrap();
            assert_eq!(talk.session().unwrap().id, "old");
            assert_eq!(talk.queue(), waiting(&["stored", "present"]));
            stage.until("fen/queue-changed").await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn warnings_a_copy_and_another_folder_are_told_after_the_conversation_was_emptied() {
    let world = World::answering([Answer::text("one")]);
    let copied = old(|loaded| loaded.warnings = vec!["newer format; a copy was made".to_owned()]);
    world.sessions.shelve(Shelved { opens_as: Ok("copy"), cwd: "/elsewhere", ..copied });
    world
        .run(|stage| async move {
            let info = stage.conversation.resume("/sessions/old".into()).await.unwrap();
            assert_eq!(info.id, "copy");
            stage.say("b").await;
        })
        .await;
    let infos = world.record.texts("info", "info");
    assert_eq!(infos[0], "newer format; a copy was made");
    assert!(infos[1].contains("/elsewhere") && infos[1].contains("/home"), "{infos:?}");
    let order = world.record.order();
    assert!(order.contains("reset-conversation fen/conversation-resumed info info"), "{order}");
    assert_eq!(shape(&world.sessions.messages("copy")), "u:b a:one");
}

#[tokio::test(start_paused = true)]
async fn resuming_the_open_session_says_so_and_does_nothing() {
    let world = World::answering([Answer::text("one")]);
    world
        .run(|stage| async move {
            stage.say("a").await;
            let path = stage.conversation.session().unwrap().path;
            let info = stage.conversation.resume(path).await.unwrap();
            assert_eq!((info.id.as_str(), info.message_count.0), ("s1", 2));
        })
        .await;
    assert_eq!(world.record.texts("info", "info"), ["this session is open already"]);
    assert!(world.record.of("reset-conversation").is_empty());
}

#[tokio::test(start_paused = true)]
async fn interrupted_calls_are_answered_and_called_tools_are_on_offer() {
    let searched =
        ToolSpec { exposure: Some(Exposure::Search), ..ScriptedTool::echo("rare").spec() };
    let finder =
        ToolSpec { exposure: Some(Exposure::Finder), ..ScriptedTool::echo("find-tool").spec() };
    let world = World::answering([Answer::text("on")]);
    world.contribute("rare", searched);
    world.contribute("finder", finder);
    let called = AssistantMessage::new(
        vec![AssistantBlock::ToolCall(call("1", "rare", json!({})))],
        StopReason::ToolUse,
    );
    world.sessions.shelve(Shelved::new("old", vec![UserMessage::new("go").into(), called.into()]));
    world
        .run(|stage| async move {
            stage.conversation.resume("/sessions/old".into()).await.unwrap();
            stage.say("b").await;
        })
        .await;
    let asked = &world.provider.asked()[0];
    assert_eq!(shape(&asked.messages), "u:go a(1) r(1)! u:b");
    assert_eq!(shape(&world.sessions.messages("old")), "r(1)! u:b a:on");
    let rows = world.kernel.list("tools").unwrap();
    let rare = rows.iter().find(|row| row["name"] == "rare").unwrap();
    assert_eq!(rare["offer"], "offered", "{rare}");
}
