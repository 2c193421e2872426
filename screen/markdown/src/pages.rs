//! A text from its beginning to what is known of it, so that finished blocks are laid out once.
//!
//! A text is laid out window by window. In each window the parser says where blocks begin that stand in
//! no other, or items of such lists. Everything before the last of these is settled: its rows are kept,
//! and the next window begins there. Fenced code is read line by line. A block without an end within
//! [`LIMIT`] bytes is plain text from there on, so no frame parses more than that.

use crate::code::{Ending, piece};
use crate::colours::{Colours, Plain};
use crate::definitions::Definitions;
use crate::fence::Fence;
use crate::render::{Mark, Rendered, Window, is_blank_above, render};
use fen_cells::{Join, Line, Prefix, Role, Span, wrap_words};
use std::collections::VecDeque;

/// A block, or an item of a list, is Markdown up to so many bytes. What is more is shown as it is
/// written, until the next line at the margin that follows a blank one. Fenced code has no such limit.
pub(crate) const LIMIT: usize = 32 * 1024;
/// So many of the last blocks of code wait for colours.
const AWAITING: usize = 16;

/// Lays a text out as rows that are at most `cells` wide (where that is 1, a character that needs two is
/// an ellipsis).
///
/// A block that is longer than 32 KiB, fenced code apart, is Markdown up to there and then plain text.
pub fn layout(text: &str, cells: usize, colours: &dyn Colours) -> Vec<Line> {
    let definitions = definitions_of(text);
    let page = Page { cells: cells.max(1), colours, definitions: &definitions };
    let mut pages = Pages::default();
    let open = pages.advance(text, Ending::Final, &page);
    pages.rows.extend(open);
    pages.rows
}

/// All definitions of references in a text.
pub(crate) fn definitions_of(text: &str) -> Definitions {
    let mut definitions = Definitions::default();
    if Definitions::may_be_in(text) {
        let mut pages = Pages::default();
        let none = Definitions::default();
        pages.advance(
            text,
            Ending::Final,
            &Page { cells: 80, colours: &Plain, definitions: &none },
        );
        pages.found.iter().for_each(|(name, target)| definitions.add(name, target));
    }
    definitions
}

/// What a text is laid out for.
pub(crate) struct Page<'a> {
    pub(crate) cells: usize,
    pub(crate) colours: &'a dyn Colours,
    pub(crate) definitions: &'a Definitions,
}

/// The rows of a text, as far as they cannot change any more.
#[derive(Default)]
pub(crate) struct Pages {
    pub(crate) rows: Vec<Line>,
    /// The first of the rows that changed since this was last set.
    pub(crate) changed: usize,
    /// Definitions of references in what is settled.
    pub(crate) found: Vec<(String, String)>,
    /// Whether colours may come for code that is not settled.
    pub(crate) awaits_colours: bool,
    /// Where the text goes on after what is settled.
    at: usize,
    number: Option<u64>,
    has_blocks: bool,
    reading: Reading,
    /// Blocks of code that colours may still come for.
    awaiting: VecDeque<Fence>,
}

/// What is being read.
#[derive(Default)]
enum Reading {
    #[default]
    Blocks,
    Fence(Box<Fence>),
    Rest(Rest),
}

/// What is left of a block that was too long.
struct Rest {
    /// How much of the line was taken.
    taken: usize,
    after_blank: bool,
}

/// Whether a part was read to its end.
enum Step {
    Next,
    /// The rows of what is not settled.
    Open(Vec<Line>),
}

impl Pages {
    /// Settles what can be, and gives the rows of the rest.
    pub(crate) fn advance(&mut self, text: &str, ending: Ending, page: &Page<'_>) -> Vec<Line> {
        self.awaits_colours = false;
        loop {
            let step = match std::mem::take(&mut self.reading) {
                Reading::Fence(fence) => self.read_fence(fence, text, ending, page),
                Reading::Rest(rest) => self.read_rest(rest, text, ending, page),
                Reading::Blocks => self.read_blocks(text, ending, page),
            };
            if let Step::Open(rows) = step {
                return rows;
            }
        }
    }

    /// Asks again for the colours of code that has none yet.
    pub(crate) fn repaint(&mut self, text: &str, page: &Page<'_>) {
        let Pages { rows, awaiting, changed, .. } = self;
        awaiting.retain_mut(|fence| {
            let first = fence.repaint(text, rows, page);
            *changed = first.map_or(*changed, |first| first.min(*changed));
            fence.awaits_colours()
        });
    }

    /// Whether a frame can differ from the last one though the text does not.
    pub(crate) fn is_waiting(&self) -> bool {
        self.awaits_colours || matches!(self.reading, Reading::Fence(_))
    }

    fn read_fence(
        &mut self,
        mut fence: Box<Fence>,
        text: &str,
        ending: Ending,
        page: &Page<'_>,
    ) -> Step {
        let first = fence.read(text, ending, &mut self.rows, page);
        self.changed = first.map_or(self.changed, |first| first.min(self.changed));
        if fence.is_open() {
            let rows = fence.open_rows(text, page.cells);
            self.reading = Reading::Fence(fence);
            return Step::Open(rows);
        }
        self.at = fence.next();
        self.await_colours(*fence);
        Step::Next
    }

    fn await_colours(&mut self, fence: Fence) {
        if fence.awaits_colours() {
            if self.awaiting.len() == AWAITING {
                self.awaiting.pop_front();
            }
            self.awaiting.push_back(fence);
        }
    }

