//! One writer per session, whatever happens to the others.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::failure::Fault;
use fen_contract::session::SessionBackend as _;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, Stdio};

#[test]
fn a_second_writer_is_refused_by_name_until_the_first_closes() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    let other = backend(&store.root());
    let failure = wait(other.open_existing(&session.info.path, options(&store.project())))
        .map(drop)
        .unwrap_err();
    assert_eq!(failure.fault, Fault::Caller);
    assert!(failure.message.contains(session.info.id.as_str()), "{failure}");
    assert!(failure.message.contains("resume"), "{failure}");
    assert_eq!(texts(&store.load(&session.info.path)), ["a"], "reading is free");
    store.close(&session);
    wait(other.open_existing(&session.info.path, options(&store.project()))).unwrap();
}

#[test]
fn a_reopened_session_is_locked_as_a_new_one_is() {
    let store = Store::new();
    let path = store.stored(&["a"]);
    let session = store.reopen(&path);
    assert!(store.try_reopen(&path).is_err());
    drop(session);
    store.reopen(&path);
}

/// A process that has added entries to a session and holds it.
struct Holder {
    process: Child,
    path: PathBuf,
}

fn holder(store: &Store) -> Holder {
    let mut process = child("helper_holds_a_session", "", store.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(process.stdout.take().unwrap());
    let line = output.lines().map(Result::unwrap).find(|line| line.contains("holding ")).unwrap();
    let (_, path) = line.split_once("holding ").unwrap();
    Holder { process, path: path.into() }
}

const ENTRIES: usize = 200;

#[test]
fn helper_holds_a_session() {
    let Some(folder) = child_folder() else { return };
    let backend = backend(&folder.join("sessions"));
    let session = wait(backend.open(options(&folder))).unwrap();
    for number in 0..ENTRIES {
        let padding = "x".repeat(if number % 50 == 0 { 70_000 } else { 10 });
        wait(backend.append(&session, &user(&format!("{number} {padding}")))).unwrap();
    }
    println!("\nholding {}", session.info.path.display());
    // Until it is killed, or the test's end closes the pipe.
    let _ = std::io::stdin().read(&mut [0]);
}

#[test]
fn another_process_keeps_its_session_until_it_is_killed_and_loses_nothing_then() {
    let store = Store::new();
    let mut holder = holder(&store);
    let failure = store.try_reopen(&holder.path).map(drop).unwrap_err();
    assert!(failure.message.contains("another fen"), "{failure}");
    // SIGKILL: nothing in the process can clean up.
    holder.process.kill().unwrap();
    holder.process.wait().unwrap();
    let session = store.reopen(&holder.path);
    store.say(&session, "taken over");
    let loaded = store.load(&holder.path);
    assert_eq!(loaded.messages.len(), ENTRIES + 1);
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert_eq!(lines(&holder.path).len(), ENTRIES + 2);
}
