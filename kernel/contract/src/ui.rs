//! What extensions contribute to the screen, and the questions that they may ask.

use crate::failure::{BoxFuture, Failure};
use crate::kinds::{Placement, Side};
use crate::names::Owner;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Some text in one style. Styles are words: `user`, `assistant`, `tool`, `error`, `warning`,
/// `success`, `dim`, `accent`, `status`; an unknown one looks like the default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The text.
    pub text: String,
    /// The style's name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub style: Option<String>,
}

/// One row of a panel.
pub type Row = Vec<Segment>;

/// What a rendering callback is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RenderContext {
    /// Columns of the screen.
    pub width: u16,
    /// Rows of the screen.
    pub height: u16,
    /// Whether a turn is under way.
    #[serde(rename = "busy?")]
    pub busy: bool,
}

/// The behaviour of a status item.
pub trait StatusItem: Send + Sync {
    /// The present text, or `None` to hide it.
    fn render<'a>(
        &'a self,
        context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Option<Segment>, Failure>>;
}

/// The behaviour of a panel.
pub trait Panel: Send + Sync {
    /// The present rows.
    fn render<'a>(&'a self, context: &'a RenderContext)
    -> BoxFuture<'a, Result<Vec<Row>, Failure>>;

    /// Whether it is shown.
    fn is_enabled<'a>(
        &'a self,
        _context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<bool, Failure>> {
        Box::pin(std::future::ready(Ok(true)))
    }

    /// How many rows it wants; `None` for as many as it renders.
    fn height<'a>(
        &'a self,
        _context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Option<u16>, Failure>> {
        Box::pin(std::future::ready(Ok(None)))
    }
}

/// The behaviour of a control.
pub trait Control: Send + Sync {
    /// Runs when its key is pressed.
    fn activate(&self) -> BoxFuture<'_, Result<(), Failure>>;
}

/// A question with a free answer.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// The answer that is offered.
    pub initial: Option<String>,
    /// Whether the answer is kept off the screen.
    pub secret: bool,
}

/// A question with given answers.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// What is asked.
    pub title: String,
    /// The answers: what is shown, and what is given back.
    pub choices: Vec<(String, Value)>,
    /// The first filter text.
    pub initial_query: Option<String>,
}

/// The person's side of questions, offered by a presenter that can ask.
pub trait Ui: Send + Sync {
    /// Shows a remark.
    fn notify(&self, text: &str);

    /// Asks; `None` if the person declined.
    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>>;

    /// Offers answers; `None` if the person declined.
    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>>;
}

/// A panel as it looks now.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelView {
    /// The extension.
    pub owner: Owner,
    /// The panel's name.
    pub name: String,
    /// Its heading.
    pub title: Option<String>,
    /// Where it stands.
    pub placement: Placement,
    /// Its place among the panels there.
    pub order: f64,
    /// How many rows it wants; `None` for as many as it has.
    pub height: Option<u16>,
    /// Its rows; a single one in the style `error` where it failed.
    pub rows: Vec<Row>,
}

/// A status item as it looks now.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusView {
    /// The extension.
    pub owner: Owner,
    /// The item's name.
    pub name: String,
    /// Which end of the row it stands at.
    pub side: Side,
    /// Its place on that side.
    pub order: f64,
    /// What it says.
    pub segment: Segment,
}
