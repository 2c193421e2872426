//! The lines that wait.

use super::Canvas;
use crate::app::App;
use fen_cells::{Line, Look, Role, Span, clip};
use fen_contract::conversation::QueueName;
use ratatui::layout::Rect;

/// How many lines show; of more, those around the chosen one.
const ROWS: usize = 4;

/// How many rows it takes.
pub(super) fn height(app: &App) -> u16 {
    let lines = app.facts.queue.len().min(ROWS);
    let hint = usize::from(app.queue_focus.is_some());
    u16::try_from(lines + hint).unwrap_or(0)
}

pub(super) fn draw(app: &App, canvas: &mut Canvas<'_>, part: Rect) {
    let cells = usize::from(part.width);
    let count = app.facts.queue.len();
    let chosen = app.queue_focus.map(|focus| focus.at);
    let first = match chosen {
        Some(at) => at.saturating_sub(ROWS / 2).min(count.saturating_sub(ROWS)),
        None => 0,
    };
    let shown = app.waiting().enumerate().skip(first).take(ROWS);
    for (row, (at, (queue, _, text))) in shown.enumerate() {
        let sign = match queue {
            QueueName::Steering => "↳ next  ",
            QueueName::FollowUp => "↳ later ",
        };
        let role = if chosen == Some(at) { Role::Selection } else { Role::Dim };
        let text = text.replace('\n', "⏎");
        let mut line =
            Line::from(vec![Span::new(sign, Role::Accent), Span::new(&text, Look::of(role))]);
        if row == ROWS - 1 && first + ROWS < count {
            line.spans.insert(1, Span::new(&format!("(+{}) ", count - first - ROWS), Role::Dim));
        }
        canvas.line(app, part, row, &clip(line, cells));
    }
    if app.queue_focus.is_some() {
        let hint = Line::of("  ↑↓ · enter edits · delete removes · esc", Role::Dim);
        canvas.line(app, part, count.min(ROWS), &clip(hint, cells));
    }
}
