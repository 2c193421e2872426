//! The unified diff of an edit, for people.

use similar::{ChangeTag, TextDiff};
use std::time::Duration;

use crate::bounds::{MAX_BYTES, MAX_LINES, head};
use crate::text::readable;

/// A bounded diff and what it counts.
pub(super) struct Diff {
    pub(super) text: String,
    pub(super) added: usize,
    pub(super) removed: usize,
}

/// Compares two versions of the file `name`.
pub(super) fn diff(old: &[u8], new: &[u8], name: &str) -> Diff {
    let (old, new) = (readable(old), readable(new));
    // A diff that takes longer comes out coarser, not later.
    let diff = TextDiff::configure().timeout(Duration::from_millis(500)).diff_lines(&*old, &*new);
    let (mut added, mut removed) = (0, 0);
    for op in diff.ops() {
        for change in diff.iter_changes(op) {
            match change.tag() {
                ChangeTag::Insert => added += 1,
                ChangeTag::Delete => removed += 1,
                ChangeTag::Equal => {}
            }
        }
    }
    let whole = diff.unified_diff().context_radius(3).header(name, name).to_string();
    let mut text = head(&whole, MAX_LINES, MAX_BYTES).to_owned();
    if text.len() < whole.len() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str("[the rest of the diff is left out]\n");
    }
    Diff { text, added, removed }
}
