//! The rows of a command that the person ran aside.

use super::super::block::{Audience, Fold, ShellRun};
use super::{call, last_lines, mark};
use crate::clock;
use fen_cells::{Line, Look, Printable, Role, Span, clip};
use std::time::{Duration, Instant};

/// How many lines of output show while it is folded.
const LINES: usize = 10;

pub(super) fn rows(run: &ShellRun, fold: Option<Fold>, cells: usize, now: Instant) -> Vec<Line> {
    let (sign, role, about) = match &run.end {
        None => {
            let elapsed = now.saturating_duration_since(run.since);
            (call::spinner(elapsed), Role::Accent, clock::duration(elapsed))
        }
        Some((Ok(()), took)) => ("✓", Role::Success, clock::duration(Duration::from_millis(*took))),
        Some((Err(why), took)) => {
            let took = clock::duration(Duration::from_millis(*took));
            ("✗", Role::Error, format!("{why} · {took}"))
        }
    };
    let audience = match run.audience {
        Audience::Model => "! ",
        Audience::Person => "!! ",
    };
    let command = run.command.replace('\n', "⏎");
    let mut head = clip(
        Line::from(vec![
            mark(sign, role),
            mark(" ", role),
            mark(audience, Role::Accent),
            Span::printable(Printable::strict(&command), Look::of(Role::Tool).bold()),
        ]),
        cells,
    );
    let about = Span::new(&format!("  {about}"), Look::of(Role::Dim).decoration());
    if head.width() + about.width() <= cells {
        head.spans.push(about);
    }
    let text = match fold {
        Some(Fold::Unfolded) => run.output.as_str(),
        _ => last_lines(run.output.as_str(), LINES),
    };
    let mut rows = vec![head];
    if text.len() < run.output.as_str().trim_end().len() || run.output.dropped > 0 {
        rows.push(clip(Line::of("  …", Look::of(Role::Dim).decoration()), cells));
    }
    rows.extend(call::output(text, Role::Output, cells));
    rows
}
