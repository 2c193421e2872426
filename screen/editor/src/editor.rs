//! The editor: a text with a cursor, what can be undone of it, what was cut, and its rows.
//!
//! It ties the parts together and sees to it that each of them hears of each change. What a command
//! changes is in `edit.rs`; keys, files and colours are for its callers.

use crate::buffer::Buffer;
use crate::command::{Command, Outcome};
use crate::fragment::{Fragment, Paste};
use crate::kill_ring::{End, KillRing};
use crate::layout::{Layout, View};
use crate::undo::{Edit, Group, Undo};
use fen_cells::Line;
use std::ops::Range;

/// How wide rows are as long as nothing was seen of them.
const CELLS: usize = 80;

/// A text that is being written.
#[derive(Debug)]
pub struct Editor {
    pub(crate) buffer: Buffer,
    pub(crate) ring: KillRing,
    undo: Undo,
    layout: Layout,
    /// The width of the last view.
    cells: usize,
    revision: u64,
    /// How many pastes were folded into this text.
    pastes: u32,
    /// The column that moving up and down keeps to.
    pub(crate) wished: Option<usize>,
    pub(crate) last: Last,
    seen: Option<(Asked, View)>,
}

/// What a command right before this one means for this one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Last {
    /// Nothing.
    #[default]
    Other,
    /// It cut: what is cut now belongs to it.
    Kill,
    /// It put in what was cut, there.
    Yank(Range<usize>),
}

/// All that a view depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    revision: u64,
    cursor: usize,
    cells: usize,
    max_rows: usize,
}

impl Default for Editor {
    fn default() -> Editor {
        Editor {
            buffer: Buffer::default(),
            ring: KillRing::default(),
            undo: Undo::default(),
            layout: Layout::default(),
            cells: CELLS,
            revision: 0,
            pastes: 0,
            wished: None,
            last: Last::Other,
            seen: None,
        }
    }
}

impl Editor {
    /// How many bytes a text has at the most, pastes expanded. What would make it longer changes
    /// nothing.
    pub const LIMIT: usize = 16 << 20;

    /// An empty one.
    pub fn new() -> Editor {
        Editor::default()
    }

    /// Carries a command out. Those of the history do nothing, or move by a row: entries are put in by
    /// [`set_text`](Editor::set_text).
    pub fn apply(&mut self, command: Command) -> Outcome {
        let last = std::mem::take(&mut self.last);
        let wished = self.wished.take();
        let (cursor, revision) = (self.buffer.cursor(), self.revision);
        self.carry_out(command, last, wished);
        if self.revision != revision {
            Outcome::Changed
        } else if self.buffer.cursor() != cursor {
            self.undo.close();
            Outcome::Moved
        } else {
            Outcome::Nothing
        }
    }

    /// Puts in what was pasted at once. More than 10 lines or 1,000 characters are folded: they are
    /// shown as a mark, and are one character for the cursor. Line ends become `\n`.
    pub fn paste(&mut self, text: &str) -> Outcome {
        self.forget_last();
        let mut pasted = Fragment::plain(text);
        if let Some(paste) = Paste::fold(pasted.text(), self.pastes.saturating_add(1)) {
            pasted = Fragment::folded(paste);
        }
        let is_folded = pasted.expanded_len() > pasted.len();
        let at = self.buffer.cursor();
        match self.change(at..at, &pasted, Group::Alone) {
            Some(_) => {
                self.pastes = self.pastes.saturating_add(u32::from(is_folded));
                Outcome::Changed
            }
            None => Outcome::Nothing,
        }
    }

    /// The text, pastes expanded.
    pub fn text(&self) -> String {
        self.buffer.content().expanded()
    }

