//! What extensions contribute to the screen, and the questions that they may ask.

use crate::failure::{BoxFuture, Failure};
use crate::kinds::{Placement, Side};
use crate::names::Owner;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

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

/// One answer that is offered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offer {
    /// What is shown.
    pub label: String,
    /// What is given back.
    pub value: Value,
    /// Dim words at the end of the row.
    pub detail: Option<String>,
}

impl Offer {
    /// The same answer with dim words at the end of its row.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

impl From<(String, Value)> for Offer {
    fn from((label, value): (String, Value)) -> Self {
        Offer { label, value, detail: None }
    }
}

/// Something else that may be done with an offer than choosing it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OfferAction {
    /// The key that does it, such as `ctrl-d`.
    pub key: String,
    /// The name that is given back.
    pub name: String,
    /// What is shown.
    pub label: String,
}

/// Gives a few lines about an offer's value, for the person to look at before choosing.
pub type Preview = Arc<dyn Fn(&Value) -> BoxFuture<'static, Option<String>> + Send + Sync>;

/// A question with given answers.
#[derive(Clone, Default)]
pub struct Choice {
    /// What is asked.
    pub title: String,
    /// The answers.
    pub choices: Vec<Offer>,
    /// The first filter text.
    pub initial_query: Option<String>,
    /// The value that holds now; it is marked.
    pub current: Option<Value>,
    /// What else may be done with an answer. Only [`Ui::pick`] tells of it.
    pub actions: Vec<OfferAction>,
    /// Tells more of an answer, where the presenter has room for that.
    pub preview: Option<Preview>,
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choice")
            .field("title", &self.title)
            .field("choices", &self.choices)
            .field("initial_query", &self.initial_query)
            .field("current", &self.current)
            .field("actions", &self.actions)
            .field("preview", &self.preview.is_some())
            .finish()
    }
}

/// What a person picked.
#[derive(Debug, Clone, PartialEq)]
pub struct Picked {
    /// The value of the offer.
    pub value: Value,
    /// The name of the action, where it was not simply chosen.
    pub action: Option<String>,
}

/// How the text of a page is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PageFormat {
    /// Markdown, to be laid out.
    #[default]
    Markdown,
    /// Lines, to be shown as they are.
    Plain,
}

/// A text to read at leisure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its heading.
    pub title: String,
    /// The text.
    pub text: String,
    /// How the text is written.
    pub format: PageFormat,
}

/// A key that the presenter knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyRow {
    /// The key, such as `ctrl-d`.
    pub key: String,
    /// The name of what it does.
    pub action: String,
    /// What it does, in words.
    pub description: String,
    /// Why it does not do that now, such as a conflict with another row.
    pub problem: Option<String>,
}

/// The looks that a presenter has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Themes {
    /// The name of the present one.
    pub current: String,
    /// The names of all.
    pub names: Vec<String>,
}

/// Whether something is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// It is.
    Shown,
    /// It is not.
    Hidden,
}

/// The person's side of questions, offered by a presenter that can ask. What only some presenters
/// can do has a default that says so.
pub trait Ui: Send + Sync {
    /// Shows a remark.
    fn notify(&self, text: &str);

    /// Asks; `None` if the person declined.
    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>>;

    /// Offers answers; `None` if the person declined. The actions of the choice are not offered.
    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>>;

    /// Offers answers together with the actions of the choice; `None` if the person declined. A
    /// presenter without keys for the actions offers the answers alone.
    fn pick(&self, choice: Choice) -> BoxFuture<'_, Option<Picked>> {
        Box::pin(async move {
            let value = self.select(choice).await?;
            Some(Picked { value, action: None })
        })
    }

    /// Whether choices and pages have room of their own on the screen, so that commands may open
    /// them unasked.
    fn has_screen(&self) -> bool {
        false
    }

    /// Opens a page; the person closes it.
    ///
    /// # Errors
    /// The presenter shows no pages.
    fn show(&self, _page: Page) -> Result<(), Failure> {
        Err(Failure::caller("this presenter shows no pages"))
    }

    /// Asks for a yes or a no; `None` if the person declined.
    fn confirm(&self, question: Question) -> BoxFuture<'_, Option<bool>> {
        let offer = |label: &str, value: bool| Offer::from((label.to_owned(), value.into()));
        let choice = Choice {
            title: question.text,
            choices: vec![offer("No", false), offer("Yes", true)],
            ..Choice::default()
        };
        Box::pin(async move { self.select(choice).await?.as_bool() })
    }

    /// Puts a text into the clipboard of the person. The presenter tells the person what became of it,
    /// since that may be known only later; whoever calls says nothing.
    ///
    /// # Errors
    /// The presenter reaches no clipboard.
    fn copy(&self, _text: String) -> Result<(), Failure> {
        Err(Failure::caller("this presenter reaches no clipboard"))
    }

    /// Unfolds the newest output that is folded, or folds it again.
    ///
    /// # Errors
    /// The presenter folds nothing.
    fn expand(&self) -> Result<(), Failure> {
        Err(Failure::caller("this presenter folds nothing"))
    }

    /// The keys that the presenter knows.
    fn keys(&self) -> Vec<KeyRow> {
        Vec::new()
    }

    /// The looks to choose from; `None` where there is only one.
    fn themes(&self) -> Option<Themes> {
        None
    }

    /// Changes the look, and tells the person.
    ///
    /// # Errors
    /// The presenter has no look of that name.
    fn set_theme(&self, _name: &str) -> Result<(), Failure> {
        Err(Failure::caller("this presenter has no themes"))
    }

    /// Draws everything anew, whatever is on the screen now. A presenter without a screen does nothing.
    fn redraw(&self) {}

    /// Shows what models think, or hides it, and tells the person.
    ///
    /// # Errors
    /// The presenter cannot change that.
    fn show_thinking(&self, _visibility: Visibility) -> Result<(), Failure> {
        Err(Failure::caller("this presenter cannot show or hide thinking blocks"))
    }
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
