//! Where sessions and keys come from.

use crate::kit::{Language, World, in_each_language};
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::session::{FindOptions, OpenOptions, SessionBackend};
use fen_contract::types::Message;
use fen_core::RunSetup;
use fen_provider_mock::Turn;
use serde_json::json;
use std::sync::Arc;

in_each_language! {
    a_session_is_stored_found_and_read_back
    a_line_that_was_cut_off_costs_only_itself
    a_key_comes_from_the_file_or_from_the_person
}

fn store(world: &World) -> Arc<dyn SessionBackend> {
    match world.contribution(Kind::SessionBackend, "json-lines") {
        Contribution::SessionBackend(spec) => spec.backend,
        _ => panic!("another kind"),
    }
}

async fn a_session_is_stored_found_and_read_back(language: Language) {
    let world = World::answering(vec![Turn::call("none", json!({})), Turn::text("done")]);
    world.load_example(language, "session-backend/json-lines").await;
    let store = store(&world);
    assert!(store.list(FindOptions::default()).await.unwrap().is_empty());
    let options = OpenOptions { cwd: world.project.path(""), ..OpenOptions::default() };
    let session = store.open(options.clone()).await.unwrap();
    let path = session.info.path.clone();
    let setup = RunSetup { session: Some((store.clone(), session.clone())), ..world.setup() };
    world
        .on_screen_with(setup, |screen| async move {
            screen.say("begin").await;
            screen.wait_idle().await;
        })
        .await;
    store.rename(&session, "The beginning").await.unwrap();
    store.append_entry(&session, "mine/state", json!({"state": {"n": 1}})).await.unwrap();

    let loaded = store.load(&path).await.unwrap();
    assert_eq!(loaded.messages.len(), 4);
    let Message::Assistant(answer) = &loaded.messages[1] else { panic!("{loaded:?}") };
    assert_eq!(answer.content.len(), 1);
    let entries = store.load_entries(&path).await.unwrap();
    assert_eq!(
        (entries[0].kind.as_str(), &entries[0].fields["state"]["n"]),
        ("mine/state", &json!(1))
    );
    let by_title = FindOptions { text: Some("BEGIN".to_owned()), ..FindOptions::default() };
    let found = store.find(by_title).await.unwrap();
    assert_eq!((found.len(), found[0].message_count.0), (1, 4));
    let elsewhere = FindOptions { cwd: Some("/elsewhere".into()), ..FindOptions::default() };
    assert!(store.latest(elsewhere).await.unwrap().is_none());

    let again = store.open_existing(&path, options).await.unwrap();
    assert_eq!(
        (again.info.id, again.info.title),
        (session.info.id, Some("The beginning".to_owned()))
    );
    let failure = store.load("nowhere.jsonl".as_ref()).await.unwrap_err();
    assert!(failure.message.contains("cannot read nowhere.jsonl"), "{failure}");
    store.delete(&path).await.unwrap();
    assert!(store.latest(FindOptions::default()).await.unwrap().is_none());
    world.assert_no_errors();
}

async fn a_line_that_was_cut_off_costs_only_itself(language: Language) {
    let world = World::answering(Vec::new());
    world.load_example(language, "session-backend/json-lines").await;
    world.project.write(
        ".fen-sessions/x.jsonl",
        concat!(
            r#"{"type":"session","id":"x","cwd":"/","timestamp":1}"#,
            "\n",
            r#"{"type":"message","message":{"role":"user","content":"hi","timestamp":1}}"#,
            "\n",
            r#"{"type":"message","mess"#,
        ),
    );
    world.project.write(".fen-sessions/other.jsonl", "not ours\n");
    let store = store(&world);
    let info = store.latest(FindOptions::default()).await.unwrap().unwrap();
    assert_eq!((info.id.as_str(), info.message_count.0), ("x", 1));
    assert_eq!(store.load(&info.path).await.unwrap().messages.len(), 1);
}

async fn a_key_comes_from_the_file_or_from_the_person(language: Language) {
    let world = World::answering(Vec::new());
    let place = language.example("auth-backend/key_file");
    let code = std::fs::read_to_string(place).unwrap();
    // The test has no home of its own.
    world.load_text(language, "key-file", &code.replace("~/.key-file", "key-file")).await;
    let Contribution::AuthBackend(spec) = world.contribution(Kind::AuthBackend, "key-file") else {
        panic!("another kind");
    };
    let provider = "any".into();
    let key = async || {
        let key = spec.backend.api_key(&provider).await.unwrap();
        key.map(|key| key.reveal().to_owned())
    };
    assert_eq!(key().await, None);
    let failure = spec.backend.login(json!({})).await.unwrap_err();
    assert_eq!(failure.message, "there is no key in key-file; write it there");
    world.project.write("key-file", "from-the-file\n");
    assert_eq!(key().await.as_deref(), Some("from-the-file"));
    spec.backend.login(json!({})).await.unwrap();
    let key = &key;
    world
        .on_screen(|screen| async move {
            screen.answer("typed");
            screen.say("/key").await;
            assert_eq!(screen.notices(), ["the key is set for this run"]);
            assert_eq!(key().await.as_deref(), Some("typed"));
        })
        .await;
    spec.backend.logout().await.unwrap();
    assert_eq!(key().await.as_deref(), Some("from-the-file"));
    world.assert_no_errors();
}