    /// Replaces the text and goes to its end; it can be undone. Line ends become `\n`. Of a text that is
    /// longer than [`LIMIT`](Editor::LIMIT) the beginning is taken.
    pub fn set_text(&mut self, text: &str) {
        self.forget_last();
        let mut end = text.len().min(Editor::LIMIT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let new = Fragment::plain(text.get(..end).unwrap_or_default());
        if new == *self.buffer.content() {
            self.buffer.set_cursor(new.len());
        } else {
            self.change(0..self.buffer.len(), &new, Group::Alone);
        }
    }

    /// Gives the text, pastes expanded, and leaves nothing of it behind: it cannot be undone. What was
    /// cut stays.
    pub fn take(&mut self) -> String {
        let text = self.text();
        let (ring, cells, revision) = (std::mem::take(&mut self.ring), self.cells, self.revision);
        *self = Editor { ring, cells, revision: revision + 1, ..Editor::default() };
        text
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.buffer.len() == 0
    }

    /// Where the cursor is in the [text](Editor::text), in bytes.
    pub fn cursor_byte(&self) -> usize {
        self.buffer.content().expanded_place(self.buffer.cursor())
    }

    /// The text before the cursor with pastes folded: each is one [`FOLD`](crate::FOLD).
    pub fn text_before_cursor(&self) -> &str {
        self.buffer.text().get(..self.buffer.cursor()).unwrap_or_default()
    }

    /// Replaces the last bytes of the [text before the cursor](Editor::text_before_cursor), as a
    /// completion does. Nothing happens where a character would be torn.
    pub fn replace_before_cursor(&mut self, bytes: usize, with: &str) -> Outcome {
        self.forget_last();
        let cursor = self.buffer.cursor();
        let Some(start) = cursor.checked_sub(bytes) else { return Outcome::Nothing };
        if !self.buffer.text().is_char_boundary(start) {
            return Outcome::Nothing;
        }
        match self.change(start..cursor, &Fragment::plain(with), Group::Alone) {
            Some(_) => Outcome::Changed,
            None => Outcome::Nothing,
        }
    }

    /// A number that is another one after each change of the text.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What is seen of the text in so many cells and rows, scrolled to the cursor. At least one row is
    /// given. Moving up and down goes by the rows of the last view.
    pub fn view(&mut self, cells: usize, max_rows: usize) -> View {
        let asked =
            Asked { revision: self.revision, cursor: self.buffer.cursor(), cells, max_rows };
        if let Some((before, view)) = &self.seen
            && *before == asked
        {
            return view.clone();
        }
        self.cells = cells.max(1);
        let cursor = self.buffer.cursor();
        let (layout, content) = self.laid_out();
        let mut view = layout.view(content, cursor, max_rows);
        if cells == 0 {
            view.rows.iter_mut().for_each(|row| *row = Line::default());
            view.cursor.1 = 0;
        }
        self.seen = Some((asked, view.clone()));
        view
    }

    /// Puts the cursor where a cell leads, such as one that was clicked: its row counted from the first
    /// one of the text, [`View::first_row`] being the first one that is seen.
    pub fn place_cursor(&mut self, row: usize, column: usize) -> Outcome {
        self.forget_last();
        let (layout, content) = self.laid_out();
        let at = layout.place_at(content, row, column);
        self.go(at)
    }

    /// Whether no row is above the cursor.
    pub fn is_on_first_row(&mut self) -> bool {
        let at = self.buffer.cursor();
        let (layout, content) = self.laid_out();
        layout.above(content, at, 0).is_none()
    }

    /// Whether no row is below the cursor.
    pub fn is_on_last_row(&mut self) -> bool {
        let at = self.buffer.cursor();
        let (layout, content) = self.laid_out();
        layout.below(content, at, 0).is_none()
    }

    /// The column of the cursor.
    pub(crate) fn column(&mut self) -> usize {
        let at = self.buffer.cursor();
        let (layout, content) = self.laid_out();
        layout.column(content, at)
    }

    /// The place in a column of the row above.
    pub(crate) fn above(&mut self, column: usize) -> Option<usize> {
        let at = self.buffer.cursor();
        let (layout, content) = self.laid_out();
        layout.above(content, at, column)
    }

    /// The place in a column of the row below.
    pub(crate) fn below(&mut self, column: usize) -> Option<usize> {
        let at = self.buffer.cursor();
        let (layout, content) = self.laid_out();
        layout.below(content, at, column)
    }

    fn laid_out(&mut self) -> (&mut Layout, &Fragment) {
        self.layout.set_width(self.buffer.content(), self.cells);
        (&mut self.layout, self.buffer.content())
    }

    /// What comes next is a step of its own.
    fn forget_last(&mut self) {
        self.last = Last::Other;
        self.wished = None;
        self.undo.close();
    }

    /// Moves the cursor.
    pub(crate) fn go(&mut self, at: usize) -> Outcome {
        let before = self.buffer.cursor();
        self.buffer.set_cursor(at);
        if self.buffer.cursor() == before { Outcome::Nothing } else { Outcome::Moved }
    }

    /// Replaces a part, which is the one way in which text changes, and gives what was there. The cursor
    /// goes behind what is new. Nothing happens if nothing would differ, or the text became too long.
    pub(crate) fn change(
        &mut self,
        range: Range<usize>,
        with: &Fragment,
        group: Group,
    ) -> Option<Fragment> {
        if range.is_empty() && with.is_empty() {
            return None;
        }
        let content = self.buffer.content();
        let gone = content.expanded_place(range.end) - content.expanded_place(range.start);
        if content.expanded_len() - gone + with.expanded_len() > Editor::LIMIT {
            return None;
        }
        let before = self.buffer.cursor();
        let removed = self.replace(range.clone(), with);
        let (at, after) = (range.start, self.buffer.cursor());
        let edit = Edit { at, removed: removed.clone(), inserted: with.clone() };
        self.undo.record(edit, group, before, after);
        Some(removed)
    }

    /// Replaces a part without keeping it.
    fn replace(&mut self, range: Range<usize>, with: &Fragment) -> Fragment {
        self.layout.changed(range.start, range.len(), with.text());
        self.revision += 1;
        self.buffer.splice(range, with)
    }

    /// Cuts a part, with what was cut right before it if that was a command of this kind.
    pub(crate) fn kill(&mut self, range: Range<usize>, end: End, last: &Last) {
        match (self.change(range, &Fragment::default(), Group::Alone), last) {
            (Some(removed), Last::Kill) => self.ring.join(removed, end),
            (Some(removed), _) => self.ring.add(removed),
            (None, Last::Kill) => {}
            (None, _) => return,
        }
        self.last = Last::Kill;
    }

    /// Takes the last step back.
    pub(crate) fn undo(&mut self) {
        let Some(step) = self.undo.take_done() else { return };
        for edit in step.edits.iter().rev() {
            self.replace(edit.at..edit.at + edit.inserted.len(), &edit.removed);
        }
        self.buffer.set_cursor(step.before);
        self.undo.undone(step);
    }

    /// Does the step again that was taken back last.
    pub(crate) fn redo(&mut self) {
        let Some(step) = self.undo.take_undone() else { return };
        for edit in &step.edits {
            self.replace(edit.at..edit.at + edit.removed.len(), &edit.inserted);
        }
        self.buffer.set_cursor(step.after);
        self.undo.done(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of 5 MB: many lines, one line of words, one line that is one word.
    fn huge() -> [String; 3] {
        let size = 5 << 20;
        let lines = "some words in a line\n".repeat(size / 21);
        [lines.clone(), lines.replace('\n', " "), "x".repeat(size)]
    }

    #[test]
    fn keys_in_a_huge_text_lay_out_little_of_it() {
        for text in huge() {
            let mut editor = Editor::new();
            editor.set_text(&text);
            editor.view(80, 10);
            for command in [Command::BufferStart, Command::BufferEnd] {
                // The first look at an end may lay out the way to it.
                editor.apply(command);
                editor.view(80, 10);
                let before = editor.layout.work;
                for command in [
                    Command::Insert("x".into()),
                    Command::Newline,
                    Command::CursorUp,
                    Command::CursorDown,
                    Command::DeleteBack,
                    Command::Undo,
                ] {
                    editor.apply(command);
                    let view = editor.view(80, 10);
                    assert_eq!(view.rows.len(), 10);
                    assert!(view.cursor.0 < 10 && view.cursor.1 < 80);
                }
                let work = editor.layout.work - before;
                assert!(work < 300, "{work} rows for {:?}...", &text[..20]);
            }
        }
    }

    #[test]
    fn what_did_not_change_is_not_laid_out_again() {
        let mut editor = Editor::new();
        editor.set_text(&"some words in a line\n".repeat(30));
        editor.view(20, 8);
        let before = editor.layout.work;
        editor.view(20, 8);
        editor.view(20, 4);
        assert_eq!(editor.layout.work, before);
    }
}
