//! Lines that waited for the agent come back with the session.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::session::{Session, SessionBackend as _};
use serde_json::json;

fn wait_in_line(store: &Store, session: &Session, steering: &[&str], follow_up: &[&str]) {
    let fields = json!({"steering": steering, "follow-up": follow_up});
    wait(backend(&store.root()).append_entry(session, "queue", fields)).unwrap();
}

#[test]
fn the_lines_that_waited_last_are_given_back() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "hello");
    wait_in_line(&store, &session, &["left"], &["later"]);
    wait_in_line(&store, &session, &["left"], &["later", "and then"]);
    let loaded = store.load(&session.info.path);
    assert_eq!(loaded.queue.steering, ["left"]);
    assert_eq!(loaded.queue.follow_up, ["later", "and then"]);
    wait_in_line(&store, &session, &[], &[]);
    assert_eq!(store.load(&session.info.path).queue, Default::default());
}

#[test]
fn a_line_that_was_said_since_does_not_wait_any_more() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "later");
    wait_in_line(&store, &session, &["left"], &["later", "later"]);
    store.say(&session, "later");
    store.say(&session, "something else");
    let loaded = store.load(&session.info.path);
    assert_eq!(loaded.queue.steering, ["left"]);
    assert_eq!(loaded.queue.follow_up, ["later"]);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
}
