//! The row that tells what is going on, and passing remarks.

use super::Canvas;
use crate::app::{Activity, App, Phase};
use crate::clock;
use crate::transcript::{NoteKind, spinner};
use fen_cells::{Line, Role, Span, clip};
use ratatui::layout::Rect;

/// How many rows it takes.
pub(super) fn height(app: &App) -> u16 {
    u16::from(app.activity.is_busy() || app.notice.is_some() || app.is_interrupted())
}

pub(super) fn draw(app: &App, canvas: &mut Canvas<'_>, part: Rect) {
    let mut spans = Vec::new();
    if let Activity::Busy { since, phase, .. } = &app.activity {
        let elapsed = app.now.saturating_duration_since(*since);
        spans.push(Span::new(&format!("{} ", spinner(elapsed)), Role::Accent));
        spans.push(Span::new(&words(app, phase), Role::Text));
        let mut about = format!("  {}", clock::duration(elapsed));
        if app.activity.tokens() > 0 {
            about.push_str(&format!(" · {} tokens", clock::count(app.activity.tokens())));
        }
        if *phase != Phase::Cancelling {
            about.push_str(" · esc cancels");
        }
        spans.push(Span::new(&about, Role::Dim));
    }
    if app.is_interrupted() {
        spans.push(Span::new("  ctrl-c again leaves", Role::Warning));
    } else if let Some((text, kind, _)) = &app.notice {
        let role = if *kind == NoteKind::Error { Role::Error } else { Role::Accent };
        spans.push(Span::new("  ", role));
        spans.push(Span::new(text.lines().next().unwrap_or_default(), role));
    }
    canvas.line(app, part, 0, &clip(Line::from(spans), usize::from(part.width)));
}

fn words(app: &App, phase: &Phase) -> String {
    match phase {
        Phase::Waiting => format!("waiting for {}", app.facts.model),
        Phase::Thinking => "thinking".to_owned(),
        Phase::Answering => "answering".to_owned(),
        Phase::Calling => "writing a tool call".to_owned(),
        Phase::Running => match app.transcript.running() {
            Some((run, 1)) => format!("running {}", run.call.name),
            Some((run, count)) => format!("running {} and {} more", run.call.name, count - 1),
            None => "waiting".to_owned(),
        },
        Phase::Retrying { attempt, at, why } => {
            let left = at.saturating_duration_since(app.now);
            format!("try {attempt} in {}: {why}", clock::duration(left))
        }
        Phase::Cancelling => "cancelling".to_owned(),
    }
}
