//! What is different between the code that was agreed to and the code that is there now.
//!
//! A unified diff for a person, bounded in lines, in line length and in the time it may take to
//! find; what is left out is counted.

use super::snapshot::Snapshot;
use super::visible::{code, cut, line};
use crate::line_diff::{LineDiff, Mark};
use crate::package::files::{Link, Package};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The most lines that are shown.
pub(super) const MAX_LINES: usize = 400;
/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;
/// The most characters of a line that are shown.
const MAX_WIDTH: usize = 400;
/// How long the shortest diff is looked for; beyond it a longer one will do.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows the changes since `before`; without it, the whole package as new.
pub(super) fn show(before: Option<&Snapshot>, package: &Package) -> String {
    let mut shown = Shown { lines: Vec::new(), left_out: 0 };
    if before.is_none() {
        shown.push(
            "(what was agreed to before is not kept any more; this is all there is now)".into(),
        );
    }
    let nothing = Snapshot::default();
    let before = before.unwrap_or(&nothing);
    shown.links(&before.links, package.links());
    let names = before.files.keys().chain(package.files().keys());
    let mut names: Vec<&String> = names.collect();
    names.sort();
    names.dedup();
    let deadline = Instant::now() + PATIENCE;
    for name in names {
        let (old, new) = (before.files.get(name), package.files().get(name));
        if old != new {
            shown.file(name, old.map(|text| &**text), new.map(|text| &**text), deadline);
        }
    }
    if shown.lines.is_empty() {
        shown.push("(its name or its entry is another; its files are the same)".into());
    }
    if shown.left_out > 0 {
        let note = format!(
            "… {} more lines of this change are not shown; read the files before you agree",
            shown.left_out
        );
        shown.lines.push(note);
    }
    shown.lines.join("\n")
}

struct Shown {
    lines: Vec<String>,
    left_out: usize,
}

impl Shown {
    fn push(&mut self, line: String) {
        if self.lines.len() < MAX_LINES {
            self.lines.push(line);
        } else {
            self.left_out += 1;
        }
    }

    fn links(&mut self, before: &BTreeMap<String, PathBuf>, now: &[Link]) {
        let told = |file: &str, target: &PathBuf| {
            format!(
                "link {} -> {}",
                line(file, MAX_WIDTH),
                line(&target.to_string_lossy(), MAX_WIDTH)
            )
        };
        for (file, target) in before {
            if !now.iter().any(|link| link.file == *file && link.target == *target) {
                self.push(format!("-{}", told(file, target)));
            }
        }
        for link in now.iter().filter(|link| before.get(&link.file) != Some(&link.target)) {
            self.push(format!("+{}", told(&link.file, &link.target)));
        }
    }

    fn file(&mut self, name: &str, old: Option<&str>, new: Option<&str>, deadline: Instant) {
        let name = line(name, MAX_WIDTH);
        let side = |text: Option<&str>| match text {
            Some(_) => name.clone(),
            None => "(not there)".to_owned(),
        };
        self.push(format!("--- {}", side(old)));
        self.push(format!("+++ {}", side(new)));
        let diff = LineDiff::new(old.unwrap_or(""), new.unwrap_or(""), deadline);
        // Many lines that go must not hide those that come, which are the ones that will run.
        let mut room_for_gone = (MAX_LINES.saturating_sub(self.lines.len())) / 3;
        for hunk in diff.hunks(CONTEXT) {
            self.push(hunk.header);
            for (mark, line) in hunk.lines {
                let is_gone = mark == Mark::Gone;
                if self.lines.len() < MAX_LINES && (!is_gone || room_for_gone > 0) {
                    room_for_gone -= usize::from(is_gone);
                    let (text, end) = match line.strip_suffix('\n') {
                        Some(text) => (text, ""),
                        None => (line, " (no line break here)"),
                    };
                    let sign = mark.sign();
                    self.push(format!("{sign}{}{end}", code(&cut(text, MAX_WIDTH))));
                } else {
                    self.left_out += 1;
                }
            }
        }
    }
}
