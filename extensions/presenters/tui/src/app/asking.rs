//! What extensions and commands ask of the person and of the screen.

use super::App;
use crate::effect::Effect;
use crate::input::Ask;
use crate::overlay::{Overlay, PreviewRequest};
use fen_contract::ui::{Page, PageFormat};

/// How many questions wait at the most, one above the other.
const OVERLAYS: usize = 16;

impl App {
    pub(super) fn ask(&mut self, ask: Ask) {
        let overlay = match ask {
            Ask::Prompt(question, answer) => Overlay::prompt(question, answer),
            Ask::Confirm(question, answer) => Overlay::confirm(question, answer),
            Ask::Pick(choice, answer) => Overlay::picker(choice, answer),
            Ask::Show(page) => Overlay::page(page),
            Ask::Notify(text) => {
                // Long remarks would be gone before they are read.
                return match text.lines().count() > 1 || text.len() > 80 {
                    true => self
                        .transcript
                        .note(crate::transcript::NoteKind::Info, text.as_str().into()),
                    false => self.notify(text),
                };
            }
            Ask::Copy(text) => return self.wish(Effect::Copy(text)),
            Ask::Expand => return self.expand(),
            Ask::Redraw => return self.wish(Effect::Redraw),
            Ask::Thinking(fold) => return self.show_thinking(fold),
            Ask::Theme(name) => return self.take_theme(&name),
        };
        if self.overlays.len() >= OVERLAYS {
            self.complain("too many questions at once; one was declined");
            return;
        }
        self.popup = None;
        self.overlays.push(overlay);
        self.want_preview();
    }

    /// Closes what nobody waits for any more; whether there was something.
    pub(super) fn drop_abandoned(&mut self) -> bool {
        let count = self.overlays.len();
        self.overlays.retain(|overlay| !overlay.is_abandoned());
        if self.overlays.len() == count {
            return false;
        }
        self.want_preview();
        true
    }

    fn take_theme(&mut self, name: &str) {
        match self.themes.get(name) {
            Ok(theme) => {
                self.notify(format!("theme {}", theme.name));
                self.theme = theme;
                self.wish(Effect::Publish);
            }
            Err(why) => self.tell_error(&why.to_string()),
        }
    }

    /// Asks for the preview of what is chosen, where there is one.
    pub(super) fn want_preview(&mut self) {
        let Some(Overlay::Picker(picker)) = self.overlays.last_mut() else { return };
        if let Some(PreviewRequest { make, value }) = picker.wants_preview() {
            let ticket = self.ticket();
            self.preview_ticket = ticket;
            self.wish(Effect::Preview { ticket, make, value });
        }
    }

    pub(super) fn preview_came(&mut self, ticket: u64, text: &str) {
        if ticket == self.preview_ticket
            && let Some(Overlay::Picker(picker)) = self.overlays.last_mut()
        {
            picker.set_preview(text);
        }
    }

    /// Shows the keys.
    pub(super) fn show_keys(&mut self) {
        let text = crate::keys::page(&self.keymap);
        let page = Page { title: "Keys".to_owned(), text, format: PageFormat::Markdown };
        self.overlays.push(Overlay::page(page));
    }
}
