//! Offers of a completion, above the input.

use super::Canvas;
use crate::app::App;
use fen_cells::{Line, Look, Role, Span, clip, width};
use ratatui::layout::Rect;

/// How many offers show.
const ROWS: usize = 8;
/// How wide the offers' own words are at the most.
const LABEL_CELLS: usize = 40;

/// Draws them so that they end above a row.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, bottom: u16) {
    let Some(popup) = &app.popup else { return };
    let room = usize::from(bottom.saturating_sub(canvas.area.y + 1)).min(ROWS);
    let count = popup.offers.len().min(room);
    if count == 0 {
        return;
    }
    let first = popup.selected.saturating_sub(count / 2).min(popup.offers.len() - count);
    let shown = &popup.offers[first..first + count];
    let labels = shown.iter().map(|offer| width(&offer.label)).max().unwrap_or(0).min(LABEL_CELLS);
    let rows = u16::try_from(count).unwrap_or(0);
    let part = Rect { y: bottom - rows, height: rows, ..canvas.area };
    for (row, offer) in shown.iter().enumerate() {
        let is_chosen = first + row == popup.selected;
        let role = if is_chosen { Role::Selection } else { Role::Text };
        let label = clip(Line::of(&format!(" {} ", offer.label), Look::of(role)), labels + 2);
        let gap = " ".repeat((labels + 2).saturating_sub(label.width()));
        let mut spans = label.spans;
        spans.push(Span::new(&gap, Look::of(role)));
        if let Some(about) = &offer.description {
            spans.push(Span::new(
                &format!(" {}", about.lines().next().unwrap_or_default()),
                Role::Dim,
            ));
        }
        canvas.line(app, part, row, &clip(Line::from(spans), usize::from(part.width)));
    }
    app.places.popup = part;
    app.places.popup_first = first;
}
