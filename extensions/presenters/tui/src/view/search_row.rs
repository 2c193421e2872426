//! The row of a search in the transcript.

use super::Canvas;
use crate::app::App;
use fen_cells::{Line, Role, Span, clip, width};
use ratatui::layout::{Position, Rect};

const SIGN: &str = "find: ";

pub(super) fn draw(app: &App, canvas: &mut Canvas<'_>, part: Rect) {
    let Some(bar) = &app.search else { return };
    let line = Line::from(vec![
        Span::new(SIGN, Role::Accent),
        Span::new(&bar.input.text(), Role::Text),
        Span::new(&format!("  {}", bar.words()), Role::Dim),
        Span::new("  enter ↑ older · ↓ newer · esc", Role::Dim),
    ]);
    canvas.line(app, part, 0, &clip(line, usize::from(part.width)));
}

pub(super) fn cursor(app: &App, part: Rect) -> Option<Position> {
    let bar = app.search.as_ref()?;
    let before = width(SIGN) + width(bar.input.text_before_cursor());
    let column = u16::try_from(before).unwrap_or(u16::MAX).min(part.width.saturating_sub(1));
    Some(Position::new(part.x + column, part.y))
}
