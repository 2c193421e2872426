//! The transcript: what was said and done, in order, and its rows as far as somebody looks at them.
//!
//! Adding to it costs nothing that grows with its length. Rows are made for the blocks that are looked
//! at, once for a width, and kept within a bound.

mod block;
mod growth;
mod kept;
mod rows;
mod search;
mod selection;
mod viewport;

pub(crate) use block::{Audience, Block, Content, Fold, NoteKind, Prose, ShellId, Text, ToolRun};
pub(crate) use growth::Labels;
pub(crate) use growth::Voice;
pub(crate) use rows::{Ink, Manner, Runs, SPINNER_STEP, Times, spinner};
pub(crate) use search::findings;
pub(crate) use search::{Direction, Search};
pub(crate) use selection::{Place, Selection};
pub(crate) use viewport::{Anchor, Piece, Window};

use kept::{Body, Kept, KeptRows, RowsKey};

use fen_cells::Line;
use fen_contract::names::ToolCallId;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::time::Instant;

/// How many streams keep their rows after their end.
const KEPT_STREAMS: usize = 4;

/// The transcript.
pub(crate) struct Transcript {
    /// The time that rows of running calls tell.
    now: Instant,
    blocks: Vec<Block>,
    kept: KeptRows,
    /// Where each block begins on a scale of rows that are only guessed; for the scroll thumb.
    offsets: Vec<u64>,
    /// Calls without a result.
    open_calls: HashMap<ToolCallId, usize>,
    /// Commands of the person's that still run.
    open_shells: HashMap<ShellId, usize>,
    /// How many of them there were.
    shells: u64,
    /// The blocks of the answer that streams in, and what each is. Others may stand between them.
    streaming: Vec<(usize, Voice)>,
    streams: VecDeque<usize>,
    manner: Manner,
    /// What is looked at.
    pub anchor: Anchor,
    /// Counts what was said or done. How it is shown is no news.
    news: u64,
    /// The news when the end was last in sight.
    seen: u64,
    /// How often rows were made; an unchanged frame makes none.
    pub layouts: u64,
}

