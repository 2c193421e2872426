//! The sheet on top: a frame with a heading, its rows, and what its keys do.

use super::Canvas;
use crate::app::App;
use crate::paint::paint_line;
use fen_cells::{Line, Look, Role, Span, clip};
use ratatui::layout::{Position, Rect};

/// How wide a sheet is at the most.
const CELLS: u16 = 120;

/// Draws it; `None` if there is none, else the place of its cursor.
#[expect(clippy::option_option, reason = "no sheet, or a sheet with or without a cursor")]
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>) -> Option<Option<Position>> {
    let mut overlay = app.overlays.pop()?;
    let area = canvas.area;
    let width = area.width.min(CELLS);
    let x = area.x + (area.width - width) / 2;
    // The frame takes two columns on each side and two rows where there is room for them.
    let inner_width = usize::from(width.saturating_sub(4)).max(1);
    let most = area.height.saturating_sub(4).max(1);
    let sheet = overlay.sheet(inner_width, usize::from(most));
    app.overlays.push(overlay);
    let rows = u16::try_from(sheet.rows.len()).unwrap_or(most).clamp(1, most);
    let height = (rows + 2).min(area.height);
    let y = area.y + (area.height - height) / 3;
    let frame = Rect::new(x, y, width, height);
    frame_row(app, canvas, frame, 0, ("╭", "╮"), &sheet.title);
    let inner = Rect::new(x + 2, y + 1, u16::try_from(inner_width).unwrap_or(1), height - 2);
    for row in 0..height - 2 {
        let side = Line::of("│", Role::Border);
        let blank = Line { fill: Some(Role::Text), ..Line::default() };
        paint_line(canvas.buffer, x, y + 1 + row, width, &blank, &app.theme);
        paint_line(canvas.buffer, x, y + 1 + row, 1, &side, &app.theme);
        paint_line(canvas.buffer, frame.right() - 1, y + 1 + row, 1, &side, &app.theme);
        if let Some(line) = sheet.rows.get(usize::from(row)) {
            let mut line = line.clone();
            if sheet.selected == Some(usize::from(row)) {
                for span in &mut line.spans {
                    span.look = span.look.in_role(Role::Selection);
                }
                line.fill = Some(Role::Selection);
            }
            canvas.line(app, inner, usize::from(row), &line);
        }
    }
    frame_row(app, canvas, frame, height - 1, ("╰", "╯"), &sheet.hint);
    app.places.overlay = Some(inner);
    Some(sheet.cursor.map(|(row, column)| {
        let row = u16::try_from(row).unwrap_or(0).min(inner.height.saturating_sub(1));
        let column = u16::try_from(column).unwrap_or(0).min(inner.width.saturating_sub(1));
        Position::new(inner.x + column, inner.y + row)
    }))
}

/// A row of the frame with words in it.
fn frame_row(
    app: &App,
    canvas: &mut Canvas<'_>,
    frame: Rect,
    row: u16,
    ends: (&str, &str),
    words: &str,
) {
    let cells = usize::from(frame.width);
    let words = words.lines().next().unwrap_or_default();
    let label =
        clip(Line::of(&format!(" {words} "), Look::of(Role::Accent)), cells.saturating_sub(4));
    let rest = cells.saturating_sub(label.width() + 3);
    let mut spans = vec![Span::new(ends.0, Role::Border), Span::new("─", Role::Border)];
    spans.extend(label.spans);
    spans.push(Span::new(&"─".repeat(rest), Role::Border));
    spans.push(Span::new(ends.1, Role::Border));
    paint_line(canvas.buffer, frame.x, frame.y + row, frame.width, &Line::from(spans), &app.theme);
}
