//! What each command does to an editor. Words are those of readline: letters and digits.

use crate::command::Command;
use crate::editor::{Editor, Last};
use crate::fragment::Fragment;
use crate::kill_ring::End;
use crate::motion::{to_blank_left, word_at_or_after, word_left, word_right};
use crate::undo::Group;

/// How a word is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Upper,
    Lower,
    Capital,
}

impl Case {
    fn applied(self, text: &str) -> String {
        match self {
            Case::Upper => text.to_uppercase(),
            Case::Lower => text.to_lowercase(),
            Case::Capital => {
                let mut rest = text.chars();
                let first = rest.next().map(char::to_uppercase);
                first.into_iter().flatten().chain(rest.as_str().to_lowercase().chars()).collect()
            }
        }
    }
}

impl Editor {
    /// Carries a command out. `last` and `wished` are what the command before left behind.
    pub(crate) fn carry_out(&mut self, command: Command, last: Last, wished: Option<usize>) {
        let at = self.buffer.cursor();
        match command {
            Command::Insert(text) => self.insert(&text, Group::Typing),
            Command::Newline => self.insert("\n", Group::Alone),
            Command::Vi(command) => self.vi(command),
            Command::CursorLeft => self.moved(self.buffer.back(at)),
            Command::CursorRight => self.moved(self.buffer.next(at)),
            Command::CursorWordLeft => self.moved(word_left(&self.buffer, at)),
            Command::CursorWordRight => self.moved(word_right(&self.buffer, at)),
            Command::CursorLineStart => self.moved(self.buffer.line_start(at)),
            Command::CursorLineEnd => self.moved(self.buffer.line_end(at)),
            Command::CursorUp | Command::CursorUpOrHistory => self.vertical(wished, Editor::above),
            Command::CursorDown | Command::CursorDownOrHistory => {
                self.vertical(wished, Editor::below);
            }
            Command::BufferStart => self.moved(0),
            Command::BufferEnd => self.moved(self.buffer.len()),
            Command::HistoryPrevious | Command::HistoryNext => {}
            Command::DeleteBack => self.delete(self.buffer.back(at), at),
            Command::DeleteForward => self.delete(at, self.buffer.next(at)),
            Command::DeleteWordBack => {
                self.kill(word_left(&self.buffer, at)..at, End::Front, &last);
            }
            Command::DeleteToBlankBack => {
                self.kill(to_blank_left(&self.buffer, at)..at, End::Front, &last);
            }
            Command::DeleteWordForward => {
                self.kill(at..word_right(&self.buffer, at), End::Back, &last);
            }
            Command::KillToLineEnd => {
                let end = self.buffer.line_end(at);
                let end = if end == at { self.buffer.next(at) } else { end };
                self.kill(at..end, End::Back, &last);
            }
            Command::KillToLineStart => {
                let start = self.buffer.line_start(at);
                let start = if start == at { self.buffer.back(at) } else { start };
                self.kill(start..at, End::Front, &last);
            }
            Command::KillLine => {
                let end = self.buffer.next(self.buffer.line_end(at));
                self.kill(self.buffer.line_start(at)..end, End::Back, &last);
            }
            Command::Yank => self.yank(),
            Command::YankPop => self.yank_pop(&last),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::TransposeChars => self.transpose(),
            Command::UpcaseWord => self.write_word(Case::Upper),
            Command::DowncaseWord => self.write_word(Case::Lower),
            Command::CapitalizeWord => self.write_word(Case::Capital),
        }
    }

    fn moved(&mut self, to: usize) {
        self.go(to);
    }

    fn insert(&mut self, text: &str, group: Group) {
        let at = self.buffer.cursor();
        self.change(at..at, &Fragment::plain(text), group);
    }

    fn delete(&mut self, start: usize, end: usize) {
        self.change(start..end, &Fragment::default(), Group::Deleting);
    }

    /// Moves by a row, to the column that the first of such commands stood in.
    fn vertical(&mut self, wished: Option<usize>, row: fn(&mut Self, usize) -> Option<usize>) {
        let column = wished.unwrap_or_else(|| self.column());
        self.wished = Some(column);
        if let Some(to) = row(self, column) {
            self.go(to);
        }
    }

    fn yank(&mut self) {
        let at = self.buffer.cursor();
        let Some(piece) = self.ring.newest().cloned() else { return };
        if self.change(at..at, &piece, Group::Alone).is_some() {
            self.last = Last::Yank(at..at + piece.len());
        }
    }

    fn yank_pop(&mut self, last: &Last) {
        let Last::Yank(range) = last else { return };
        let Some(piece) = self.ring.turn().cloned() else { return };
        self.last = match self.change(range.clone(), &piece, Group::Alone) {
            Some(_) => Last::Yank(range.start..range.start + piece.len()),
            None => last.clone(),
        };
    }

    /// Exchanges the characters before and at the cursor and moves on; at the end of a line, the two
    /// before it.
    fn transpose(&mut self) {
        let at = self.buffer.cursor();
        let (first, last) = (self.buffer.line_start(at), self.buffer.line_end(at));
        let middle = if at == last { self.buffer.back(at) } else { at };
        if middle <= first {
            return;
        }
        let (start, end) = (self.buffer.back(middle), self.buffer.next(middle));
        let content = self.buffer.content();
        let mut exchanged = content.part(middle..end);
        exchanged.push(&content.part(start..middle));
        if exchanged != content.part(start..end) {
            self.change(start..end, &exchanged, Group::Alone);
        } else {
            self.go(end);
        }
    }

    /// Writes the rest of the word at the cursor, or the next word, in another way.
    fn write_word(&mut self, case: Case) {
        let start = word_at_or_after(&self.buffer, self.buffer.cursor());
        let end = word_right(&self.buffer, start);
        let word = self.buffer.text().get(start..end).unwrap_or_default();
        let written = case.applied(word);
        if written == word || self.buffer.content().paste_at(start).is_some() {
            self.go(end);
        } else {
            self.change(start..end, &Fragment::plain(&written), Group::Alone);
        }
    }
}
