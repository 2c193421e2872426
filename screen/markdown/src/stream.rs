//! A text that is still growing, and its rows.

use crate::code::Ending;
use crate::colours::Colours;
use crate::definitions::Definitions;
use crate::pages::{Page, Pages, definitions_of};
use fen_cells::Line;

/// A text that is still growing.
///
/// [`push`](Stream::push) only keeps what came. [`rows`](Stream::rows) lays out what can still change,
/// which is at most the last block (of a list the last item, of fenced code the last line), and never
/// more than 32 KiB of it. What is before that keeps its rows until the width changes.
///
/// After [`finish`](Stream::finish) the rows are those of [`layout`](crate::layout). Before it, an
/// emphasis or a code span that has not ended shows its marks, a table is text until the row below its
/// header came, and a reference link whose definition has not come is shown as it is written.
///
/// The text is kept once. Rows are kept for all of it; [`drop_rows`](Stream::drop_rows) lets go of them.
#[derive(Default)]
pub struct Stream {
    text: String,
    cells: usize,
    pages: Pages,
    open: Vec<Line>,
    definitions: Definitions,
    state: State,
    is_laid_out: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Growing,
    /// No more comes, but definitions that came late were not heeded yet.
    Ended,
    Finished,
}

/// The rows of a text at one moment.
#[derive(Debug, Clone, Copy)]
pub struct RowsView<'a> {
    /// Rows of blocks that are finished. At one width, more of them come and the ones that are there
    /// stay, but for colours of code; see `changed`.
    pub settled: &'a [Line],
    /// The rows below these. They may be others next time.
    pub open: &'a [Line],
    /// The first row, from the top, that may differ from the last time.
    pub changed: usize,
}

impl<'a> RowsView<'a> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.settled.len() + self.open.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row by its number from the top.
    pub fn get(&self, row: usize) -> Option<&'a Line> {
        self.settled.get(row).or_else(|| self.open.get(row.checked_sub(self.settled.len())?))
    }

    /// All rows from the top.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &'a Line> + use<'a> {
        self.settled.iter().chain(self.open)
    }
}

impl Stream {
    /// An empty text.
    pub fn new() -> Stream {
        Stream::default()
    }

    /// More of the text. After [`finish`](Stream::finish) nothing is taken any more.
    pub fn push(&mut self, delta: &str) {
        if self.state == State::Growing && !delta.is_empty() {
            self.text.push_str(delta);
            self.is_laid_out = false;
        }
    }

    /// Says that the text is complete.
    pub fn finish(&mut self) {
        if self.state == State::Growing {
            self.state = State::Ended;
            self.is_laid_out = false;
        }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, without its rows.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Forgets all rows, to save memory or since other colours are known; the next
    /// [`rows`](Stream::rows) lays the whole text out.
    pub fn drop_rows(&mut self) {
        self.pages = Pages::default();
        self.open = Vec::new();
        self.is_laid_out = false;
    }

    /// The rows of the text so far.
    ///
    /// Another width than last time lays the whole text out anew. Colours of code that come late are
    /// painted in for the last blocks that stand in no list or quote; for others after
    /// [`drop_rows`](Stream::drop_rows).
    pub fn rows(&mut self, cells: usize, colours: &dyn Colours) -> RowsView<'_> {
        let cells = cells.max(1);
        if self.cells != cells {
            self.cells = cells;
            self.drop_rows();
        }
        if self.state == State::Ended {
            self.state = State::Finished;
            // What is defined late is heeded from the beginning on.
            if Definitions::may_be_in(&self.text) {
                self.definitions = definitions_of(&self.text);
                self.drop_rows();
            }
        }
        self.pages.changed = self.pages.rows.len();
        let page = Page { cells, colours, definitions: &self.definitions };
        self.pages.repaint(&self.text, &page);
        if !self.is_laid_out || self.pages.is_waiting() {
            let ending = match self.state {
                State::Growing => Ending::Open,
                State::Ended | State::Finished => Ending::Final,
            };
            self.open = self.pages.advance(&self.text, ending, &page);
            self.is_laid_out = true;
            for (name, target) in self.pages.found.drain(..) {
                if self.state == State::Growing {
                    self.definitions.add(&name, &target);
                }
            }
        }
        RowsView { settled: &self.pages.rows, open: &self.open, changed: self.pages.changed }
    }
}
