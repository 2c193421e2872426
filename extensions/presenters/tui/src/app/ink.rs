//! What is made elsewhere so that no key waits for it: the colours of code, and the rows of long texts.
//! Those that are known are kept; the others are wanted.

use crate::transcript::{Ink, Runs, Text};
use fen_cells::Line;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

/// How much coloured code is kept, in bytes of code.
const KEPT_BYTES: usize = 1024 * 1024;
/// How much code waits for its colours at the most, in pieces.
const ASKED: usize = 1_000;
/// Code that is longer stays plain.
const CODE_BYTES: usize = 256 * 1024;

/// Code whose colours are wanted.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub key: u64,
    pub language: String,
    pub code: Arc<str>,
}

/// A text whose rows are wanted.
#[derive(Clone)]
pub(crate) struct WantedRows {
    pub place: LongPlace,
    pub text: Text,
}

/// A long text in one width: the block, its version, and the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LongPlace {
    pub block: usize,
    pub version: u32,
    pub cells: usize,
    /// Which conversation it is of, among those of this run.
    pub epoch: u64,
}

/// How many long texts keep their rows.
const KEPT_LONG: usize = 4;

#[derive(Default)]
struct Store {
    epoch: u64,
    long: VecDeque<(LongPlace, Option<Arc<[Line]>>)>,
    long_wanted: Vec<WantedRows>,
    known: HashMap<u64, (Runs, usize)>,
    order: VecDeque<u64>,
    bytes: usize,
    /// What was asked for and has not come: its size, and the blocks that show it.
    asked: HashMap<u64, (usize, Vec<usize>)>,
    wanted: Vec<Wanted>,
}

/// The colours of code.
#[derive(Default)]
pub(crate) struct InkStore(RefCell<Store>);

impl InkStore {
    /// What was asked for since the last time.
    pub fn take_wanted(&self) -> Vec<Wanted> {
        std::mem::take(&mut self.0.borrow_mut().wanted)
    }

    /// The long texts whose rows were asked for since the last time.
    pub fn take_wanted_rows(&self) -> Vec<WantedRows> {
        std::mem::take(&mut self.0.borrow_mut().long_wanted)
    }

    /// The rows of a long text have come; false if nobody waits for them any more. The block has to be
    /// laid out once more, as another version.
    pub fn rows_arrived(&self, place: LongPlace, rows: Arc<[Line]>) -> bool {
        let mut store = self.0.borrow_mut();
        match store.long.iter_mut().find(|(known, _)| *known == place) {
            Some((known, kept)) => {
                known.version = known.version.wrapping_add(1);
                *kept = Some(rows);
                true
            }
            None => false,
        }
    }

    /// Another conversation: rows that are still on their way belong to none of its blocks.
    pub fn forget_rows(&self) {
        let mut store = self.0.borrow_mut();
        store.long.clear();
        store.long_wanted.clear();
        store.epoch += 1;
    }

    /// Colours have come; the blocks that wait for them are given back.
    pub fn arrived(&self, key: u64, runs: Runs) -> Vec<usize> {
        let mut store = self.0.borrow_mut();
        let Some((bytes, blocks)) = store.asked.remove(&key) else { return Vec::new() };
        store.bytes += bytes;
        store.known.insert(key, (runs, bytes));
        store.order.push_back(key);
        while store.bytes > KEPT_BYTES {
            let Some(oldest) = store.order.pop_front() else { break };
            if let Some((_, bytes)) = store.known.remove(&oldest) {
                store.bytes -= bytes;
            }
        }
        blocks
    }
}

impl Ink for InkStore {
    fn runs(&self, at: usize, language: &str, code: &str) -> Option<Runs> {
        if code.len() > CODE_BYTES || !fen_highlight::Highlighter::knows(language) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        (language, code).hash(&mut hasher);
        let key = hasher.finish();
        let mut store = self.0.borrow_mut();
        if let Some((runs, _)) = store.known.get(&key) {
            return Some(runs.clone());
        }
        if let Some((_, blocks)) = store.asked.get_mut(&key) {
            if !blocks.contains(&at) {
                blocks.push(at);
            }
            return None;
        }
        if store.asked.len() >= ASKED {
            return None;
        }
        store.asked.insert(key, (code.len(), vec![at]));
        let (language, code) = (language.to_owned(), code.into());
        store.wanted.push(Wanted { key, language, code });
        None
    }

    fn long_rows(&self, at: usize, version: u32, cells: usize, text: &Text) -> Option<Arc<[Line]>> {
        let mut store = self.0.borrow_mut();
        let place = LongPlace { block: at, version, cells, epoch: store.epoch };
        if let Some((_, rows)) = store.long.iter().find(|(known, _)| *known == place) {
            return rows.clone();
        }
        store.long.retain(|(known, _)| known.block != at);
        if store.long.len() >= KEPT_LONG {
            store.long.pop_front();
        }
        store.long.push_back((place, None));
        store.long_wanted.push(WantedRows { place, text: text.clone() });
        None
    }
}
