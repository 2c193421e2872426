//! A fenced block of code that stands in no other block, line by line, so that one of any length can
//! grow: the rows of its finished lines are made once.

use crate::code::{Ending, LineColours, block_rows, code_spans, piece};
use crate::colours::{CodeBlock, Colours, Runs};
use crate::pages::Page;
use fen_cells::{Join, Line, Look, Prefix, Role, Span, clip};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

const LOOK: Look = Look::of(Role::CodeBlock);

/// A block of code on its way. Places in the text are bytes from its start.
pub(crate) struct Fence {
    mark: u8,
    length: usize,
    indent: usize,
    language: Range<usize>,
    code: Range<usize>,
    /// Where the text begins that has no kept rows yet, and where after the block's end it goes on.
    next: usize,
    line: usize,
    /// How much of the line was taken.
    taken: usize,
    is_open: bool,
    places: Vec<Place>,
    runs: Option<Arc<Runs>>,
}

/// A piece of a line that has rows.
struct Place {
    text: Range<usize>,
    line: usize,
    from: usize,
    row: usize,
}

impl Fence {
    /// The block that the line at this place opens, and its first row if it has a name to show.
    pub(crate) fn open(text: &str, at: usize, ending: Ending, limit: usize) -> Option<Fence> {
        let rest = text.get(at..)?;
        let head = &rest.as_bytes()[..rest.len().min(limit)];
        let (end, next) = match memchr::memchr(b'\n', head) {
            Some(end) => (end, end + 1),
            None if ending == Ending::Final && rest.len() <= limit => (rest.len(), rest.len()),
            None => return None,
        };
        let line = rest[..end].trim_end_matches('\r');
        let indent = line.len() - line.trim_start_matches(' ').len();
        let mark = *line.as_bytes().get(indent).filter(|mark| matches!(mark, b'`' | b'~'))?;
        let length = line.bytes().skip(indent).take_while(|byte| *byte == mark).count();
        let info = &line[indent + length..];
        let is_fence = indent < 4
            && length >= 3
            && !info.contains('\r')
            && !(mark == b'`' && info.contains('`'));
        let name = info.split_whitespace().next().unwrap_or_default();
        let name_at = at + line.len() - info.trim_start().len();
        let code = at + next;
        is_fence.then(|| Fence {
            mark,
            length,
            indent,
            language: name_at..name_at + name.len(),
            code: code..code,
            next: code,
            line: 0,
            taken: 0,
            is_open: true,
            places: Vec::new(),
            runs: None,
        })
    }

    /// Where the text goes on after what has kept rows.
    pub(crate) fn next(&self) -> usize {
        self.next
    }

    /// Whether more lines of it may come.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// The row above the code.
    pub(crate) fn title(&self, text: &str, cells: usize) -> Option<Line> {
        title(text.get(self.language.clone()).unwrap_or_default(), cells)
    }

    /// Makes the rows of all lines that are complete, and paints kept rows anew where their colours
    /// changed; gives the first of these, if any.
    pub(crate) fn read(
        &mut self,
        text: &str,
        ending: Ending,
        rows: &mut Vec<Line>,
        page: &Page<'_>,
    ) -> Option<usize> {
        if !self.is_open {
            return None;
        }
        let first_new = self.places.len();
        self.find_pieces(text, ending);
        let changed = self.recolour(text, ending, rows, first_new, page);
        for index in first_new..self.places.len() {
            self.places[index].row = rows.len();
            rows.extend(self.rows_of(text, index, page.cells));
        }
        if !self.is_open && self.places.is_empty() && self.language.is_empty() {
            rows.extend(block_rows(&[], page.cells, &Prefix::default(), Join::Break));
        }
        changed
    }

    fn find_pieces(&mut self, text: &str, ending: Ending) {
        while let Some(found) = piece(&text[self.next..], ending) {
            let whole = &text[self.next..self.next + found.len];
            if self.taken == 0 && found.ends && self.is_closed_by(whole) {
                self.code.end = self.next;
                self.next += found.step;
                self.is_open = false;
                break;
            }
            let strip = if self.taken == 0 { self.strip(whole) } else { 0 };
            if self.taken == 0 || found.len > 0 {
                self.places.push(Place {
                    text: self.next + strip..self.next + found.len,
                    line: self.line,
                    from: self.taken,
                    row: 0,
                });
            }
            self.next += found.step;
            self.code.end = self.next;
            // A line whose first piece is all indent still is not at its start any more.
            self.taken = if found.ends { 0 } else { (self.taken + found.len - strip).max(1) };
            self.line += usize::from(found.ends);
        }
        if ending == Ending::Final {
            self.is_open = false;
        }
    }

