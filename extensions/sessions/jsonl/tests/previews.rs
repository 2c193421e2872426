//! What is told of a stored conversation before it is opened, and naming it then.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::failure::{Failure, Fault};
use fen_contract::names::Count;
use fen_contract::session::SessionBackend as _;
use std::fs::File;
use std::path::Path;

fn preview(store: &Store, path: &Path) -> Result<String, Failure> {
    wait(store.backend.preview(path))
}

fn rename(store: &Store, path: &Path, title: &str) -> Result<(), Failure> {
    wait(store.backend.rename_stored(path, title))
}

#[test]
fn a_session_tells_its_size_and_when_it_was_last_added_to() {
    let store = Store::new();
    let path = store.stored(&["a"]);
    let info = &store.list()[0];
    let metadata = std::fs::metadata(&path).unwrap();
    assert_eq!(info.size, Some(Count(metadata.len())));
    let since = metadata.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(u128::from(info.modified.unwrap().0), since.as_millis());
}

#[test]
fn a_preview_has_the_first_prompt_and_the_last_one_with_its_answer() {
    let store = Store::new();
    let session = store.open();
    for (prompt, reply) in [("fix it", "done"), ("and now?", "nothing"), ("test it", "it passes")] {
        store.say(&session, prompt);
        store.append(&session, &answer(reply));
    }
    let path = &session.info.path;
    assert_eq!(
        preview(&store, path).unwrap(),
        "You: fix it\n\n…\n\nYou: test it\n\nAnswer: it passes"
    );
    store.say(&session, "go on");
    let unanswered = preview(&store, path).unwrap();
    assert!(unanswered.ends_with("You: go on"), "{unanswered}");
}

#[test]
fn a_preview_of_a_short_conversation_repeats_nothing() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "fix it");
    store.append(&session, &answer("done"));
    assert_eq!(preview(&store, &session.info.path).unwrap(), "You: fix it\n\nAnswer: done");
    let empty = store.file("x_empty.jsonl", header(3));
    assert_eq!(preview(&store, &empty).unwrap(), "no prompt yet");
    assert!(preview(&store, Path::new("/no/such/file")).is_err());
}

#[test]
fn a_preview_of_a_huge_session_comes_from_its_ends() {
    let store = Store::new();
    let long = "12 \u{fc}\n".repeat(100_000);
    let begun = header(3) + &entry("a", None, &format!("look at this: {long}"));
    let path = store.file("x_huge.jsonl", begun);
    let file = File::options().append(true).open(&path).unwrap();
    // Mostly a hole: reading it through would take minutes.
    file.set_len(64 << 30).unwrap();
    std::io::Write::write_all(&mut &file, b"\n").unwrap();
    std::io::Write::write_all(&mut &file, entry("z", Some("a"), "the end").as_bytes()).unwrap();
    let shown = preview(&store, &path).unwrap();
    assert!(shown.starts_with("You: look at this: 12 ü"), "{shown}");
    assert!(shown.ends_with("\n\n…\n\nYou: the end"), "{shown}");
    assert!(shown.len() < 4096);
}

#[test]
fn a_stored_session_can_be_named_and_continued_afterwards() {
    let store = Store::new();
    let path = store.stored(&["a"]);
    rename(&store, &path, "My work").unwrap();
    assert_eq!(store.list()[0].title.as_deref(), Some("My work"));
    let session = store.reopen(&path);
    store.say(&session, "b");
    let loaded = store.load(&path);
    assert_eq!((texts(&loaded), loaded.warnings), (vec!["a".into(), "b".into()], vec![]));
}

#[test]
fn a_session_that_is_open_elsewhere_is_neither_named_nor_deleted() {
    let store = Store::new();
    let path = store.stored(&["a"]);
    let other = backend(&store.root());
    let session = wait(other.open_existing(&path, options(&store.project()))).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert_eq!(rename(&store, &path, "x").unwrap_err().fault, Fault::Caller);
    assert_eq!(wait(store.backend.delete(&path)).unwrap_err().fault, Fault::Caller);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    wait(other.close(&session)).unwrap();
    wait(store.backend.delete(&path)).unwrap();
    assert!(!path.exists());
}

#[test]
fn a_session_of_another_format_is_not_touched_to_name_it() {
    let store = Store::new();
    for version in [2, 4] {
        let name = format!("x_v{version}.jsonl");
        let path = store.file(&name, header(version) + &entry("a", None, "a"));
        let before = std::fs::read(&path).unwrap();
        let refused = rename(&store, &path, "x").unwrap_err();
        assert!(refused.message.contains("resume it"), "{refused}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    assert_eq!(store.list().len(), 2, "no copy was made for it");
}
