use super::*;
use crate::testing::{failure, run, success};
use proptest::prelude::*;
use std::fs;
use std::time::{Duration, Instant};

fn read_file(bytes: impl AsRef<[u8]>, mut arguments: Value) -> AgentToolResult {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), bytes).unwrap();
    arguments["path"] = json!("f");
    run(&extension(), dir.path(), arguments)
}

fn detail<'a>(result: &'a AgentToolResult, name: &str) -> &'a Value {
    &result.details.as_ref().unwrap()[name]
}

#[test]
fn a_small_file_comes_as_it_is() {
    let result = read_file("a\nb\n", json!({}));
    assert_eq!(success(&result), "a\nb\n");
    assert_eq!(detail(&result, "total-lines"), 2);
    assert_eq!(success(&read_file("a\nb", json!({}))), "a\nb");
    assert_eq!(success(&read_file("a\r\nb", json!({}))), "a\r\nb");
    assert_eq!(success(&read_file("\u{feff}a\n", json!({}))), "a\n");
    assert_eq!(success(&read_file("", json!({}))), "(empty file)");
}

#[test]
fn offset_and_limit_choose_lines_and_the_hint_leads_on() {
    let thirteen: String = (1..=13).map(|n| format!("line {n}\n")).collect();
    let text = success(&read_file(&thirteen, json!({"offset": 3, "limit": 2})));
    assert_eq!(text, "line 3\nline 4\n\n[Lines 3-4 of 13. Next offset: 5.]");
    assert_eq!(success(&read_file(&thirteen, json!({"offset": 13}))), "line 13\n");
    assert!(success(&read_file(&thirteen, json!({"offset": 0}))).starts_with("line 1\n"));
    for offset in [json!(14), json!(30), json!(1200), json!(1_u64 << 63), json!(1e30)] {
        let words = failure(&read_file(&thirteen, json!({"offset": offset, "limit": 200})));
        assert!(words.contains("has 13 lines"), "{words}");
    }
    assert!(failure(&read_file("", json!({"offset": 2}))).contains("has 0 lines"));
    assert!(failure(&read_file("a", json!({"offset": 2}))).contains("has 1 line."));
    assert!(failure(&read_file("a\n", json!({"offset": -3}))).contains("offset"));
    assert!(failure(&read_file("a\n", json!({"limit": 0}))).contains("limit"));
}

#[test]
fn output_stops_at_the_line_bound_and_at_the_byte_bound() {
    let many: String = (1..=5_000).map(|n| format!("{n}\n")).collect();
    let result = read_file(&many, json!({}));
    assert!(success(&result).ends_with("1999\n2000\n\n[Lines 1-2000 of 5000. Next offset: 2001.]"));
    assert_eq!(detail(&result, "next-offset"), 2001);
    let wide: String = (1..=100).map(|n| format!("{n}{}\n", "─".repeat(400))).collect();
    let result = read_file(&wide, json!({}));
    let text = success(&result);
    assert!(text.len() < MAX_BYTES + 100);
    assert!(!text.contains('\u{FFFD}'));
    assert_eq!(detail(&result, "truncated"), true);
}

#[test]
fn a_line_longer_than_the_bound_is_shown_in_part_and_passed() {
    let long = "x".repeat(80 << 10);
    let first = read_file(format!("{long}\nafter\n"), json!({}));
    let text = success(&first);
    assert!(text.contains("Line 1 is cut: the first 50.0 KiB of 80.0 KiB"), "{text:.0}");
    assert_eq!(detail(&first, "next-offset"), 2);
    let third = format!("a\nb\n{long}\nafter\n");
    let before = read_file(&third, json!({}));
    assert!(success(&before).starts_with("a\nb\n\n["));
    assert_eq!(detail(&before, "next-offset"), 3);
    let at = read_file(&third, json!({"offset": 3}));
    assert!(success(&at).contains("Line 3 is cut"));
    assert_eq!(detail(&at, "next-offset"), 4);
    let only = read_file(&long, json!({}));
    assert!(success(&only).contains("Line 1 is cut"));
    assert_eq!(*detail(&only, "next-offset"), Value::Null);
}

#[test]
fn bytes_that_are_no_text_are_replaced_or_refused_by_kind() {
    assert_eq!(success(&read_file(b"head\xfftail", json!({}))), "head\u{FFFD}tail");
    let late = [vec![b'a'; HEAD + 10], vec![0]].concat();
    assert!(success(&read_file(late, json!({}))).ends_with('\u{FFFD}'));
    for (bytes, kind) in [
        (b"a\0b".as_slice(), "a binary file"),
        (b"\x89PNG\r\n\x1a\n....", "a PNG image"),
        (b"\xff\xd8\xff\xe0", "a JPEG image"),
        (b"\0\0\0\x18ftypheic", "a HEIC image"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x7fELF", "an ELF binary"),
        (b"\xff\xfea\0", "UTF-16 text"),
    ] {
        let words = failure(&read_file(bytes, json!({})));
        assert!(words.contains(kind), "{words}");
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("t.png"), "only text").unwrap();
    assert_eq!(success(&run(&extension(), dir.path(), json!({"path": "t.png"}))), "only text");
}

#[test]
fn special_files_are_refused_at_once_with_their_kind() {
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("p");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("s")).unwrap();
    let started = Instant::now();
    for (path, kind) in [
        ("p", "a named pipe"),
        ("s", "a socket"),
        (".", "a directory"),
        ("/dev/zero", "a device"),
        ("/dev/null", "a device"),
    ] {
        let words = failure(&run(&extension(), dir.path(), json!({"path": path})));
        assert!(words.contains(kind), "{words}");
    }
    assert!(started.elapsed() < Duration::from_secs(10));
    let words = failure(&run(&extension(), dir.path(), json!({"path": "none"})));
    assert!(words.contains("none: it does not exist"), "{words}");
}

#[test]
fn an_ignored_file_is_read_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".gitignore"), "*\n").unwrap();
    assert_eq!(success(&run(&extension(), dir.path(), json!({"path": ".gitignore"}))), "*\n");
}

#[test]
fn a_cancelled_call_reads_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let call = ToolCallContext::detached(dir.path());
    call.cancel.cancel();
    let result = crate::testing::run_call(&extension(), &call, json!({"path": "f"}));
    assert_eq!(failure(&result), "Cancelled.");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn following_the_next_offset_gives_every_line_once_and_always_moves_on(
        lines in proptest::collection::vec("[a-z─]{0,9}", 0..30),
        end in any::<bool>(),
        limit in 1_u64..8,
    ) {
        let mut file = lines.join("\n");
        if end {
            file.push('\n');
        }
        let mut offset = 1;
        let mut seen = String::new();
        loop {
            let result = read_file(&file, json!({"offset": offset, "limit": limit}));
            let text = success(&result);
            if file.is_empty() {
                prop_assert_eq!(text, "(empty file)");
                return Ok(());
            }
            let Some(next) = detail(&result, "next-offset").as_u64() else {
                seen.push_str(&text);
                break;
            };
            let (shown, _) = text.rsplit_once("\n[").unwrap();
            seen.push_str(shown);
            prop_assert!(next > offset);
            offset = next;
        }
        prop_assert_eq!(seen, file);
    }
}
