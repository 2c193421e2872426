//! The rows that are kept, within a bound: those that were not used for longest go first, those in sight
//! never do.
//!
//! It makes no rows; the transcript does, and asks here before.

use super::rows::Manner;
use fen_cells::Line;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// How many rows are kept where those in sight are not more.
const KEPT_ROWS: usize = 6_000;

/// What the rows of a block depend on beside the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowsKey {
    pub version: u32,
    pub manner: Manner,
}

/// The rows of one block.
pub(super) struct Kept {
    pub key: RowsKey,
    /// The rows that stand above the others, such as the gap.
    pub head: Vec<Line>,
    pub body: Body,
}

/// The rows of a block but for those of its head.
pub(super) enum Body {
    /// They are here.
    Made(Arc<[Line]>),
    /// The block's stream has them, so many.
    InStream(usize),
    /// They are being made elsewhere; this row stands for them.
    Awaited(Line),
}

impl Kept {
    pub fn len(&self) -> usize {
        self.head.len()
            + match &self.body {
                Body::Made(rows) => rows.len(),
                Body::InStream(len) => *len,
                Body::Awaited(_) => 1,
            }
    }
}

/// The rows of blocks, by their place.
#[derive(Default)]
pub(super) struct KeptRows {
    /// Each with when it was used.
    blocks: HashMap<usize, (Kept, u64)>,
    /// The blocks by when they were used.
    by_use: BTreeMap<u64, usize>,
    uses: u64,
    rows: usize,
    in_sight: HashSet<usize>,
    /// The blocks that the frame which is being made has used so far.
    in_frame: Option<HashSet<usize>>,
}

impl KeptRows {
    pub fn get(&self, at: usize) -> Option<&Kept> {
        self.blocks.get(&at).map(|(kept, _)| kept)
    }

    /// Notes that the rows of a block are used now.
    pub fn used(&mut self, at: usize) {
        if let Some((_, when)) = self.blocks.get_mut(&at) {
            self.by_use.remove(when);
            self.uses += 1;
            *when = self.uses;
            self.by_use.insert(self.uses, at);
        }
        if let Some(in_frame) = &mut self.in_frame {
            in_frame.insert(at);
        }
    }

    /// Keeps the rows of a block. Others may go for them.
    pub fn put(&mut self, at: usize, kept: Kept) {
        self.rows += kept.len();
        if let Some((old, when)) = self.blocks.insert(at, (kept, self.uses + 1)) {
            self.rows -= old.len();
            self.by_use.remove(&when);
        }
        self.used(at);
        if self.in_frame.is_none() {
            self.forget(Some(at));
        }
    }

    /// A frame is being made: what it uses stays.
    pub fn begin_frame(&mut self) {
        self.in_frame = Some(HashSet::new());
    }

    /// A frame is made: what it used is in sight.
    pub fn end_frame(&mut self) {
        if let Some(in_frame) = self.in_frame.take() {
            self.in_sight = in_frame;
            self.forget(None);
        }
    }

    fn forget(&mut self, except: Option<usize>) {
        if self.rows <= KEPT_ROWS {
            return;
        }
        let stays = |at: &usize| Some(*at) == except || self.in_sight.contains(at);
        let mut left = self.rows;
        let mut gone = Vec::new();
        for (when, at) in self.by_use.iter().filter(|(_, at)| !stays(at)) {
            if left <= KEPT_ROWS {
                break;
            }
            left -= self.get(*at).map_or(0, Kept::len);
            gone.push((*when, *at));
        }
        for (when, at) in gone {
            self.by_use.remove(&when);
            self.blocks.remove(&at);
        }
        self.rows = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(rows: usize) -> Kept {
        let key = RowsKey { version: 0, manner: Manner::default() };
        Kept { key, head: Vec::new(), body: Body::Made(vec![Line::default(); rows].into()) }
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let mut rows = KeptRows::default();
        for at in 0..3 {
            rows.put(at, kept(2_000));
        }
        rows.used(0);
        rows.put(3, kept(2_000));
        assert!(rows.get(1).is_none());
        for at in [0, 2, 3] {
            assert!(rows.get(at).is_some(), "{at}");
        }
    }

    #[test]
    fn what_is_in_sight_stays_however_much_it_is() {
        let mut rows = KeptRows::default();
        rows.begin_frame();
        for at in 0..3 {
            rows.put(at, kept(5_000));
        }
        rows.end_frame();
        rows.put(3, kept(5_000));
        rows.put(4, kept(5_000));
        for at in [0, 1, 2, 4] {
            assert!(rows.get(at).is_some(), "{at}");
        }
        assert!(rows.get(3).is_none());
        // Another frame lets go of what the last one had in sight.
        rows.begin_frame();
        rows.used(4);
        rows.end_frame();
        assert!(rows.get(0).is_none() && rows.get(4).is_some());
        assert!(rows.rows <= KEPT_ROWS);
    }
}
