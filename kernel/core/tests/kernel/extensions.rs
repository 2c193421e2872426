//! Loading an extension and taking it back.

use crate::support::{Answer, ScriptedTool, World, extension};
use fen_contract::api::{FragmentText, PromptFragment, Source};
use fen_contract::failure::Failure;
use fen_contract::kinds::Kind;
use std::sync::Arc;

fn fragment(id: &str) -> PromptFragment {
    PromptFragment {
        id: id.to_owned(),
        title: None,
        order: 0.0,
        text: FragmentText::Fixed("words".into()),
    }
}

/// How many contributions, handlers and fragments an extension has, and whether it is listed.
fn traces(world: &World, owner: &str) -> (usize, usize, usize, bool) {
    let of = |surface: &str| {
        let rows = world.kernel.list(surface).unwrap();
        rows.iter().filter(|row| row["owner"] == owner).count()
    };
    let registry = world.kernel.registry();
    let contributions = registry.all().iter().filter(|entry| entry.by.owner == *owner).count();
    (contributions, of("event-handlers"), of("prompt-fragments"), of("extensions") > 0)
}

fn full(name: &str, outcome: fn() -> Result<(), Failure>) -> crate::support::TestExtension {
    extension(name, move |api| {
        for tool in ["a", "b"] {
            api.register(ScriptedTool::echo(tool).spec().into()).unwrap();
        }
        api.on("user", Arc::new(|_| Ok(())));
        api.on("*", Arc::new(|_| Ok(())));
        api.prompt(fragment("f"));
        outcome()
    })
}

#[tokio::test]
async fn a_loaded_extension_is_in_force_and_told_when_the_run_begins() {
    let world = World::answering([]);
    world.try_load(&full("x", || Ok(())), Source::User).unwrap();
    assert_eq!(traces(&world, "x"), (2, 2, 1, true));
    assert!(world.record.of("extension-loaded").is_empty());
    world.run(|_| async {}).await;
    let loaded = world.record.of("extension-loaded");
    let of_x = loaded.iter().find(|event| event["name"] == "x").unwrap();
    assert_eq!(of_x["first-party?"], false);
}

#[tokio::test]
async fn taking_an_extension_back_takes_everything_of_it_and_nothing_else() {
    let world = World::answering([]);
    world.try_load(&full("x", || Ok(())), Source::User).unwrap();
    world.contribute("y", ScriptedTool::echo("c").spec());
    world.kernel.unload(&"x".into());
    assert_eq!(traces(&world, "x"), (0, 0, 0, false));
    assert_eq!(traces(&world, "y"), (1, 0, 0, true));
    assert_eq!(world.kernel.system_prompt().await, None);
    // The name is free again.
    world.try_load(&full("x", || Ok(())), Source::User).unwrap();
}

#[test]
fn an_extension_that_fails_half_way_leaves_nothing_and_is_named() {
    for outcome in [|| Err(Failure::new("no key")), || panic!("no key")] as [fn() -> _; 2] {
        let world = World::answering([]);
        let error = world.try_load(&full("x", outcome), Source::User).unwrap_err();
        assert!(error.contains("`x`") && error.contains("no key"), "{error}");
        assert_eq!(traces(&world, "x"), (0, 0, 0, false));
        assert!(world.kernel.registry().find(Kind::Tool, "a").is_none());
        assert!(world.record.of("extension-loaded").iter().all(|event| event["name"] != "x"));
        let told = &world.record.of("extension-error")[0];
        assert_eq!((&told["owner"], &told["event"]), (&"x".into(), &"register".into()));
    }
}

#[test]
fn a_registration_that_breaks_the_contract_says_kind_owner_field_expected_and_got() {
    let world = World::answering([]);
    let bad = extension("x", |api| {
        let error = api.register(ScriptedTool::echo("not a name").spec().into()).unwrap_err();
        Err(Failure::new(error.to_string()))
    });
    let error = world.try_load(&bad, Source::User).unwrap_err();
    for words in ["tool", "`x`", "`name`", "letters", "not a name"] {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn one_name_is_loaded_once() {
    let world = World::answering([]);
    world.try_load(&extension("x", |_| Ok(())), Source::User).unwrap();
    let error = world.try_load(&extension("x", |_| Ok(())), Source::User).unwrap_err();
    assert!(error.contains("`x` is loaded already"), "{error}");
}

#[test]
fn no_extension_can_speak_in_the_kernels_name() {
    for name in ["fen", "kernel", "", "a/b"] {
        let world = World::answering([]);
        world.try_load(&extension(name, |_| Ok(())), Source::User).unwrap_err();
        assert!(world.record.of("extension-loaded").iter().all(|event| event["name"] != name));
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_taken_back_during_the_turn_is_not_offered_again() {
    let world = World::answering([
        Answer::calls([crate::support::call("1", "a", serde_json::json!({}))]),
        Answer::text("done"),
    ]);
    world.load(full("x", || Ok(())));
    let kernel = world.kernel.clone();
    world.api_of("y").on(
        "tool-result",
        Arc::new(move |_| {
            kernel.unload(&"x".into());
            Ok(())
        }),
    );
    world.prompt("hi").await;
    let asked = world.provider.asked();
    assert_eq!(asked[0].tools, ["a", "b"]);
    assert!(asked[1].tools.is_empty());
}
