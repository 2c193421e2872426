//! Which rows of the transcript are in sight.
//!
//! The view hangs on a block and a row within it, or on the end. Nothing has to know how many rows there
//! are in all, so that neither a frame nor a scroll costs more in a long conversation.

use super::Transcript;
use super::block::Content;
use super::rows::Ink;
use fen_cells::Line;
use std::ops::Range;

/// What the view hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Anchor {
    /// The end: new text stays in sight.
    #[default]
    End,
    /// This row of this block is the first in sight.
    At { block: usize, row: usize },
}

/// Some rows of one block.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// The block's place.
    pub block: usize,
    /// The rows that are in sight, in order.
    pub rows: Vec<Line>,
    /// Which of the block's rows those are.
    pub range: Range<usize>,
    /// How many rows the block has.
    pub len: usize,
}

/// The rows in sight, from the top.
#[derive(Debug, Clone, Default)]
pub(crate) struct Window {
    pub pieces: Vec<Piece>,
    /// Where the scroll thumb is, as parts of the whole from 0 to 1; `None` if all is in sight.
    pub thumb: Option<(f64, f64)>,
    /// Whether there is something below that was not in sight yet.
    pub unread: bool,
}

impl Window {
    /// The block and the row of it at a row of the window.
    pub fn at(&self, mut row: usize) -> Option<(usize, usize)> {
        for piece in &self.pieces {
            if row < piece.range.len() {
                return Some((piece.block, piece.range.start + row));
            }
            row -= piece.range.len();
        }
        None
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.pieces.iter().map(|piece| piece.range.len()).sum()
    }
}

impl Transcript {
    /// The rows that are in sight in a window of this height.
    pub fn window(&mut self, height: usize, ink: &dyn Ink) -> Window {
        if self.blocks.is_empty() || height == 0 {
            return Window::default();
        }
        self.kept.begin_frame();
        self.settle_anchor(height, ink);
        let pieces = match self.anchor {
            Anchor::End => self.last_rows(height, ink),
            Anchor::At { block, row } => self.rows_from(block, row, height, ink),
        };
        self.kept.end_frame();
        let at_end = self.anchor == Anchor::End;
        if at_end {
            self.seen = self.news;
        }
        let thumb = self.thumb(&pieces);
        Window { pieces, thumb, unread: !at_end && self.news != self.seen }
    }

    /// Whether the end is in sight and stays so.
    pub fn follows(&self) -> bool {
        self.anchor == Anchor::End
    }

    /// Moves the view by rows; below zero is up.
    pub fn scroll(&mut self, rows: isize, height: usize, ink: &dyn Ink) {
        if self.blocks.is_empty() || height == 0 {
            return;
        }
        let Some((mut block, mut row)) = self.top(height, ink) else { return };
        let mut left = rows.unsigned_abs();
        if rows < 0 {
            while left > row && block > 0 {
                left -= row;
                block -= 1;
                row = self.rows_len(block, ink);
            }
            row -= left.min(row);
        } else {
            loop {
                let len = self.rows_len(block, ink);
                if row + left < len || block + 1 >= self.blocks.len() {
                    row += left;
                    break;
                }
                left -= len - row.min(len);
                block += 1;
                row = 0;
            }
        }
        self.anchor = Anchor::At { block, row };
        self.settle_anchor(height, ink);
    }

    /// Goes to the beginning.
    pub fn go_top(&mut self, height: usize, ink: &dyn Ink) {
        self.anchor = Anchor::At { block: 0, row: 0 };
        self.settle_anchor(height, ink);
    }

    /// Goes to the end and stays there.
    pub fn go_end(&mut self) {
        self.anchor = Anchor::End;
    }

    /// Brings a row of a block into sight, in the upper third.
    pub fn reveal(&mut self, block: usize, row: usize, height: usize, ink: &dyn Ink) {
        if let Some(Window { pieces, .. }) = Some(self.window(height, ink))
            && pieces.iter().any(|piece| piece.block == block && piece.range.contains(&row))
        {
            return;
        }
        self.anchor = Anchor::At { block, row };
        self.scroll(-isize::try_from(height / 3).unwrap_or(0), height, ink);
    }

