//! Hooks.

use crate::doubles::Person;
use crate::kit::World;
use fen_provider_mock::Turn;
use serde_json::{Value, json};
use std::sync::Arc;

/// A world with a tool `act` that says what it was given, and a hook with this body.
async fn guarded(body: &str) -> World {
    let world = World::answering(vec![
        Turn::call("act", json!({"path": "a", "list": [1, 2]})),
        Turn::text("done"),
    ]);
    world
        .watches(
            "actor",
            r#"api.register("tool", { name = "act", description = "x", parameters = { type = "object" },
                 execute = function(args) seen.args = args return "ran" end })"#,
        )
        .await;
    world
        .watches(
            "guard",
            &format!(
                "api.register('hook', {{ ['before-tool'] = function(tool, args, ctx) {body} end }})"
            ),
        )
        .await;
    world
}

async fn result_with(body: &str) -> (World, Value) {
    let world = guarded(body).await;
    world.prompt("act").await;
    let result = world.told("tool-result")[0]["result"].clone();
    (world, result)
}

#[tokio::test]
async fn nothing_and_allow_let_a_call_pass() {
    for body in ["", "return nil", "return { allow = true }"] {
        let (world, result) = result_with(body).await;
        assert_eq!(result["content"][0]["text"], "ran", "{body} {:?}", world.errors());
        assert_eq!(world.errors(), [""; 0]);
    }
}

#[tokio::test]
async fn block_vetoes_with_its_reason() {
    let (world, result) = result_with("return { block = true, reason = 'not today' }").await;
    assert_eq!(result["is-error?"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("not today"), "{text}");
    assert_eq!(world.seen("actor").await, json!({}));
    assert_eq!(world.errors(), [""; 0], "a veto is no failure");
}

#[tokio::test]
async fn any_other_answer_and_a_throw_block() {
    for (body, named) in [
        ("return true", "true"),
        ("return {}", "allow"),
        ("return { allow = false }", "allow"),
        ("return { allow = true, block = true, reason = 'both' }", "both"),
        ("return { allow = 'yes' }", "allow"),
        ("return 'ok'", "ok"),
        ("return { allow = true, f = print }", "f"),
        ("error('eek')", "eek"),
        ("while true do end", "longer"),
    ] {
        let (world, result) = result_with(body).await;
        assert_eq!(result["is-error?"], true, "{body}");
        assert_eq!(world.seen("actor").await, json!({}), "{body}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(named), "{body}: {text}");
    }
}

#[tokio::test]
async fn the_first_block_wins_and_the_later_hooks_are_not_asked() {
    let world = guarded("return { block = true, reason = 'first' }").await;
    world
        .watches(
            "later",
            "api.register('hook', { before_tool = function() seen.asked = true return { block = true, reason = 'second' } end })",
        )
        .await;
    world.prompt("act").await;
    let text = world.told("tool-result")[0]["result"]["content"][0]["text"].clone();
    assert!(text.as_str().unwrap().contains("first"), "{text}");
    assert_eq!(world.seen("later").await, json!({}));
}

#[tokio::test]
async fn a_later_hook_is_asked_where_the_first_allows() {
    let world = guarded("").await;
    world
        .watches(
            "later",
            "api.register('hook', { before_tool = function() return { block = true, reason = 'second' } end })",
        )
        .await;
    world.prompt("act").await;
    let text = world.told("tool-result")[0]["result"]["content"][0]["text"].clone();
    assert!(text.as_str().unwrap().contains("second"), "{text}");
}

#[tokio::test]
async fn the_arguments_are_a_copy() {
    let (world, result) = result_with("args.path = 'b' args.list[1] = 9 args.more = true").await;
    assert_eq!(result["content"][0]["text"], "ran", "{:?}", world.errors());
    assert_eq!(world.seen("actor").await["args"], json!({"path": "a", "list": [1, 2]}));
}

#[tokio::test]
async fn a_hook_knows_the_tool_its_source_the_call_and_the_working_directory() {
    let (world, _) = result_with(
        "seen.tool = tool
         seen.ctx = { ctx.cwd, ctx.tool, ctx.source, ctx['call-id'] }
         seen.alias = ctx.call_id",
    )
    .await;
    let id = world.told("tool-result")[0]["result"]["tool-call-id"].clone();
    let seen = world.seen("guard").await;
    assert_eq!(seen["tool"], "act");
    assert_eq!(seen["ctx"], json!(["/", "act", "user", id]));
    assert_eq!(seen["alias"], id);
}

#[tokio::test]
async fn a_hook_may_ask_the_person_and_the_call_waits_for_the_answer() {
    for (answers, ran) in [("'yes', 'no'", false), ("'no', 'yes'", true)] {
        let world = guarded(&format!(
            "local answer = api.ui.select({{ title = 'Run ' .. tool .. '?', choices = {{ {answers} }} }})
             if answer ~= 'yes' then return {{ block = true, reason = 'the person said ' .. answer }} end"
        ))
        .await;
        let person = Arc::new(Person::default());
        *world.person.lock().unwrap() = Some(person.clone());
        world.prompt("act").await;
        let text = world.told("tool-result")[0]["result"]["content"][0]["text"].clone();
        let text = text.as_str().unwrap();
        assert_eq!(text == "ran", ran, "{text}");
        assert_eq!(text.contains("the person said no"), !ran, "{text}");
        assert_eq!(person.heard.lock().unwrap()[0]["select"], "Run act?");
    }
}
