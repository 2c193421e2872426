//! Diffs: what was added and removed, with line numbers, and what changed within a line.

use crate::code::{LineColours, spans_of_runs};
use crate::colours::{CodeBlock, Colours, Runs};
use crate::plain::Gutter;
use crate::words::{Changed, changed};
use fen_cells::{Line, Look, Role, Span, wrap_code};
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use std::ops::Range;
use std::sync::Arc;

/// So many lines of a diff are shown.
const MOST_LINES: usize = 20_000;
/// So many pairs of lines are compared by their words.
const MOST_PAIRS: usize = 1_000;
/// Between two texts with more lines that differ the smallest difference is not searched for.
const MOST_COMPARED: usize = 4_000;
/// Lines around a change.
const CONTEXT: usize = 3;

/// The rows of a diff in the unified format, with or without headers of files and hunks.
///
/// The signs stay, so that a copy of the rows is a diff again; line numbers are decorations. An empty
/// `language` has no colours; else what the new text has of each hunk is asked for, with the place of
/// the hunk in the diff. Of a diff with more than 20,000 lines the first ones are shown, and how many
/// are missing.
pub fn diff_rows(diff: &str, language: &str, cells: usize, colours: &dyn Colours) -> Vec<Line> {
    let cells = cells.max(1);
    let mut entries = entries(diff);
    compare(&mut entries, diff);
    let last = entries.iter().filter_map(|entry| entry.number).max();
    let gutter = last.map(|last| Gutter::new(last, cells));
    let mut rows = Vec::new();
    let mut hunk = Hunk::after(&entries, diff, language, colours);
    for (index, entry) in entries.iter().enumerate() {
        let text = &diff[entry.text.clone()];
        if !entry.kind.is_of_hunk() {
            hunk = Hunk::after(&entries[index + 1..], diff, language, colours);
            rows.extend(wrap_code(&[Span::new(text, Role::Dim)], cells, &Default::default()));
            continue;
        }
        let (sign, role) = match entry.kind {
            Kind::Added => ("+", Role::Added),
            Kind::Removed => ("-", Role::Removed),
            _ => (" ", Role::Text),
        };
        let runs = if entry.kind == Kind::Removed { &[] } else { hunk.next_line() };
        let looks = looks(runs, &entry.changed, Look::of(role), text.len());
        let mut spans = vec![Span::new(sign, role)];
        spans.extend(spans_of_runs(text, looks, 0, Look::of(role)));
        let prefix = gutter.as_ref().map(|gutter| gutter.prefix(entry.number)).unwrap_or_default();
        let first = rows.len();
        rows.extend(wrap_code(&spans, cells, &prefix));
        let fill = (entry.kind != Kind::Context).then_some(role);
        rows[first..].iter_mut().for_each(|row| row.fill = fill);
    }
    let missing = diff.lines().count().saturating_sub(MOST_LINES);
    if missing > 0 {
        let note = Span::new(&format!("… {missing} more lines"), Role::Dim);
        rows.extend(wrap_code(&[note], cells, &Default::default()));
    }
    rows
}

/// The difference between two texts as [`diff_rows`] takes it, with three lines around each change.
/// Empty where they are the same. Where more than 4,000 lines differ, it may not be the smallest.
pub fn diff_between(old: &str, new: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let mut text = String::new();
    let operations = operations(&old, &new);
    if operations.iter().all(|operation| matches!(operation, DiffOp::Equal { .. })) {
        return text;
    }
    for group in group_diff_ops(operations, CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let range = |from: Range<usize>, to: Range<usize>| {
            let len = to.end - from.start;
            // Of no lines it is the line before that is named.
            format!("{},{len}", from.start + usize::from(len > 0))
        };
        let removed = range(first.old_range(), last.old_range());
        let added = range(first.new_range(), last.new_range());
        text.push_str(&format!("@@ -{removed} +{added} @@\n"));
        for operation in &group {
            if let DiffOp::Equal { .. } = operation {
                push_lines(&mut text, ' ', &old[operation.old_range()]);
                continue;
            }
            push_lines(&mut text, '-', &old[operation.old_range()]);
            push_lines(&mut text, '+', &new[operation.new_range()]);
        }
    }
    text
}

fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let after = pairs.take_while(|(old, new)| old == new).count();
    let old_part = &old_rest[..old_rest.len() - after];
    let new_part = &new_rest[..new_rest.len() - after];
    let mut operations = vec![DiffOp::Equal { old_index: 0, new_index: 0, len: before }];
    if old_part.len() + new_part.len() > MOST_COMPARED {
        operations.push(DiffOp::Replace {
            old_index: before,
            old_len: old_part.len(),
            new_index: before,
            new_len: new_part.len(),
        });
    } else {
        let found = capture_diff_slices(Algorithm::Myers, old_part, new_part);
        operations.extend(found.into_iter().map(|operation| moved(operation, before)));
    }
    operations.push(DiffOp::Equal {
        old_index: old.len() - after,
        new_index: new.len() - after,
        len: after,
    });
    operations.retain(|operation| {
        !(operation.old_range().is_empty() && operation.new_range().is_empty())
    });
    operations
}

/// The same operation so many lines further down.
fn moved(operation: DiffOp, by: usize) -> DiffOp {
    let (old, new) = (operation.old_range(), operation.new_range());
    let (old_index, new_index) = (old.start + by, new.start + by);
    match operation {
        DiffOp::Equal { len, .. } => DiffOp::Equal { old_index, new_index, len },
        _ => DiffOp::Replace { old_index, old_len: old.len(), new_index, new_len: new.len() },
    }
}

fn push_lines(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Of a header, or a remark.
    Note,
    Context,
    Added,
    Removed,
}

impl Kind {
    fn is_of_hunk(self) -> bool {
        self != Kind::Note
    }
}

/// A line of a diff.
struct Entry {
    kind: Kind,
    /// Without its sign.
    text: Range<usize>,
    number: Option<usize>,
    changed: Vec<Range<usize>>,
}

/// Reads the lines of a diff.
fn entries(diff: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut counts: Option<Counts> = None;
    let mut at = 0;
    for whole in diff.split_inclusive('\n').take(MOST_LINES) {
        let line = whole.strip_suffix('\n').unwrap_or(whole);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let (start, end) = (at, at + line.len());
        at += whole.len();
        let is_within = counts.as_ref().is_some_and(Counts::is_within);
        let kind = match line.bytes().next() {
            // Within a hunk a line of dashes was removed; outside it is a file's name.
            _ if !is_within && ["--- ", "+++ "].iter().any(|it| line.starts_with(it)) => Kind::Note,
            Some(b'+') => Kind::Added,
            Some(b'-') => Kind::Removed,
            Some(b' ') => Kind::Context,
            None if is_within => Kind::Context,
            _ => Kind::Note,
        };
        if kind == Kind::Note {
            // A remark, such as on a missing end of line, ends no hunk.
            if !line.starts_with('\\') {
                counts = Counts::read(line);
            }
            entries.push(Entry { kind, text: start..end, number: None, changed: Vec::new() });
            continue;
        }
        let number = counts.as_mut().map(|counts| counts.count(kind));
        let text = (start + 1).min(end)..end;
        entries.push(Entry { kind, text, number, changed: Vec::new() });
    }
    entries
}

/// Where a hunk stands in both texts.
struct Counts {
    old: usize,
    new: usize,
    old_left: usize,
    new_left: usize,
}

