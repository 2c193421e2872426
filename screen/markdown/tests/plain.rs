//! Code and diffs as they are seen.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report of a test")]

mod shown;

use fen_cells::{Line, Look, Role};
use fen_markdown::{CodeLooks, Plain, code_rows, diff_between, diff_rows};
use proptest::prelude::*;
use shown::{copied, shown};

const NUMBERED: CodeLooks =
    CodeLooks { text: Look::of(Role::Output), fill: Some(Role::CodeBlock), first_number: Some(9) };

#[test]
fn lines_have_numbers_that_are_not_copied() {
    let rows = code_rows("one\n\n  three four\n", "", 12, &Plain, &NUMBERED);
    assert_eq!(shown(&rows), [" 9 one", "10", "11   three f", "   our"]);
    assert_eq!(copied(&rows), "one\n\n  three four");
    assert!(rows.iter().all(|row| row.fill == Some(Role::CodeBlock)));
    assert_eq!(shown(&code_rows("one", "", 5, &Plain, &NUMBERED)), ["one"]);
}

#[test]
fn lines_keep_blanks_and_tabs_reach_their_stops() {
    let rows = code_rows("\ta\r\n  b", "", 40, &Plain, &CodeLooks::default());
    assert_eq!(shown(&rows), ["    a", "  b"]);
    assert!(code_rows("", "", 40, &Plain, &CodeLooks::default()).is_empty());
}

const DIFF: &str = "\
--- a/x.rs
+++ b/x.rs
@@ -8,4 +8,4 @@ fn main
 let a = 1;
-let width = old.len();
+let width = new.len();
 
--- gone
\\ No newline at end of file
";

#[test]
fn a_diff_has_the_numbers_of_the_text_that_a_line_stands_in() {
    let rows = diff_rows(DIFF, "", 40, &Plain);
    let expected = [
        "--- a/x.rs",
        "+++ b/x.rs",
        "@@ -8,4 +8,4 @@ fn main",
        " 8  let a = 1;",
        " 9 -let width = old.len();",
        " 9 +let width = new.len();",
        "10",
        "11 --- gone",
        "\\ No newline at end of file",
    ];
    assert_eq!(shown(&rows), expected);
    assert_eq!(copied(&rows) + "\n", DIFF);
    let fills: Vec<_> = rows.iter().map(|row| row.fill).collect();
    let (added, removed) = (Some(Role::Added), Some(Role::Removed));
    assert_eq!(fills, [None, None, None, None, removed, added, None, removed, None]);
}

#[test]
fn words_that_changed_are_bold() {
    let rows = diff_rows(DIFF, "", 40, &Plain);
    let bold = |row: &Line| -> Vec<(String, Role)> {
        let spans = row.spans.iter().filter(|span| span.look.is_bold());
        spans.map(|span| (span.text().to_owned(), span.look.role)).collect()
    };
    assert_eq!(bold(&rows[4]), [("old".to_owned(), Role::Removed)]);
    assert_eq!(bold(&rows[5]), [("new".to_owned(), Role::Added)]);
}

#[test]
fn a_diff_without_headers_has_no_numbers() {
    assert_eq!(shown(&diff_rows("+a\n-b\n c", "", 40, &Plain)), ["+a", "-b", " c"]);
}

#[test]
fn a_diff_that_is_too_long_says_what_is_missing() {
    let rows = diff_rows(&"+a\n".repeat(20_005), "", 40, &Plain);
    assert_eq!(rows.len(), 20_001);
    assert_eq!(rows[20_000].text(), "… 5 more lines");
}

#[test]
fn texts_are_compared_with_some_lines_around() {
    let old: String = (1..20).map(|line| format!("{line}\n")).collect();
    let new = old.replace("10\n", "ten\n");
    let diff = diff_between(&old, &new);
    assert_eq!(diff, "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
    assert_eq!(diff_between("a\n", "a\n"), "");
    assert_eq!(diff_between("", "a"), "@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n");
}

#[test]
fn texts_that_differ_in_thousands_of_lines_are_replaced() {
    let lines =
        |name: &str| -> String { (0..4000).map(|line| format!("{name}{line}\n")).collect() };
    let diff = diff_between(&lines("a"), &lines("b"));
    assert_eq!(diff.lines().filter(|line| line.starts_with('-')).count(), 4000);
    assert_eq!(diff.lines().filter(|line| line.starts_with('+')).count(), 4000);
}

/// What a diff makes of the old text.
fn patched(old: &str, diff: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let mut new = String::new();
    let mut at = 0;
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (from, len) = header.split(' ').next().unwrap().split_once(',').unwrap();
            let from: usize = from.parse().unwrap();
            let start = if len == "0" { from } else { from - 1 };
            new += &old[at..start].concat();
            at = start;
            continue;
        }
        let ends = lines.next_if(|next| next.starts_with('\\')).is_none();
        if !line.starts_with('+') {
            at += 1;
        }
        if !line.starts_with('-') {
            new += &line[1..];
            new += if ends { "\n" } else { "" };
        }
    }
    new += &old[at..].concat();
    new
}

proptest! {
    #[test]
    fn a_diff_turns_the_old_text_into_the_new(old in "([abc]\n){0,12}[ab]?", new in "([abc]\n){0,12}[ab]?") {
        prop_assert_eq!(patched(&old, &diff_between(&old, &new)), new);
    }

    #[test]
    fn any_text_fits(text: String, cells in 0usize..60) {
        let code = code_rows(&text, "", cells, &Plain, &NUMBERED);
        let diff = diff_rows(&text, "", cells, &Plain);
        prop_assert!(code.iter().chain(&diff).all(|row| row.width() <= cells.max(1)));
    }

    #[test]
    fn any_diff_fits_and_is_copied_as_it_was(
        lines in proptest::collection::vec("(\\+|-| |@@ -1,3 \\+1,3 @@|--- |\\\\)[a-c来(). ]{0,12}", 1..30),
        cells in 2usize..60,
    ) {
        let diff = lines.join("\n");
        let rows = diff_rows(&diff, "", cells, &Plain);
        prop_assert!(rows.iter().all(|row| row.width() <= cells));
        prop_assert_eq!(copied(&rows), diff);
    }
}
