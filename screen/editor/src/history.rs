//! The lines that were entered: walking back through them, and searching.
//!
//! They are read when they are first asked for, so that a start costs nothing. What the file is and how
//! several processes share it is in `history_file.rs`; without one, or where it cannot be used, all
//! works in memory. It knows no editor: its owner puts in what it gives.

use crate::history_file::HistoryFile;
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;

/// How many entries are kept.
pub(crate) const ENTRIES: usize = 1_000;
/// How many bytes all entries have at the most, and their lines in the file.
pub(crate) const BYTES: usize = 1 << 20;
/// How long an entry is at the most, in bytes; longer ones are not kept.
pub(crate) const ENTRY_BYTES: usize = 64 << 10;

/// What was entered before, the newest last.
#[derive(Debug, Default)]
pub struct History {
    /// Where it is kept, unless in memory alone.
    file: Option<HistoryFile>,
    is_read: bool,
    entries: VecDeque<String>,
    bytes: usize,
    /// The entry that the walk stands at.
    walk: Option<usize>,
    /// What was being written when the walk began.
    draft: String,
    problem: Option<String>,
}

impl History {
    /// The history in a file, which is made with the first entry. If entries cannot be kept there, words
    /// say why, and they are kept in memory.
    pub fn open(path: PathBuf) -> (History, Option<String>) {
        match HistoryFile::new(path) {
            Ok(file) => (History { file: Some(file), ..History::default() }, None),
            Err(why) => (History::default(), Some(why)),
        }
    }

    /// Keeps what was entered, and ends a walk. Not kept are: a repetition of the newest, blank text,
    /// text that begins with a space, and text of more than 64 KB. Gives words if it is kept in memory
    /// only, once for each cause.
    pub fn add(&mut self, text: &str) -> Option<String> {
        self.left();
        self.read();
        let is_kept = !text.trim().is_empty()
            && !text.starts_with(' ')
            && text.len() <= ENTRY_BYTES
            && self.entries.back().is_none_or(|newest| newest != text);
        if is_kept {
            if let Some(file) = &mut self.file
                && let Err(why) = file.append(text)
            {
                self.note(why);
            }
            self.keep(text.to_owned());
        }
        self.problem()
    }

    /// What went wrong with the file and was not told yet.
    pub fn problem(&mut self) -> Option<String> {
        self.problem.take()
    }

    /// The entry before the one that the walk stands at. `text` is what is being written: the first step
    /// keeps it, and [`next`](History::next) comes back to it. The first step passes over the newest
    /// entry if that is what is written already.
    pub fn previous(&mut self, text: &str) -> Option<&str> {
        self.read();
        let at = match self.walk {
            Some(at) => at.checked_sub(1)?,
            None => {
                let newest = self.entries.len().checked_sub(1)?;
                let is_there = self.entries.get(newest).is_some_and(|entry| entry == text);
                let first = if is_there { newest.checked_sub(1)? } else { newest };
                text.clone_into(&mut self.draft);
                first
            }
        };
        self.walk = Some(at);
        self.entries.get(at).map(String::as_str)
    }

    /// The entry behind the one that the walk stands at; behind the newest, what was being written, and
    /// the walk ends. Nothing if there is no walk.
    #[expect(clippy::should_implement_trait, reason = "the counterpart of `previous`")]
    pub fn next(&mut self) -> Option<&str> {
        let at = self.walk? + 1;
        self.walk = (at < self.entries.len()).then_some(at);
        Some(self.entries.get(at).unwrap_or(&self.draft))
    }

    /// What is written was changed: the walk ends, and its draft is forgotten.
    pub fn left(&mut self) {
        self.walk = None;
        self.draft = String::new();
    }

    /// The `nth` entry that contains a text, from the newest on, 0 being the first; entries that are
    /// alike count once. Capitals matter if the text has any.
    pub fn search(&mut self, query: &str, nth: usize) -> Option<&str> {
        self.read();
        let exact = query.chars().any(char::is_uppercase);
        let query = if exact { query.to_owned() } else { query.to_lowercase() };
        let fits = |entry: &&String| match exact {
            true => entry.contains(&query),
            false => entry.to_lowercase().contains(&query),
        };
        let mut told = HashSet::new();
        let different = self.entries.iter().rev().filter(fits).filter(|entry| told.insert(*entry));
        different.map(String::as_str).nth(nth)
    }

    fn read(&mut self) {
        if std::mem::replace(&mut self.is_read, true) {
            return;
        }
        match self.file.as_mut().map(HistoryFile::read) {
            None => {}
            Some(Ok(entries)) => entries.into_iter().for_each(|entry| self.keep(entry)),
            Some(Err(why)) => self.note(why),
        }
    }

    fn note(&mut self, why: String) {
        self.problem = Some(why);
    }

    fn keep(&mut self, entry: String) {
        self.bytes += entry.len();
        self.entries.push_back(entry);
        while self.entries.len() > ENTRIES || self.bytes > BYTES {
            let Some(oldest) = self.entries.pop_front() else { break };
            self.bytes -= oldest.len();
        }
    }
}
