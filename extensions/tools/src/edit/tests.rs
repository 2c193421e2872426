use super::*;
use crate::testing::{failure, run, success};
use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// One edit of `before`; gives the file and the result.
fn edit_bytes(before: impl AsRef<[u8]>, edits: Value) -> (Vec<u8>, AgentToolResult) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    fs::write(&path, before).unwrap();
    let result = run(&extension(), dir.path(), json!({"path": "f", "edits": edits}));
    (fs::read(path).unwrap(), result)
}

fn one(old: &str, new: &str) -> Value {
    json!([{"old_string": old, "new_string": new}])
}

fn all(old: &str, new: &str) -> Value {
    json!([{"old_string": old, "new_string": new, "replace_all": true}])
}

/// The file after edits that must succeed.
fn edited(before: impl AsRef<[u8]>, edits: Value) -> String {
    let (after, result) = edit_bytes(before, edits);
    success(&result);
    String::from_utf8(after).unwrap()
}

/// The words of edits that must fail and leave the file.
fn refused(before: impl AsRef<[u8]>, edits: Value) -> String {
    let (after, result) = edit_bytes(before.as_ref(), edits);
    assert_eq!(after, before.as_ref(), "the file is as it was");
    failure(&result)
}

#[test]
fn an_exact_match_is_replaced_and_told_with_a_diff() {
    let (after, result) = edit_bytes("a\nb\nc\n", one("b", "B\nB2"));
    assert_eq!(after, b"a\nB\nB2\nc\n");
    assert_eq!(success(&result), "Edited f: 1 replacement, +2 -1 lines.");
    let details = result.details.unwrap();
    assert_eq!(details["diff"], "--- f\n+++ f\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c\n");
    assert_eq!((&details["added"], &details["removed"]), (&json!(2), &json!(1)));
}

#[test]
fn line_ends_stay_as_they_are() {
    assert_eq!(edited("a\r\nb\r\nc\r\n", one("a\nb", "a\nB")), "a\r\nB\r\nc\r\n");
    assert_eq!(edited("a\r\nb\r\nc\r\n", one("b", "x\ny")), "a\r\nx\r\ny\r\nc\r\n");
    assert_eq!(edited("a\r\nb\nc\r\n", one("a\nb\nc", "a\nB\nc")), "a\r\nB\nc\r\n");
    assert_eq!(edited("a\r\nb\nc\r\n", one("a\nb\nc\n", "a\nx\nb\nc\n")), "a\r\nx\r\nb\nc\r\n");
    assert_eq!(edited("a\nb\n", one("b", "x\r\ny")), "a\nx\ny\n");
    assert_eq!(edited("a\r\nb\r\n", one("a\r\nb\r\n", "a\r\nB\r\n")), "a\r\nB\r\n");
    assert_eq!(edited("a\r\nb\r\nc", one("\nb", "")), "a\r\nc");
    assert_eq!(edited("a\r\nb", one("b", "b\nc")), "a\r\nb\r\nc");
    assert_eq!(edited("ab", one("b", "x\r\ny")), "ax\r\ny");
    assert!(refused("a\r\nb\r\n", one("a\r\n", "a\n")).contains("only in line ends"));
}

#[test]
fn nothing_in_the_texts_has_a_special_meaning() {
    let new = "log(\"$& $1 $$ ${x} $' \\n ok\");";
    assert_eq!(edited("log(\"done\");\n", one("log(\"done\");", new)), format!("{new}\n"));
    assert_eq!(edited("a.b(\naxb(\n", one("a.b(", "$0")), "$0\naxb(\n");
}

#[test]
fn a_byte_order_mark_stays() {
    let file = "\u{feff}hello\n中文\n";
    assert_eq!(edited(file, one("hello", "hello2")), "\u{feff}hello2\n中文\n");
    assert_eq!(edited(file, one("hello\n中文\n", "x\n")), "\u{feff}x\n");
    assert_eq!(edited(file, one("\u{feff}hello", "\u{feff}x")), "\u{feff}x\n中文\n");
}

