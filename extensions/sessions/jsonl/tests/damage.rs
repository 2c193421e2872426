//! Files that a crash, a disk or another program left behind in a bad state.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::failure::Fault;
use fen_contract::types::Message;
use std::io::Write as _;

#[test]
fn cut_anywhere_in_its_last_line_a_file_keeps_the_rest_and_takes_the_next_message() {
    let store = Store::new();
    let path = store.stored(&["one", "two", "drei \u{1f600} \"\\\n"]);
    let whole = std::fs::read(&path).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    for cut in last..=whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let session = store.reopen(&path);
        store.say(&session, "next");
        store.close(&session);
        let loaded = store.load(&path);
        let torn = cut > last && cut + 1 < whole.len();
        let expected: &[&str] = match cut + 1 >= whole.len() {
            true => &["one", "two", "drei \u{1f600} \"\\\n", "next"],
            false => &["one", "two", "next"],
        };
        assert_eq!(texts(&loaded), expected, "cut at {cut}");
        assert_eq!(loaded.warnings.len(), usize::from(torn), "cut at {cut}: {:?}", loaded.warnings);
        let kept = std::fs::read(&path).unwrap();
        assert!(kept.starts_with(&whole[..cut]), "nothing was cut away at {cut}");
    }
}

#[test]
fn a_torn_last_line_is_told_when_the_session_is_opened_and_loaded() {
    let store = Store::new();
    for tail in ["{\"type\":\"mess", "{\"type\":\"mess\n\n"] {
        let content = format!("{}{}{tail}", header(3), entry("a", None, "one"));
        let path = store.file("torn.jsonl", content);
        let warnings = store.load(&path).warnings;
        assert!(warnings[0].starts_with("line 3 was cut off"), "{warnings:?}");
        let session = store.reopen(&path);
        let told = store.load(&path).warnings;
        assert_eq!(told.len(), if tail.ends_with('\n') { 1 } else { 2 }, "{told:?}");
        store.say(&session, "two");
        store.close(&session);
        assert_eq!(texts(&store.load(&path)), ["one", "two"]);
    }
}

#[test]
fn a_bad_line_in_the_middle_costs_itself_alone() {
    let half = &entry("l6", Some("l5"), "x")[..40];
    let bad_lines = [
        vec![0; 400],
        half.as_bytes().to_vec(),
        b"[1]".to_vec(),
        b"\xff\xfe".to_vec(),
        b"null".to_vec(),
        b"{}".to_vec(),
    ];
    for bad in bad_lines {
        let store = Store::new();
        let mut content = header(3).into_bytes();
        let mut parent = None;
        for number in 2..=10 {
            let id = format!("l{number}");
            if number == 6 {
                content.extend_from_slice(&bad);
                content.push(b'\n');
            } else {
                content.extend(entry(&id, parent.as_deref(), &format!("text {number}")).bytes());
            }
            parent = Some(id);
        }
        let path = store.file("bad.jsonl", content);
        let loaded = store.load(&path);
        let expected = [2, 3, 4, 5, 7, 8, 9, 10].map(|number| format!("text {number}"));
        assert_eq!(texts(&loaded), expected);
        assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
        assert!(loaded.warnings[0].starts_with("line 6 "), "{:?}", loaded.warnings);
        assert_eq!(store.list()[0].message_count.0, 8, "the list agrees");
        let session = store.reopen(&path);
        assert_eq!(session.info.message_count.0, 8);
        store.say(&session, "more");
        assert_eq!(store.load(&path).messages.len(), 9);
    }
}

#[test]
fn warnings_are_bounded() {
    let store = Store::new();
    let path = store.file("bad.jsonl", header(3) + &"{\n".repeat(10_000));
    let warnings = store.load(&path).warnings;
    assert!(warnings.len() < 100);
    assert!(warnings.last().unwrap().contains("more"));
}

