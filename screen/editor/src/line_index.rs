//! How long each line is and how many rows it takes, so that rows can be counted and found without
//! laying out the whole text.
//!
//! The rows of a line that was never laid out are estimated. Finding walks from where it was last, as
//! one key rarely leads far. It sees no text beyond line ends; [`Layout`](crate::layout::Layout) calls it.

use std::ops::Range;

/// One line. There are as many as line ends, so they are small.
#[derive(Debug, Clone, Copy)]
struct Extent {
    /// Bytes without the line end.
    bytes: u32,
    /// Rows, and in the highest bit whether they are an estimate.
    rows: u32,
}

const ESTIMATE: u32 = 1 << 31;

impl Extent {
    fn estimated(bytes: usize, room: usize) -> Extent {
        let rows = small(bytes.div_ceil(room.max(1)).max(1));
        Extent { bytes: small(bytes), rows: rows | ESTIMATE }
    }

    fn rows(self) -> usize {
        (self.rows & !ESTIMATE) as usize
    }

    fn is_estimate(self) -> bool {
        self.rows & ESTIMATE != 0
    }
}

/// Texts are far smaller than what a number of the index can tell.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX).min(ESTIMATE - 1)
}

/// A line, and what is before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The number of the line.
    pub(crate) line: usize,
    /// Where it begins.
    pub(crate) start: usize,
    /// How many rows are before it.
    pub(crate) rows_before: usize,
}

/// The lines of a text.
#[derive(Debug, Default)]
pub(crate) struct LineIndex {
    lines: Vec<Extent>,
    total_rows: usize,
    estimates: usize,
    at: Mark,
}

impl LineIndex {
    /// The lines of a text, with rows of so many cells estimated.
    pub(crate) fn new(text: &str, room: usize) -> LineIndex {
        let mut lines = Vec::with_capacity(text.bytes().filter(|byte| *byte == b'\n').count() + 1);
        lines.extend(text.split('\n').map(|line| Extent::estimated(line.len(), room)));
        let total_rows = lines.iter().map(|line| line.rows()).sum();
        LineIndex { estimates: lines.len(), lines, total_rows, at: Mark::default() }
    }

    /// How many lines there are.
    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// How many rows there are, estimates among them.
    pub(crate) fn total_rows(&self) -> usize {
        self.total_rows
    }

    /// Whether the rows of any line are an estimate.
    pub(crate) fn has_estimates(&self) -> bool {
        self.estimates > 0
    }

    /// Whether the rows of a line are an estimate.
    pub(crate) fn is_estimate(&self, line: usize) -> bool {
        self.lines.get(line).is_some_and(|line| line.is_estimate())
    }

    /// How many bytes a line has without its line end.
    pub(crate) fn bytes(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |line| line.bytes as usize)
    }

    /// A line by its number, the last one at the most.
    pub(crate) fn line(&mut self, line: usize) -> Mark {
        let line = line.min(self.lines.len().saturating_sub(1));
        if line < self.at.line / 2 {
            self.at = Mark::default();
        }
        while self.at.line < line {
            self.on();
        }
        while self.at.line > line {
            self.back();
        }
        self.at
    }

    /// The line that a byte is in.
    pub(crate) fn line_of(&mut self, byte: usize) -> Mark {
        if byte < self.at.start / 2 {
            self.at = Mark::default();
        }
        while byte < self.at.start {
            self.back();
        }
        while byte > self.at.start + self.bytes(self.at.line) && self.at.line + 1 < self.lines.len()
        {
            self.on();
        }
        self.at
    }

    fn on(&mut self) {
        let Some(line) = self.lines.get(self.at.line) else { return };
        self.at.line += 1;
        self.at.start += line.bytes as usize + 1;
        self.at.rows_before += line.rows();
    }

    fn back(&mut self) {
        self.at.line = self.at.line.saturating_sub(1);
        let Some(line) = self.lines.get(self.at.line) else { return };
        self.at.start = self.at.start.saturating_sub(line.bytes as usize + 1);
        self.at.rows_before = self.at.rows_before.saturating_sub(line.rows());
    }

    /// States how many rows a line has.
    pub(crate) fn set_rows(&mut self, line: usize, rows: usize) {
        self.set(line, rows, false);
    }

    /// States how many rows a line seems to have.
    pub(crate) fn estimate_rows(&mut self, line: usize, rows: usize) {
        self.set(line, rows, true);
    }

    fn set(&mut self, line: usize, rows: usize, is_estimate: bool) {
        let Some(extent) = self.lines.get_mut(line) else { return };
        let old = *extent;
        extent.rows = small(rows) | if is_estimate { ESTIMATE } else { 0 };
        let new = extent.rows();
        self.total_rows = self.total_rows - old.rows() + new;
        self.estimates = self.estimates + usize::from(is_estimate) - usize::from(old.is_estimate());
        if line < self.at.line {
            self.at.rows_before = self.at.rows_before - old.rows() + new;
        }
    }

    /// Puts lines of so many bytes in the place of others.
    pub(crate) fn splice(&mut self, lines: Range<usize>, bytes: &[usize], room: usize) {
        self.line(lines.start);
        let new = bytes.iter().map(|bytes| Extent::estimated(*bytes, room));
        self.total_rows += new.clone().map(Extent::rows).sum::<usize>();
        self.estimates += bytes.len();
        for old in self.lines.splice(lines, new) {
            self.total_rows -= old.rows();
            self.estimates -= usize::from(old.is_estimate());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_found_wherever_the_index_was_before(
            text in "[ab\n]{0,30}",
            rows in proptest::collection::vec((0usize..12, 1usize..5), 0..6),
            steps in proptest::collection::vec(0usize..31, 1..8),
        ) {
            let mut index = LineIndex::new(&text, 4);
            for (line, count) in rows {
                index.line_of(text.len() / 2);
                index.set_rows(line, count);
            }
            for byte in steps {
                let byte = byte.min(text.len());
                let line = text[..byte].matches('\n').count();
                let mark = index.line_of(byte);
                let start = text[..byte].rfind('\n').map_or(0, |end| end + 1);
                prop_assert_eq!((mark.line, mark.start), (line, start));
                prop_assert_eq!(index.line(line), mark);
                let before: usize = index.lines[..line].iter().map(|line| line.rows()).sum();
                prop_assert_eq!(mark.rows_before, before);
            }
            let total: usize = index.lines.iter().map(|line| line.rows()).sum();
            prop_assert_eq!(index.total_rows(), total);
            let estimates = index.lines.iter().filter(|line| line.is_estimate()).count();
            prop_assert_eq!(index.estimates, estimates);
        }
    }
}
