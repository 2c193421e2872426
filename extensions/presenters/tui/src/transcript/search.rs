//! Finding words in the transcript.
//!
//! Blocks are gone through from the newest to the oldest, some at a time, so that no key waits for a
//! long conversation. What is found is where it is seen: in the rows, whatever markup made them.

use super::block::Content;
use super::kept::RowsKey;
use super::rows::Ink;
use super::{Transcript, Window};
use fen_cells::{Join, Line, units};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Which way to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Older,
    Newer,
}

/// A search that is under way or done.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// What is looked for.
    pub query: String,
    /// The blocks that have it, newest first, and how often.
    found: Vec<(usize, usize)>,
    /// Blocks below this one were not looked at yet.
    next: usize,
    /// The block whose rows have to come before it can go on.
    awaited: Option<usize>,
    /// The finding that the search stands at: an index into `found`, and which of the block's.
    current: Option<(usize, usize)>,
    /// Where it was found in the blocks in sight, as long as they have these rows.
    in_sight: HashMap<usize, (RowsKey, Arc<[Finding]>)>,
    /// How often a block in sight was looked through; an unchanged frame looks through none.
    pub looks: u64,
}

/// How many blocks are looked at in one go.
const BLOCKS: usize = 200;

impl Search {
    /// Looks for something else from now on.
    pub fn set_query(&mut self, query: String, blocks: usize) {
        *self = Search { query, next: blocks, ..Search::default() };
    }

    /// Whether there is more to look through.
    pub fn is_open(&self) -> bool {
        self.next > 0 && !self.query.is_empty()
    }

    /// Whether it could go on at once: there is more, and its rows are not still being made elsewhere.
    pub fn is_ready(&self) -> bool {
        self.is_open() && self.awaited.is_none()
    }

    /// How often it was found so far.
    pub fn count(&self) -> usize {
        self.found.iter().map(|(_, count)| count).sum()
    }

    /// Which finding it stands at, from 1, the newest first.
    pub fn position(&self) -> Option<usize> {
        let (at, nth) = self.current?;
        let newer: usize = self.found[..at].iter().map(|(_, count)| count).sum();
        let (_, count) = self.found.get(at)?;
        Some(newer + count - nth)
    }

    /// The finding that it stands at: the block, and which of the block's.
    pub fn current(&self) -> Option<(usize, usize)> {
        let (at, nth) = self.current?;
        Some((self.found.get(at)?.0, nth))
    }

    /// Looks through some more blocks. At one whose rows are being made elsewhere it stops; it is to be
    /// called again when rows have come.
    pub fn go_on(&mut self, transcript: &mut Transcript, ink: &dyn Ink) {
        let needle = folded(&self.query);
        let Some(first_word) = needle.split_whitespace().next().map(str::to_owned) else { return };
        let until = self.next.saturating_sub(BLOCKS);
        self.awaited = None;
        while self.next > until {
            let at = self.next - 1;
            // Rows are made only where the text has a chance.
            let has_chance = transcript.may_contain(at, &first_word);
            if has_chance && transcript.is_awaited(at, ink) {
                self.awaited = Some(at);
                break;
            }
            self.next = at;
            if !has_chance {
                continue;
            }
            let count = findings(&transcript.rows(at, ink), &self.query).len();
            if count > 0 {
                self.found.push((at, count));
            }
        }
        if self.current.is_none() && !self.found.is_empty() {
            self.current = Some((0, self.found[0].1 - 1));
        }
    }

    /// Where a block in sight has it.
    pub fn findings_in(
        &mut self,
        at: usize,
        transcript: &mut Transcript,
        ink: &dyn Ink,
    ) -> Arc<[Finding]> {
        let Some(key) = transcript.rows_key(at) else { return [].into() };
        match self.in_sight.get(&at) {
            Some((known, found)) if *known == key => found.clone(),
            _ => {
                self.looks += 1;
                let found: Arc<[Finding]> = findings(&transcript.rows(at, ink), &self.query).into();
                self.in_sight.insert(at, (key, found.clone()));
                found
            }
        }
    }

