//! Loading an extension anew: it takes over whole, or nothing changes.

use crate::support::{Answer, ScriptedTool, World, call};
use fen_contract::api::{Api, FragmentText, Manifest, PromptFragment, Source};
use fen_contract::events::{Event, Info, OwnEvent};
use fen_contract::kinds::Kind;
use fen_contract::record::Extra;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn manifest(name: &str) -> Manifest {
    Manifest { name: name.to_owned(), ..Manifest::default() }
}

fn contribute(api: &Arc<dyn Api>, tools: &[&str]) {
    for tool in tools {
        api.register(ScriptedTool::echo(tool).spec().into()).unwrap();
    }
    api.on("user", Arc::new(|_| Ok(())));
    api.prompt(PromptFragment {
        id: "f".to_owned(),
        title: None,
        order: 0.0,
        text: FragmentText::Fixed("words".into()),
    });
}

fn tools(world: &World) -> Vec<String> {
    let registry = world.kernel.registry();
    registry.of_kind(Kind::Tool).map(|entry| entry.contribution.name().to_owned()).collect()
}

fn reload(world: &World, name: &str, names: &[&str]) -> Arc<dyn Api> {
    let staging = world.kernel.stage(manifest(name), Source::User).unwrap();
    let api = staging.api();
    contribute(&api, names);
    staging.commit().unwrap();
    api
}

#[test]
fn a_reload_takes_the_place_of_all_that_there_was() {
    let world = World::answering([]);
    reload(&world, "x", &["a", "b"]);
    reload(&world, "y", &["z"]);
    assert_eq!(tools(&world), ["a", "b", "z"]);
    reload(&world, "x", &["c", "a", "d"]);
    // Others keep their place, so that requests begin as before.
    assert_eq!(tools(&world), ["c", "a", "d", "z"]);
    let registry = world.kernel.registry();
    assert_eq!(registry.find(Kind::Tool, "a").unwrap().by.generation, 2);
}

#[test]
fn a_load_that_is_not_committed_changes_nothing() {
    let world = World::answering([]);
    reload(&world, "x", &["a"]);
    let staging = world.kernel.stage(manifest("x"), Source::User).unwrap();
    let api = staging.api();
    contribute(&api, &["b"]);
    assert_eq!(tools(&world), ["a"]);
    drop(staging);
    assert_eq!(tools(&world), ["a"]);
    // What it would do now is too late.
    let error = api.register(ScriptedTool::echo("c").spec().into()).unwrap_err();
    assert!(error.to_string().contains("reloaded or unloaded"), "{error}");
    assert_eq!(world.kernel.handlers().iter().filter(|row| row.owner == *"x").count(), 1);
}

#[test]
fn a_name_that_was_taken_meanwhile_stops_the_whole_reload() {
    let world = World::answering([]);
    reload(&world, "x", &["a"]);
    let staging = world.kernel.stage(manifest("x"), Source::User).unwrap();
    contribute(&staging.api(), &["a", "b"]);
    reload(&world, "y", &["b"]);
    let failure = staging.commit().unwrap_err();
    assert!(failure.message.contains("`b`") && failure.message.contains("`y`"), "{failure}");
    assert_eq!(tools(&world), ["a", "b"]);
    assert_eq!(world.kernel.registry().find(Kind::Tool, "a").unwrap().by.generation, 1);
}

#[test]
fn a_name_of_the_same_load_is_refused_at_once() {
    let world = World::answering([]);
    let staging = world.kernel.stage(manifest("x"), Source::User).unwrap();
    let api = staging.api();
    contribute(&api, &["a"]);
    let error = api.register(ScriptedTool::echo("a").spec().into()).unwrap_err();
    assert!(error.to_string().contains("a name that is free"), "{error}");
}

#[test]
fn the_former_generation_neither_contributes_nor_emits() {
    let world = World::answering([]);
    let former = reload(&world, "x", &["a"]);
    reload(&world, "x", &["a"]);
    let heard = Arc::new(AtomicUsize::new(0));
    let count = heard.clone();
    former.on(
        "info",
        Arc::new(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }),
    );
    former
        .emit(Info { info: Some("old".into()), text: None, extra: Extra::new() }.into())
        .unwrap_err();
    world
        .kernel
        .api()
        .emit(Info { info: Some("new".into()), text: None, extra: Extra::new() }.into())
        .unwrap();
    assert_eq!(heard.load(Ordering::Relaxed), 0);
    assert_eq!(world.record.of("info").len(), 1);
}

#[test]
fn a_hundred_reloads_leave_as_much_as_one() {
    let world = World::answering([]);
    let count = |surface: &str| world.kernel.list(surface).unwrap().len();
    reload(&world, "x", &["a", "b"]);
    let surfaces = ["tools", "event-handlers", "prompt-fragments", "extensions"];
    let before = surfaces.map(count);
    for _ in 0..100 {
        reload(&world, "x", &["a", "b"]);
    }
    assert_eq!(surfaces.map(count), before);
    assert_eq!(world.kernel.registry().all().iter().filter(|e| e.by.owner == *"x").count(), 2);
}

#[tokio::test]
async fn what_is_emitted_during_a_load_is_told_once_it_is_in_force() {
    let world = World::answering([]);
    let staging = world.kernel.stage(manifest("x"), Source::User).unwrap();
    let api = staging.api();
    let own = || Event::Own(OwnEvent::from_fields("x/loaded", Extra::new()).unwrap());
    api.emit(own()).unwrap();
    let foreign = OwnEvent::from_fields("y/loaded", Extra::new()).unwrap();
    api.emit(Event::Own(foreign)).unwrap_err();
    assert!(world.record.of("x/loaded").is_empty());
    staging.commit().unwrap();
    assert_eq!(world.record.of("x/loaded").len(), 1);
    api.emit(own()).unwrap();
    assert_eq!(world.record.of("x/loaded").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn while_an_extension_blocks_no_tool_runs_and_the_model_hears_why() {
    let world = || {
        World::answering([Answer::calls([call("1", "a", json!({}))]), Answer::text("done")])
            .with_tool(ScriptedTool::echo("a"))
    };
    let blocked = world();
    blocked.kernel.block_tools("guard".into(), "extension `guard` has hooks and is quarantined");
    blocked.prompt("hi").await;
    let result = &blocked.record.of("tool-result")[0]["result"];
    assert_eq!(result["is-error?"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("blocked") && text.contains("`guard`"), "{text}");

    let unblocked = world();
    unblocked.kernel.block_tools("guard".into(), "extension `guard` has hooks");
    assert!(unblocked.kernel.unblock_tools(&"guard".into()));
    assert!(!unblocked.kernel.unblock_tools(&"guard".into()));
    unblocked.prompt("hi").await;
    assert_eq!(unblocked.record.of("tool-result")[0]["result"]["is-error?"], false);
}

#[test]
fn rows_of_extensions_that_are_not_loaded_stand_beside_the_others() {
    let world = World::answering([]);
    reload(&world, "x", &[]);
    world.kernel.list_also(|| {
        vec![
            json!({"name": "x", "owner": "x", "source": "user", "state": "quarantined"}),
            json!({"name": "broken", "owner": "broken", "source": "project", "state": "error"}),
        ]
    });
    let rows = world.kernel.list("extensions").unwrap();
    let states: Vec<_> = rows
        .iter()
        .filter(|row| row["name"] != "scripts")
        .map(|row| (row["name"].as_str().unwrap(), row["state"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("x", "quarantined"), ("broken", "error")]);
}
