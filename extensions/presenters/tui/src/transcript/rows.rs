//! A block as rows. Pure: the same block, manner and ink give the same rows.

use super::block::{Block, Content, Fold, Note, NoteKind, Prose, Text};
use super::kept::Body;
pub(crate) use call::{SPINNER_STEP, spinner};
use fen_cells::{Line, Look, Prefix, Role, Span, clip, wrap_words};
use fen_markdown::{CodeBlock, layout};
use std::sync::Arc;
use std::time::Instant;

mod arguments;
mod call;
mod shell;

/// How all blocks are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Manner {
    /// Columns.
    pub width: u16,
    /// Whether reasoning shows in full.
    pub thinking: Fold,
    /// Whether what tools gave shows in full.
    pub outputs: Fold,
    /// Whether blocks tell their time.
    pub times: Times,
}

/// Whether blocks tell their time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    /// They do.
    Shown,
    /// They do not.
    Hidden,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { width: 80, thinking: Fold::Unfolded, outputs: Fold::Folded, times: Times::Hidden }
    }
}

/// The roles of the code in one block, line by line.
pub(crate) type Runs = Arc<fen_markdown::Runs>;

/// Where the colours of code come from. They may come later; the block is then laid out once more.
pub(crate) trait Ink {
    /// The roles of this code, if they are known by now. `at` is the block that waits for them.
    fn runs(&self, at: usize, language: &str, code: &str) -> Option<Runs>;

    /// The rows of a long text, if they are made by now; they are made elsewhere. They hold for as long
    /// as the block's version does.
    fn long_rows(&self, at: usize, version: u32, cells: usize, text: &Text) -> Option<Arc<[Line]>>;
}

/// From how many bytes on a text counts as long.
const LONG: usize = 96 * 1024;

/// Code for one block's layout.
pub(super) struct BlockInk<'a> {
    pub ink: &'a dyn Ink,
    pub at: usize,
}

impl fen_markdown::Colours for BlockInk<'_> {
    fn runs(&self, block: &CodeBlock<'_>) -> Option<Runs> {
        // What still grows would be coloured anew with each piece.
        (!block.is_open).then(|| self.ink.runs(self.at, block.language, block.code)).flatten()
    }
}

/// About how many rows a block takes, for the scroll thumb alone.
pub(crate) fn guess(block: &Block) -> u64 {
    let bytes = match &block.content {
        Content::User(text) => text.as_str().len(),
        Content::Thinking(prose) | Content::Answer(prose) => prose.text().len(),
        Content::Note(note) => note.text.as_str().len(),
        Content::Tool(_) | Content::Shell(_) => 0,
        Content::Gone => return 0,
    };
    2 + bytes as u64 / 64
}

/// Whether a block is folded; `None` if there is nothing to fold.
pub(crate) fn fold(block: &Block, manner: Manner) -> Option<Fold> {
    let custom = match &block.content {
        Content::Thinking(_) => manner.thinking,
        Content::Tool(_) | Content::Shell(_) => manner.outputs,
        Content::User(_) | Content::Answer(_) | Content::Note(_) | Content::Gone => return None,
    };
    Some(block.fold.unwrap_or(custom))
}

/// What stands above a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Above {
    /// It is the first.
    Nothing,
    /// A tool call.
    Call,
    /// Anything else.
    Words,
}

/// The rows of a block: what stands above it, and its own.
pub(super) fn lay_out(
    block: &mut Block,
    (at, above): (usize, Above),
    manner: Manner,
    now: Instant,
    ink: &dyn Ink,
) -> (Vec<Line>, Body) {
    let cells = usize::from(manner.width);
    let colours = BlockInk { ink, at };
    let folded = fold(block, manner);
    let chosen = block.fold;
    let mut head = Vec::new();
    if matches!(block.content, Content::Gone) {
        return (head, Body::Made([].into()));
    }
    let has_gap = match above {
        Above::Nothing => false,
        Above::Call => !matches!(block.content, Content::Tool(_)),
        Above::Words => true,
    };
    match (manner.times, block.time) {
        (Times::Shown, Some(time)) => {
            let time = crate::clock::time_of_day(time).unwrap_or_default();
            head.push(clip(Line::of(&time, dim()), cells));
        }
        _ if has_gap => head.push(Line::default()),
        _ => {}
    }
    let rows = match &mut block.content {
        Content::User(text) => user(text.as_str(), cells),
        Content::Thinking(prose) => thinking(prose, folded, cells),
        Content::Answer(Prose::Growing(stream) | Prose::Whole { stream: Some(stream), .. }) => {
            let len = stream.rows(cells, &colours).len();
            return (head, Body::InStream(len));
        }
        Content::Answer(Prose::Whole { text, .. }) if text.as_str().len() > LONG => {
            match ink.long_rows(at, block.version, cells, text) {
                Some(rows) => return (head, Body::Made(rows)),
                None => {
                    let words = Line::of("… a long answer is being laid out", dim());
                    return (head, Body::Awaited(clip(words, cells)));
                }
            }
        }
        Content::Answer(prose) => layout(prose.text(), cells, &colours),
        Content::Tool(run) => {
            let folds = call::Folds { shown: folded, chosen };
            call::rows(run, folds, cells, now, &colours)
        }
        Content::Shell(run) => shell::rows(run, folded, cells, now),
        Content::Note(note) => remark(note, cells, &colours),
        Content::Gone => Vec::new(),
    };
    (head, Body::Made(rows.into()))
}