    /// Forgets where it was found in blocks that are out of sight.
    pub fn keep_in_sight(&mut self, window: &Window) {
        self.in_sight.retain(|at, _| window.pieces.iter().any(|piece| piece.block == *at));
    }

    /// Goes to the next finding; at the ends it goes on from the other one.
    pub fn step(&mut self, direction: Direction) {
        let Some((at, nth)) = self.current else { return };
        let last = self.found.len() - 1;
        self.current = Some(match direction {
            Direction::Older if nth > 0 => (at, nth - 1),
            Direction::Older => {
                let at = if at == last { 0 } else { at + 1 };
                (at, self.found[at].1 - 1)
            }
            Direction::Newer if nth + 1 < self.found[at].1 => (at, nth + 1),
            Direction::Newer => (if at == 0 { last } else { at - 1 }, 0),
        });
    }
}

impl Transcript {
    fn may_contain(&self, at: usize, word: &str) -> bool {
        let has = |text: &str| folded(text).contains(word);
        match self.blocks.get(at).map(|block| &block.content) {
            Some(Content::User(text)) => has(text.as_str()),
            Some(Content::Thinking(prose) | Content::Answer(prose)) => has(prose.text()),
            Some(Content::Note(note)) => has(note.text.as_str()),
            Some(Content::Shell(_) | Content::Tool(_)) => true,
            Some(Content::Gone) | None => false,
        }
    }
}

/// Without a difference between small and capital letters.
fn folded(text: &str) -> String {
    text.to_lowercase()
}

/// One finding: the columns in each row that it touches.
pub(crate) type Finding = Vec<(usize, Range<usize>)>;

/// Where the rows of a block say something, also across the ends of wrapped rows.
pub(crate) fn findings(rows: &[Line], query: &str) -> Vec<Finding> {
    let needle: Vec<char> = folded(query).chars().collect();
    if needle.is_empty() {
        return Vec::new();
    }
    // The letters in order, each with its cell.
    let mut letters: Vec<char> = Vec::new();
    let mut cells: Vec<(usize, Range<usize>)> = Vec::new();
    for (row, line) in rows.iter().enumerate() {
        let gap = match line.join {
            Join::Break => Some('\n'),
            Join::Space => Some(' '),
            Join::Glue => None,
        };
        if let Some(gap) = gap {
            letters.push(gap);
            cells.push((row, 0..0));
        }
        let mut column = 0;
        for span in &line.spans {
            for unit in units(span.text()) {
                let place = column..column + unit.width;
                column = place.end;
                if span.look.is_decoration() {
                    continue;
                }
                for letter in unit.text.chars().flat_map(char::to_lowercase) {
                    letters.push(letter);
                    cells.push((row, place.clone()));
                }
            }
        }
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at + needle.len() <= letters.len() {
        if letters[at..at + needle.len()] != needle[..] {
            at += 1;
            continue;
        }
        let mut finding: Finding = Vec::new();
        for (row, place) in &cells[at..at + needle.len()] {
            match finding.last_mut() {
                Some((last, columns)) if last == row => columns.end = columns.end.max(place.end),
                _ => finding.push((*row, place.clone())),
            }
        }
        found.push(finding);
        at += needle.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_cells::{Prefix, Role, Span, wrap_words};

    #[test]
    fn a_phrase_is_found_across_the_end_of_a_row_and_whatever_its_case() {
        let rows =
            wrap_words(&[Span::new("say Hello world, hello", Role::Text)], 10, &Prefix::default());
        let found = findings(&rows, "hello WORLD");
        assert_eq!(found, [vec![(0, 4..9), (1, 0..5)]]);
        assert_eq!(findings(&rows, "HELLO").len(), 2);
        assert!(findings(&rows, "").is_empty());
    }
}
