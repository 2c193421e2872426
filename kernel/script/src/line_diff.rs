//! What differs between two texts, line by line.
//!
//! The algorithm of the library is called by its name and on numbers: its general entry would be
//! compiled for each of its algorithms and each kind of text.

use similar::algorithms::{Capture, Replace, myers};
use similar::{DiffOp, DiffTag, group_diff_ops};
use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It is in both texts.
    Same,
    /// It is only in the old one.
    Gone,
    /// It is only in the new one.
    New,
}

impl Mark {
    /// The mark in front of the line in a unified diff.
    pub fn sign(self) -> char {
        match self {
            Mark::Same => ' ',
            Mark::Gone => '-',
            Mark::New => '+',
        }
    }
}

/// Lines with what became of them; a line has its line break.
pub type Lines<'t> = Vec<(Mark, &'t str)>;

/// Some changes and the lines around them.
pub struct Hunk<'t> {
    /// `@@ -start,count +start,count @@`.
    pub header: String,
    /// The lines, changed and around.
    pub lines: Lines<'t>,
}

/// The difference of two texts.
pub struct LineDiff<'t> {
    old: Vec<&'t str>,
    new: Vec<&'t str>,
    ops: Vec<DiffOp>,
}

impl<'t> LineDiff<'t> {
    /// Compares. Past the deadline it comes out coarser, not later.
    pub fn new(old: &'t str, new: &'t str, deadline: Instant) -> Self {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let mut known = HashMap::new();
        let (a, b) = (numbered(&old, &mut known), numbered(&new, &mut known));
        // What goes and what comes in one place is one change, the old lines first.
        let mut capture = Replace::new(Capture::new());
        let outcome = myers::diff_deadline(
            &mut capture,
            &a[..],
            0..a.len(),
            &b[..],
            0..b.len(),
            Some(deadline),
        );
        let ops = match outcome {
            Ok(()) => capture.into_inner().into_ops(),
            Err(never) => match never {},
        };
        LineDiff { old, new, ops }
    }

    /// All lines.
    pub fn lines(&self) -> Lines<'t> {
        self.lines_of(&self.ops)
    }

    /// The changes, each with this many lines around it.
    pub fn hunks(&self, around: usize) -> Vec<Hunk<'t>> {
        let mut hunks = Vec::new();
        for ops in group_diff_ops(self.ops.clone(), around) {
            let (Some(first), Some(last)) = (ops.first(), ops.last()) else { continue };
            let old = position(&(first.old_range().start..last.old_range().end));
            let new = position(&(first.new_range().start..last.new_range().end));
            hunks.push(Hunk { header: format!("@@ -{old} +{new} @@"), lines: self.lines_of(&ops) });
        }
        hunks
    }

    fn lines_of(&self, ops: &[DiffOp]) -> Lines<'t> {
        let mut lines = Lines::new();
        for op in ops {
            if op.tag() == DiffTag::Equal {
                lines.extend(self.old[op.old_range()].iter().map(|line| (Mark::Same, *line)));
            } else {
                lines.extend(self.old[op.old_range()].iter().map(|line| (Mark::Gone, *line)));
                lines.extend(self.new[op.new_range()].iter().map(|line| (Mark::New, *line)));
            }
        }
        lines
    }
}

/// Equal lines get equal numbers.
fn numbered<'t>(lines: &[&'t str], known: &mut HashMap<&'t str, usize>) -> Vec<usize> {
    let mut number = |line: &'t str| {
        let next = known.len();
        *known.entry(line).or_insert(next)
    };
    lines.iter().map(|line| number(line)).collect()
}

/// `start,count`, counted from 1; an empty range names the line before it.
fn position(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        count => format!("{},{count}", range.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    #[test]
    fn a_changed_line_stands_between_its_neighbours() {
        let diff = LineDiff::new("a\nb\nc\nd\n", "a\nx\nc\nd\n", soon());
        let hunks = diff.hunks(1);
        assert_eq!(hunks.len(), 1);
        assert_eq!(hunks[0].header, "@@ -1,3 +1,3 @@");
        let signs: String = hunks[0].lines.iter().map(|(mark, _)| mark.sign()).collect();
        assert_eq!(signs, " -+ ");
    }

    proptest! {
        #[test]
        fn the_lines_of_both_texts_are_all_there(
            old in "[ab\n]{0,40}",
            new in "[ab\n]{0,40}",
        ) {
            let diff = LineDiff::new(&old, &new, soon());
            let side = |gone: Mark| -> String {
                let lines = diff.lines();
                lines.iter().filter(|(mark, _)| *mark != gone).map(|(_, line)| *line).collect()
            };
            prop_assert_eq!(side(Mark::New), old.as_str());
            prop_assert_eq!(side(Mark::Gone), new.as_str());
        }
    }
}
