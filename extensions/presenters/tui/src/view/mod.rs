//! The screen as a function of the application's state and the size.
//!
//! It plans which rows each part gets and lets the parts draw themselves. Nothing here changes what the
//! application knows, apart from noting where things are for the mouse.

mod busy_row;
mod input;
mod overlay;
mod panels;
mod places;
mod popup;
mod queue;
mod search_row;
mod status_row;
mod transcript;

pub(crate) use places::Places;

use crate::app::App;
use crate::paint::paint_line;
use fen_cells::{Line, Role, Span, clip};
use fen_contract::kinds::Placement;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The smallest size at which there is room for everything that matters.
const SMALLEST: (u16, u16) = (20, 5);
/// The part of the rows that panels may take together.
const PANEL_SHARE: u16 = 3;
/// The part of the rows that the input may take.
const INPUT_SHARE: u16 = 3;

/// The columns of the transcript; the last one is the scroll thumb's.
pub(crate) fn transcript_width(columns: u16) -> u16 {
    columns.saturating_sub(1).max(1)
}

/// Draws everything; gives the place of the cursor.
pub(crate) fn draw(app: &mut App, buffer: &mut Buffer) -> Option<Position> {
    let area = *buffer.area();
    buffer.reset();
    let ground = app.theme.ground();
    buffer.set_style(area, ground);
    app.places = Places::default();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        too_small(app, buffer, area);
        return None;
    }
    let mut canvas = Canvas { buffer, area };
    let mut rows = Split { left: area };
    status_row::draw(app, &mut canvas, rows.take_top(1));

    // From the bottom: what is typed, and what belongs to it.
    let input_rows = input::height(app, area.width, (area.height / INPUT_SHARE).max(1));
    let input_area = rows.beside(input_rows);
    let has_rule = area.height >= 10;
    let rule = rows.beside(u16::from(has_rule));
    let budget = area.height / PANEL_SHARE;
    // Each side has half of it, and what the other one leaves.
    let below = panels::plan(&app.panels, Placement::BelowStatus, area.width, budget);
    let kept = panels::height(&below).min(budget / 2);
    let above = panels::plan(&app.panels, Placement::AboveInput, area.width, budget - kept);
    let left = budget.saturating_sub(panels::height(&above));
    let below = panels::plan(&app.panels, Placement::BelowStatus, area.width, left);
    let above_area = rows.beside(panels::height(&above));
    let queue_area = rows.beside(queue::height(app));
    let busy_area = rows.beside(busy_row::height(app));
    let below_rows = panels::height(&below).min(rows.rows().saturating_sub(1));
    let below_area = rows.take_top(below_rows);
    let search_area = rows.beside(u16::from(app.search.is_some()));
    let transcript_area = rows.left;

    panels::draw(&below, app, &mut canvas, below_area);
    transcript::draw(app, &mut canvas, transcript_area);
    search_row::draw(app, &mut canvas, search_area);
    busy_row::draw(app, &mut canvas, busy_area);
    queue::draw(app, &mut canvas, queue_area);
    panels::draw(&above, app, &mut canvas, above_area);
    canvas.line(app, rule, 0, &rule_line(app, usize::from(area.width)));
    let cursor = input::draw(app, &mut canvas, input_area);
    popup::draw(app, &mut canvas, input_area.y);
    let searching = search_row::cursor(app, search_area);
    match overlay::draw(app, &mut canvas) {
        Some(above) => above,
        None => searching.or(cursor),
    }
}

/// The rule above the input; in vi mode it tells which.
fn rule_line(app: &App, cells: usize) -> Line {
    let mode = match &app.vi {
        Some(vi) => format!(" {} ─", vi.mode_name()),
        None => String::new(),
    };
    let mode = Span::new(&mode, Role::Accent);
    let rule = "─".repeat(cells.saturating_sub(mode.width()));
    clip(Line::from(vec![Span::new(&rule, Role::Border), mode]), cells)
}

fn too_small(app: &App, buffer: &mut Buffer, area: Rect) {
    let words =
        format!("too small: {}×{} of {}×{}", area.width, area.height, SMALLEST.0, SMALLEST.1);
    let line = clip(Line::of(&words, Role::Warning), usize::from(area.width));
    if area.height > 0 {
        paint_line(buffer, area.x, area.y, area.width, &line, &app.theme);
    }
}

/// Where to draw.
struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
}

impl Canvas<'_> {
    /// Draws a line in a row of a part; rows beyond it are left out.
    fn line(&mut self, app: &App, part: Rect, row: usize, line: &Line) {
        let Ok(row) = u16::try_from(row) else { return };
        if row < part.height {
            paint_line(self.buffer, part.x, part.y + row, part.width, line, &app.theme);
        }
    }
}

/// The rows that are not given to any part yet.
struct Split {
    left: Rect,
}

impl Split {
    fn rows(&self) -> u16 {
        self.left.height
    }

    fn take_top(&mut self, rows: u16) -> Rect {
        let rows = rows.min(self.left.height);
        let part = Rect { height: rows, ..self.left };
        self.left.y += rows;
        self.left.height -= rows;
        part
    }

    fn take_bottom(&mut self, rows: u16) -> Rect {
        let rows = rows.min(self.left.height);
        self.left.height -= rows;
        Rect { y: self.left.y + self.left.height, height: rows, ..self.left }
    }

    /// A part at the bottom that leaves a row to the transcript.
    fn beside(&mut self, rows: u16) -> Rect {
        self.take_bottom(rows.min(self.left.height.saturating_sub(1)))
    }
}
