//! Which rows the text has, which of them are seen, and where a cell leads.
//!
//! Lines are laid out when they are seen or when the cursor moves through them, and what was laid out
//! is kept until it changes: no key costs work for the whole of a huge text. Up to [`SMALL`] all rows
//! are counted; beyond, those far from the cursor are an estimate. It changes no text;
//! [`Editor`](crate::Editor) tells it of each change.

use crate::fragment::Fragment;
use crate::line_index::LineIndex;
use crate::place::shown;
use crate::wrap::{next_row, places, room};
use fen_cells::{Join, Line, Span};
use std::ops::Range;

/// Up to how many bytes of text all rows are counted exactly.
const SMALL: usize = 64 << 10;
/// How far back a change can move the beginnings of rows. One row: what begins a row is decided in the
/// row before it, by no more than the row holds. Another one: the last grapheme before the change may
/// become another one.
const REACH: usize = 2;

/// What is seen of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct View {
    /// The visible rows, none wider than asked for. All but the first of a line are glued to the row
    /// above.
    pub rows: Vec<Line>,
    /// The row among these and the column that the cursor stands in, always within the asked bounds.
    pub cursor: (usize, usize),
    /// How many rows are above. An estimate where the text is of more than 64 KB.
    pub first_row: usize,
    /// How many rows there are. An estimate where the text is of more than 64 KB.
    pub total_rows: usize,
}

/// A row, by its line and its number within it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    line: usize,
    row: usize,
}

/// How far a line is to be laid out.
#[derive(Debug, Clone, Copy)]
enum Until {
    /// To the row that holds a byte of it.
    Byte(usize),
    /// To a row, and whether there is one behind it.
    Row(usize),
    /// To its end.
    End,
}

/// A line that is laid out, perhaps not to its end.
#[derive(Debug)]
struct LaidOut {
    line: usize,
    /// Where its rows begin, counted from its beginning.
    starts: Vec<u32>,
    is_whole: bool,
}

/// The rows of a text.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The width that all of this is for; 0 as long as there is nothing.
    cells: usize,
    index: LineIndex,
    /// By line.
    laid_out: Vec<LaidOut>,
    /// The first visible row.
    top: Row,
    /// How many rows were laid out in all.
    #[cfg(test)]
    pub(crate) work: usize,
}

impl Layout {
    /// Lays out for another width.
    pub(crate) fn set_width(&mut self, content: &Fragment, cells: usize) {
        let cells = cells.max(1);
        if self.cells != cells {
            self.cells = cells;
            self.index = LineIndex::new(content.text(), room(cells));
            self.laid_out.clear();
            // What was at the top stays about there.
            self.top = Row { line: self.top.line, row: 0 };
        }
    }

    /// Takes in that `inserted` came in the place of `removed` bytes.
    pub(crate) fn changed(&mut self, at: usize, removed: usize, inserted: &str) {
        if self.cells == 0 {
            return;
        }
        let first = self.index.line_of(at);
        let last = self.index.line_of(at + removed);
        let before = at - first.start;
        let behind = (last.start + self.index.bytes(last.line)).saturating_sub(at + removed);
        let mut bytes: Vec<usize> = inserted.split('\n').map(str::len).collect();
        let count = bytes.len();
        bytes[0] += before;
        bytes[count - 1] += behind;
        self.index.splice(first.line..last.line + 1, &bytes, room(self.cells));

        let moved = |line: usize| (line + first.line + count).saturating_sub(last.line + 1);
        self.laid_out.retain(|laid| laid.line <= first.line || laid.line > last.line);
        for laid in &mut self.laid_out {
            if laid.line > last.line {
                laid.line = moved(laid.line);
            } else if laid.line == first.line {
                let row = laid.starts.partition_point(|start| (*start as usize) <= before);
                laid.starts.truncate(row.saturating_sub(REACH).max(1));
                laid.is_whole = false;
            }
        }
        if self.top.line > last.line {
            self.top.line = moved(self.top.line);
        } else if self.top.line > first.line {
            self.top = Row { line: first.line, row: 0 };
        }
    }

