//! Files of older and newer formats: read where they are, continued in a copy.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::session::SessionBackend as _;
use serde_json::json;

fn bare(text: &str) -> String {
    let message = json!({"role": "user", "content": text, "timestamp": 7, "x-mine": [1]});
    format!("{message}\n")
}

fn wrapped(text: &str) -> String {
    let message = json!({"role": "user", "content": text, "timestamp": 7, "x-mine": [1]});
    format!("{}\n", json!({"type": "message", "message": message}))
}

#[test]
fn old_files_load_in_both_of_their_shapes() {
    for version in [1, 2] {
        let store = Store::new();
        let content = format!("{}{}{}{}", header(version), bare("a"), wrapped("b"), bare("c"));
        let loaded = store.load(&store.file("old.jsonl", content));
        assert_eq!(texts(&loaded), ["a", "b", "c"]);
        assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
        assert!(loaded.warnings[0].contains(&format!("older format {version}")));
    }
}

#[test]
fn an_old_header_may_lack_its_version_and_write_its_time_in_words() {
    let store = Store::new();
    let header = r#"{"type":"session","id":"abc","timestamp":"2024-05-06T07:08:09Z","cwd":"/w"}"#;
    store.file("old.jsonl", format!("{header}\n{}", bare("a")));
    let info = &store.list()[0];
    assert_eq!((info.id.as_str(), info.version.0), ("abc", 1));
    assert_eq!(info.timestamp.0, 1_714_979_289_000);
}

#[test]
fn a_file_of_another_version_goes_on_in_a_copy_and_stays_as_it_is() {
    for (version, word) in [(1, "older format 1"), (2, "older format 2"), (4, "newer fen")] {
        let store = Store::new();
        let other = "{\"type\":\"x/mark\",\"n\":1}\n";
        let content = format!("{}{}{}{other}", header(version), bare("a"), wrapped("b"));
        let path = store.file("old.jsonl", &content);
        let session = store.reopen(&path);
        assert_ne!(session.info.path, path);
        assert_ne!(session.info.id, "old-id");
        assert_eq!(session.info.cwd.to_str(), Some("/nowhere/at all"));
        assert_eq!(session.info.version.0, 3);
        store.append(&session, &answer("c"));
        let loaded = store.load(&session.info.path);
        assert!(loaded.warnings[0].contains(word), "{:?}", loaded.warnings);
        assert!(loaded.warnings[0].contains(session.info.id.as_str()));
        assert_eq!(texts(&loaded), ["a", "b", "c"]);
        assert_eq!(store.load(&session.info.path).warnings, Vec::<String>::new(), "told once");
        let lines = lines(&session.info.path);
        assert_eq!((&lines[0]["version"], &lines[0]["forked-from"]), (&json!(3), &json!("old-id")));
        assert_eq!(lines[1]["message"]["x-mine"], json!([1]));
        assert_eq!((&lines[3]["type"], &lines[3]["n"]), (&json!("x/mark"), &json!(1)));
        for pair in lines[1..].windows(2) {
            assert_eq!(pair[1]["parent-id"], pair[0]["id"]);
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn a_copy_that_nothing_was_added_to_goes_when_the_session_closes() {
    let store = Store::new();
    let path = store.file("old.jsonl", header(2) + &bare("a"));
    let session = store.reopen(&path);
    assert_eq!(texts(&store.load(&session.info.path)), ["a"]);
    store.close(&session);
    assert_eq!(store.list().len(), 1);
    assert!(path.exists() && !session.info.path.exists());
}

#[test]
fn a_file_without_a_readable_header_goes_on_in_a_copy_with_its_branches() {
    let store = Store::new();
    let content = [
        "\0\0\0\0\n".into(),
        entry("a", None, "a"),
        entry("b", Some("a"), "b"),
        entry("c", Some("a"), "c"),
    ]
    .concat();
    let path = store.file("headless.jsonl", content);
    let session = store.reopen(&path);
    store.say(&session, "d");
    assert_eq!(texts(&store.load(&session.info.path)), ["a", "c", "d"]);
    assert_eq!(session.info.cwd, std::fs::canonicalize(store.project()).unwrap());
    let notices = store.backend.take_notices(&session);
    assert_eq!(notices, Vec::<String>::new(), "loading told them");
}

#[test]
fn the_provider_is_that_of_the_last_answer_and_else_the_headers() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    let loaded = store.load(&session.info.path);
    assert_eq!((loaded.provider.as_deref(), loaded.model.as_deref()), (Some("p"), Some("m")));
    let fen_contract::types::Message::Assistant(answer) = answer("b") else { panic!() };
    let mut answer = (*answer).clone();
    answer.provider = Some("other".into());
    answer.model = Some("m2".into());
    store.append(&session, &answer.into());
    store.say(&session, "c");
    let loaded = store.load(&session.info.path);
    assert_eq!((loaded.provider.as_deref(), loaded.model.as_deref()), (Some("other"), Some("m2")));
    wait(store.backend.close(&session)).unwrap();
}
