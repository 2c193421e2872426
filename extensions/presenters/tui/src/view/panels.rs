//! Panels of extensions: clamped, so that none of them takes the screen.

use super::Canvas;
use crate::app::App;
use fen_cells::{Line, Look, Role, Span, clip};
use fen_contract::kinds::Placement;
use fen_contract::ui::PanelView;
use ratatui::layout::Rect;

/// How many rows one panel has at the most.
const ROWS: u16 = 12;

/// A panel's rows as they are drawn.
pub(super) struct Planned {
    rows: Vec<Line>,
}

/// What the words for styles look like; an unknown one looks like `otherwise`.
pub(super) fn look_of(style: Option<&str>, otherwise: Role) -> Look {
    Look::of(match style {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("tool") => Role::Tool,
        Some("error") => Role::Error,
        Some("warning") => Role::Warning,
        Some("success") => Role::Success,
        Some("dim") => Role::Dim,
        Some("accent") => Role::Accent,
        Some("status") => Role::Status,
        _ => otherwise,
    })
}

/// The panels that stand there and how much of them is shown within a budget of rows.
pub(super) fn plan(
    panels: &[PanelView],
    placement: Placement,
    width: u16,
    budget: u16,
) -> Vec<Planned> {
    let mut left = budget;
    let mut planned = Vec::new();
    for panel in panels.iter().filter(|panel| panel.placement == placement) {
        let count = u16::try_from(panel.rows.len()).unwrap_or(u16::MAX);
        // The panel's own word is of its rows; the heading comes on top.
        let wanted = match panel.height.map_or(count, |height| height.min(count)) {
            0 if panel.height.is_some() => 0,
            count => count.saturating_add(u16::from(panel.title.is_some())),
        };
        let wanted = wanted.min(ROWS).min(left);
        if wanted == 0 {
            continue;
        }
        left -= wanted;
        planned.push(Planned { rows: rows(panel, usize::from(width), usize::from(wanted)) });
    }
    planned
}

pub(super) fn height(planned: &[Planned]) -> u16 {
    planned.iter().map(|panel| u16::try_from(panel.rows.len()).unwrap_or(0)).sum()
}

fn rows(panel: &PanelView, cells: usize, count: usize) -> Vec<Line> {
    let title = panel.title.as_ref().map(|title| Line::of(title, Look::of(Role::Accent).bold()));
    let rows = panel.rows.iter().map(|row| {
        let spans = row.iter().map(|segment| {
            let text = segment.text.replace('\n', " ");
            Span::new(&text, look_of(segment.style.as_deref(), Role::Text))
        });
        Line::from(spans.collect::<Vec<_>>())
    });
    title.into_iter().chain(rows).take(count).map(|line| clip(line, cells)).collect()
}

pub(super) fn draw(planned: &[Planned], app: &App, canvas: &mut Canvas<'_>, part: Rect) {
    let rows = planned.iter().flat_map(|panel| &panel.rows);
    for (number, line) in rows.enumerate() {
        canvas.line(app, part, number, line);
    }
}