fn dim() -> Look {
    Look::of(Role::Dim).decoration()
}

fn mark(text: &str, role: Role) -> Span {
    Span::new(text, Look::of(role).decoration())
}

/// A mark before the first row and an indent below it.
fn marked(text: &str, role: Role) -> Prefix {
    let indent = " ".repeat(fen_cells::width(text));
    Prefix { first: vec![mark(text, role)], rest: vec![mark(&indent, role)] }
}

fn user(text: &str, cells: usize) -> Vec<Line> {
    let mut rows = plain(text, Look::of(Role::User), cells, &marked("› ", Role::Accent));
    rows.iter_mut().for_each(|row| row.fill = Some(Role::User));
    rows
}

/// How much of a text without markup is laid out at the most, in bytes: what takes longer would be felt at
/// the keys.
const PLAIN_BYTES: usize = 48 * 1024;

/// Text without markup, its lines wrapped by words. Of a very long one the beginning.
fn plain(text: &str, look: Look, cells: usize, prefix: &Prefix) -> Vec<Line> {
    let mut rows = Vec::new();
    let end = text.floor_char_boundary(PLAIN_BYTES.min(text.len()));
    let (text, left_out) = text.split_at(end);
    let below = Prefix::each(prefix.rest.clone());
    for (number, line) in text.trim_end().lines().enumerate() {
        let prefix = if number == 0 { prefix } else { &below };
        rows.extend(wrap_words(&[Span::new(line, look)], cells, prefix));
    }
    if rows.is_empty() {
        rows.extend(wrap_words(&[], cells, prefix));
    }
    if !left_out.is_empty() {
        let words = format!("… {} more", crate::clock::bytes(left_out.len() as u64));
        rows.push(clip(Line::of(&words, dim()), cells));
    }
    rows
}

/// How much of growing reasoning is shown while it is not folded, in bytes.
const GROWING_BYTES: usize = 8 * 1024;
/// How many lines of growing reasoning are shown while it is folded.
const GROWING_LINES: usize = 3;

fn thinking(prose: &Prose, fold: Option<Fold>, cells: usize) -> Vec<Line> {
    let look = Look::of(Role::Thinking).italic();
    let text = prose.text();
    let lines = text.trim_end().lines().count();
    let is_growing = prose.is_growing();
    if fold != Some(Fold::Folded) && is_growing {
        // It is laid out with each frame, so only its end is.
        let from = text.ceil_char_boundary(text.len().saturating_sub(GROWING_BYTES));
        let shown = match text[from..].split_once('\n') {
            Some((_, whole_lines)) if from > 0 => whole_lines,
            _ => &text[from..],
        };
        let sign = if from > 0 { "… " } else { "∴ " };
        return plain(shown, look, cells, &marked(sign, Role::Dim));
    }
    if fold != Some(Fold::Folded) {
        return plain(text, look, cells, &marked("∴ ", Role::Dim));
    }
    let count = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
    let head = if is_growing { "thinking" } else { "thought" };
    let head = Line::from(vec![
        mark("▸ ", Role::Dim),
        Span::new(head, look),
        mark(&format!(", {count}"), Role::Dim),
    ]);
    let mut rows = vec![clip(head, cells)];
    if is_growing {
        let wrapped = plain(last_lines(text, GROWING_LINES), look, cells, &marked("  ", Role::Dim));
        rows.extend(wrapped.into_iter().rev().take(GROWING_LINES).rev());
    }
    rows
}

/// The last lines of a text, found from its end.
fn last_lines(text: &str, count: usize) -> &str {
    let text = text.trim_end();
    let start = text.rmatch_indices('\n').nth(count.saturating_sub(1)).map_or(0, |(at, _)| at + 1);
    text.get(start..).unwrap_or_default()
}

fn remark(note: &Note, cells: usize, colours: &BlockInk<'_>) -> Vec<Line> {
    let text = note.text.as_str();
    match note.kind {
        NoteKind::Info => plain(text, Look::of(Role::Dim), cells, &marked("· ", Role::Dim)),
        NoteKind::Error => plain(text, Look::of(Role::Error), cells, &marked("✗ ", Role::Error)),
        NoteKind::Said => layout(text, cells, colours),
    }
}
