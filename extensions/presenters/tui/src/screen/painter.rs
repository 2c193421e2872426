//! Frames as bytes: what differs from the frame before, and the cursor, in one go.

use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::io::{self, Write};

/// Held back by the terminal until the frame is whole.
const BEGIN: &[u8] = b"\x1b[?2026h\x1b[?25l";
const END: &[u8] = b"\x1b[?2026l";
const SHOW_CURSOR: &[u8] = b"\x1b[?25h";
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";

/// Whether a frame had anything new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Put {
    /// It was written.
    Written,
    /// It is what is on the terminal already, and nothing was written.
    Same,
}

/// Writes frames.
pub(crate) struct Painter<W: Write> {
    backend: CrosstermBackend<W>,
    /// What is on the terminal now; `None` where that is not known.
    shown: Option<Buffer>,
    next: Buffer,
    cursor: Option<Position>,
}

impl<W: Write> Painter<W> {
    pub fn new(writer: W) -> Painter<W> {
        Painter {
            backend: CrosstermBackend::new(writer),
            shown: None,
            next: Buffer::default(),
            cursor: None,
        }
    }

    /// The next frame is written whole.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Writes something that is not on the screen, such as a request to the terminal.
    pub fn write_aside(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.backend.write_all(bytes)?;
        Write::flush(&mut self.backend)
    }

    /// Paints a frame and writes what is new in it.
    pub fn put(
        &mut self,
        (columns, rows): (u16, u16),
        paint: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<Put> {
        let area = Rect::new(0, 0, columns, rows);
        self.next.resize(area);
        let cursor = paint(&mut self.next);
        // Lost if writing fails: what is on the terminal is not known then.
        let shown = self.shown.take().filter(|shown| shown.area == area);
        let is_new = shown.is_none();
        let mut shown = shown.unwrap_or_else(|| Buffer::empty(area));
        let changes = shown.diff(&self.next);
        if !is_new && changes.is_empty() && self.cursor == cursor {
            self.shown = Some(shown);
            return Ok(Put::Same);
        }
        self.backend.write_all(BEGIN)?;
        if is_new {
            self.backend.write_all(CLEAR)?;
        }
        self.backend.draw(changes.into_iter())?;
        if let Some(at) = cursor {
            write!(self.backend, "\x1b[{};{}H", at.y + 1, at.x + 1)?;
            self.backend.write_all(SHOW_CURSOR)?;
        }
        self.backend.write_all(END)?;
        Write::flush(&mut self.backend)?;
        std::mem::swap(&mut shown, &mut self.next);
        self.shown = Some(shown);
        self.cursor = cursor;
        Ok(Put::Written)
    }
}