#[test]
fn half_characters_in_a_line_are_replaced_and_the_line_is_read() {
    let store = Store::new();
    let mut content = header(3).into_bytes();
    content.extend(entry("a", None, "현MARK 보유").replace("MARK", "\\ud99c").bytes());
    let call = r#"{"type":"message","id":"b","parent-id":"a","timestamp":1,"message":{"role":"assistant","content":[{"type":"tool-call","id":"c","name":"bash","arguments":{"command":"\udc00x"}}],"timestamp":1}}"#;
    content.extend(call.bytes());
    content.push(b'\n');
    let (before, after) = (entry("c", Some("b"), "out "), b"\xed\xa0\x80");
    let at = before.find("out ").unwrap() + 4;
    content.extend_from_slice(&before.as_bytes()[..at]);
    content.extend_from_slice(after);
    content.extend_from_slice(&before.as_bytes()[at..]);
    let path = store.file("surrogates.jsonl", content);
    let loaded = store.load(&path);
    assert_eq!(loaded.messages.len(), 3);
    assert_eq!(texts(&loaded)[0], "현\u{fffd} 보유");
    assert_eq!(texts(&loaded)[2], "out \u{fffd}\u{fffd}\u{fffd}");
    let Message::Assistant(answer) = &loaded.messages[1] else { panic!() };
    assert_eq!(answer.tool_calls().next().unwrap().arguments["command"], "\u{fffd}x");
    assert_eq!(loaded.warnings.len(), 3);
}

#[test]
fn a_message_of_an_unknown_kind_keeps_its_place_in_the_tree() {
    let store = Store::new();
    let unknown = r#"{"type":"message","id":"b","parent-id":"a","message":{"role":"oracle"}}"#;
    let content =
        format!("{}{}{unknown}\n{}", header(3), entry("a", None, "a"), entry("c", Some("b"), "c"));
    let loaded = store.load(&store.file("x.jsonl", content));
    assert_eq!(texts(&loaded), ["a", "c"]);
    assert_eq!(loaded.warnings.len(), 1);
    assert!(loaded.warnings[0].starts_with("line 3 "), "{:?}", loaded.warnings);
}

#[test]
fn the_conversation_is_the_branch_of_the_last_entry() {
    let store = Store::new();
    let content = [
        header(3),
        entry("a", None, "a"),
        entry("b", Some("a"), "b"),
        entry("c", Some("a"), "c"),
        "{\"type\":\"x/mark\",\"id\":\"d\",\"parent-id\":\"c\"}\n".into(),
    ]
    .concat();
    let path = store.file("branches.jsonl", content);
    assert_eq!(texts(&store.load(&path)), ["a", "c"]);
    let session = store.reopen(&path);
    store.say(&session, "e");
    assert_eq!(texts(&store.load(&path)), ["a", "c", "e"]);
    assert_eq!(lines(&path)[5]["parent-id"], "d");
}

#[test]
fn a_parent_that_is_not_there_is_told_and_passed_over() {
    let store = Store::new();
    let content = [header(3), entry("a", None, "a"), entry("b", Some("gone"), "b")].concat();
    let loaded = store.load(&store.file("x.jsonl", content));
    assert_eq!(texts(&loaded), ["a", "b"]);
    assert!(loaded.warnings[0].starts_with("line 3 "), "{:?}", loaded.warnings);
}

#[test]
fn what_another_program_added_is_neither_cut_nor_glued_to_the_next_message() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    let mut other = std::fs::OpenOptions::new().append(true).open(&session.info.path).unwrap();
    other.write_all(b"half a line").unwrap();
    store.say(&session, "b");
    let loaded = store.load(&session.info.path);
    assert_eq!(texts(&loaded), ["a", "b"]);
    assert!(std::fs::read_to_string(&session.info.path).unwrap().contains("half a line\n"));
}

#[test]
fn what_is_no_session_is_refused_by_name() {
    let store = Store::new();
    let link = store.root().join("full.jsonl");
    let empty = store.file("empty.jsonl", "");
    let zeros = store.file("zeros.jsonl", [0; 5000]);
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let missing = store.root().join("missing.jsonl");
    for path in [&link, &empty, &zeros, &missing, &store.root()] {
        let load = wait(fen_contract::session::SessionBackend::load(&store.backend, path));
        for failure in [load.map(drop).unwrap_err(), store.try_reopen(path).map(drop).unwrap_err()]
        {
            assert_eq!(failure.fault, Fault::Caller);
            assert!(failure.message.contains(path.to_str().unwrap()), "{failure}");
        }
    }
    assert!(store.list().is_empty());
    assert_eq!(std::fs::read(&empty).unwrap(), b"");
}

#[test]
fn the_last_entry_is_found_behind_a_tail_that_cannot_be_read() {
    let store = Store::new();
    let content = [header(3), entry("a", None, "a"), entry("b", Some("a"), "b")].concat();
    let path = store.file("x.jsonl", content + &"x".repeat(3 << 20));
    let session = store.reopen(&path);
    store.say(&session, "c");
    store.close(&session);
    assert_eq!(texts(&store.load(&path)), ["a", "b", "c"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().last().unwrap().contains("\"parent-id\":\"b\""));
}
