//! What reaches the disk when a session is written.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::failure::Fault;
use fen_contract::session::SessionBackend as _;
use serde_json::{Value, json};

#[test]
fn a_session_that_nothing_was_said_in_leaves_nothing_behind() {
    let store = Store::new();
    let session = store.open();
    assert!(session.info.path.starts_with(store.root()));
    store.close(&session);
    assert!(!store.root().exists());
}

#[test]
fn the_first_message_is_on_disk_under_its_header_when_append_returns() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "hello");
    let lines = lines(&session.info.path);
    assert_eq!(lines.len(), 2);
    let project = std::fs::canonicalize(store.project()).unwrap();
    assert_eq!(lines[0]["type"], "session");
    assert_eq!(lines[0]["version"], 3);
    assert_eq!(lines[0]["id"], session.info.id.as_str());
    assert_eq!(lines[0]["cwd"], project.to_str().unwrap());
    assert_eq!((&lines[0]["provider"], &lines[0]["model"]), (&json!("p"), &json!("m")));
    assert_eq!(lines[1]["type"], "message");
    assert_eq!(lines[1]["parent-id"], Value::Null);
    assert_eq!(lines[1]["message"]["content"], "hello");
}

#[test]
fn each_entry_names_the_one_before_it_also_after_reopening() {
    let store = Store::new();
    let path = store.stored(&["a", "b"]);
    let session = store.reopen(&path);
    store.append(&session, &answer("c"));
    wait(store.backend.rename(&session, "a title")).unwrap();
    store.say(&session, "d");
    store.close(&session);
    let lines = lines(&path);
    for pair in lines[1..].windows(2) {
        assert_eq!(pair[1]["parent-id"], pair[0]["id"]);
    }
    let loaded = store.load(&path);
    assert_eq!(texts(&loaded), ["a", "b", "c", "d"]);
    assert_eq!(loaded.warnings, Vec::<String>::new());
}

#[test]
fn entries_of_other_kinds_are_kept_and_passed_over() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    wait(store.backend.append_entry(&session, "x/state", json!({"n": 1, "deep": {"k": []}})))
        .unwrap();
    store.say(&session, "b");
    store.close(&session);
    let stored = &lines(&session.info.path)[2];
    assert_eq!((&stored["type"], &stored["n"]), (&json!("x/state"), &json!(1)));
    assert_eq!(texts(&store.load(&session.info.path)), ["a", "b"]);
    let entries = wait(store.backend.load_entries(&session.info.path)).unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].kind, "x/state");
    assert_eq!(entries[0].fields, json!({"n": 1, "deep": {"k": []}}));
}

#[test]
fn entries_cannot_pose_as_messages_or_headers_or_name_their_own_place() {
    let store = Store::new();
    let session = store.open();
    for (kind, fields) in [
        ("session", json!({})),
        ("message", json!({})),
        ("", json!({})),
        ("x", json!({"id": "mine"})),
        ("x", json!({"parent-id": null})),
        ("x", json!([1])),
    ] {
        let failure = wait(store.backend.append_entry(&session, kind, fields)).unwrap_err();
        assert_eq!(failure.fault, Fault::Caller, "{kind}");
    }
    store.close(&session);
    assert!(!session.info.path.exists());
}

#[test]
fn a_closed_session_refuses_further_messages() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    store.close(&session);
    let failure = store.try_say(&session, "b").unwrap_err();
    assert!(failure.message.contains("closed"), "{failure}");
    assert!(failure.message.contains(session.info.id.as_str()));
    store.close(&session);
    assert_eq!(texts(&store.load(&session.info.path)), ["a"]);
}

#[test]
fn a_session_dropped_without_close_has_lost_nothing() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    store.append(&session, &answer("b"));
    let path = session.info.path.clone();
    drop(session);
    let session = store.reopen(&path);
    assert_eq!(session.info.message_count.0, 2);
    assert_eq!(texts(&store.load(&path)), ["a", "b"]);
}

#[test]
fn a_session_can_be_moved_while_it_is_open() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    let moved = store.root().join("moved.jsonl");
    std::fs::rename(&session.info.path, &moved).unwrap();
    store.say(&session, "b");
    assert_eq!(texts(&store.load(&moved)), ["a", "b"]);
    assert!(store.try_reopen(&moved).is_err(), "the lock moves along");
}

#[test]
fn a_file_deleted_while_it_is_open_comes_back_with_the_next_message() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    std::fs::remove_dir_all(store.root()).unwrap();
    store.say(&session, "b");
    assert_eq!(texts(&store.load(&session.info.path)), ["a", "b"]);
    assert!(store.try_reopen(&session.info.path).is_err(), "it is locked again");
    store.say(&session, "c");
    assert_eq!(texts(&store.load(&session.info.path)), ["a", "b", "c"]);
}

#[test]
fn what_could_not_be_read_again_is_refused_instead_of_written() {
    let store = Store::new();
    let session = store.open();
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let failure = wait(store.backend.append(&session, &calling(nested(300)))).unwrap_err();
    assert!(failure.message.contains("nested"), "{failure}");
    store.append(&session, &calling(nested(126)));
    store.close(&session);
    let loaded = store.load(&session.info.path);
    assert_eq!(loaded.messages, [calling(nested(126))].map(|m| retimed(m, &loaded.messages[0])));
    assert_eq!(loaded.warnings, Vec::<String>::new());
}

fn retimed(
    message: fen_contract::types::Message,
    like: &fen_contract::types::Message,
) -> fen_contract::types::Message {
    use fen_contract::types::Message;
    match (message, like) {
        (Message::Assistant(message), Message::Assistant(like)) => {
            let mut message = (*message).clone();
            message.timestamp = like.timestamp;
            message.into()
        }
        _ => panic!("both are answers"),
    }
}

#[test]
fn deleting_takes_stored_sessions_only_and_none_that_is_open() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    let path = session.info.path.clone();
    assert!(wait(store.backend.delete(&path)).unwrap_err().message.contains("in use"));
    store.close(&session);
    wait(store.backend.delete(&path)).unwrap();
    assert!(!path.exists());
    let outside = store.project().join("x.jsonl");
    std::fs::write(&outside, header(3)).unwrap();
    assert!(wait(store.backend.delete(&outside)).is_err());
    assert!(wait(store.backend.delete(&store.root().join("../project/x.jsonl"))).is_err());
    assert!(outside.exists());
}

#[test]
fn a_store_that_waits_for_the_disk_works_like_any_other() {
    let store = Store::new();
    let mut config = fen_session_jsonl::Config::new(store.root());
    config.durability = fen_session_jsonl::Durability::Power;
    config.clock = std::sync::Arc::new(|| fen_contract::names::Millis(1_700_000_000_000));
    let backend = fen_session_jsonl::JsonlBackend::new(config);
    let session = wait(backend.open(options(&store.project()))).unwrap();
    wait(backend.append(&session, &user("a"))).unwrap();
    let lines = lines(&session.info.path);
    assert_eq!(lines[0]["timestamp"], 1_700_000_000_000_u64);
    assert_eq!(lines[1]["timestamp"], 1_700_000_000_000_u64);
    let name = session.info.path.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("2023-11-14T22-13-20Z_"));
}

#[test]
fn a_session_of_another_backend_is_refused() {
    let store = Store::new();
    let mut session = store.open();
    session.state = std::sync::Arc::new(());
    let failure = store.try_say(&session, "a").unwrap_err();
    assert!(failure.message.contains("jsonl"), "{failure}");
}
