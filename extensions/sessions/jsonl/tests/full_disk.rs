//! Disks that take nothing more.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::session::SessionBackend as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::os::unix::fs::symlink;

#[test]
fn a_file_that_cannot_be_made_is_told_each_time_and_nothing_said_is_lost() {
    let store = Store::new();
    let session = store.open();
    std::fs::create_dir_all(session.info.path.parent().unwrap()).unwrap();
    symlink("/dev/full", &session.info.path).unwrap();
    for (number, text) in ["a", "b", "c"].into_iter().enumerate() {
        let failure = store.try_say(&session, text).unwrap_err();
        assert!(failure.message.contains(session.info.path.to_str().unwrap()), "{failure}");
        let waiting = if number == 0 { "1 entry is kept" } else { "entries are kept" };
        assert!(failure.message.contains(waiting), "{failure}");
    }
    std::fs::remove_file(&session.info.path).unwrap();
    store.say(&session, "d");
    store.close(&session);
    let loaded = store.load(&session.info.path);
    assert_eq!(texts(&loaded), ["a", "b", "c", "d"]);
    assert_eq!(loaded.warnings, Vec::<String>::new());
}

#[test]
fn closing_writes_what_is_waiting_and_else_says_what_is_lost() {
    let store = Store::new();
    let blocked = |session: &fen_contract::session::Session| {
        std::fs::create_dir_all(&session.info.path).unwrap();
        store.try_say(session, "a").unwrap_err();
    };
    let session = store.open();
    blocked(&session);
    std::fs::remove_dir(&session.info.path).unwrap();
    store.close(&session);
    assert_eq!(texts(&store.load(&session.info.path)), ["a"]);

    let session = store.open();
    blocked(&session);
    let failure = wait(store.backend.close(&session)).unwrap_err();
    assert!(failure.message.contains("1 entry is lost"), "{failure}");
}

#[test]
fn a_session_replaced_by_another_file_is_told_each_time() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    std::fs::remove_file(&session.info.path).unwrap();
    symlink("/dev/full", &session.info.path).unwrap();
    for _ in 0..3 {
        let failure = store.try_say(&session, "b").unwrap_err();
        assert!(failure.message.contains("replaced"), "{failure}");
    }
    std::fs::remove_file(&session.info.path).unwrap();
    store.say(&session, "c");
    assert_eq!(texts(&store.load(&session.info.path)), ["a", "b", "b", "b", "c"]);
}

#[test]
fn a_line_that_does_not_fit_leaves_no_part_of_itself() {
    let folder = tempfile::tempdir().unwrap();
    // Blocks of 512 bytes. The signal's default would end the process.
    let prelude = "trap '' XFSZ; ulimit -S -f 8";
    let output = child("helper_fills_its_file", prelude, folder.path()).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{errors}");
    assert!(shown.contains("helper is done"), "{shown}");
}

#[test]
fn helper_fills_its_file() {
    let Some(folder) = child_folder() else { return };
    let backend = backend(&folder.join("sessions"));
    let session = wait(backend.open(options(&folder))).unwrap();
    let text = "x".repeat(900);
    let mut stored = 0;
    while wait(backend.append(&session, &user(&format!("{stored} {text}")))).is_ok() {
        stored += 1;
        assert!(stored < 100, "the limit does not hold");
    }
    assert!(stored >= 2);
    for _ in 0..3 {
        wait(backend.append(&session, &user("more"))).unwrap_err();
        let bytes = std::fs::read(&session.info.path).unwrap();
        assert!(bytes.ends_with(b"}\n"), "no half line is left");
        assert_eq!(lines(&session.info.path).len(), stored + 1);
    }
    let hard = getrlimit(Resource::Fsize).maximum;
    setrlimit(Resource::Fsize, Rlimit { current: hard, maximum: hard }).unwrap();
    wait(backend.append(&session, &answer("at last"))).unwrap();
    let loaded = wait(backend.load(&session.info.path)).unwrap();
    assert_eq!(loaded.messages.len(), stored + 5);
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert_eq!(texts(&loaded)[stored + 1..], ["more", "more", "more", "at last"]);
    println!("helper is done");
}
