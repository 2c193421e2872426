//! What the commands of vi do to an editor, and the words for them.
//!
//! What is deleted or copied goes to the kill ring; a piece that ends in a line end is put in as lines.
//! Which keys lead to which command is for [`Vi`](crate::Vi).

use crate::editor::Editor;
use crate::fragment::Fragment;
use crate::motion::{first_non_blank, inner_word, next_word, previous_word, word_end};
use crate::undo::Group;
use std::ops::Range;

/// Where a command of vi leads, or what it is done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// `h`: back within the line.
    Left,
    /// `l`: on within the line.
    Right,
    /// `w`: to the next word.
    NextWord,
    /// `b`: to the beginning of the word.
    PreviousWord,
    /// `e`: to the last character of the word.
    WordEnd,
    /// `0`: to the beginning of the line.
    LineStart,
    /// `^`: to the first character of the line that is not blank.
    FirstNonBlank,
    /// `$`: to the end of the line.
    LineEnd,
    /// `gg` and a number with `G`: to the line of the count.
    Line,
    /// `G`: to the last line.
    LastLine,
    /// `iw`: the word under the cursor.
    InnerWord,
    /// `dd` and its like: whole lines.
    Lines,
}

/// On which side of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before it, or above its line.
    Before,
    /// Behind it, or below its line.
    After,
}

/// What vi can do that the other commands cannot. Numbers are counts, at least 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViCommand {
    /// Move.
    Move(Motion, u32),
    /// Delete what the motion goes over.
    Delete(Motion, u32),
    /// Delete it to write something else; whole lines leave an empty one.
    Change(Motion, u32),
    /// Copy it.
    Copy(Motion, u32),
    /// Put in what was deleted or copied last, so many times.
    Put(Side, u32),
    /// Write this character over so many.
    Replace(char, u32),
    /// Begin a new line on that side.
    Open(Side),
    /// Step on within the line, to write behind the character under the cursor.
    Append,
    /// Step back within the line, as the end of writing does.
    Leave,
    /// Step back from the end of the line: between commands the cursor stands on characters.
    Settle,
}

impl Editor {
    /// Carries a command of vi out.
    pub(crate) fn vi(&mut self, command: ViCommand) {
        let at = self.buffer.cursor();
        match command {
            ViCommand::Move(motion, count) => {
                let to = self.target(motion, count);
                self.go(to);
                self.settle();
            }
            ViCommand::Delete(Motion::Lines, count) => self.delete_lines(count),
            ViCommand::Delete(motion, count) => {
                let range = self.span(motion, count);
                self.cut(range);
                self.settle();
            }
            ViCommand::Change(Motion::Lines, count) => {
                let lines = self.lines(count);
                self.keep_lines(&lines);
                self.change(lines, &Fragment::default(), Group::Alone);
            }
            ViCommand::Change(motion, count) => {
                let is_on_word = self.buffer.character(at).is_some_and(|c| !c.is_whitespace());
                // On a word, vi leaves the blanks behind it.
                let range = match motion {
                    Motion::NextWord if is_on_word => self.word_to_change(count),
                    motion => self.span(motion, count),
                };
                self.cut(range);
            }
            ViCommand::Copy(Motion::Lines, count) => {
                let lines = self.lines(count);
                self.keep_lines(&lines);
            }
            ViCommand::Copy(motion, count) => {
                let range = self.span(motion, count);
                if !range.is_empty() {
                    self.ring.add(self.buffer.content().part(range.clone()));
                    self.go(range.start);
                }
            }
            ViCommand::Put(side, count) => self.put(side, count),
            ViCommand::Replace(with, count) => self.write_over(with, count),
            ViCommand::Open(side) => self.open(side),
            ViCommand::Append if at < self.buffer.line_end(at) => {
                self.go(self.buffer.next(at));
            }
            ViCommand::Leave if at > self.buffer.line_start(at) => {
                self.go(self.buffer.back(at));
            }
            ViCommand::Append | ViCommand::Leave => {}
            ViCommand::Settle => self.settle(),
        }
    }

    /// Where a motion leads from the cursor.
    fn target(&self, motion: Motion, count: u32) -> usize {
        let buffer = &self.buffer;
        let at = buffer.cursor();
        let (first, last) = (buffer.line_start(at), buffer.line_end(at));
        match motion {
            Motion::Left => repeated(at, count, |at| buffer.back(at).max(first)),
            Motion::Right => repeated(at, count, |at| buffer.next(at).min(last)),
            Motion::NextWord => repeated(at, count, |at| next_word(buffer, at)),
            Motion::PreviousWord => repeated(at, count, |at| previous_word(buffer, at)),
            Motion::WordEnd => repeated(at, count, |at| word_end(buffer, at)),
            Motion::LineStart => first,
            Motion::FirstNonBlank => first_non_blank(buffer, at),
            Motion::LineEnd => last,
            Motion::Line => {
                let mut line = 0;
                for _ in 1..count {
                    match buffer.line_end(line) {
                        end if end < buffer.len() => line = end + 1,
                        _ => break,
                    }
                }
                first_non_blank(buffer, line)
            }
            Motion::LastLine => first_non_blank(buffer, buffer.line_start(buffer.len())),
            Motion::InnerWord | Motion::Lines => at,
        }
    }

