//! Tables: how their columns share a width, and what they become where there is too little of it.

use fen_cells::{Line, Look, Prefix, Role, Span, wrap_words};
use pulldown_cmark::Alignment;

/// A column that had to be shrunk is at least so wide; else each row becomes lines of its own.
const NARROWEST: usize = 8;
const BETWEEN: usize = 3;
const BORDER: Look = Look::of(Role::Border).decoration();

/// The cells of a table. Its first row is the header.
pub(crate) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Vec<Span>>>,
}

impl Table {
    pub(crate) fn new(alignments: Vec<Alignment>) -> Table {
        Table { alignments, rows: Vec::new() }
    }

    pub(crate) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Whether cells belong to the header now.
    pub(crate) fn is_in_header(&self) -> bool {
        self.rows.len() <= 1
    }

    pub(crate) fn push_cell(&mut self, cell: Vec<Span>) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// Its rows on the screen, in so many cells.
    pub(crate) fn lines(&self, cells: usize) -> Vec<Line> {
        match self.widths(cells) {
            Some(widths) => self.grid(&widths),
            None => self.records(cells),
        }
    }

    /// How wide each column is, where they are all wide enough to be read.
    fn widths(&self, cells: usize) -> Option<Vec<usize>> {
        let columns = self.alignments.len();
        let between = BETWEEN * columns.checked_sub(1)?;
        let room = cells.checked_sub(between).filter(|room| *room >= columns)?;
        let mut wishes = vec![1; columns];
        for row in &self.rows {
            for (wish, cell) in wishes.iter_mut().zip(row) {
                *wish = cell.iter().map(Span::width).sum::<usize>().max(*wish);
            }
        }
        let most = fair_share(&wishes, room);
        let is_readable = wishes.iter().all(|wish| *wish <= most || most >= NARROWEST);
        is_readable.then(|| wishes.into_iter().map(|wish| wish.min(most)).collect())
    }

    fn grid(&self, widths: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            self.grid_row(row, widths, &mut lines);
            if number == 0 {
                let dashes: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                lines.push(Line::of(&dashes.join("─┼─"), BORDER));
            }
        }
        lines
    }

    fn grid_row(&self, row: &[Vec<Span>], widths: &[usize], lines: &mut Vec<Line>) {
        let cells: Vec<Vec<Line>> = widths
            .iter()
            .enumerate()
            .map(|(column, width)| {
                let cell = row.get(column).map_or(&[][..], Vec::as_slice);
                wrap_words(cell, *width, &Prefix::default())
            })
            .collect();
        for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = Line::default();
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                if column > 0 {
                    line.spans.push(Span::new(" ", Role::Text));
                    line.spans.push(Span::new("│", BORDER));
                    line.spans.push(Span::new(" ", Role::Text));
                }
                let text = cell.get(at).cloned().unwrap_or_default();
                let free = width.saturating_sub(text.width());
                let left = match self.alignments.get(column) {
                    Some(Alignment::Right) => free,
                    Some(Alignment::Center) => free / 2,
                    _ => 0,
                };
                let is_last = column + 1 == widths.len();
                pad(&mut line, left);
                line.spans.extend(text.spans);
                pad(&mut line, if is_last { 0 } else { free - left });
            }
            lines.push(line);
        }
    }

    /// Each row as lines of its own: the column's name and what stands there.
    fn records(&self, cells: usize) -> Vec<Line> {
        let under = Prefix {
            first: Vec::new(),
            rest: vec![Span::new("  ", Look::of(Role::Text).decoration())],
        };
        let Some((header, rows)) = self.rows.split_first() else { return Vec::new() };
        if rows.is_empty() {
            let names = header.iter().filter(|name| !name.is_empty());
            return names.flat_map(|name| wrap_words(name, cells, &under)).collect();
        }
        let mut lines = Vec::new();
        for row in rows {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            for (column, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let mut spans = header.get(column).cloned().unwrap_or_default();
                if !spans.is_empty() {
                    spans.push(Span::new(": ", Role::Text));
                }
                spans.extend(cell.iter().cloned());
                lines.extend(wrap_words(&spans, cells, &under));
            }
        }
        lines
    }
}

fn pad(line: &mut Line, cells: usize) {
    if cells > 0 {
        line.spans.push(Span::new(&" ".repeat(cells), Role::Text));
    }
}

/// The most that a column may have so that all fit: narrow ones keep what they need, and the wide ones
/// share the rest.
fn fair_share(wishes: &[usize], room: usize) -> usize {
    let mut sorted = wishes.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (number, wish) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - number);
        if *wish > share {
            return share.max(1);
        }
        left -= wish;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn narrow_columns_keep_what_they_need() {
        assert_eq!(fair_share(&[3, 50, 40], 43), 20);
        assert_eq!(fair_share(&[3, 5], 8), usize::MAX);
    }

    proptest! {
        #[test]
        fn shares_fit(wishes in proptest::collection::vec(1usize..60, 1..9), room in 9usize..90) {
            let most = fair_share(&wishes, room);
            prop_assert!(wishes.iter().map(|wish| (*wish).min(most)).sum::<usize>() <= room);
        }
    }
}
