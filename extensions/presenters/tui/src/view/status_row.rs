//! The row on top: the model, what extensions say, and how full the context is.

use super::Canvas;
use crate::app::App;
use crate::clock;
use crate::facts::Cost;
use crate::view::panels::look_of;
use fen_cells::{Line, Look, Role, Span, clip};
use fen_contract::kinds::Side;
use fen_contract::provider::ThinkingLevel;
use fen_contract::ui::StatusView;
use ratatui::layout::Rect;

/// Columns from which on the provider is named beside its model.
const PROVIDER_FROM: u16 = 70;
/// Share of the window from which on the meter warns.
const NEARLY_FULL: f64 = 0.8;

pub(super) fn draw(app: &App, canvas: &mut Canvas<'_>, part: Rect) {
    let cells = usize::from(part.width);
    let right = right(app, cells);
    let room = cells.saturating_sub(right.width() + 1);
    let mut line = clip(left(app), room);
    let gap = cells.saturating_sub(line.width() + right.width());
    line.spans.push(Span::new(&" ".repeat(gap), Role::Status));
    line.spans.extend(right.spans);
    line.fill = Some(Role::Status);
    canvas.line(app, part, 0, &line);
}

fn status(text: &str) -> Span {
    Span::new(text, Role::Status)
}

fn left(app: &App) -> Line {
    let facts = &app.facts;
    let mut spans = vec![Span::new(" fen ", Look::of(Role::Status).bold())];
    spans.push(status(&facts.model));
    if app.size.0 >= PROVIDER_FROM {
        spans.push(status(&format!(" of {}", facts.provider)));
    }
    if facts.thinking != ThinkingLevel::Off {
        spans.push(status(&format!(" · {}", facts.thinking.as_str())));
    }
    if let Some(title) = facts.session.as_ref().and_then(|session| session.title.as_deref()) {
        spans.push(status(&format!(" · {title}")));
    }
    items(app, Side::Left, &mut spans);
    if let Some(info) = &app.status_info {
        spans.push(status("  "));
        spans.push(Span::new(info.lines().next().unwrap_or_default(), Role::Status));
    }
    Line::from(spans)
}

fn items(app: &App, side: Side, spans: &mut Vec<Span>) {
    let on_side = |view: &&StatusView| view.side == side;
    for view in app.status.iter().filter(on_side) {
        let text = view.segment.text.lines().next().unwrap_or_default();
        spans.push(status(if side == Side::Left { "  " } else { "" }));
        spans.push(Span::new(text, look_of(view.segment.style.as_deref(), Role::Status)));
        spans.push(status(if side == Side::Right { "  " } else { "" }));
    }
}

/// What stands at the end: what extensions say, and the meter. Where there is no room for all of it, the
/// meter leaves out what matters less.
fn right(app: &App, cells: usize) -> Line {
    let half = cells / 2;
    let meters =
        [Meter::Full, Meter::Share, Meter::ShareAlone].map(|much| Line::from(meter(app, much)));
    let fitting = meters.into_iter().find(|meter| meter.width() <= half).unwrap_or_default();
    let mut spans = Vec::new();
    items(app, Side::Right, &mut spans);
    let mut line = clip(Line::from(spans), half.saturating_sub(fitting.width()));
    line.spans.extend(fitting.spans);
    line
}

/// How much the meter tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meter {
    /// The share of the window alone.
    ShareAlone,
    /// Tokens and their share.
    Share,
    /// Also what the cache gave, and what it cost.
    Full,
}

fn meter(app: &App, much: Meter) -> Vec<Span> {
    let meter = &app.meter;
    let mut spans = Vec::new();
    if let (Meter::Full, Cost::Known(cost)) = (much, meter.cost) {
        spans.push(status(&format!("{} · ", clock::dollars(cost.decimal()))));
    }
    if let (Meter::Full, Some(cached)) = (much, meter.cached) {
        spans.push(status(&format!("cache {:.0}% · ", cached * 100.0)));
    }
    let Some(context) = meter.context else { return spans };
    let window = app.facts.info.as_ref().and_then(|info| info.context_window);
    let tokens = clock::count(context);
    match window.filter(|window| window.0 > 0) {
        Some(window) => {
            let share = context as f64 / window.0 as f64;
            let role = if share >= NEARLY_FULL { Role::Warning } else { Role::Status };
            let percent = format!("{:.0}% ", share * 100.0);
            let words = match much {
                Meter::ShareAlone => percent,
                _ => format!("{tokens}/{} {percent}", clock::count(window.0)),
            };
            spans.push(Span::new(&words, role));
        }
        None => spans.push(status(&format!("{tokens} tokens "))),
    }
    spans
}
