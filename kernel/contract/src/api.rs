//! What an extension may do: the `api` that it is loaded with. Scripts get the same surface.

use crate::conversation::Conversation;
use crate::events::Event;
use crate::failure::{BoxFuture, Failure};
use crate::kinds::Contribution;
use crate::names::Owner;
use crate::ui::{PanelView, RenderContext, StatusView};
use crate::validate::ContractError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Where an extension comes from. Later ones rank higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// It comes with fen.
    Bundled,
    /// The person installed it.
    User,
    /// The project carries it.
    Project,
    /// It was named on the command line.
    Explicit,
}

impl Source {
    /// The source's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::Bundled => "bundled",
            Source::User => "user",
            Source::Project => "project",
            Source::Explicit => "explicit",
        }
    }
}

/// What is known of an extension before it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Manifest {
    /// Its name; contributions carry it as their owner.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Contributions of a lower source that it means to replace, as `kind/name`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<String>,
}

/// An extension written in Rust.
pub trait Extension: Send + Sync {
    /// Describes it.
    fn manifest(&self) -> Manifest;

    /// Makes its contributions.
    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure>;
}

/// Names one registration, handler or fragment, so that it can be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegistrationId(pub u64);

/// Hears an event. It must not block; a failure becomes `extension-error`.
pub type EventHandler = Arc<dyn Fn(&Arc<Event>) -> Result<(), Failure> + Send + Sync>;

/// Makes the text of a prompt fragment when a request is put together.
pub type FragmentMaker =
    Arc<dyn Fn() -> BoxFuture<'static, Result<Option<String>, Failure>> + Send + Sync>;

/// The text of a prompt fragment.
#[derive(Clone)]
pub enum FragmentText {
    /// The same in every request.
    Fixed(Arc<str>),
    /// Made anew for each request; `None` leaves the fragment out.
    Made(FragmentMaker),
}

impl FragmentText {
    /// A text that is made without waiting.
    pub fn made(
        make: impl Fn() -> Result<Option<String>, Failure> + Send + Sync + 'static,
    ) -> FragmentText {
        FragmentText::Made(Arc::new(move || Box::pin(std::future::ready(make()))))
    }
}

/// A piece of the system prompt.
#[derive(Clone)]
pub struct PromptFragment {
    /// Unique; a second fragment of the same id replaces the first of the same owner.
    pub id: String,
    /// A heading above the text, if wanted.
    pub title: Option<String>,
    /// Its place; lower comes first. Facts that change belong at 900 and beyond.
    pub order: f64,
    /// The text.
    pub text: FragmentText,
}

/// How grave a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// For those who look for a fault.
    Debug,
    /// Worth knowing.
    Info,
    /// Something is not as it should be.
    Warn,
    /// Something failed.
    Error,
}

/// What `list` can show.
pub const SURFACES: [&str; 16] = [
    "extensions",
    "commands",
    "tools",
    "providers",
    "presenters",
    "session-backends",
    "auth-backends",
    "controls",
    "hooks",
    "status",
    "panels",
    "introspectors",
    "event-handlers",
    "prompt-fragments",
    "models",
    "logs",
];

/// The surface that an extension works with. It is bound to its owner.
pub trait Api: Send + Sync {
    /// The extension that it belongs to.
    fn owner(&self) -> Owner;

    /// Makes a contribution.
    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError>;

    /// Takes a contribution, a handler or a fragment back; false if it is gone already.
    fn unregister(&self, id: RegistrationId) -> bool;

    /// Hears the events of this name, or all with `*`, after the named ones.
    fn on(&self, event: &str, handler: EventHandler) -> RegistrationId;

    /// Emits a request, something to display, or an own event named `owner/what`.
    fn emit(&self, event: Event) -> Result<(), Failure>;

    /// Writes to the bounded log.
    fn log(&self, level: LogLevel, message: &str);

    /// Adds a piece to the system prompt.
    fn prompt(&self, fragment: PromptFragment) -> RegistrationId;

    /// The rows of a surface, one of [`SURFACES`], each with `owner` and `source`.
    fn list(&self, surface: &str) -> Result<Vec<Value>, Failure>;

    /// Snapshots of the extensions' state; a failing one is `{"error": …}`.
    fn snapshots(&self, owner: Option<String>) -> BoxFuture<'_, Vec<Value>>;

    /// The panels that are shown now, in order. A failing one is an error row, told of as
    /// `extension-error` once until it works again or fails otherwise.
    fn panels(&self, _context: RenderContext) -> BoxFuture<'_, Vec<PanelView>> {
        Box::pin(std::future::ready(Vec::new()))
    }

    /// The status items that have something to say, in order; a failing one is left out and told
    /// of like a panel.
    fn status_items(&self, _context: RenderContext) -> BoxFuture<'_, Vec<StatusView>> {
        Box::pin(std::future::ready(Vec::new()))
    }

    /// Runs the control that has this key, such as `ctrl-g`, and tells how that went; `None` if no
    /// control has it. A failure is told of as `extension-error` besides.
    fn press<'a>(&'a self, _key: &'a str) -> BoxFuture<'a, Option<Result<(), Failure>>> {
        Box::pin(std::future::ready(None))
    }

    /// The person's settings as JSON, without what looks like a secret; an empty object where there
    /// are none.
    fn settings(&self) -> Value {
        Value::Object(serde_json::Map::new())
    }

    /// The running conversation; `None` before it has begun.
    fn conversation(&self) -> Option<Arc<dyn Conversation>>;
}
