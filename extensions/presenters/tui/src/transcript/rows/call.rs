//! The rows of a tool call: one, and what it gave where that is unfolded.
//!
//! It knows no tool. A result's `details` with a `diff` is shown as a diff, whoever made it.

use super::super::block::{Fold, ToolRun, ToolState};
use super::{BlockInk, arguments, last_lines, mark, marked, plain};
use crate::clock;
use fen_cells::{Line, Look, Printable, Role, Span, clip};
use fen_contract::types::ToolResultMessage;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many rows of a diff show while it is neither folded nor unfolded.
const DIFF_ROWS: usize = 16;
/// How many lines of a failure show likewise.
const FAILURE_LINES: usize = 3;
/// How many lines of live output show.
const LIVE_LINES: usize = 5;
/// How many rows an unfolded result has at the most.
const UNFOLDED_ROWS: usize = 2_000;
/// How much of a result is laid out at the most, in bytes.
const UNFOLDED_BYTES: usize = 256 * 1024;

/// The signs of something that runs, one after the other.
const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];
/// How long each of them stands.
pub(crate) const SPINNER_STEP: Duration = Duration::from_millis(250);

/// The sign to show after so long.
pub(crate) fn spinner(elapsed: Duration) -> &'static str {
    let step = elapsed.as_millis() / SPINNER_STEP.as_millis();
    SPINNER[usize::try_from(step).unwrap_or(0) % SPINNER.len()]
}

/// How a call is folded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Folds {
    /// How it is shown, by choice or by custom.
    pub shown: Option<Fold>,
    /// How the person chose to have this one shown.
    pub chosen: Option<Fold>,
}

/// The rows of a call.
pub(super) fn rows(
    run: &ToolRun,
    folds: Folds,
    cells: usize,
    now: Instant,
    colours: &BlockInk<'_>,
) -> Vec<Line> {
    let mut rows = vec![head(run, cells, now)];
    let indent = marked("  ", Role::Dim);
    match &run.state {
        ToolState::Running { output: tail, .. } => {
            let live = last_lines(tail.as_str(), LIVE_LINES);
            if !live.is_empty() {
                let wrapped = output(live, Role::Output, cells);
                rows.extend(wrapped.into_iter().rev().take(LIVE_LINES).rev());
            }
        }
        ToolState::Lost => {}
        ToolState::Done { result, .. } => match folds {
            Folds { shown: Some(Fold::Unfolded), .. } => {
                rows.extend(everything(run, result, cells, colours));
            }
            Folds { chosen: Some(Fold::Folded), .. } => {}
            _ => rows.extend(glimpse(run, result, cells, colours, &indent)),
        },
    }
    rows
}

/// The one row that tells of the call.
fn head(run: &ToolRun, cells: usize, now: Instant) -> Line {
    let (sign, role, about) = match &run.state {
        ToolState::Running { since, .. } => {
            let elapsed = now.saturating_duration_since(*since);
            (spinner(elapsed), Role::Accent, clock::duration(elapsed))
        }
        ToolState::Lost => ("·", Role::Dim, "no result".to_owned()),
        ToolState::Done { result, took } => {
            let (sign, role) =
                if result.is_error { ("✗", Role::Error) } else { ("✓", Role::Success) };
            (sign, role, measure(result, *took))
        }
    };
    let mut spans = vec![mark(sign, role), mark(" ", role)];
    let name = run.label.as_deref().unwrap_or(&run.call.name);
    spans.push(Span::printable(Printable::strict(name), Look::of(Role::Tool).bold()));
    let words = arguments::words(&run.call.arguments);
    if !words.is_empty() {
        spans.push(Span::new(" ", Role::Tool));
        spans.extend(words);
    }
    let about = Span::new(&format!("  {about}"), Look::of(Role::Dim).decoration());
    // What it is called with gives way to how it went, as long as something of both fits.
    let room = cells.saturating_sub(about.width());
    if room < cells / 2 {
        return clip(Line::from(spans), cells);
    }
    let mut line = clip(Line::from(spans), room);
    line.spans.push(about);
    line
}

