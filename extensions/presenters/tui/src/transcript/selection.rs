//! What is marked with the mouse, and its text.

use super::Transcript;
use super::rows::Ink;
use fen_cells::{Join, Line, units};
use std::ops::Range;

/// A cell of the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub block: usize,
    pub row: usize,
    pub column: usize,
}

/// From one cell to another, both included, in whichever order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Where it began.
    pub anchor: Place,
    /// Where it is now.
    pub head: Place,
}

/// How much text is copied at the most, in bytes.
const COPY_BYTES: usize = 4 * 1024 * 1024;

impl Selection {
    fn ends(&self) -> (Place, Place) {
        (self.anchor.min(self.head), self.anchor.max(self.head))
    }

    /// The columns of a row that are marked.
    pub fn columns(&self, block: usize, row: usize) -> Option<Range<usize>> {
        let (from, to) = self.ends();
        let here = (block, row);
        if here < (from.block, from.row) || here > (to.block, to.row) {
            return None;
        }
        let start = if here == (from.block, from.row) { from.column } else { 0 };
        let end = if here == (to.block, to.row) { to.column + 1 } else { usize::MAX };
        Some(start..end)
    }
}

impl Transcript {
    /// The marked text: without decorations, and with the lines as they were before they were wrapped.
    pub fn selected_text(&mut self, selection: Selection, ink: &dyn Ink) -> String {
        let (from, to) = selection.ends();
        let mut text = String::new();
        for block in from.block..=to.block.min(self.blocks.len().saturating_sub(1)) {
            // Where there are no rows yet, the text is there nevertheless.
            if self.is_awaited(block, ink)
                && let Some(prose) = self.prose(block)
            {
                if !text.is_empty() {
                    text.push('\n');
                }
                let whole = prose.text();
                text.push_str(&whole[..whole.floor_char_boundary(COPY_BYTES.min(whole.len()))]);
                continue;
            }
            let rows = self.rows(block, ink);
            for (number, line) in rows.iter().enumerate() {
                let Some(columns) = selection.columns(block, number) else { continue };
                if text.len() > COPY_BYTES {
                    return text;
                }
                if !text.is_empty() {
                    match line.join {
                        Join::Break => text.push('\n'),
                        Join::Space => text.push(' '),
                        Join::Glue => {}
                    }
                }
                put_columns(line, columns, &mut text);
            }
        }
        text.trim_matches('\n').to_owned()
    }
}

/// The content of a row within these columns.
fn put_columns(line: &Line, columns: Range<usize>, text: &mut String) {
    let mut column = 0;
    for span in &line.spans {
        for unit in units(span.text()) {
            let is_in = column + unit.width > columns.start && column < columns.end;
            if is_in && !span.look.is_decoration() {
                text.push_str(unit.text);
            }
            column += unit.width;
        }
    }
}