    /// What is seen of the text around the cursor, in the width that was set.
    pub(crate) fn view(&mut self, content: &Fragment, cursor: usize, max_rows: usize) -> View {
        let max_rows = max_rows.max(1);
        if content.len() <= SMALL && self.index.has_estimates() {
            for line in 0..self.index.count() {
                if self.index.is_estimate(line) {
                    self.lay_out(content, line, Until::End);
                }
            }
        }
        let stands = self.row_of(content, cursor);
        let lowest = self.scroll(content, stands, max_rows);
        let (mut rows, mut row) = (Vec::new(), self.top);
        let mut at = 0;
        loop {
            if row == stands {
                at = rows.len();
            }
            rows.push(self.draw(content, row));
            match self.down(content, row) {
                Some(next) if rows.len() < max_rows => row = next,
                _ => break,
            }
        }
        // The next key may ask again for what is above.
        let near = lowest.line.min(self.top.line)..=row.line;
        self.laid_out.retain(|laid| near.contains(&laid.line));
        let column = self.column(content, cursor);
        let first_row = self.index.line(self.top.line).rows_before + self.top.row;
        View { rows, cursor: (at, column), first_row, total_rows: self.index.total_rows() }
    }

    /// Moves the visible part as little as possible, so that the cursor is in it and no row stays
    /// empty that could show text. Gives the first row that can be the top one.
    fn scroll(&mut self, content: &Fragment, cursor: Row, max_rows: usize) -> Row {
        self.top.line = self.top.line.min(self.index.count().saturating_sub(1));
        let rows = self.lay_out(content, self.top.line, Until::Row(self.top.row)).starts.len();
        self.top.row = self.top.row.min(rows - 1);
        let lowest = self.up_by(content, cursor, max_rows - 1);
        self.top = self.top.clamp(lowest, cursor);
        let (mut last, mut missing) = (self.top, max_rows - 1);
        while missing > 0
            && let Some(next) = self.down(content, last)
        {
            (last, missing) = (next, missing - 1);
        }
        if missing > 0 {
            self.top = self.up_by(content, self.top, missing);
        }
        lowest
    }

    /// The column of a place of the text.
    pub(crate) fn column(&mut self, content: &Fragment, at: usize) -> usize {
        let row = self.row_of(content, at);
        let range = self.range(content, row);
        places(content, range.start, at, self.cells)
            .last()
            .map_or(0, |(column, place)| column + place.width)
    }

    /// The place in a column of the row above that of `at`.
    pub(crate) fn above(&mut self, content: &Fragment, at: usize, column: usize) -> Option<usize> {
        let row = self.row_of(content, at);
        let above = self.up_by(content, row, 1);
        (above != row).then(|| self.place_in(content, above, column))
    }

    /// The place in a column of the row below that of `at`.
    pub(crate) fn below(&mut self, content: &Fragment, at: usize, column: usize) -> Option<usize> {
        let row = self.row_of(content, at);
        let below = self.down(content, row)?;
        Some(self.place_in(content, below, column))
    }

    /// The place at a cell, its row counted as in [`View::first_row`]; below the text, that of its last
    /// row.
    pub(crate) fn place_at(&mut self, content: &Fragment, row: usize, column: usize) -> usize {
        let first = self.index.line(self.top.line).rows_before + self.top.row;
        let mut found = self.top;
        if row < first {
            found = self.up_by(content, found, first - row);
        }
        for _ in first..row {
            match self.down(content, found) {
                Some(next) => found = next,
                None => break,
            }
        }
        self.place_in(content, found, column)
    }

    fn place_in(&mut self, content: &Fragment, row: Row, column: usize) -> usize {
        let range = self.range(content, row);
        let mut last = range.start;
        for (from, place) in places(content, range.start, range.end, self.cells) {
            if column < from + place.width {
                return place.start;
            }
            last = place.start;
        }
        // Behind the last character is the next row, except at the end of the line.
        match self.is_last_of_line(row) {
            true => range.end,
            false => last,
        }
    }

    fn is_last_of_line(&mut self, row: Row) -> bool {
        self.laid_out
            .iter()
            .any(|laid| laid.line == row.line && laid.is_whole && laid.starts.len() == row.row + 1)
    }

    /// The row that holds a place of the text.
    fn row_of(&mut self, content: &Fragment, at: usize) -> Row {
        let line = self.index.line_of(at);
        let within = at.saturating_sub(line.start);
        let laid = self.lay_out(content, line.line, Until::Byte(within));
        let row = laid.starts.partition_point(|start| (*start as usize) <= within);
        Row { line: line.line, row: row.saturating_sub(1) }
    }

    fn down(&mut self, content: &Fragment, row: Row) -> Option<Row> {
        let laid = self.lay_out(content, row.line, Until::Row(row.row));
        if laid.starts.len() > row.row + 1 {
            return Some(Row { line: row.line, row: row.row + 1 });
        }
        (row.line + 1 < self.index.count()).then_some(Row { line: row.line + 1, row: 0 })
    }

    fn up_by(&mut self, content: &Fragment, from: Row, mut rows: usize) -> Row {
        let mut at = from;
        while rows > at.row && at.line > 0 {
            rows -= at.row + 1;
            at.line -= 1;
            at.row = self.lay_out(content, at.line, Until::End).starts.len() - 1;
        }
        Row { row: at.row.saturating_sub(rows), ..at }
    }