    fn read_rest(&mut self, mut rest: Rest, text: &str, ending: Ending, page: &Page<'_>) -> Step {
        loop {
            let left = &text[self.at..];
            let is_margin = left.bytes().next().is_some_and(|byte| !byte.is_ascii_whitespace());
            if rest.taken == 0 && rest.after_blank && is_margin {
                return Step::Next;
            }
            let Some(found) = piece(left, ending) else {
                let mut rows = Vec::new();
                if !left.is_empty() {
                    rest.rows(left, page.cells, &mut rows);
                }
                self.reading = Reading::Rest(rest);
                return Step::Open(rows);
            };
            let shown = &left[..found.len];
            if rest.taken == 0 && shown.trim_ascii().is_empty() {
                rest.after_blank = true;
            } else if found.len > 0 {
                rest.rows(shown, page.cells, &mut self.rows);
                rest.after_blank = false;
            }
            rest.taken = if found.ends { 0 } else { rest.taken + found.len };
            self.at += found.step;
        }
    }

    fn read_blocks(&mut self, text: &str, ending: Ending, page: &Page<'_>) -> Step {
        self.skip_blank_lines(text);
        if self.at >= text.len() {
            return Step::Open(Vec::new());
        }
        if let Some(fence) = Fence::open(text, self.at, ending, LIMIT) {
            if self.has_blocks && is_blank_above(text, self.at) {
                self.rows.push(Line::default());
            }
            self.rows.extend(fence.title(text, page.cells));
            self.has_blocks = true;
            self.number = None;
            self.reading = Reading::Fence(Box::new(fence));
            return Step::Next;
        }
        let left = &text[self.at..];
        let is_all = left.len() <= LIMIT;
        let len = if is_all { left.len() } else { window_len(left) };
        let window = Window {
            text: &text[..self.at + len],
            from: self.at,
            ending: if is_all { ending } else { Ending::Final },
            number: self.number,
            follows: self.has_blocks,
        };
        let rendered = render(&window, page);
        self.awaits_colours |= rendered.awaits_colours;
        let mut marks = rendered.marks.iter().rev();
        let usable = |mark: &&Mark| is_usable(mark, &window, is_all, &rendered);
        match marks.find(usable).map(|mark| (mark.at, mark.row, mark.number, mark.follows)) {
            Some((at, row, number, follows)) => {
                self.number = number;
                self.has_blocks = follows;
                let goes_on = !is_all || Fence::open(text, at, ending, LIMIT).is_some();
                let open = self.settle(rendered, at, row);
                if goes_on { Step::Next } else { Step::Open(open) }
            }
            None if is_all => {
                if ending == Ending::Final {
                    let found = rendered.definitions.into_iter();
                    self.found.extend(found.map(|(_, name, target)| (name, target)));
                }
                Step::Open(rendered.rows)
            }
            None => {
                let row = rendered.rows.len();
                let is_within_line = !window.text.ends_with('\n');
                let at = self.at + len;
                self.settle(rendered, at, row);
                (self.number, self.has_blocks) = (None, true);
                let taken = usize::from(is_within_line);
                self.reading = Reading::Rest(Rest { taken, after_blank: false });
                Step::Next
            }
        }
    }

    /// Keeps the rows of all that is before a place, and gives the others.
    fn settle(&mut self, rendered: Rendered, at: usize, row: usize) -> Vec<Line> {
        let Rendered { mut rows, fences, definitions, .. } = rendered;
        for mut fence in fences.into_iter().filter(|fence| fence.next() <= at) {
            fence.shift(self.rows.len());
            self.await_colours(fence);
        }
        let found = definitions.into_iter().filter(|(end, ..)| *end <= at);
        self.found.extend(found.map(|(_, name, target)| (name, target)));
        self.at = at;
        let open = rows.split_off(row);
        self.rows.append(&mut rows);
        open
    }

    fn skip_blank_lines(&mut self, text: &str) {
        while let Some(end) = memchr::memchr(b'\n', &text.as_bytes()[self.at..]) {
            if !text[self.at..self.at + end].trim_ascii().is_empty() {
                break;
            }
            self.at += end + 1;
        }
    }
}

impl Rest {
    fn rows(&self, text: &str, cells: usize, rows: &mut Vec<Line>) {
        if self.after_blank && self.taken == 0 {
            rows.push(Line::default());
        }
        let mut made = wrap_words(&[Span::new(text, Role::Text)], cells, &Prefix::default());
        if let Some(first) = made.first_mut().filter(|_| self.taken > 0) {
            first.join = Join::Glue;
        }
        rows.append(&mut made);
    }
}

/// How much of a text that is too long for one window goes into it: whole lines, if there is one.
fn window_len(left: &str) -> usize {
    let head = &left.as_bytes()[..LIMIT];
    memchr::memrchr(b'\n', head).map_or_else(|| left.floor_char_boundary(LIMIT), |end| end + 1)
}

/// Whether what begins at a mark begins there whatever comes after the window.
fn is_usable(mark: &Mark, window: &Window<'_>, is_all: bool, rendered: &Rendered) -> bool {
    if is_all && window.ending == Ending::Final {
        return true;
    }
    let after = &window.text.as_bytes()[mark.at..];
    let Some(end) = memchr::memchr(b'\n', after) else { return false };
    if is_blank_line_above(window.text, mark.at) {
        return true;
    }
    // Without a blank line before it the next line has a say: a table may interrupt a paragraph. And a
    // definition may go on over lines.
    let is_sure = memchr::memchr(b'\n', &after[end + 1..]).is_some();
    let is_after_definition = rendered.definitions.iter().any(|(end, ..)| {
        let between = window.text.get(*end..mark.at);
        between.is_some_and(|between| between.trim_ascii().is_empty())
    });
    is_sure && !is_after_definition
}

fn is_blank_line_above(text: &str, at: usize) -> bool {
    let before = text.as_bytes()[..at].strip_suffix(b"\n").unwrap_or_default();
    let from = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    at > 0 && before[from..].trim_ascii().is_empty()
}
