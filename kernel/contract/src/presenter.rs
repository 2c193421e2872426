//! The interface of a presenter, and what it may ask of the kernel.

use crate::api::Api;
use crate::conversation::Conversation;
use crate::events::Event;
use crate::failure::{BoxFuture, Failure};
use crate::ui::Ui;
use std::sync::Arc;

/// What a presenter is given when it runs.
#[derive(Clone)]
pub struct PresenterContext {
    /// The conversation: submitting, cancelling, the queue.
    pub conversation: Arc<dyn Conversation>,
    /// The extension surface, owned by the presenter's extension.
    pub api: Arc<dyn Api>,
    /// The events of the run, from before `agent-started` on.
    pub events: Arc<dyn EventSource>,
    /// The prompt from the command line, if one was given.
    pub prompt: Option<String>,
}

/// A subscription to the bus.
pub trait EventSource: Send + Sync {
    /// The next event, or `None` once the run is over or the subscription was cut off. Consecutive
    /// deltas of one block may have been merged.
    fn next_event(&self) -> BoxFuture<'_, Option<Arc<Event>>>;

    /// The next event if one is waiting.
    fn try_next_event(&self) -> Option<Arc<Event>>;
}

/// The behaviour of a presenter.
pub trait Presenter: Send + Sync {
    /// Prepares the run.
    fn init<'a>(&'a self, _context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Takes input and shows output until the run is over.
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>>;

    /// Gives back what `init` and `run` took; called on every path.
    fn shutdown<'a>(
        &'a self,
        _context: &'a PresenterContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Where questions go while it runs; `None` if it cannot ask.
    fn ui(&self) -> Option<Arc<dyn Ui>> {
        None
    }
}