#[test]
fn several_places_are_refused_also_where_they_overlap() {
    for (file, old) in
        [("foo\nfoo\nfoo\n", "foo\nfoo\n"), ("aaa", "aa"), ("\n\n\n", "\n\n"), ("ab ab", "ab")]
    {
        let words = refused(file, one(old, "X"));
        assert!(words.contains("matches 2 places"), "{words}");
    }
    assert!(refused("a\nb\na\n", one("a", "X")).contains("at lines 1, 3."));
    assert_eq!(edited("a\nb\na\n", all("a", "X")), "X\nb\nX\n");
    assert_eq!(edited("aaa", all("aa", "X")), "Xa");
    // One exact match among inexact ones is unique; two inexact ones are not.
    assert_eq!(edited("“a”\n\"a\"\n", one("\"a\"", "x")), "“a”\nx\n");
    assert!(refused("“a”\n„a“\n", one("\"a\"", "x")).contains("matches 2 places"));
}

#[test]
fn empty_and_idle_edits_are_refused_with_the_true_reason() {
    assert!(refused("abc", one("", "X")).contains("old_string is empty"));
    assert!(refused("abc", all("", "X")).contains("old_string is empty"));
    assert!(refused("abc", one("b", "b")).contains("are the same"));
    assert!(refused("abc", json!([])).contains("no edits"));
    let back = json!([
        {"old_string": "b", "new_string": "x"},
        {"old_string": "x", "new_string": "b"}
    ]);
    assert!(refused("abc", back).contains("as it is"));
}

#[test]
fn edits_apply_in_order_and_all_or_none() {
    let chain = json!([
        {"old_string": "a", "new_string": "b1"},
        {"old_string": "b1\nc", "new_string": "d"}
    ]);
    assert_eq!(edited("a\nc\n", chain), "d\n");
    let partly = json!([
        {"old_string": "a", "new_string": "x"},
        {"old_string": "gone", "new_string": "y"}
    ]);
    let words = refused("a\nc\n", partly);
    assert!(words.starts_with("Edit 2 of 2: old_string was not found in f."), "{words}");
    let overlapping = json!([
        {"old_string": "one two", "new_string": "1"},
        {"old_string": "two three", "new_string": "2"}
    ]);
    assert!(refused("one two three", overlapping).contains("Edit 2 of 2"));
}

#[test]
fn a_tolerant_match_changes_only_the_lines_it_matched() {
    let file = "const name = \"Alice\";\r\n// “quoted” — text  \nx\u{a0}y\n";
    let new = "const name = “Bob”;";
    let (after, result) = edit_bytes(file, one("const name = “Alice”;", new));
    assert!(success(&result).contains("Edit 1 matched with differences"));
    let expected = file.replace("const name = \"Alice\";", new);
    assert_eq!(String::from_utf8(after).unwrap(), expected);
    // Trailing blanks, inner blanks, a missing last line end.
    assert_eq!(edited("a  \n b\t=  1\nz", one("a\n b = 1\n", "A\n")), "A\nz");
    assert_eq!(edited("one\nlast", one("last\n", "first\n")), "one\nfirst");
    // Lines that the edit repeats keep their own blanks.
    assert_eq!(
        edited("keep  \nold\nend\n", one("keep\nold\n", "keep\nnew\n")),
        "keep  \nnew\nend\n"
    );
}

#[test]
fn another_indentation_is_carried_over_where_it_is_the_same_everywhere() {
    let file = "if x:\n    if y:\n        go()\n    end\n";
    let after = edited(file, one("if y:\n    go()\n", "if y:\n    stop()\n    go()\n"));
    assert_eq!(after, "if x:\n    if y:\n        stop()\n        go()\n    end\n");
    let words = refused("\tif y:\n\t\tgo()\n", one("  if y:\n    go()\n", "  x()\n"));
    assert!(words.contains("indented in another way"), "{words}");
}