    /// How much of a line is the block's indent.
    fn strip(&self, line: &str) -> usize {
        line.bytes().take(self.indent).take_while(|byte| *byte == b' ').count()
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let fence = line.trim_start_matches(' ');
        let marks = fence.bytes().take_while(|byte| *byte == self.mark).count();
        line.len() - fence.len() < 4
            && marks >= self.length
            && fence[marks..].bytes().all(|byte| byte == b' ')
    }

    /// The rows of a line that has not ended yet.
    pub(crate) fn open_rows(&self, text: &str, cells: usize) -> Vec<Line> {
        let line = text.get(self.next..).unwrap_or_default();
        // Most likely the beginning of the closing fence.
        let is_closing = !line.is_empty() && line.trim().bytes().all(|byte| byte == self.mark);
        if line.is_empty() || is_closing && self.taken == 0 {
            let is_empty = self.places.is_empty() && self.language.is_empty();
            let row = is_empty.then(|| block_rows(&[], cells, &Prefix::default(), Join::Break));
            return row.unwrap_or_default();
        }
        let strip = if self.taken == 0 { self.strip(line) } else { 0 };
        self.piece_rows(&line[strip..], self.line, self.taken, cells)
    }

    fn rows_of(&self, text: &str, index: usize, cells: usize) -> Vec<Line> {
        let place = &self.places[index];
        self.piece_rows(&text[place.text.clone()], place.line, place.from, cells)
    }

    fn piece_rows(&self, text: &str, line: usize, from: usize, cells: usize) -> Vec<Line> {
        let colours = LineColours::of(self.runs.as_ref(), line, from);
        let join = if from == 0 { Join::Break } else { Join::Glue };
        block_rows(&code_spans(text, colours, LOOK), cells, &Prefix::default(), join)
    }

    /// Asks for colours; says whether they are not those that it had.
    fn ask(&mut self, text: &str, ending: Ending, colours: &dyn Colours) -> bool {
        let Some(language) = text.get(self.language.clone()).filter(|name| !name.is_empty()) else {
            return false;
        };
        let end = if self.is_open { text.len() } else { self.code.end };
        let code = &text[self.code.start..end];
        let code = match self.indent {
            0 => Cow::Borrowed(code),
            // Taking the indent off is work over all of the block.
            _ if self.is_open => return false,
            _ => code.split_inclusive('\n').map(|line| &line[self.strip(line)..]).collect(),
        };
        let block = CodeBlock {
            language,
            code: &code,
            at: self.code.start,
            is_open: self.is_open && ending == Ending::Open,
        };
        match colours.runs(&block) {
            Some(runs) if !self.runs.as_ref().is_some_and(|old| Arc::ptr_eq(old, &runs)) => {
                self.runs = Some(runs);
                true
            }
            _ => false,
        }
    }

    /// Asks for colours again for a block that has been read to its end; like [`read`](Fence::read).
    pub(crate) fn repaint(
        &mut self,
        text: &str,
        rows: &mut [Line],
        page: &Page<'_>,
    ) -> Option<usize> {
        self.recolour(text, Ending::Final, rows, self.places.len(), page)
    }

    /// Asks for colours and paints the rows of the first places anew where those changed. The number
    /// of rows never changes.
    fn recolour(
        &mut self,
        text: &str,
        ending: Ending,
        rows: &mut [Line],
        places: usize,
        page: &Page<'_>,
    ) -> Option<usize> {
        let old = self.runs.clone();
        if !self.ask(text, ending, page.colours) {
            return None;
        }
        let mut first = None;
        for index in 0..places {
            let place = &self.places[index];
            let line_of = |runs| LineColours::of(runs, place.line, 0).runs;
            if line_of(old.as_ref()) == line_of(self.runs.as_ref()) {
                continue;
            }
            let row = place.row;
            let next = self.places.get(index + 1).filter(|_| index + 1 < places);
            let made = self.rows_of(text, index, page.cells);
            let end = next.map_or(row + made.len(), |next| next.row);
            // Colours break a line elsewhere only where they part what is drawn as one.
            let kept = rows.get_mut(row..end).filter(|kept| kept.len() == made.len());
            if let Some(kept) = kept {
                kept.clone_from_slice(&made);
                first = first.or(Some(row));
            }
        }
        first
    }

    /// Whether colours may still come for what has been laid out.
    pub(crate) fn awaits_colours(&self) -> bool {
        let lines = self.places.last().map_or(0, |place| place.line + 1);
        !self.language.is_empty() && self.runs.as_ref().is_none_or(|runs| runs.len() < lines)
    }

    /// Says that its rows are now so much further down.
    pub(crate) fn shift(&mut self, rows: usize) {
        self.places.iter_mut().for_each(|place| place.row += rows);
    }
}

/// The row that names a language.
pub(crate) fn title(language: &str, cells: usize) -> Option<Line> {
    let span = Span::new(language, Look::of(Role::Dim).decoration());
    let row = Line { fill: Some(Role::CodeBlock), ..Line::from(vec![span]) };
    (!language.is_empty()).then(|| clip(row, cells.max(1)))
}