/// How much a result is, and how long it took.
fn measure(result: &ToolResultMessage, took: Option<u64>) -> String {
    let number = |name: &str| result.details.as_ref().and_then(|details| details[name].as_u64());
    let mut words = Vec::new();
    let flag = |name: &str| result.details.as_ref().is_some_and(|details| details[name] == true);
    if flag("cancelled") || flag("synthetic?") {
        words.push("cancelled".to_owned());
    } else if let (Some(added), Some(removed)) = (number("added"), number("removed")) {
        words.push(format!("+{added} −{removed}"));
    } else {
        // A tool that tells how much there is knows better than the text for the model does.
        let text = || result.content.iter().map(|block| block.text.as_str());
        let lines =
            number("lines").unwrap_or_else(|| text().map(|text| text.lines().count() as u64).sum());
        let bytes = number("bytes").unwrap_or_else(|| text().map(|text| text.len() as u64).sum());
        words.push(if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") });
        words.push(clock::bytes(bytes));
    }
    if let Some(took) = took {
        words.push(clock::duration(Duration::from_millis(took)));
    }
    words.join(" · ")
}

fn diff_of(result: &ToolResultMessage) -> Option<&str> {
    result.details.as_ref()?["diff"].as_str().filter(|diff| !diff.is_empty())
}

fn language(run: &ToolRun) -> Option<&'static str> {
    let path = run.call.arguments.get("path").or_else(|| run.call.arguments.get("file"))?;
    fen_highlight::language_of_path(Path::new(path.as_str()?))
}

fn diff_rows(run: &ToolRun, diff: &str, cells: usize, colours: &BlockInk<'_>) -> Vec<Line> {
    let room = cells.saturating_sub(2).max(1);
    let mut rows = fen_markdown::diff_rows(diff, language(run).unwrap_or_default(), room, colours);
    for row in &mut rows {
        row.spans.insert(0, mark("  ", Role::Dim));
    }
    if cells < 4 { rows.into_iter().map(|row| clip(row, cells)).collect() } else { rows }
}

/// What shows of a result unasked: a change, or why it failed.
fn glimpse(
    run: &ToolRun,
    result: &ToolResultMessage,
    cells: usize,
    colours: &BlockInk<'_>,
    indent: &fen_cells::Prefix,
) -> Vec<Line> {
    if let Some(diff) = diff_of(result) {
        let mut rows = diff_rows(run, diff, cells, colours);
        let more = rows.len().saturating_sub(DIFF_ROWS);
        if more > 1 {
            rows.truncate(DIFF_ROWS);
            rows.push(rest(more, cells));
        }
        return rows;
    }
    if !result.is_error {
        return Vec::new();
    }
    let text = result.text();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let shown = lines[..lines.len().min(FAILURE_LINES)].join("\n");
    let mut rows = plain(&shown, Look::of(Role::Error), cells, indent);
    rows.truncate(2 * FAILURE_LINES);
    if lines.len() > FAILURE_LINES {
        rows.push(rest(lines.len() - FAILURE_LINES, cells));
    }
    rows
}

fn rest(count: usize, cells: usize) -> Line {
    clip(Line::of(&format!("  … {count} more"), Look::of(Role::Dim).decoration()), cells)
}

/// All that the call was given and gave.
fn everything(
    run: &ToolRun,
    result: &ToolResultMessage,
    cells: usize,
    colours: &BlockInk<'_>,
) -> Vec<Line> {
    let mut rows = Vec::new();
    for (key, value) in run.call.arguments.as_object().into_iter().flatten() {
        // What the head cannot show.
        if let Some(text) = value.as_str()
            && (text.contains('\n') || text.len() > cells)
            && diff_of(result).is_none()
        {
            rows.push(clip(
                Line::of(&format!("  {key}:"), Look::of(Role::Dim).decoration()),
                cells,
            ));
            rows.extend(output(text, Role::Text, cells));
        }
    }
    match diff_of(result) {
        Some(diff) => rows.extend(diff_rows(run, diff, cells, colours)),
        None => {
            let role = if result.is_error { Role::Error } else { Role::Output };
            rows.extend(output(&result.text(), role, cells));
        }
    }
    let more = rows.len().saturating_sub(UNFOLDED_ROWS);
    if more > 0 {
        rows.truncate(UNFOLDED_ROWS);
        rows.push(rest(more, cells));
    }
    rows
}

/// Output as it is, blanks kept.
pub(super) fn output(text: &str, role: Role, cells: usize) -> Vec<Line> {
    let prefix = fen_cells::Prefix::each(vec![mark("  │ ", Role::Border)]);
    let shown = &text[..text.floor_char_boundary(UNFOLDED_BYTES.min(text.len()))];
    let lines = shown.lines().take(UNFOLDED_ROWS + 1);
    lines.flat_map(|line| fen_cells::wrap_code(&[Span::new(line, role)], cells, &prefix)).collect()
}
