//! The mouse: scrolling, unfolding, choosing, marking.

use super::App;
use crate::effect::Effect;
use crate::overlay::Touch;
use crate::transcript::{Place, Selection};
use fen_tty::input::{Button, Mouse, MouseKind};
use std::time::{Duration, Instant};

/// How many rows one notch of the wheel scrolls.
const WHEEL: isize = 3;

/// How long the pointer rests beyond the transcript for each row that it scrolls.
const DRAG_STEP: Duration = Duration::from_millis(50);

/// A press that may become a selection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drag {
    anchor: Place,
    /// Where the pointer is, in cells of the screen.
    at: (u16, u16),
    /// -1 above the transcript, 1 below it, 0 within.
    edge: isize,
    /// When it scrolls on, while it is beyond the transcript.
    due: Instant,
}

impl Drag {
    /// When it scrolls on; `None` while it is within the transcript.
    pub fn due(&self) -> Option<Instant> {
        self.is_at_edge().then_some(self.due)
    }

    /// Whether the pointer is beyond the transcript, which scrolls it.
    pub fn is_at_edge(&self) -> bool {
        self.edge != 0
    }
}

impl App {
    pub(super) fn mouse(&mut self, mouse: Mouse) {
        let (column, row) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseKind::ScrollUp => self.wheel(-WHEEL),
            MouseKind::ScrollDown => self.wheel(WHEEL),
            MouseKind::Press(Button::Left) => self.press(column, row),
            MouseKind::Drag(Button::Left) => self.drag_to(column, row),
            MouseKind::Release(Button::Left) => self.release(column, row),
            _ => {}
        }
    }

    fn wheel(&mut self, rows: isize) {
        if let Some(overlay) = self.overlays.last_mut() {
            let reaction = overlay.touch(&Touch::Wheel(rows.signum()));
            return self.react(&reaction);
        }
        self.transcript.scroll(rows, self.transcript_rows, &self.ink);
    }

    fn press(&mut self, column: u16, row: u16) {
        self.selection = None;
        self.drag = None;
        if !self.overlays.is_empty() {
            if let Some(row) = self.places.overlay_row(column, row)
                && let Some(overlay) = self.overlays.last_mut()
            {
                let reaction = overlay.touch(&Touch::Click(row));
                self.react(&reaction);
            }
            return;
        }
        if let Some(at) = self.places.offer(column, row) {
            return self.click_offer(at);
        }
        if self.places.is_unread_mark(column, row) {
            return self.transcript.go_end();
        }
        if let Some((row, column)) = self.places.input_cell(column, row) {
            self.editor.place_cursor(row, column);
            return;
        }
        if let Some(anchor) = self.places.transcript_cell(column, row) {
            self.drag = Some(Drag { anchor, at: (column, row), edge: 0, due: self.now });
        }
    }

    fn drag_to(&mut self, column: u16, row: u16) {
        let Some(mut drag) = self.drag else { return };
        let moved = drag.at != (column, row) || self.selection.is_some();
        drag.at = (column, row);
        drag.edge = self.places.edge(row);
        self.drag = Some(drag);
        if moved && let Some(head) = self.places.nearest_cell(column, row) {
            self.selection = Some(Selection { anchor: drag.anchor, head });
        }
    }

    /// Scrolls on while the pointer is beyond the transcript.
    pub(super) fn drag_scrolls(&mut self) -> bool {
        let is_due = |drag: &Drag| drag.is_at_edge() && drag.due <= self.now;
        let Some(mut drag) = self.drag.filter(is_due) else { return false };
        drag.due = self.now + DRAG_STEP;
        self.drag = Some(drag);
        self.transcript.scroll(drag.edge, self.transcript_rows, &self.ink);
        if let Some(head) = self.places.nearest_cell(drag.at.0, drag.at.1) {
            self.selection = Some(Selection { anchor: drag.anchor, head });
        }
        true
    }

    fn release(&mut self, column: u16, row: u16) {
        let Some(drag) = self.drag.take() else { return };
        match self.selection {
            Some(selection) => {
                let text = self.transcript.selected_text(selection, &self.ink);
                if !text.is_empty() {
                    self.wish(Effect::Copy(text));
                }
            }
            // A click: what can be unfolded is.
            None => {
                if self.places.transcript_cell(column, row) == Some(drag.anchor) {
                    self.transcript.toggle_fold(drag.anchor.block);
                }
            }
        }
    }
}