    /// The part of the text that a row holds.
    fn range(&mut self, content: &Fragment, row: Row) -> Range<usize> {
        let line = self.index.line(row.line);
        let bytes = self.index.bytes(row.line);
        let laid = self.lay_out(content, row.line, Until::Row(row.row));
        let start = laid.starts.get(row.row).map_or(0, |start| *start as usize);
        let end = laid.starts.get(row.row + 1).map_or(bytes, |start| *start as usize);
        line.start + start..line.start + end
    }

    fn draw(&mut self, content: &Fragment, row: Row) -> Line {
        let range = self.range(content, row);
        let mut spans: Vec<Span> = Vec::new();
        let (mut text, mut look) = (String::new(), None);
        for (column, place) in places(content, range.start, range.end, self.cells) {
            let seen = shown(content, place.start, place.end, column, self.cells);
            if look.is_some_and(|look| look != seen.look) {
                spans.push(Span::new(&std::mem::take(&mut text), look.unwrap_or_default()));
            }
            look = Some(seen.look);
            text.push_str(&seen.text);
        }
        if !text.is_empty() {
            spans.push(Span::new(&text, look.unwrap_or_default()));
        }
        let join = if row.row == 0 { Join::Break } else { Join::Glue };
        Line { join, ..Line::from(spans) }
    }

    /// Lays a line out as far as asked for; it has one row at least.
    fn lay_out(&mut self, content: &Fragment, line: usize, until: Until) -> &LaidOut {
        let at = match self.laid_out.binary_search_by_key(&line, |laid| laid.line) {
            Ok(at) => at,
            Err(at) => {
                self.laid_out.insert(at, LaidOut { line, starts: vec![0], is_whole: false });
                at
            }
        };
        let is_enough = |laid: &LaidOut| match until {
            _ if laid.is_whole => true,
            Until::Byte(byte) => laid.starts.last().is_some_and(|start| *start as usize > byte),
            Until::Row(row) => laid.starts.len() > row + 1,
            Until::End => false,
        };
        if !is_enough(&self.laid_out[at]) {
            let start = self.index.line(line).start;
            let end = start + self.index.bytes(line);
            let laid = &mut self.laid_out[at];
            while !is_enough(laid) {
                let last = laid.starts.last().map_or(0, |start| *start as usize);
                match next_row(content, start + last, end, self.cells) {
                    Some(next) => laid.starts.push(u32::try_from(next - start).unwrap_or(u32::MAX)),
                    None => laid.is_whole = true,
                }
                #[cfg(test)]
                {
                    self.work += 1;
                }
            }
            let last = laid.starts.last().map_or(0, |start| *start as usize);
            match laid.is_whole {
                true => self.index.set_rows(line, laid.starts.len()),
                false => {
                    let rest = (end - start - last).div_ceil(room(self.cells));
                    self.index.estimate_rows(line, laid.starts.len() + rest);
                }
            }
        }
        &self.laid_out[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = String> {
        let pieces = [
            "a", "b", "cd", " ", " ", "\t", "来", "ᄀ", "ᅡ", "\u{301}", "\u{200d}", "👩", "🇩",
            "\u{fe0f}", "❤", "\n",
        ];
        let pieces = proptest::collection::vec(prop::sample::select(pieces.to_vec()), 0..20);
        pieces.prop_map(|pieces| pieces.concat())
    }

    fn starts(layout: &mut Layout, content: &Fragment) -> Vec<Vec<u32>> {
        (0..layout.index.count())
            .map(|line| layout.lay_out(content, line, Until::End).starts.clone())
            .collect()
    }

    proptest! {
        // What goes wrong here is rare.
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn after_a_change_rows_are_those_of_a_new_layout(
            first in text(), with in text(), from in 0usize..40, len in 0usize..10, cells in 1usize..7,
        ) {
            let mut content = Fragment::plain(&first);
            let border = |mut at: usize| {
                while !first.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = border(from.min(first.len()));
            let range = start..border((start + len).min(first.len())).max(start);
            let mut layout = Layout::default();
            layout.set_width(&content, cells);
            starts(&mut layout, &content);

            layout.changed(range.start, range.len(), &with);
            content.splice(range, &Fragment::plain(&with));
            let mut fresh = Layout::default();
            fresh.set_width(&content, cells);
            prop_assert_eq!(starts(&mut layout, &content), starts(&mut fresh, &content));
            prop_assert_eq!(layout.index.total_rows(), fresh.index.total_rows());
        }
    }
}
