//! The unified diff of an edit, for people.

use similar::algorithms::{Capture, Replace, myers};
use similar::{DiffOp, DiffTag};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::{Duration, Instant};

use crate::bounds::{MAX_BYTES, MAX_LINES, head};
use crate::text::readable;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;
/// A diff that takes longer comes out coarser, not later.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bounded diff and what it counts.
pub(super) struct Diff {
    pub(super) text: String,
    pub(super) added: usize,
    pub(super) removed: usize,
}

/// Compares two versions of the file `name`.
pub(super) fn diff(old: &[u8], new: &[u8], name: &str) -> Diff {
    let (old, new) = (readable(old), readable(new));
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let ops = compare(&old, &new);
    let (mut added, mut removed) = (0, 0);
    for op in &ops {
        if op.tag() != DiffTag::Equal {
            removed += op.old_range().len();
            added += op.new_range().len();
        }
    }
    let whole = unified(ops, &old, &new, name);
    let mut text = head(&whole, MAX_LINES, MAX_BYTES).to_owned();
    if text.len() < whole.len() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str("[the rest of the diff is left out]\n");
    }
    Diff { text, added, removed }
}

/// The algorithm is called by its name and on numbers: the library's general entry would be
/// compiled for each of its algorithms and each kind of text.
fn compare(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut known = HashMap::new();
    let (old, new) = (numbered(old, &mut known), numbered(new, &mut known));
    // What goes and what comes in one place is one change, the old lines first.
    let mut capture = Replace::new(Capture::new());
    let deadline = Instant::now().checked_add(PATIENCE);
    let outcome = myers::diff_deadline(
        &mut capture,
        &old[..],
        0..old.len(),
        &new[..],
        0..new.len(),
        deadline,
    );
    match outcome {
        Ok(()) => capture.into_inner().into_ops(),
        Err(never) => match never {},
    }
}

/// Equal lines get equal numbers.
fn numbered<'a>(lines: &[&'a str], known: &mut HashMap<&'a str, usize>) -> Vec<usize> {
    let mut number = |line: &'a str| {
        let next = known.len();
        *known.entry(line).or_insert(next)
    };
    lines.iter().map(|line| number(line)).collect()
}

/// The changes in unified form, which a patch program can read.
fn unified(ops: Vec<DiffOp>, old: &[&str], new: &[&str], name: &str) -> String {
    let mut text = String::new();
    for group in similar::group_diff_ops(ops, CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if text.is_empty() {
            let _ = write!(text, "--- {name}\n+++ {name}\n");
        }
        let old_range = first.old_range().start..last.old_range().end;
        let new_range = first.new_range().start..last.new_range().end;
        let _ = writeln!(text, "@@ -{} +{} @@", position(&old_range), position(&new_range));
        for op in &group {
            if op.tag() == DiffTag::Equal {
                lines(&mut text, ' ', &old[op.old_range()]);
            } else {
                lines(&mut text, '-', &old[op.old_range()]);
                lines(&mut text, '+', &new[op.new_range()]);
            }
        }
    }
    text
}

/// `start,count`, counted from 1; an empty range names the line before it.
fn position(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        count => format!("{},{count}", range.start + 1),
    }
}

fn lines(text: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        text.push(mark);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_three_lines_around_and_counts() {
        let old: String = (1..=9).map(|n| format!("{n}\n")).collect();
        let new = old.replace("5\n", "five\nfünf\n");
        let diff = diff(old.as_bytes(), new.as_bytes(), "a");
        assert_eq!((diff.added, diff.removed), (2, 1));
        assert_eq!(
            diff.text,
            "--- a\n+++ a\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+fünf\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn a_missing_last_line_end_and_an_empty_side_are_told() {
        assert_eq!(
            diff(b"", b"x", "a").text,
            "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
        );
        assert_eq!(diff(b"x\n", b"x\n", "a").text, "");
    }
}
