//! Each event of the contract is heard in some run, with a payload that fits its declaration.

use crate::support::{Answer, ScriptedTool, World, call};
use fen_contract::api::Source;
use fen_contract::conversation::WhenBusy;
use fen_contract::doc::{Section, entries};
use fen_contract::events::{self, Event};
use fen_contract::failure::Failure;
use fen_contract::record::Extra;
use fen_contract::types::ErrorKind;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A streamed answer with thinking, text and a tool call, then a plain one.
async fn streams_and_calls_a_tool() -> World {
    let first = Answer::thinking("hm").and_text("let me see");
    let world = World::answering([
        first.and_call(call("1", "echo", json!({"a": [1, null]}))).streamed(),
        Answer::text("done").streamed(),
    ])
    .with_tool(ScriptedTool::echo("echo"));
    world.prompt("hi").await;
    world
}

async fn is_cancelled() -> World {
    let world = World::answering([Answer::text("par").streamed().until_cancelled()]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("text-end").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
    world
}

async fn fails() -> World {
    let world = World::answering([Answer::failed(ErrorKind::Auth, "no").and_text("par")]);
    world.prompt("hi").await;
    world
}

async fn gets_a_line_while_busy() -> World {
    let world = World::answering([Answer::text("a"), Answer::text("b")]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.conversation.submit_prompt("and".into(), WhenBusy::FollowUp);
            stage.until("agent-turn-complete").await;
            stage.until("agent-turn-complete").await;
        })
        .await;
    world
}

async fn begins_anew() -> World {
    let world = World::answering([]);
    world.run(|stage| async move { stage.conversation.reset().await.unwrap() }).await;
    world
}

async fn has_a_failing_handler() -> World {
    let world = World::answering([Answer::text("a")]);
    world.api_of("x").on("user", Arc::new(|_| Err(Failure::new("no"))));
    world.try_load(&crate::support::extension("y", |_| Ok(())), Source::User).unwrap();
    world.prompt("hi").await;
    world
}

async fn has_an_extension_with_requests() -> World {
    let world = World::answering([]);
    let api = world.api_of("x");
    let extra = Extra::new;
    let requests: [Event; 5] = [
        events::Dismiss { extra: extra() }.into(),
        events::Redraw { extra: extra() }.into(),
        events::ReinitPresenter { extra: extra() }.into(),
        events::SetStatusInfo { info: Some("busy".into()), extra: extra() }.into(),
        events::Info { info: None, text: Some("hi".into()), extra: extra() }.into(),
    ];
    for request in requests {
        api.emit(request).unwrap();
    }
    world
}

/// Runs a scenario and demands that these events are heard in it.
fn check(world: &World, heard: &[&'static str], all: &mut BTreeSet<&'static str>) {
    for event in world.record.all() {
        let name = event["type"].as_str().unwrap();
        assert!(!name.starts_with("INVALID"), "{name}");
    }
    for name in heard {
        assert!(!world.record.of(name).is_empty(), "`{name}` was not heard");
        all.insert(name);
    }
}

#[tokio::test(start_paused = true)]
async fn every_event_of_the_contract_is_heard_with_a_valid_payload() {
    let mut all = BTreeSet::new();
    check(
        &streams_and_calls_a_tool().await,
        &[
            "agent-started",
            "user",
            "message-appended",
            "llm-start",
            "start",
            "thinking-start",
            "thinking-delta",
            "assistant-thinking-delta",
            "thinking-end",
            "text-start",
            "text-delta",
            "assistant-text-delta",
            "text-end",
            "tool-call-start",
            "tool-call-delta",
            "tool-call-end",
            "done",
            "llm-end",
            "assistant-stream-end",
            "assistant-thinking",
            "assistant-text",
            "tool-call",
            "tool-result",
            "agent-turn-complete",
            "agent-shutdown",
        ],
        &mut all,
    );
    check(&is_cancelled().await, &["cancelled"], &mut all);
    check(&fails().await, &["error"], &mut all);
    check(&gets_a_line_while_busy().await, &["queued"], &mut all);
    check(&begins_anew().await, &["reset-conversation"], &mut all);
    check(&has_a_failing_handler().await, &["extension-error", "extension-loaded"], &mut all);
    check(
        &has_an_extension_with_requests().await,
        &["dismiss", "redraw", "reinit-presenter", "set-status-info", "info"],
        &mut all,
    );
    // Nothing summarises a conversation yet.
    all.insert("compaction-summary");
    let declared: BTreeSet<&str> = entries()
        .filter(|entry| entry.section == Section::Events)
        .map(|entry| entry.name)
        .collect();
    assert_eq!(all, declared);
    assert_eq!(declared.len(), 37);
}