impl Transcript {
    /// An empty one.
    pub fn new(now: Instant) -> Transcript {
        Transcript {
            now,
            blocks: Vec::new(),
            kept: KeptRows::default(),
            offsets: Vec::new(),
            open_calls: HashMap::new(),
            open_shells: HashMap::new(),
            shells: 0,
            streaming: Vec::new(),
            streams: VecDeque::new(),
            manner: Manner::default(),
            anchor: Anchor::End,
            news: 0,
            seen: 0,
            layouts: 0,
        }
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether nothing was said yet.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Forgets everything but how it is shown. What still runs belongs to no block of it any more.
    pub fn clear(&mut self) {
        let (manner, layouts, news) = (self.manner, self.layouts, self.news);
        let (shells, empty) = (self.shells, Transcript::new(self.now));
        *self = Transcript { manner, layouts, shells, news: news + 1, ..empty };
    }

    /// Adds a block and gives its place.
    pub fn push(&mut self, content: Content, time: Option<u64>) -> usize {
        let block = Block { content, time, fold: None, version: 0 };
        let start =
            self.offsets.last().copied().unwrap_or(0) + self.blocks.last().map_or(0, rows::guess);
        self.offsets.push(start);
        self.blocks.push(block);
        self.news += 1;
        self.blocks.len() - 1
    }

    /// Notes that a block says something new.
    fn changed(&mut self, at: usize) {
        self.looks_otherwise(at);
        self.news += 1;
    }

    /// Notes that a block has other rows, though it says nothing new.
    fn looks_otherwise(&mut self, at: usize) {
        if let Some(block) = self.blocks.get_mut(at) {
            block.version = block.version.wrapping_add(1);
        }
    }

    /// How blocks are shown.
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Shows blocks otherwise from now on. What is looked at stays in sight as far as it can.
    pub fn set_manner(&mut self, manner: Manner) {
        self.manner = manner;
    }

    /// Folds or unfolds a block; false if it has nothing to fold.
    pub fn toggle_fold(&mut self, at: usize) -> bool {
        let manner = self.manner;
        let Some(block) = self.blocks.get_mut(at) else { return false };
        let Some(fold) = rows::fold(block, manner) else { return false };
        block.fold = Some(fold.toggled());
        self.looks_otherwise(at);
        true
    }

    /// Whether a block has something to fold.
    pub fn is_foldable(&self, at: usize) -> bool {
        self.blocks.get(at).is_some_and(|block| rows::fold(block, self.manner).is_some())
    }

    /// The newest block that can be unfolded.
    pub fn newest_foldable(&self) -> Option<usize> {
        (0..self.blocks.len())
            .rev()
            .take(1_000)
            .find(|at| rows::fold(&self.blocks[*at], self.manner).is_some())
    }

    /// Colours have come for code in a block.
    pub fn ink_arrived(&mut self, at: usize) {
        if let Some(block) = self.blocks.get_mut(at)
            && let Content::Answer(Prose::Whole { stream: Some(stream), .. }) = &mut block.content
        {
            stream.drop_rows();
        }
        self.looks_otherwise(at);
    }

    /// How many rows a block has. They are made where they are not there, or have changed.
    pub fn rows_len(&mut self, at: usize, ink: &dyn Ink) -> usize {
        self.make_rows(at, ink);
        self.kept.get(at).map_or(0, Kept::len)
    }

    /// Some rows of a block.
    pub fn rows_in(&mut self, at: usize, range: Range<usize>, ink: &dyn Ink) -> Vec<Line> {
        self.make_rows(at, ink);
        let cells = usize::from(self.manner.width);
        let (Some(kept), Some(block)) = (self.kept.get(at), self.blocks.get_mut(at)) else {
            return Vec::new();
        };
        let take = range.len();
        let head = kept.head.iter();
        match (&kept.body, &mut block.content) {
            (Body::Awaited(row), _) => {
                head.chain([row]).skip(range.start).take(take).cloned().collect()
            }
            (Body::Made(rows), _) => {
                head.chain(rows.iter()).skip(range.start).take(take).cloned().collect()
            }
            (
                Body::InStream(_),
                Content::Answer(Prose::Growing(stream) | Prose::Whole { stream: Some(stream), .. }),
            ) => {
                let colours = rows::BlockInk { ink, at };
                let view = stream.rows(cells, &colours);
                let skipped = range.start.saturating_sub(kept.head.len());
                let above = head.skip(range.start).take(take);
                let left = take - above.len();
                let below = (skipped..skipped + left).map_while(|row| view.get(row));
                above.chain(below).cloned().collect()
            }
            (Body::InStream(_), _) => Vec::new(),
        }
    }

    /// All rows of a block.
    pub fn rows(&mut self, at: usize, ink: &dyn Ink) -> Vec<Line> {
        let len = self.rows_len(at, ink);
        self.rows_in(at, 0..len, ink)
    }

    /// What the rows of a block depend on now.
    fn rows_key(&self, at: usize) -> Option<RowsKey> {
        let version = self.blocks.get(at)?.version;
        Some(RowsKey { version, manner: self.manner })
    }

    /// Whether the rows of a block are still being made elsewhere.
    fn is_awaited(&mut self, at: usize, ink: &dyn Ink) -> bool {
        self.make_rows(at, ink);
        self.kept.get(at).is_some_and(|kept| matches!(kept.body, Body::Awaited(_)))
    }

    fn make_rows(&mut self, at: usize, ink: &dyn Ink) {
        // Calls in a row stand close together.
        let mut others = self.blocks.iter().take(at).rev();
        let above = match others.find(|block| !matches!(block.content, Content::Gone)) {
            None => rows::Above::Nothing,
            Some(Block { content: Content::Tool(_), .. }) => rows::Above::Call,
            Some(_) => rows::Above::Words,
        };
        let Some(block) = self.blocks.get_mut(at) else { return };
        let key = RowsKey { version: block.version, manner: self.manner };
        let has_stream = matches!(&block.content, Content::Answer(prose) if prose.has_stream());
        if let Some(kept) = self.kept.get(at)
            && kept.key == key
            && (has_stream || !matches!(kept.body, Body::InStream(_)))
        {
            return self.kept.used(at);
        }
        self.layouts += 1;
        let (head, body) = rows::lay_out(block, (at, above), self.manner, self.now, ink);
        self.kept.put(at, Kept { key, head, body });
    }

    /// The last thing that the model said.
    pub fn last_answer(&self) -> Option<&str> {
        self.blocks.iter().rev().find_map(|block| match &block.content {
            Content::Answer(prose) => Some(prose.text()),
            _ => None,
        })
    }

    /// The first call that still runs, how long, and how many do.
    pub fn running(&self) -> Option<(&ToolRun, usize)> {
        let first = self.open_calls.values().min()?;
        match &self.blocks.get(*first)?.content {
            Content::Tool(run) => Some((run, self.open_calls.len())),
            _ => None,
        }
    }
}