    /// What a motion goes over from the cursor.
    fn span(&self, motion: Motion, count: u32) -> Range<usize> {
        let buffer = &self.buffer;
        let at = buffer.cursor();
        let to = self.target(motion, count);
        match motion {
            Motion::InnerWord => inner_word(buffer, at),
            Motion::Lines => self.lines(count),
            // The last character of the word belongs to it.
            Motion::WordEnd => at..buffer.next(to),
            Motion::NextWord => {
                // The last word of a line goes without the line end and what is behind it.
                let over = buffer.text().get(at..to).unwrap_or_default();
                let words = over.trim_end().len();
                let rest = over.get(words..).unwrap_or_default();
                at..rest.find('\n').map_or(to, |end| at + words + end)
            }
            _ => at.min(to)..at.max(to),
        }
    }

    /// From the cursor to the end of the word, where the count is of words.
    fn word_to_change(&self, count: u32) -> Range<usize> {
        let buffer = &self.buffer;
        let at = buffer.cursor();
        // One step before, a word of one character ends where it begins.
        let end = inner_word(buffer, at).end;
        let last = repeated(buffer.back(end), count.saturating_sub(1), |at| word_end(buffer, at));
        at..buffer.next(last)
    }

    /// So many lines from that of the cursor on, without the last line end.
    fn lines(&self, count: u32) -> Range<usize> {
        let at = self.buffer.cursor();
        let mut end = self.buffer.line_end(at);
        for _ in 1..count {
            if end == self.buffer.len() {
                break;
            }
            end = self.buffer.line_end(end + 1);
        }
        self.buffer.line_start(at)..end
    }

    fn keep_lines(&mut self, lines: &Range<usize>) {
        let mut piece = self.buffer.content().part(lines.clone());
        piece.push(&Fragment::plain("\n"));
        self.ring.add(piece);
    }

    fn cut(&mut self, range: Range<usize>) {
        if let Some(removed) = self.change(range, &Fragment::default(), Group::Alone) {
            self.ring.add(removed);
        }
    }

    fn delete_lines(&mut self, count: u32) {
        if self.is_empty() {
            return;
        }
        let lines = self.lines(count);
        self.keep_lines(&lines);
        // The last lines take the line end before them with them.
        let (start, end) = match lines.end == self.buffer.len() {
            true => (self.buffer.back(lines.start), lines.end),
            false => (lines.start, lines.end + 1),
        };
        self.change(start..end, &Fragment::default(), Group::Alone);
        self.go(first_non_blank(&self.buffer, self.buffer.cursor()));
        self.settle();
    }

    fn put(&mut self, side: Side, count: u32) {
        let Some(piece) = self.ring.newest().cloned() else { return };
        let count = count as usize;
        if piece.is_empty() || piece.expanded_len().saturating_mul(count) > Editor::LIMIT {
            return;
        }
        let mut pieces = Fragment::default();
        (0..count).for_each(|_| pieces.push(&piece));
        let at = self.buffer.cursor();
        let (first, last) = (self.buffer.line_start(at), self.buffer.line_end(at));
        if !piece.text().ends_with('\n') {
            let at = match side {
                Side::After if at < last => self.buffer.next(at),
                _ => at,
            };
            if self.change(at..at, &pieces, Group::Alone).is_some() {
                self.go(self.buffer.back(self.buffer.cursor()));
            }
            return;
        }
        let (at, line) = match side {
            Side::Before => (first, first),
            Side::After => {
                // The line end goes from behind the lines to before them.
                pieces.splice(pieces.len() - 1..pieces.len(), &Fragment::default());
                pieces.splice(0..0, &Fragment::plain("\n"));
                (last, last + 1)
            }
        };
        if self.change(at..at, &pieces, Group::Alone).is_some() {
            self.go(first_non_blank(&self.buffer, line));
            self.settle();
        }
    }

    fn write_over(&mut self, with: char, count: u32) {
        let at = self.buffer.cursor();
        let last = self.buffer.line_end(at);
        let mut end = at;
        for _ in 0..count {
            if end >= last {
                return;
            }
            end = self.buffer.next(end);
        }
        let written = with.to_string().repeat(count as usize);
        if self.change(at..end, &Fragment::plain(&written), Group::Alone).is_some() {
            self.go(self.buffer.back(self.buffer.cursor()));
        }
    }

    fn open(&mut self, side: Side) {
        let at = self.buffer.cursor();
        let at = match side {
            Side::Before => self.buffer.line_start(at),
            Side::After => self.buffer.line_end(at),
        };
        let is_new = self.change(at..at, &Fragment::plain("\n"), Group::Alone).is_some();
        if is_new && side == Side::Before {
            self.go(at);
        }
    }

    fn settle(&mut self) {
        let at = self.buffer.cursor();
        if at == self.buffer.line_end(at) && at > self.buffer.line_start(at) {
            self.go(self.buffer.back(at));
        }
    }
}

/// A step so many times, and no oftener than it leads anywhere.
fn repeated(from: usize, count: u32, step: impl Fn(usize) -> usize) -> usize {
    let mut at = from;
    for _ in 0..count {
        let next = step(at);
        if next == at {
            break;
        }
        at = next;
    }
    at
}
