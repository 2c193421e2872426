//! The input at the bottom.

use super::Canvas;
use crate::app::App;
use fen_cells::{Line, Role, Span, clip, width};
use ratatui::layout::{Position, Rect};

const SIGN: &str = "› ";

/// What stands before the text, and how wide it is.
fn sign(app: &App) -> (&'static str, Role) {
    match app.editor.text_before_cursor().starts_with('!') {
        true => (SIGN, Role::Warning),
        false => (SIGN, Role::Accent),
    }
}

fn room(columns: u16) -> usize {
    usize::from(columns).saturating_sub(width(SIGN)).max(1)
}

/// How many rows it takes, at the most `most`.
pub(super) fn height(app: &mut App, columns: u16, most: u16) -> u16 {
    if app.history_find.is_some() {
        return 2.min(most);
    }
    let rows = app.editor.view(room(columns), usize::from(most)).rows.len();
    u16::try_from(rows).unwrap_or(most).clamp(1, most)
}

/// Draws it and gives the cursor's place.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, part: Rect) -> Option<Position> {
    if part.height == 0 {
        return None;
    }
    if app.history_find.is_some() {
        return draw_history(app, canvas, part);
    }
    let (sign, role) = sign(app);
    let view = app.editor.view(room(part.width), usize::from(part.height));
    app.places.input = part;
    app.places.input_first_row = view.first_row;
    app.places.input_indent = u16::try_from(width(SIGN)).unwrap_or(0);
    for (row, line) in view.rows.iter().enumerate() {
        let before = if row == 0 && view.first_row == 0 { sign } else { "  " };
        let mut spans = vec![Span::new(before, role)];
        spans.extend(line.spans.iter().cloned());
        canvas.line(app, part, row, &Line::from(spans));
    }
    if app.editor.is_empty() {
        let words = match (app.activity.is_busy(), app.held.len()) {
            (_, 1) => "  with the output of your command".to_owned(),
            (_, count @ 2..) => format!("  with the output of {count} commands"),
            (true, 0) => "  enter steers · alt-enter follows up".to_owned(),
            (false, 0) => String::new(),
        };
        let line = Line::from(vec![Span::new(sign, role), Span::new(&words, Role::Dim)]);
        canvas.line(app, part, 0, &clip(line, usize::from(part.width)));
    }
    let (row, column) = view.cursor;
    let x = u16::try_from(width(SIGN) + column).unwrap_or(u16::MAX);
    let y = u16::try_from(row).unwrap_or(u16::MAX);
    Some(Position::new(
        part.x + x.min(part.width.saturating_sub(1)),
        part.y + y.min(part.height - 1),
    ))
}

fn draw_history(app: &App, canvas: &mut Canvas<'_>, part: Rect) -> Option<Position> {
    let find = app.history_find.as_ref()?;
    let cells = usize::from(part.width);
    let sign = "history: ";
    let query = find.input.text();
    let head = Line::from(vec![
        Span::new(sign, Role::Accent),
        Span::new(&query, Role::Text),
        Span::new("  enter takes · ctrl-r older · esc", Role::Dim),
    ]);
    canvas.line(app, part, 0, &clip(head, cells));
    let found = match &find.found {
        Some(line) => Line::of(&format!("  {}", line.replace('\n', "⏎")), Role::Text),
        None => Line::of("  nothing fits", Role::Dim),
    };
    canvas.line(app, part, 1, &clip(found, cells));
    let before = width(sign) + width(find.input.text_before_cursor());
    let column = u16::try_from(before).unwrap_or(u16::MAX).min(part.width.saturating_sub(1));
    Some(Position::new(part.x + column, part.y))
}
