//! Keys: who gets them, and what they do.
//!
//! From the top: what lies above the transcript, searches, the queue, completions, the input.

use super::{App, Phase, SECOND_INTERRUPT};
use crate::effect::Effect;
use crate::keymap::{Action, Context, Found, KeyName};
use crate::overlay::{Overlay, Reaction, Touch};
use crate::transcript::{Direction, Fold};
use fen_contract::events::Dismiss;
use fen_contract::record::Extra;
use fen_editor::{Command, Outcome, ViKey};
use std::time::Instant;

impl App {
    /// The terminal sent something.
    pub fn feel(&mut self, input: &fen_tty::input::Input, now: Instant) {
        self.now = now;
        self.is_dirty = true;
        match input {
            fen_tty::input::Input::Key(key) => self.key(&key.to_string(), key.text()),
            fen_tty::input::Input::Paste(text) => self.paste(text),
            fen_tty::input::Input::Mouse(mouse) => self.mouse(*mouse),
            fen_tty::input::Input::PasteCut { dropped } => {
                self.complain(format!("the paste was too long; {dropped} bytes are missing"));
            }
            fen_tty::input::Input::Ended(_) => self.is_over = true,
            fen_tty::input::Input::Focus(_) | fen_tty::input::Input::Resize => {}
        }
    }

    fn context(&self) -> Context {
        match self.overlays.last() {
            Some(overlay) => overlay.context(),
            None if self.search.is_some() || self.history_find.is_some() => Context::Question,
            None if self.queue_focus.is_some() => Context::List,
            None => Context::Main,
        }
    }

    fn key(&mut self, name: &str, text: Option<char>) {
        let Ok(key) = KeyName::parse(name) else { return };
        let context = self.context();
        self.pending.push(key);
        let found = self.keymap.lookup(context, &self.pending);
        let action = match found {
            Found::Prefix => return,
            Found::Action(action) => {
                self.pending.clear();
                Some(action)
            }
            Found::Nothing if let Some(again) = self.search_again() => {
                self.pending.clear();
                Some(again)
            }
            Found::Nothing => {
                let was_chord = self.pending.len() > 1;
                self.pending.clear();
                if was_chord {
                    self.complain("no such key");
                    return;
                }
                None
            }
        };
        if !matches!(action, Some(Action::Interrupt)) {
            self.interrupted = None;
        }
        if let Some(action) = &action
            && matches!(self.act_anywhere(action), Reaction::Stay)
        {
            return;
        }
        if !self.overlays.is_empty() {
            return self.key_above(action.as_ref(), name, text);
        }
        if self.search.is_some() {
            return self.key_in_search(action, text);
        }
        if self.history_find.is_some() {
            return self.key_in_history(action, text);
        }
        if self.queue_focus.is_some() {
            return self.key_in_queue(action.as_ref(), name);
        }
        if let Some(action) = &action
            && self.popup.is_some()
            && self.key_in_popup(action)
        {
            return;
        }
        if self.vi_takes(name, text, action.as_ref()) {
            return;
        }
        match action {
            Some(action) => {
                self.act(action);
            }
            None => match text {
                Some(letter) => self.edit(Command::Insert(letter.into())),
                None => self.press_control(name),
            },
        }
    }

    /// The keys that begin a search go on with it.
    fn search_again(&self) -> Option<Action> {
        if !self.overlays.is_empty() || !(self.search.is_some() || self.history_find.is_some()) {
            return None;
        }
        let Found::Action(action) = self.keymap.lookup(Context::Main, &self.pending) else {
            return None;
        };
        let goes_on = match action {
            Action::Search | Action::NextMatch | Action::PreviousMatch => self.search.is_some(),
            Action::SearchHistory => self.history_find.is_some(),
            _ => false,
        };
        goes_on.then_some(action)
    }

    fn paste(&mut self, text: &str) {
        if let Some(overlay) = self.overlays.last_mut() {
            overlay.touch(&Touch::Paste(text));
            return;
        }
        let line = || text.lines().next().unwrap_or_default().to_owned();
        if self.search.is_some() {
            return self.type_in_search(&line());
        }
        if self.history_find.is_some() {
            return self.type_in_history(&line());
        }
        self.editor.paste(text);
        self.text_changed();
    }

    /// A key for what lies above the transcript.
    fn key_above(&mut self, action: Option<&Action>, name: &str, text: Option<char>) {
        let Some(overlay) = self.overlays.last_mut() else { return };
        // Keys of its own come before those that are bound.
        let mut reaction = overlay.touch(&Touch::Key(name));
        if let (Reaction::Pass, Some(action)) = (&reaction, action) {
            reaction = overlay.touch(&Touch::Act(action));
        }
        if let (Reaction::Pass, None, Some(letter)) = (&reaction, action, text) {
            let letter = &letter.to_string();
            match overlay {
                Overlay::Picker(picker) => picker.insert(letter),
                Overlay::Prompt(prompt) => prompt.insert(letter),
                Overlay::Page(_) | Overlay::Confirm(_) => {}
            }
        }
        self.react(&reaction);
    }

    /// Carries out what an overlay wants after a key or a click.
    pub(super) fn react(&mut self, reaction: &Reaction) {
        match reaction {
            Reaction::Close => self.close_overlay(),
            Reaction::Stay | Reaction::Pass => self.want_preview(),
        }
    }

