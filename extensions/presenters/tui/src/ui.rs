//! How extensions and commands reach the person: each request goes to the screen's thread.

use crate::input::{Ask, Input};
use crate::presenter::Link;
use crate::transcript::Fold;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::ui::{Choice, KeyRow, Page, Picked, Question, Themes, Ui, Visibility};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// What the screen knows and others may ask, without waiting for it.
#[derive(Default)]
pub(crate) struct Shown(Mutex<(Vec<KeyRow>, Themes)>);

impl Shown {
    pub fn set(&self, keys: Vec<KeyRow>, themes: Themes) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (keys, themes);
    }

    fn keys(&self) -> Vec<KeyRow> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    fn themes(&self) -> Themes {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

/// The screen as others reach it.
pub(crate) struct ScreenUi {
    link: Arc<Link>,
    shown: Arc<Shown>,
}

impl ScreenUi {
    pub fn new(link: Arc<Link>) -> ScreenUi {
        ScreenUi { link, shown: Arc::default() }
    }

    pub fn shown(&self) -> Arc<Shown> {
        self.shown.clone()
    }

    fn ask(&self, ask: Ask) {
        self.link.mailbox.push(Input::Ask(ask));
    }
}

impl Ui for ScreenUi {
    fn notify(&self, text: &str) {
        // A flood of remarks loses some; nobody waits for them.
        self.link.mailbox.offer(Input::Ask(Ask::Notify(text.to_owned())));
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        let (answer, given) = oneshot::channel();
        self.ask(Ask::Prompt(question, answer));
        // Dropped without an answer, it was declined.
        Box::pin(async move { given.await.ok().flatten() })
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>> {
        let picked = self.pick(Choice { actions: Vec::new(), ..choice });
        Box::pin(async move { picked.await.map(|picked| picked.value) })
    }

    fn pick(&self, choice: Choice) -> BoxFuture<'_, Option<Picked>> {
        let (answer, given) = oneshot::channel();
        self.ask(Ask::Pick(choice, answer));
        Box::pin(async move { given.await.ok().flatten() })
    }

    fn has_screen(&self) -> bool {
        true
    }

    fn show(&self, page: Page) -> Result<(), Failure> {
        self.ask(Ask::Show(page));
        Ok(())
    }

    fn confirm(&self, question: Question) -> BoxFuture<'_, Option<bool>> {
        let (answer, given) = oneshot::channel();
        self.ask(Ask::Confirm(question, answer));
        Box::pin(async move { given.await.ok().flatten() })
    }

    fn copy(&self, text: String) -> Result<(), Failure> {
        self.ask(Ask::Copy(text));
        Ok(())
    }

    fn expand(&self) -> Result<(), Failure> {
        self.ask(Ask::Expand);
        Ok(())
    }

    fn keys(&self) -> Vec<KeyRow> {
        self.shown.keys()
    }

    fn themes(&self) -> Option<Themes> {
        Some(self.shown.themes())
    }

    fn set_theme(&self, name: &str) -> Result<(), Failure> {
        let themes = self.shown.themes();
        if !themes.names.iter().any(|known| known == name) {
            return Err(Failure::caller(format!(
                "there is no theme `{name}`; there are {}",
                themes.names.join(", ")
            )));
        }
        self.ask(Ask::Theme(name.to_owned()));
        Ok(())
    }

    fn redraw(&self) {
        self.ask(Ask::Redraw);
    }

    fn show_thinking(&self, visibility: Visibility) -> Result<(), Failure> {
        self.ask(Ask::Thinking(match visibility {
            Visibility::Shown => Fold::Unfolded,
            Visibility::Hidden => Fold::Folded,
        }));
        Ok(())
    }
}
