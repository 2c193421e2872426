//! The transcript's part of the screen: the rows in sight, what is marked and found in them, the scroll
//! thumb and the mark of unread text.

use super::Canvas;
use crate::app::App;
use crate::paint::paint_line;
use crate::transcript::Piece;
use fen_cells::{Line, Look, Role, clip};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::ops::Range;

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, part: Rect) {
    let height = usize::from(part.height);
    app.transcript_rows = height;
    let text = Rect { width: super::transcript_width(part.width), ..part };
    if app.transcript.is_empty() {
        return welcome(app, canvas, text);
    }
    let window = app.transcript.window(height, &app.ink);
    let mut y = 0;
    for piece in &window.pieces {
        for (line, row) in piece.rows.iter().zip(piece.range.clone()) {
            canvas.line(app, text, y, line);
            mark_selected(app, canvas, text, y, (piece.block, row), line);
            y += 1;
        }
        mark_found(app, canvas, text, y, piece);
        if app.transcript.is_foldable(piece.block) {
            app.places.foldable = Some(piece.block);
        }
    }
    if let Some(bar) = &mut app.search {
        bar.search.keep_in_sight(&window);
    }
    if let Some(thumb) = window.thumb {
        draw_thumb(app, canvas, part, thumb);
    }
    if window.unread {
        draw_unread(app, canvas, part);
    }
    app.places.transcript = text;
    app.places.window = window;
}

/// What an empty conversation shows.
fn welcome(app: &App, canvas: &mut Canvas<'_>, part: Rect) {
    let facts = &app.facts;
    let provider = format!("{} of {}", facts.model, facts.provider);
    let rows = [
        ("", Role::Text),
        ("  fen", Role::Accent),
        ("", Role::Text),
        (provider.as_str(), Role::Text),
        (facts.cwd.as_str(), Role::Dim),
        ("", Role::Text),
        ("Type a prompt.  /help  commands and keys", Role::Dim),
        ("@ files   ! a command   / commands", Role::Dim),
    ];
    for (number, (words, role)) in rows.into_iter().enumerate() {
        let look = if number == 1 { Look::of(role).bold() } else { Look::of(role) };
        let words = if number > 1 { format!("  {words}") } else { words.to_owned() };
        canvas.line(app, part, number, &clip(Line::of(&words, look), usize::from(part.width)));
    }
}

fn restyle(buffer: &mut Buffer, part: Rect, y: usize, columns: Range<usize>, style: Style) {
    let Ok(y) = u16::try_from(y) else { return };
    let width = usize::from(part.width);
    let (start, end) = (columns.start.min(width), columns.end.min(width));
    if y < part.height && start < end {
        let at = |column: usize| u16::try_from(column).unwrap_or(u16::MAX);
        let area = Rect::new(part.x + at(start), part.y + y, at(end - start), 1);
        buffer.set_style(area, style);
    }
}

fn mark_selected(
    app: &App,
    canvas: &mut Canvas<'_>,
    part: Rect,
    y: usize,
    (block, row): (usize, usize),
    line: &Line,
) {
    let Some(selection) = app.selection else { return };
    if let Some(columns) = selection.columns(block, row) {
        let end = columns.end.min(line.width());
        let style = app.theme.style(Look::of(Role::Selection));
        restyle(canvas.buffer, part, y, columns.start..end, style);
    }
}

/// Marks what the search found in a block. `below` is the first row under the block.
fn mark_found(app: &mut App, canvas: &mut Canvas<'_>, part: Rect, below: usize, piece: &Piece) {
    let Some(bar) = app.search.as_mut().filter(|bar| !bar.search.query.is_empty()) else { return };
    let top = below - piece.range.len();
    // What is found may begin above the first row in sight.
    let found = bar.search.findings_in(piece.block, &mut app.transcript, &app.ink);
    for (nth, finding) in found.iter().enumerate() {
        let is_current = bar.search.current() == Some((piece.block, nth));
        let role = if is_current { Role::CurrentMatch } else { Role::Match };
        let style = app.theme.style(Look::of(role));
        for (row, columns) in finding {
            if piece.range.contains(row) {
                let y = top + row - piece.range.start;
                restyle(canvas.buffer, part, y, columns.clone(), style);
            }
        }
    }
}

fn draw_thumb(app: &App, canvas: &mut Canvas<'_>, part: Rect, (from, to): (f64, f64)) {
    let height = f64::from(part.height);
    let first = (from * height).floor().min(height - 1.0);
    let last = (to * height).ceil().max(first + 1.0);
    let x = part.right().saturating_sub(1);
    for row in 0..part.height {
        let is_thumb = f64::from(row) >= first && f64::from(row) < last;
        let (sign, role) = if is_thumb { ("┃", Role::Dim) } else { (" ", Role::Border) };
        paint_line(canvas.buffer, x, part.y + row, 1, &Line::of(sign, role), &app.theme);
    }
}

fn draw_unread(app: &mut App, canvas: &mut Canvas<'_>, part: Rect) {
    let line = Line::of(" ↓ unread below ", Look::of(Role::Selection));
    let width = u16::try_from(line.width()).unwrap_or(0).min(part.width);
    let y = part.bottom().saturating_sub(1);
    let area = Rect::new(part.right().saturating_sub(width + 1), y, width, 1);
    paint_line(canvas.buffer, area.x, y, width, &line, &app.theme);
    app.places.unread = Some(area);
}