    /// Closes what is on top, and says so.
    fn close_overlay(&mut self) {
        if self.overlays.pop().is_some() {
            self.own_dismissals += 1;
            self.wish(Effect::Emit(Dismiss { extra: Extra::new() }.into()));
        }
        self.want_preview();
    }

    /// Somebody asks to close what is on top.
    pub(super) fn dismissed(&mut self) {
        match self.own_dismissals.checked_sub(1) {
            Some(left) => self.own_dismissals = left,
            None => {
                self.overlays.pop();
                self.popup = None;
            }
        }
    }

    fn key_in_queue(&mut self, action: Option<&Action>, name: &str) {
        match (action, name) {
            (Some(Action::ListUp), _) => self.move_in_queue(Direction::Older),
            (Some(Action::ListDown), _) => self.move_in_queue(Direction::Newer),
            (Some(Action::Accept), _) => self.edit_queued(),
            (_, "delete" | "backspace" | "d" | "x") => self.remove_queued(),
            (Some(Action::Cancel), _) => self.queue_focus = None,
            _ => {}
        }
    }

    /// Whether the vi mode made something of a key.
    fn vi_takes(&mut self, name: &str, text: Option<char>, action: Option<&Action>) -> bool {
        let Some(vi) = &mut self.vi else { return false };
        // What is bound to something else than editing stays so.
        let is_free =
            matches!(action, None | Some(Action::Edit(_) | Action::Cancel | Action::SearchHistory));
        let is_its_enter = matches!(action, Some(Action::Submit)) && vi.takes_enter();
        if !is_free && !is_its_enter {
            return false;
        }
        let Some(commands) = vi.key(ViKey::named(name, text)) else { return false };
        for command in commands {
            self.editor.apply(command);
        }
        self.text_changed();
        true
    }

    /// Changes the input.
    pub(super) fn edit(&mut self, command: Command) {
        match command {
            Command::CursorUpOrHistory if self.editor.is_on_first_row() => {
                return self.recall(Direction::Older);
            }
            Command::CursorDownOrHistory if self.editor.is_on_last_row() => {
                return self.recall(Direction::Newer);
            }
            Command::HistoryPrevious => return self.recall(Direction::Older),
            Command::HistoryNext => return self.recall(Direction::Newer),
            _ => {}
        }
        match self.editor.apply(command) {
            Outcome::Changed => self.text_changed(),
            // What is offered depends on where the cursor is.
            Outcome::Moved => self.ask_for_offers(),
            Outcome::Nothing => {}
        }
    }

    fn recall(&mut self, direction: Direction) {
        let draft = self.editor.text();
        let line = match direction {
            Direction::Older => self.history.previous(&draft).map(str::to_owned),
            Direction::Newer => self.history.next().map(str::to_owned),
        };
        if let Some(line) = line {
            self.editor.set_text(&line);
            self.popup = None;
        }
    }

    fn press_control(&mut self, key: &str) {
        self.wish(Effect::Press(key.to_owned()));
    }

    pub(super) fn control_ran(
        &mut self,
        outcome: Option<Result<(), fen_contract::failure::Failure>>,
    ) {
        // A failure is told of by its event; a key without a control is no news.
        if let Some(Ok(())) = outcome {
            self.wish(Effect::Refresh);
        }
    }

    /// Esc: takes back what is closest.
    pub(super) fn cancel(&mut self) {
        if self.popup.take().is_some() || self.selection.take().is_some() {
            return;
        }
        if self.activity.is_busy() {
            self.cancel_turn();
        } else if self.shells > 0 {
            self.wish(Effect::CancelShells);
        } else if !self.transcript.follows() {
            self.transcript.go_end();
        }
    }

    fn cancel_turn(&mut self) {
        self.activity.enter(Phase::Cancelling, self.now);
        self.wish(Effect::Cancel);
        if self.shells > 0 {
            self.wish(Effect::CancelShells);
        }
    }

    /// Ctrl-c: once cancels or clears, twice leaves.
    pub(super) fn interrupt(&mut self) {
        let is_second = self
            .interrupted
            .is_some_and(|at| self.now.saturating_duration_since(at) <= SECOND_INTERRUPT);
        if is_second {
            self.wish(Effect::Quit);
            return;
        }
        self.interrupted = Some(self.now);
        if !self.overlays.is_empty() {
            self.close_overlay();
        } else if self.search.is_some() || self.history_find.is_some() {
            (self.search, self.history_find) = (None, None);
        } else if self.activity.is_busy() {
            self.cancel_turn();
        } else if self.shells > 0 {
            self.wish(Effect::CancelShells);
        } else if !self.editor.is_empty() {
            // What was typed can be had back.
            let text = self.editor.take();
            self.remember(&text);
            self.popup = None;
        }
        self.queue_focus = None;
    }

    /// Unfolds or folds the newest output.
    pub(super) fn expand(&mut self) {
        let in_sight = self.places.foldable;
        let at = in_sight.or_else(|| self.transcript.newest_foldable());
        match at {
            Some(at) => {
                self.transcript.toggle_fold(at);
            }
            None => self.notify("there is nothing to unfold"),
        }
    }

    pub(super) fn show_thinking(&mut self, fold: Fold) {
        let mut manner = self.transcript.manner();
        manner.thinking = fold;
        self.transcript.set_manner(manner);
        self.notify(match fold {
            Fold::Folded => "thinking is folded",
            Fold::Unfolded => "thinking is shown",
        });
    }
}
