//! Where things are on the screen, for the mouse.

use crate::transcript::{Place, Window};
use ratatui::layout::{Position, Rect};

/// What stands where, as it was drawn last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    pub transcript: Rect,
    pub window: Window,
    pub input: Rect,
    /// The first row of the input that is in sight.
    pub input_first_row: usize,
    /// The columns before the input's text.
    pub input_indent: u16,
    pub popup: Rect,
    /// The first offer in sight.
    pub popup_first: usize,
    pub overlay: Option<Rect>,
    pub unread: Option<Rect>,
    /// The block in sight that has something to unfold, the lowest one.
    pub foldable: Option<usize>,
}

impl Places {
    /// The offer at a cell.
    pub fn offer(&self, column: u16, row: u16) -> Option<usize> {
        let at = Position::new(column, row);
        self.popup.contains(at).then(|| usize::from(row - self.popup.y) + self.popup_first)
    }

    /// The row of the sheet on top that is at a cell.
    pub fn overlay_row(&self, column: u16, row: u16) -> Option<usize> {
        let area = self.overlay?;
        area.contains(Position::new(column, row)).then(|| usize::from(row - area.y))
    }

    /// Whether a cell is the mark of unread text.
    pub fn is_unread_mark(&self, column: u16, row: u16) -> bool {
        self.unread.is_some_and(|area| area.contains(Position::new(column, row)))
    }

    /// The row and the column of the input's text at a cell.
    pub fn input_cell(&self, column: u16, row: u16) -> Option<(usize, usize)> {
        self.input.contains(Position::new(column, row)).then(|| {
            let row = usize::from(row - self.input.y) + self.input_first_row;
            (row, usize::from(column.saturating_sub(self.input.x + self.input_indent)))
        })
    }

    /// The cell of the transcript at a cell of the screen.
    pub fn transcript_cell(&self, column: u16, row: u16) -> Option<Place> {
        if !self.transcript.contains(Position::new(column, row)) {
            return None;
        }
        let (block, at) = self.window.at(usize::from(row - self.transcript.y))?;
        Some(Place { block, row: at, column: usize::from(column - self.transcript.x) })
    }

    /// The cell of the transcript that is nearest.
    pub fn nearest_cell(&self, column: u16, row: u16) -> Option<Place> {
        let area = self.transcript;
        let shown = u16::try_from(self.window.height()).unwrap_or(u16::MAX).min(area.height);
        let last = (area.y + shown).checked_sub(1)?;
        if shown == 0 {
            return None;
        }
        let column = match row {
            _ if row > last => area.right().saturating_sub(1),
            _ if row < area.y => area.x,
            _ => column.clamp(area.x, area.right().saturating_sub(1)),
        };
        self.transcript_cell(column, row.clamp(area.y, last))
    }

    /// Which way a row is beyond the transcript: -1 above, 1 below, 0 within.
    pub fn edge(&self, row: u16) -> isize {
        match row {
            _ if row < self.transcript.y => -1,
            _ if row >= self.transcript.bottom() => 1,
            _ => 0,
        }
    }
}
