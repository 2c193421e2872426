//! The text of a question, which may be longer than the screen.
//!
//! It is shown strictly: whatever hides in it is visible, since the answer depends on it.

use super::{Reaction, Touch};
use crate::keymap::Action;
use fen_cells::{Line, Look, Prefix, Printable, Role, Span, wrap_words};

/// The text of a question and how far it is scrolled.
pub(super) struct Asked {
    text: String,
    rows: Vec<Line>,
    width: usize,
    top: usize,
    room: usize,
}

impl Asked {
    pub fn new(text: &str) -> Asked {
        Asked { text: text.to_owned(), rows: Vec::new(), width: 0, top: 0, room: 0 }
    }

    /// Its rows in sight, at the most `room`.
    pub fn rows(&mut self, cells: usize, room: usize) -> &[Line] {
        if self.width != cells {
            self.width = cells;
            self.rows = self.text.lines().flat_map(|line| row(line, cells)).collect();
        }
        self.room = room;
        self.top = self.top.min(self.rows.len().saturating_sub(room));
        let end = (self.top + room).min(self.rows.len());
        &self.rows[self.top..end]
    }

    /// Whether some of it is out of sight.
    pub fn is_longer(&self) -> bool {
        self.rows.len() > self.room
    }

    /// Moves it by rows; below zero is up.
    pub fn scroll(&mut self, rows: isize) {
        let last = self.rows.len().saturating_sub(self.room);
        self.top = self.top.saturating_add_signed(rows).min(last);
    }

    /// Takes a key or the wheel that moves it.
    pub fn touch(&mut self, touch: &Touch<'_>) -> Reaction {
        match touch {
            Touch::Act(Action::ScrollUp) => self.scroll(-1),
            Touch::Act(Action::ScrollDown) => self.scroll(1),
            Touch::Act(Action::PageUp) => self.scroll_pages(-1),
            Touch::Act(Action::PageDown) => self.scroll_pages(1),
            Touch::Act(Action::GoTop) => self.top = 0,
            Touch::Act(Action::GoBottom) => self.scroll(isize::MAX),
            Touch::Wheel(rows) => self.scroll(*rows),
            _ => return Reaction::Pass,
        }
        Reaction::Stay
    }

    /// Moves it by what is in sight.
    pub fn scroll_pages(&mut self, pages: isize) {
        let page = isize::try_from(self.room.saturating_sub(1).max(1)).unwrap_or(1);
        self.scroll(pages.saturating_mul(page));
    }
}

/// A line; those of a diff look like that.
fn row(line: &str, cells: usize) -> Vec<Line> {
    let role = match line.as_bytes().first() {
        Some(b'+') => Role::Added,
        Some(b'-') => Role::Removed,
        _ => Role::Text,
    };
    let spans = [Span::printable(Printable::strict(line), Look::of(role))];
    wrap_words(&spans, cells, &Prefix::default())
}
