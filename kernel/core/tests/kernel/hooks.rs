//! Hooks: the last word before a tool runs.

use crate::support::{Answer, ScriptedTool, World, call, hook};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::hook::{Hook, HookContext, Verdict};
use fen_contract::kinds::HookSpec;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A world with one call of a tool that must not run.
fn forbidden() -> World {
    World::answering([Answer::calls([call("1", "boom", json!({}))]), Answer::text("done")])
        .with_tool(ScriptedTool::panicking("boom"))
}

fn blocked(world: &World) -> String {
    let results = world.record.of("tool-result");
    assert_eq!((results.len(), world.record.of("tool-call").len()), (1, 1));
    assert_eq!(results[0]["result"]["is-error?"], true);
    assert_eq!(results[0]["result"]["details"]["synthetic?"], true);
    results[0]["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_veto_keeps_the_tool_from_running_and_the_model_reads_why() {
    let world = forbidden();
    world.contribute(
        "guard",
        hook(|tool, _| Ok(Verdict::Block { reason: format!("no {tool} on Sundays") })),
    );
    world.prompt("hi").await;
    assert_eq!(blocked(&world), "Blocked: no boom on Sundays");
    assert!(world.record.of("extension-error").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_fails_blocks_and_its_extension_is_named() {
    let world = forbidden();
    world.contribute("guard", hook(|_, _| Err(Failure::new("lost the rules"))));
    world.prompt("hi").await;
    let text = blocked(&world);
    assert!(text.contains("extension `guard`") && text.contains("lost the rules"), "{text}");
    let error = &world.record.of("extension-error")[0];
    assert_eq!((&error["owner"], &error["event"]), (&json!("guard"), &json!("before-tool")));
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_blocks() {
    let world = forbidden();
    world.contribute("guard", hook(|_, _| panic!("lost my mind")));
    world.prompt("hi").await;
    assert!(blocked(&world).contains("lost my mind"));
}

#[tokio::test(start_paused = true)]
async fn hooks_are_asked_in_order_of_registration_until_the_first_veto() {
    let world = forbidden();
    let asked = Arc::new(Mutex::new(Vec::new()));
    for (name, verdict) in [
        ("first", Verdict::Allow),
        ("second", Verdict::Block { reason: "second".to_owned() }),
        ("third", Verdict::Block { reason: "third".to_owned() }),
    ] {
        let asked = asked.clone();
        world.contribute(
            name,
            hook(move |_, _| {
                asked.lock().unwrap().push(name);
                Ok(verdict.clone())
            }),
        );
    }
    world.prompt("hi").await;
    assert_eq!(blocked(&world), "Blocked: second");
    assert_eq!(*asked.lock().unwrap(), ["first", "second"]);
}

#[tokio::test(start_paused = true)]
async fn no_hook_is_asked_about_a_call_that_cannot_run() {
    let world =
        World::answering([Answer::calls([call("1", "nothing", json!({}))]), Answer::text("done")]);
    world.contribute("guard", hook(|_, _| panic!("asked")));
    world.prompt("hi").await;
    assert!(world.record.of("extension-error").is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_call_is_told_before_the_hooks_are_asked() {
    let world = forbidden();
    let record = world.record.clone();
    world.contribute(
        "guard",
        hook(move |_, _| {
            assert_eq!(record.of("tool-call").len(), 1);
            Ok(Verdict::Block { reason: "told".to_owned() })
        }),
    );
    world.prompt("hi").await;
    assert_eq!(blocked(&world), "Blocked: told");
}

struct Thinking;

impl Hook for Thinking {
    fn before_tool<'a>(
        &'a self,
        _tool: &'a str,
        _arguments: &'a Value,
        _context: HookContext<'a>,
    ) -> BoxFuture<'a, Result<Verdict, Failure>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_hook_is_still_thinking_can_be_cancelled() {
    let world = forbidden();
    world.contribute("guard", HookSpec { hook: Arc::new(Thinking) });
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("tool-call").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
        })
        .await;
    let text = blocked(&world);
    assert!(text.contains("the user cancelled"), "{text}");
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "cancelled");
}
