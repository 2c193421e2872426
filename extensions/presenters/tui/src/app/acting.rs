//! What each action does in the conversation, where nothing else has the keys.

use super::App;
use crate::effect::{Effect, Mouse};
use crate::keymap::Action;
use crate::overlay::Reaction;
use crate::transcript::Times;
use fen_contract::conversation::WhenBusy;
use fen_editor::Command;

impl App {
    /// Does what an action means in the conversation. It passes what belongs to other places.
    pub(crate) fn act(&mut self, action: Action) -> Reaction {
        let height = self.transcript_rows;
        let page = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(1);
        match action {
            Action::Submit => self.submit(WhenBusy::Steering),
            Action::FollowUp => self.submit(WhenBusy::FollowUp),
            Action::NewLine => self.edit(Command::Newline),
            Action::Cancel => self.cancel(),
            Action::EndOfInput => match self.editor.is_empty() {
                true => self.wish(Effect::Quit),
                false => self.edit(Command::DeleteForward),
            },
            Action::ToggleThinking => {
                let thinking = self.transcript.manner().thinking.toggled();
                self.show_thinking(thinking);
            }
            Action::ToggleOutput => self.expand(),
            Action::ToggleTimestamps => {
                let mut manner = self.transcript.manner();
                manner.times = match manner.times {
                    Times::Shown => Times::Hidden,
                    Times::Hidden => Times::Shown,
                };
                self.transcript.set_manner(manner);
            }
            Action::Search | Action::NextMatch | Action::PreviousMatch => self.begin_search(),
            Action::SearchHistory => self.begin_history_find(),
            Action::ExternalEditor => self.wish(Effect::Edit(self.editor.text())),
            Action::Complete => self.complete(),
            // Where something is offered, what is offered has this key.
            Action::CompleteBack => {}
            Action::ScrollUp => self.transcript.scroll(-1, height, &self.ink),
            Action::ScrollDown => self.transcript.scroll(1, height, &self.ink),
            Action::PageUp => self.transcript.scroll(-page, height, &self.ink),
            Action::PageDown => self.transcript.scroll(page, height, &self.ink),
            Action::GoTop => self.transcript.go_top(height, &self.ink),
            Action::GoBottom => self.transcript.go_end(),
            Action::PreviousMessage => self.go_to_previous_message(),
            Action::NextMessage => self.transcript.next_message(height, &self.ink),
            Action::EditQueue => self.focus_queue(),
            Action::ShowKeys => self.show_keys(),
            Action::ShowErrors => {
                self.wish(Effect::ShowErrors(self.errors.iter().cloned().collect()))
            }
            Action::CopyAnswer => match self.transcript.last_answer().map(str::to_owned) {
                Some(text) => self.wish(Effect::Copy(text)),
                None => self.complain("there is no answer yet"),
            },
            Action::ToggleVi => {
                self.vi = match self.vi {
                    Some(_) => None,
                    None => Some(fen_editor::Vi::default()),
                };
            }
            Action::Edit(name) => match name.parse::<Command>() {
                Ok(command) => self.edit(command),
                Err(_) => self.complain(format!("`{name}` is nothing that the input can do")),
            },
            Action::Control(name) => self.wish(Effect::PressNamed(name)),
            Action::Interrupt | Action::Suspend | Action::Redraw | Action::ToggleMouse => {
                return self.act_anywhere(&action);
            }
            Action::ListUp
            | Action::ListDown
            | Action::ListPageUp
            | Action::ListPageDown
            | Action::ListFirst
            | Action::ListLast
            | Action::ListFilterBack
            | Action::ListFilterWordBack
            | Action::ListFilterClear
            | Action::Accept => return Reaction::Pass,
        }
        Reaction::Stay
    }

    fn go_to_previous_message(&mut self) {
        if !self.transcript.previous_message(self.transcript_rows, &self.ink) {
            self.notify("no message of yours above");
        }
    }

    /// Does what an action means wherever one is. It passes all others.
    pub(crate) fn act_anywhere(&mut self, action: &Action) -> Reaction {
        match action {
            Action::Interrupt => self.interrupt(),
            Action::Suspend => self.wish(Effect::Suspend),
            Action::Redraw => self.wish(Effect::Redraw),
            Action::ToggleMouse => self.toggle_mouse(),
            _ => return Reaction::Pass,
        }
        Reaction::Stay
    }

    /// Takes the mouse, or leaves it to the terminal.
    fn toggle_mouse(&mut self) {
        self.mouse = match self.mouse {
            Mouse::Reported => Mouse::Left,
            Mouse::Left => Mouse::Reported,
        };
        self.wish(Effect::Mouse(self.mouse));
        self.notify(match self.mouse {
            Mouse::Reported => "the mouse is fen's",
            Mouse::Left => "the mouse is the terminal's",
        });
    }
}
