//! What lies above the transcript until it is answered or closed: pickers, pages, questions.
//!
//! Each is a small state of its own with rows to show. Where an answer is awaited, dropping the overlay
//! declines.

mod asked;
mod page;
mod picker;
mod question;

pub(crate) use page::PageView;
pub(crate) use picker::Picker;
pub(crate) use question::{Confirm, Prompt};

use crate::keymap::{Action, Context};
use fen_cells::Line;
use fen_contract::ui::{Choice, Page, Picked, Preview, Question};
use serde_json::Value;
use tokio::sync::oneshot;

/// Something above the transcript.
pub(crate) enum Overlay {
    /// Offers to choose from.
    Picker(Box<Picker>),
    /// A text to read.
    Page(Box<PageView>),
    /// A question with a free answer.
    Prompt(Box<Prompt>),
    /// A question with yes or no.
    Confirm(Box<Confirm>),
}

/// What an overlay shows.
pub(crate) struct Sheet {
    /// Its heading.
    pub title: String,
    /// Its rows, no more than were asked for.
    pub rows: Vec<Line>,
    /// The cursor among them: row and column.
    pub cursor: Option<(usize, usize)>,
    /// The row that is chosen.
    pub selected: Option<usize>,
    /// What its keys do.
    pub hint: String,
}

/// What became of a key or a click.
pub(crate) enum Reaction {
    /// It stays.
    Stay,
    /// It goes; whoever asked has the answer.
    Close,
    /// The key means nothing to it.
    Pass,
}

/// What an overlay is told.
pub(crate) enum Touch<'a> {
    /// A key that is bound to something.
    Act(&'a Action),
    /// A key as it is.
    Key(&'a str),
    /// Pasted text.
    Paste(&'a str),
    /// A click on one of its rows.
    Click(usize),
    /// The wheel, by rows; below zero is up.
    Wheel(isize),
}

/// A preview that is to be made.
pub(crate) struct PreviewRequest {
    pub make: Preview,
    pub value: Value,
}

impl Overlay {
    pub fn page(page: Page) -> Overlay {
        Overlay::Page(Box::new(PageView::new(page)))
    }

    pub fn picker(choice: Choice, answer: oneshot::Sender<Option<Picked>>) -> Overlay {
        Overlay::Picker(Box::new(Picker::new(choice, answer)))
    }

    pub fn prompt(question: Question, answer: oneshot::Sender<Option<String>>) -> Overlay {
        Overlay::Prompt(Box::new(Prompt::new(question, answer)))
    }

    pub fn confirm(question: Question, answer: oneshot::Sender<Option<bool>>) -> Overlay {
        Overlay::Confirm(Box::new(Confirm::new(question, answer)))
    }

    /// Whether whoever asked has given up.
    pub fn is_abandoned(&self) -> bool {
        match self {
            Overlay::Picker(picker) => picker.is_abandoned(),
            Overlay::Page(_) => false,
            Overlay::Prompt(prompt) => prompt.is_abandoned(),
            Overlay::Confirm(confirm) => confirm.is_abandoned(),
        }
    }

    /// Which bindings its keys have.
    pub fn context(&self) -> Context {
        match self {
            Overlay::Picker(_) => Context::List,
            Overlay::Page(_) => Context::Page,
            Overlay::Prompt(_) | Overlay::Confirm(_) => Context::Question,
        }
    }

    /// Tells it of a key, a click or pasted text.
    pub fn touch(&mut self, touch: &Touch<'_>) -> Reaction {
        match self {
            Overlay::Picker(picker) => picker.touch(touch),
            Overlay::Page(page) => page.touch(touch),
            Overlay::Prompt(prompt) => prompt.touch(touch),
            Overlay::Confirm(confirm) => confirm.touch(touch),
        }
    }

    /// What it shows in so many cells and rows.
    pub fn sheet(&mut self, cells: usize, rows: usize) -> Sheet {
        match self {
            Overlay::Picker(picker) => picker.sheet(cells, rows),
            Overlay::Page(page) => page.sheet(cells, rows),
            Overlay::Prompt(prompt) => prompt.sheet(cells, rows),
            Overlay::Confirm(confirm) => confirm.sheet(cells, rows),
        }
    }
}
