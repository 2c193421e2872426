//! Completion: of commands and their arguments after `/`, of files after `@`.

use super::App;
use crate::effect::Effect;
use crate::keymap::Action;
use fen_contract::command::Completion;
use fen_editor::{Command, Outcome};

/// How many offers are kept.
const OFFERS: usize = 200;

/// Offers for what is being typed.
#[derive(Debug)]
pub(crate) struct Popup {
    /// What is offered.
    pub offers: Vec<Completion>,
    /// The one that is chosen.
    pub selected: usize,
}

/// What is being completed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    /// The line up to the cursor is a command.
    Command(String),
    /// A file, of whose name so much is there.
    File(String),
}

/// What the text before the cursor asks for.
fn wanted(before: &str) -> Option<Wanted> {
    if before.starts_with('/') && !before.starts_with("//") && !before.contains('\n') {
        return Some(Wanted::Command(before.to_owned()));
    }
    let word = before.rsplit([' ', '\n', '\t', '(', '"', '\'']).next().unwrap_or_default();
    word.strip_prefix('@').map(|name| Wanted::File(name.to_owned()))
}

/// How much of the text before the cursor an offer replaces, in bytes, and what comes after it. Offers
/// may be older than the text, so it is asked when one is taken.
fn replaced(before: &str) -> Option<(usize, &'static str)> {
    Some(match wanted(before)? {
        Wanted::Command(line) => match line.split_once(' ') {
            Some((_, arguments)) => (arguments.len(), ""),
            // The offers of names begin with the slash too.
            None => (line.len(), " "),
        },
        Wanted::File(name) => (name.len(), " "),
    })
}

impl App {
    /// The input has changed by typing.
    pub(super) fn text_changed(&mut self) {
        self.history.left();
        self.ask_for_offers();
    }

    pub(super) fn ask_for_offers(&mut self) {
        let before = self.editor.text_before_cursor();
        let Some(wanted) = wanted(before) else {
            self.popup = None;
            self.popup_ticket = 0;
            return;
        };
        let ticket = self.ticket();
        self.popup_ticket = ticket;
        self.wish(match wanted {
            Wanted::Command(line) => Effect::Complete { ticket, line },
            Wanted::File(query) => Effect::CompleteFile { ticket, query },
        });
    }

    pub(super) fn completions_came(&mut self, ticket: u64, mut offers: Vec<Completion>) {
        if ticket != self.popup_ticket {
            return;
        }
        offers.truncate(OFFERS);
        let before = self.editor.text_before_cursor();
        let Some((replaces, _)) = replaced(before) else { return self.popup = None };
        // What is there already is no offer.
        let typed = &before[before.len() - replaces..];
        if offers.len() == 1 && offers[0].value == typed {
            offers.clear();
        }
        self.popup = (!offers.is_empty()).then_some(Popup { offers, selected: 0 });
    }

    /// More is known of the project's files, which may be what is being typed.
    pub(super) fn files_changed(&mut self) {
        if let Some(Wanted::File(query)) = wanted(self.editor.text_before_cursor()) {
            let ticket = self.ticket();
            self.popup_ticket = ticket;
            self.wish(Effect::CompleteFile { ticket, query });
        }
    }

    /// Tab: asks for offers, or takes the chosen one.
    pub(super) fn complete(&mut self) {
        match wanted(self.editor.text_before_cursor()) {
            Some(_) => self.ask_for_offers(),
            None => self.notify("tab completes commands after / and files after @"),
        }
    }

    /// Whether a key was meant for the offers.
    pub(super) fn key_in_popup(&mut self, action: &Action) -> bool {
        let Some(popup) = &mut self.popup else { return false };
        let count = popup.offers.len();
        match action {
            Action::Edit(name) if is_named(name, &["cursor-up-or-history", "history-previous"]) => {
                popup.selected = (popup.selected + count - 1) % count;
            }
            Action::Edit(name) if is_named(name, &["cursor-down-or-history", "history-next"]) => {
                popup.selected = (popup.selected + 1) % count;
            }
            Action::CompleteBack => popup.selected = (popup.selected + count - 1) % count,
            Action::Complete => self.take_offer(),
            Action::Submit => {
                // A command's name is completed first; an argument that is whole already is sent.
                let before = self.editor.text_before_cursor();
                let Some((replaces, then)) = replaced(before) else { return false };
                let is_name = then == " ";
                let typed = &before[before.len() - replaces..];
                let typed_whole = popup.offers.iter().any(|offer| offer.value == typed);
                if !is_name || typed_whole {
                    self.popup = None;
                    return false;
                }
                self.take_offer();
            }
            Action::Cancel => self.popup = None,
            _ => return false,
        }
        true
    }

    /// Puts the chosen offer into the input.
    pub(super) fn take_offer(&mut self) {
        let Some(popup) = self.popup.take() else { return };
        let Some(offer) = popup.offers.get(popup.selected) else { return };
        let Some((replaces, then)) = replaced(self.editor.text_before_cursor()) else { return };
        let is_folder = offer.value.ends_with('/');
        let then = if is_folder { "" } else { then };
        self.editor.replace_before_cursor(replaces, &format!("{}{then}", offer.value));
        self.ask_for_offers();
    }

    /// Chooses an offer by its row, and takes it.
    pub(super) fn click_offer(&mut self, at: usize) {
        if let Some(popup) = &mut self.popup
            && at < popup.offers.len()
        {
            popup.selected = at;
            self.take_offer();
        }
    }

    /// Changes the text of a small input, such as a search; false if the command means nothing there.
    pub(super) fn edit_small(editor: &mut fen_editor::Editor, action: Option<&Action>) -> bool {
        match action {
            Some(Action::Edit(name)) => match name.parse::<Command>() {
                Ok(command) => editor.apply(command) == Outcome::Changed,
                Err(_) => false,
            },
            _ => false,
        }
    }
}

fn is_named(name: &str, names: &[&str]) -> bool {
    names.contains(&name)
}
