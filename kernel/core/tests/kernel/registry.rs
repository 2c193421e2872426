//! Who owns a name.

use crate::support::{Answer, ScriptedTool, TestExtension, World, from, hook};
use fen_contract::api::Source;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::hook::Verdict;
use fen_contract::introspect::Introspect;
use fen_contract::kinds::{ControlSpec, IntrospectSpec, Kind};
use fen_contract::ui::Control;
use serde_json::{Value, json};
use std::sync::Arc;

fn tool(owner: &str, name: &str) -> TestExtension {
    from(owner, ScriptedTool::echo(name).spec())
}

fn holder(world: &World, name: &str) -> Option<String> {
    let registry = world.kernel.registry();
    registry.find(Kind::Tool, name).map(|entry| entry.by.owner.to_string())
}

struct Key;

impl Control for Key {
    fn activate(&self) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

fn control(owner: &str, name: &str, key: &str) -> TestExtension {
    from(
        owner,
        ControlSpec {
            name: name.to_owned(),
            description: None,
            key: Some(key.to_owned()),
            control: Arc::new(Key),
        },
    )
}

#[test]
fn a_higher_source_takes_over_only_what_it_declares() {
    let order = [Source::Bundled, Source::User, Source::Project, Source::Explicit];
    for (position, low) in order.into_iter().enumerate() {
        for high in order.into_iter().skip(position + 1) {
            let world = World::answering([]);
            world.try_load(&tool("low", "t"), low).unwrap();
            let error = world.try_load(&tool("high", "t"), high).unwrap_err();
            for words in ["`low`", "`high`", "`tool/t`", "overrides"] {
                assert!(error.contains(words), "{error}");
            }
            assert_eq!(holder(&world, "t").unwrap(), "low");
            world.try_load(&tool("high", "t").overriding("tool/t"), high).unwrap();
            assert_eq!(holder(&world, "t").unwrap(), "high");
        }
    }
}

#[test]
fn within_one_source_the_first_stays_whatever_the_second_declares() {
    let world = World::answering([]);
    world.try_load(&tool("first", "t"), Source::User).unwrap();
    let second = tool("second", "t").overriding("tool/t");
    let error = world.try_load(&second, Source::User).unwrap_err();
    assert!(error.contains("`first`") && error.contains("`second`"), "{error}");
    assert!(!error.contains("manifest"), "no advice that cannot help: {error}");
    assert_eq!(holder(&world, "t").unwrap(), "first");
}

#[test]
fn a_lower_source_takes_nothing_from_a_higher_one() {
    let world = World::answering([]);
    world.try_load(&tool("high", "t"), Source::Project).unwrap();
    world.try_load(&tool("low", "t").overriding("tool/t"), Source::User).unwrap_err();
    assert_eq!(holder(&world, "t").unwrap(), "high");
}

#[test]
fn what_was_hidden_comes_back_when_the_one_above_is_gone() {
    let world = World::answering([]);
    world.try_load(&tool("low", "t"), Source::Bundled).unwrap();
    world.try_load(&tool("high", "t").overriding("tool/t"), Source::User).unwrap();
    assert_eq!(world.kernel.registry().of_kind(Kind::Tool).count(), 1);
    world.kernel.unload(&"high".into());
    assert_eq!(holder(&world, "t").unwrap(), "low");
}

#[test]
fn a_hidden_extension_can_be_loaded_anew_and_stays_hidden() {
    let world = World::answering([]);
    world.try_load(&tool("low", "t"), Source::Bundled).unwrap();
    world.try_load(&tool("high", "t").overriding("tool/t"), Source::User).unwrap();
    world.kernel.unload(&"low".into());
    world.try_load(&tool("low", "t"), Source::Bundled).unwrap();
    assert_eq!(holder(&world, "t").unwrap(), "high");
    world.kernel.unload(&"high".into());
    assert_eq!(holder(&world, "t").unwrap(), "low");
}

#[test]
fn snapshots_stay_as_they_are_and_their_revision_counts_up() {
    let world = World::answering([]);
    let before = world.kernel.registry();
    world.try_load(&tool("x", "t"), Source::User).unwrap();
    assert!(before.find(Kind::Tool, "t").is_none());
    assert!(world.kernel.registry().revision > before.revision);
}

#[test]
fn a_key_that_is_taken_is_refused_and_its_holder_named() {
    let world = World::answering([]);
    world.try_load(&control("first", "a", "ctrl-g"), Source::Bundled).unwrap();
    let error = world.try_load(&control("second", "b", "ctrl-g"), Source::Explicit).unwrap_err();
    for words in ["`first`", "`second`", "ctrl-g"] {
        assert!(error.contains(words), "{error}");
    }
    world.try_load(&control("second", "b", "ctrl-t"), Source::Explicit).unwrap();
}

#[test]
fn a_control_that_replaces_another_may_keep_its_key() {
    let world = World::answering([]);
    world.try_load(&control("low", "a", "ctrl-g"), Source::Bundled).unwrap();
    let high = control("high", "a", "ctrl-g").overriding("control/a");
    world.try_load(&high, Source::User).unwrap();
    let registry = world.kernel.registry();
    assert_eq!(registry.find(Kind::Control, "a").unwrap().by.owner, "high");
}

struct Fixed(Result<Value, Failure>);

impl Introspect for Fixed {
    fn snapshot(&self) -> BoxFuture<'_, Result<Value, Failure>> {
        let answer = self.0.clone();
        Box::pin(std::future::ready(answer))
    }
}

fn introspect(owner: &str, answer: Result<Value, Failure>) -> TestExtension {
    let introspect = Arc::new(Fixed(answer));
    from(owner, IntrospectSpec { name: "state".to_owned(), description: None, introspect })
}

#[tokio::test]
async fn names_of_snapshots_are_per_owner_and_a_failing_one_is_an_error_in_its_place() {
    let world = World::answering([]);
    world.load(introspect("a", Ok(json!({"n": 1}))));
    world.load(introspect("b", Err(Failure::new("no view"))));
    let api = world.kernel.api();
    let rows = api.snapshots(None).await;
    assert_eq!(rows[0], json!({"owner": "a", "name": "state", "snapshot": {"n": 1}}));
    assert_eq!(rows[1]["snapshot"], json!({"error": "no view"}));
    assert_eq!(api.snapshots(Some("a".to_owned())).await.len(), 1);
    assert_eq!(world.record.of("extension-error")[0]["owner"], "b");
}

#[test]
fn hooks_have_no_name_and_all_are_kept_in_order() {
    let world = World::answering([]);
    for owner in ["a", "b", "c"] {
        world.contribute(owner, hook(|_, _| Ok(Verdict::Allow)));
    }
    let registry = world.kernel.registry();
    let owners: Vec<&str> =
        registry.of_kind(Kind::Hook).map(|entry| entry.by.owner.as_str()).collect();
    assert_eq!(owners, ["a", "b", "c"]);
}

#[test]
fn every_listed_contribution_says_its_owner_and_source() {
    let world = World::answering([Answer::nothing()]);
    world.try_load(&tool("mine", "t"), Source::User).unwrap();
    let row = &world.kernel.list("tools").unwrap()[0];
    assert_eq!(
        (&row["name"], &row["owner"], &row["source"]),
        (&json!("t"), &json!("mine"), &json!("user"))
    );
    let error = world.kernel.list("tolls").unwrap_err().message;
    assert!(error.contains("`tools`"), "{error}");
}