#[test]
fn a_missing_text_gets_a_hint() {
    let file = "fn first() {}\nfn compute_total(items: &[u32]) -> u32 {\n    0\n}\n";
    let words = refused(file, one("fn compute_total(items: &[u64]) -> u64 {", "x"));
    assert!(words.contains("nearest line is 2: `fn compute_total(items: &[u32])"), "{words}");
    let words = refused(file, one("fn first() {}\nfn second() {}\n", "x"));
    assert!(words.contains("begins like line 1, but line 2 is `fn compute_total"), "{words}");
    let words = refused("a b\n", one("a b\nc\n", "x"));
    assert!(words.contains("the file ends after line 1"), "{words}");
    assert!(refused("abc\n", one("zzz", "x")).contains("Read the file again"));
    assert!(refused("abc\n", one("   ", "x")).contains("nothing but blanks"));
}

#[test]
fn bytes_that_are_no_text_survive() {
    let (after, result) = edit_bytes(b"\xff\xfe a\nb\n\xc3", one("b", "c"));
    success(&result);
    assert_eq!(after, b"\xff\xfe a\nc\n\xc3");
}

#[test]
fn mode_and_links_stay_and_what_is_no_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let real = dir.path().join("real.sh");
    fs::write(&real, "old\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("real.sh", dir.path().join("link.sh")).unwrap();
    let at = |path: &str| {
        run(&extension(), dir.path(), json!({"path": path, "edits": one("old", "new")}))
    };
    success(&at("link.sh"));
    assert!(fs::symlink_metadata(dir.path().join("link.sh")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "new\n");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o755);
    assert!(failure(&at("none")).contains("does not exist"));
    assert!(failure(&at(".")).contains("a directory"));
    assert!(failure(&at("/dev/null")).contains("a device"));
}

#[test]
fn the_diff_is_bounded() {
    let file: String = (0..9_000).map(|n| format!("line {n}\n")).collect();
    let (_, result) = edit_bytes(file, all("line", "row"));
    success(&result);
    let details = result.details.unwrap();
    let diff = details["diff"].as_str().unwrap();
    assert!(diff.len() < crate::bounds::MAX_BYTES + 100);
    assert!(diff.ends_with("left out]\n"));
    assert_eq!(details["added"], 9_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn bytes_outside_the_edit_never_change(
        before in "[ab“\u{a0} \t\r\n]{0,30}",
        after in "[ab“\u{a0} \t\r\n]{0,30}",
        new in "[xy$\n]{1,12}",
        crlf in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let file = format!("{before}{end}first{end}second{end}{after}");
        let edited = edited(&file, one("first\nsecond", &new));
        let new = if crlf { new.replace('\n', "\r\n") } else { new };
        prop_assert_eq!(edited, format!("{before}{end}{new}{end}{after}"));
    }

    #[test]
    fn a_tolerant_match_leaves_the_other_lines_alone(
        before in proptest::collection::vec("[ab“\u{a0} \t]{0,8}\r?", 0..5),
        after in proptest::collection::vec("[ab“\u{a0} \t]{0,8}\r?", 0..5),
        blanks in "[ \t]{1,3}",
        crlf in any::<bool>(),
    ) {
        let join = |lines: &[String]| lines.iter().map(|l| format!("{l}\n")).collect::<String>();
        let (before, after) = (join(&before), join(&after));
        let end = if crlf { "\r\n" } else { "\n" };
        let file = format!("{before}“first{blanks}line”{blanks}{end}{after}");
        let edited = edited(&file, one("\"first line\"\n", "new\n"));
        prop_assert_eq!(edited, format!("{before}new{end}{after}"));
    }

    #[test]
    fn no_edit_panics(
        file in "[ab\r\n “\u{feff}]{0,20}", old in "[ab\r\n \"]{0,6}", new in "[ab\r\n \"]{0,6}",
        all in any::<bool>(),
    ) {
        let meant = if all { Meant::All } else { Meant::TheOnly };
        let edit = Edit { old, new, meant };
        let _ = apply(file.as_bytes(), &[edit], "f");
    }
}