impl Counts {
    /// From a line such as `@@ -1,4 +1,5 @@`.
    fn read(line: &str) -> Option<Counts> {
        let mut parts = line.strip_prefix("@@ ")?.split(' ');
        let mut range = |sign: char| -> Option<(usize, usize)> {
            let range = parts.next()?.strip_prefix(sign)?;
            let (from, len) = range.split_once(',').unwrap_or((range, "1"));
            Some((from.parse().ok()?, len.parse().ok()?))
        };
        let ((old, old_left), (new, new_left)) = (range('-')?, range('+')?);
        Some(Counts { old, new, old_left, new_left })
    }

    fn is_within(&self) -> bool {
        self.old_left > 0 || self.new_left > 0
    }

    /// The number of the next line, in the text that it stands in.
    fn count(&mut self, kind: Kind) -> usize {
        let number = if kind == Kind::Removed { self.old } else { self.new };
        if kind != Kind::Added {
            self.old = self.old.saturating_add(1);
            self.old_left = self.old_left.saturating_sub(1);
        }
        if kind != Kind::Removed {
            self.new = self.new.saturating_add(1);
            self.new_left = self.new_left.saturating_sub(1);
        }
        number
    }
}

/// Finds what changed within lines: those that were removed with as many that were added after them.
fn compare(entries: &mut [Entry], diff: &str) {
    let mut pairs = 0;
    let mut at = 0;
    while at < entries.len() && pairs < MOST_PAIRS {
        let count = |from: usize, kind| {
            entries[from..].iter().take_while(|entry| entry.kind == kind).count()
        };
        let removed = count(at, Kind::Removed);
        let added = count(at + removed, Kind::Added);
        for number in 0..removed.min(added) {
            let (old, new) = (at + number, at + removed + number);
            let lines = (&diff[entries[old].text.clone()], &diff[entries[new].text.clone()]);
            if let Some(Changed { old: in_old, new: in_new }) = changed(lines.0, lines.1) {
                entries[old].changed = in_old;
                entries[new].changed = in_new;
            }
            pairs += 1;
        }
        at += (removed + added).max(1);
    }
}

/// The colours of one hunk, line by line.
#[derive(Default)]
struct Hunk {
    runs: Option<Arc<Runs>>,
    line: usize,
}

impl Hunk {
    /// The hunk that these entries begin with.
    fn after(entries: &[Entry], diff: &str, language: &str, colours: &dyn Colours) -> Hunk {
        let hunk = entries.iter().take_while(|entry| entry.kind.is_of_hunk());
        let lines: Vec<&str> = hunk
            .filter(|entry| entry.kind != Kind::Removed)
            .map(|entry| &diff[entry.text.clone()])
            .collect();
        let (Some(first), false) = (entries.first(), language.is_empty() || lines.is_empty())
        else {
            return Hunk::default();
        };
        let code = lines.join("\n") + "\n";
        let block = CodeBlock { language, code: &code, at: first.text.start, is_open: false };
        Hunk { runs: colours.runs(&block), line: 0 }
    }

    fn next_line(&mut self) -> &[(usize, Role)] {
        self.line += 1;
        LineColours::of(self.runs.as_ref(), self.line - 1, 0).runs
    }
}

/// Runs of looks for a line: its colours, and what changed in bold.
fn looks(
    runs: &[(usize, Role)],
    changed: &[Range<usize>],
    look: Look,
    len: usize,
) -> Vec<(usize, Look)> {
    let mut looks = Vec::new();
    let mut changed = changed.iter().peekable();
    let mut at = 0usize;
    let rest = std::iter::once((len, look.role));
    for (run, role) in runs.iter().copied().chain(rest) {
        let end = at.saturating_add(run).min(len);
        while at < end {
            changed.next_if(|range| range.end <= at);
            let (part, is_changed) = match changed.peek() {
                Some(range) if range.start <= at => (range.end.min(end), true),
                Some(range) => (range.start.min(end), false),
                None => (end, false),
            };
            let look = look.in_role(role);
            looks.push((part - at, if is_changed { look.bold() } else { look }));
            at = part;
        }
    }
    looks
}
