//! The two searches: in the transcript, and in what was entered before.

use super::App;
use crate::keymap::Action;
use crate::transcript::{Direction, Search, findings};
use fen_editor::{Command, Editor};

/// A search in the transcript.
#[derive(Default)]
pub(crate) struct SearchBar {
    pub input: Editor,
    pub search: Search,
}

impl SearchBar {
    /// Whether there is more to look through.
    pub fn is_open(&self) -> bool {
        self.search.is_open()
    }

    /// Whether it could go on at once.
    pub fn is_ready(&self) -> bool {
        self.search.is_ready()
    }

    /// How it stands, in words.
    pub fn words(&self) -> String {
        let more = if self.is_open() { "+" } else { "" };
        match (self.search.query.is_empty(), self.search.count(), self.search.position()) {
            (true, ..) => String::new(),
            (false, 0, _) if self.is_open() => "…".to_owned(),
            (false, 0, _) => "nothing found".to_owned(),
            (false, count, Some(at)) => format!("{at} of {count}{more}"),
            (false, count, None) => format!("{count}{more}"),
        }
    }
}

/// A search in the history.
#[derive(Default)]
pub(crate) struct HistoryFind {
    pub input: Editor,
    /// How many fitting lines were passed over.
    pub nth: usize,
    /// The line that fits.
    pub found: Option<String>,
}

impl App {
    pub(super) fn begin_search(&mut self) {
        self.popup = None;
        self.search = Some(SearchBar::default());
    }

    pub(super) fn key_in_search(&mut self, action: Option<Action>, text: Option<char>) {
        let Some(bar) = &mut self.search else { return };
        match &action {
            Some(Action::Cancel) => {
                self.search = None;
                return;
            }
            Some(action) if is_older(action) || is_further(action) => {
                bar.search.step(Direction::Older);
                return self.show_finding();
            }
            Some(action) if is_newer(action) || *action == Action::PreviousMatch => {
                bar.search.step(Direction::Newer);
                return self.show_finding();
            }
            _ => {}
        }
        match (action, text) {
            (None, Some(letter)) => {
                bar.input.apply(Command::Insert(letter.into()));
            }
            (action, _) => {
                if !App::edit_small(&mut bar.input, action.as_ref()) {
                    return;
                }
            }
        }
        self.search_changed();
    }

    pub(super) fn type_in_search(&mut self, text: &str) {
        if let Some(bar) = &mut self.search {
            bar.input.paste(text);
            self.search_changed();
        }
    }

    fn search_changed(&mut self) {
        let blocks = self.transcript.len();
        if let Some(bar) = &mut self.search {
            let query = bar.input.text();
            bar.search.set_query(query, blocks);
        }
        self.go_on_searching();
    }

    /// Looks through some more of the transcript.
    pub(super) fn go_on_searching(&mut self) {
        let Some(bar) = &mut self.search else { return };
        let had = bar.search.current();
        bar.search.go_on(&mut self.transcript, &self.ink);
        if bar.search.current() != had {
            self.show_finding();
        }
    }

    /// Brings the finding that the search stands at into sight.
    fn show_finding(&mut self) {
        let Some((block, nth)) = self.search.as_ref().and_then(|bar| bar.search.current()) else {
            return;
        };
        let query = self.search.as_ref().map(|bar| bar.search.query.clone()).unwrap_or_default();
        let rows = self.transcript.rows(block, &self.ink);
        let row = findings(&rows, &query)
            .get(nth)
            .and_then(|finding| finding.first())
            .map_or(0, |(row, _)| *row);
        self.transcript.reveal(block, row, self.transcript_rows, &self.ink);
    }

    pub(super) fn begin_history_find(&mut self) {
        self.popup = None;
        self.history_find = Some(HistoryFind::default());
        self.history_changed();
    }

    pub(super) fn key_in_history(&mut self, action: Option<Action>, text: Option<char>) {
        let Some(find) = &mut self.history_find else { return };
        match &action {
            Some(Action::Cancel) => {
                self.history_find = None;
                return;
            }
            Some(Action::Accept) => {
                if let Some(line) = find.found.take() {
                    self.editor.set_text(&line);
                }
                self.history_find = None;
                return;
            }
            Some(action) if is_older(action) || *action == Action::SearchHistory => {
                find.nth += 1;
                return self.history_changed();
            }
            Some(action) if is_newer(action) => {
                find.nth = find.nth.saturating_sub(1);
                return self.history_changed();
            }
            _ => {}
        }
        match (action, text) {
            (None, Some(letter)) => {
                find.input.apply(Command::Insert(letter.into()));
            }
            (action, _) => {
                if !App::edit_small(&mut find.input, action.as_ref()) {
                    return;
                }
            }
        }
        find.nth = 0;
        self.history_changed();
    }

    pub(super) fn type_in_history(&mut self, text: &str) {
        if let Some(find) = &mut self.history_find {
            find.input.paste(text);
            find.nth = 0;
            self.history_changed();
        }
    }

    fn history_changed(&mut self) {
        let Some(find) = &mut self.history_find else { return };
        let query = find.input.text();
        match self.history.search(&query, find.nth) {
            Some(line) => find.found = Some(line.to_owned()),
            // At the oldest one it stays.
            None if find.nth > 0 => find.nth -= 1,
            None => find.found = None,
        }
    }
}

/// Whether a key goes up the list of what is found: rows up mean nothing else in a single row.
fn is_older(action: &Action) -> bool {
    match action {
        Action::Accept | Action::ScrollUp => true,
        Action::Edit(name) => matches!(name.as_str(), "cursor-up" | "cursor-up-or-history"),
        _ => false,
    }
}

/// Whether it goes on with a search of the conversation.
fn is_further(action: &Action) -> bool {
    matches!(action, Action::Search | Action::NextMatch)
}

fn is_newer(action: &Action) -> bool {
    match action {
        Action::ScrollDown => true,
        Action::Edit(name) => matches!(name.as_str(), "cursor-down" | "cursor-down-or-history"),
        _ => false,
    }
}