    /// Goes to the person's message before the first row in sight; false if there is none.
    pub fn previous_message(&mut self, height: usize, ink: &dyn Ink) -> bool {
        let Some((block, row)) = self.top(height, ink) else { return false };
        let before = if row > 1 { block + 1 } else { block };
        let found = (0..before.min(self.blocks.len())).rev().find(|at| self.is_message(*at));
        match found {
            Some(at) => {
                self.anchor = Anchor::At { block: at, row: 0 };
                self.settle_anchor(height, ink);
                true
            }
            None => false,
        }
    }

    /// Goes to the person's message after the first row in sight, or to the end.
    pub fn next_message(&mut self, height: usize, ink: &dyn Ink) {
        let Some((block, _)) = self.top(height, ink) else { return };
        match (block + 1..self.blocks.len()).find(|at| self.is_message(*at)) {
            Some(at) => {
                self.anchor = Anchor::At { block: at, row: 0 };
                self.settle_anchor(height, ink);
            }
            None => self.go_end(),
        }
    }

    fn is_message(&self, at: usize) -> bool {
        matches!(self.blocks.get(at).map(|block| &block.content), Some(Content::User(_)))
    }

    /// The first row in sight.
    fn top(&mut self, height: usize, ink: &dyn Ink) -> Option<(usize, usize)> {
        match self.anchor {
            Anchor::At { block, row } => Some((block, row)),
            Anchor::End => {
                let pieces = self.last_rows(height, ink);
                pieces.first().map(|piece| (piece.block, piece.range.start))
            }
        }
    }

    /// Keeps the anchor on a row that exists, and turns it into the end where nothing is below it.
    fn settle_anchor(&mut self, height: usize, ink: &dyn Ink) {
        let Anchor::At { block, row } = self.anchor else { return };
        let Some(last) = self.blocks.len().checked_sub(1) else {
            self.anchor = Anchor::End;
            return;
        };
        let block = block.min(last);
        let len = self.rows_len(block, ink);
        let row = row.min(len.saturating_sub(1));
        self.anchor = Anchor::At { block, row };
        let mut below = len - row.min(len);
        for at in block + 1..self.blocks.len() {
            if below > height {
                return;
            }
            below += self.rows_len(at, ink);
        }
        if below <= height {
            self.anchor = Anchor::End;
        }
    }

    fn rows_from(&mut self, block: usize, row: usize, height: usize, ink: &dyn Ink) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let (mut start, mut left) = (row, height);
        for at in block..self.blocks.len() {
            if left == 0 {
                break;
            }
            let len = self.rows_len(at, ink);
            let range = start.min(len)..len.min(start + left);
            left -= range.len();
            start = 0;
            pieces.push(self.piece(at, range, len, ink));
        }
        pieces
    }

    fn piece(&mut self, block: usize, range: Range<usize>, len: usize, ink: &dyn Ink) -> Piece {
        Piece { block, rows: self.rows_in(block, range.clone(), ink), range, len }
    }

    fn last_rows(&mut self, height: usize, ink: &dyn Ink) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut left = height;
        for at in (0..self.blocks.len()).rev() {
            if left == 0 {
                break;
            }
            let len = self.rows_len(at, ink);
            let range = len - len.min(left)..len;
            left -= range.len();
            pieces.push(self.piece(at, range, len, ink));
        }
        pieces.reverse();
        pieces
    }

    /// Where the window stands on the scale of guessed rows.
    fn thumb(&self, pieces: &[Piece]) -> Option<(f64, f64)> {
        let (first, last) = (pieces.first()?, pieces.last()?);
        if (first.block, first.range.start) == (0, 0)
            && last.block + 1 == self.blocks.len()
            && last.range.end == last.len
        {
            return None;
        }
        let end = self.blocks.len() - 1;
        let whole = (self.offsets[end] + super::rows::guess(&self.blocks[end])) as f64;
        let place = |block: usize, row: usize, rows: usize| {
            let share = row as f64 / rows.max(1) as f64;
            let size = super::rows::guess(&self.blocks[block]) as f64;
            (self.offsets[block] as f64 + share * size) / whole
        };
        let from = place(first.block, first.range.start, first.len);
        let to = place(last.block, last.range.end, last.len);
        Some((from.clamp(0.0, 1.0), to.clamp(0.0, 1.0)))
    }
}
