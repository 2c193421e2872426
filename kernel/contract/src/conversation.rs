//! The running conversation as presenters and extensions see it.
//!
//! The agent is the one writer; every method here is a request to it or a look at its state.

use crate::agent::Agent;
use crate::command::Completion;
use crate::failure::{BoxFuture, Failure};
use crate::names::{ModelId, ProviderName};
use crate::provider::{ModelInfo, ThinkingLevel};
use crate::session::{FindOptions, SessionInfo};
use crate::ui::Ui;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// One of the two queues of lines that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueName {
    /// Lines that enter the running turn as soon as its tool calls are done.
    Steering,
    /// Lines that begin a turn of their own afterwards.
    FollowUp,
}

impl QueueName {
    /// The queue's name.
    pub fn as_str(self) -> &'static str {
        match self {
            QueueName::Steering => "steering",
            QueueName::FollowUp => "follow-up",
        }
    }
}

/// What to do with a line while a turn is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenBusy {
    /// Refuse it.
    Reject,
    /// Put it into the steering queue.
    Steering,
    /// Put it into the follow-up queue.
    FollowUp,
}

/// What to do with a line for a queue while no turn is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenIdle {
    /// Begin a turn with it.
    Start,
    /// Let it wait for the person's next prompt.
    Wait,
}

/// Whether a prompt is told of as the event `user`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// It is a line of the person's.
    AsUser,
    /// It is not, and only its message is told.
    Silent,
}

/// What became of a submitted line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// It began a turn.
    Started,
    /// It waits in a queue.
    Queued(QueueName),
    /// It was a command; this is how it went.
    Command(Result<(), Failure>),
    /// It was refused.
    Rejected(Failure),
}

/// The lines that wait, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct QueueContents {
    /// Waiting for the running turn.
    pub steering: Vec<String>,
    /// Waiting for a turn of their own.
    pub follow_up: Vec<String>,
}

impl QueueContents {
    /// How many lines wait, in both queues together.
    pub fn len(&self) -> usize {
        self.steering.len() + self.follow_up.len()
    }

    /// Whether no line waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lines of one queue, oldest first.
    pub fn lines(&self, queue: QueueName) -> &[String] {
        match queue {
            QueueName::Steering => &self.steering,
            QueueName::FollowUp => &self.follow_up,
        }
    }
}

/// A model together with the provider that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChoice {
    /// The provider's name.
    pub provider: ProviderName,
    /// The model.
    pub model: ModelInfo,
}

/// The running conversation.
pub trait Conversation: Send + Sync {
    /// The agent's present state.
    fn agent(&self) -> Agent;

    /// Whether a turn is under way.
    fn is_busy(&self) -> bool;

    /// Whether the run is ending: nothing is taken any more.
    fn is_ending(&self) -> bool;

    /// The session, where the conversation is stored.
    fn session(&self) -> Option<SessionInfo>;

    /// Takes a line as a person typed it: a command if its first word is `/name`, else a prompt;
    /// `//` begins a prompt with a slash.
    fn submit_line(&self, line: String, when_busy: WhenBusy) -> BoxFuture<'_, Submitted>;

    /// Takes a prompt; nothing in it is a command.
    fn submit_prompt(&self, text: String, when_busy: WhenBusy) -> Submitted;

    /// The same, with the choice whether it is told of as the person's line.
    fn submit_as(&self, text: String, when_busy: WhenBusy, telling: Telling) -> Submitted;

    /// Puts a line into a queue. While no turn is under way it begins one, or waits for the
    /// person's next prompt.
    fn enqueue(&self, queue: QueueName, text: String, when_idle: WhenIdle) -> Submitted;

    /// Offers completions of a line that begins with `/`: of the command's name, then of its
    /// argument.
    fn complete(&self, line: String) -> BoxFuture<'_, Vec<Completion>>;

    /// Stores an entry that is not a message in the session.
    fn append_entry(&self, kind: String, fields: Value) -> BoxFuture<'_, Result<(), Failure>>;

    /// The session's entries of this kind, oldest first.
    fn load_entries(&self, kind: String) -> BoxFuture<'_, Result<Vec<Value>, Failure>>;

    /// Gives the session a title.
    fn rename_session(&self, title: String) -> BoxFuture<'_, Result<(), Failure>>;

    /// Runs a slash command.
    fn dispatch(&self, line: String) -> BoxFuture<'_, Result<(), Failure>>;

    /// Cancels the running turn; false if there is none.
    fn cancel(&self) -> bool;

    /// The lines that wait.
    fn queue(&self) -> QueueContents;

    /// Replaces the text of a waiting line, or removes it with `None`; false if it is gone.
    fn edit_queued(&self, queue: QueueName, position: usize, text: Option<String>) -> bool;

    /// The same for a line that still says what it did when it was looked at; false where it does not,
    /// since the agent may have taken lines meanwhile.
    fn edit_queued_if(
        &self,
        queue: QueueName,
        position: usize,
        was: &str,
        text: Option<String>,
    ) -> bool;

    /// Removes all waiting lines and gives them back.
    fn clear_queue(&self) -> QueueContents;

    /// How much the model is asked to think.
    fn thinking(&self) -> ThinkingLevel;

    /// Changes it, from the next call on.
    fn set_thinking(&self, level: ThinkingLevel);

    /// The models that are known without asking a service.
    fn models(&self) -> Vec<ModelChoice>;

    /// Changes the model, from the next call on.
    fn set_model(&self, provider: ProviderName, model: ModelId) -> Result<(), Failure>;

    /// Puts a tool whose exposure is `search` on offer, from the next call on and for the rest of the
    /// conversation; false if no tool of this name may be used.
    fn reveal_tool(&self, name: &str) -> bool;

    /// Begins an empty conversation in a new session.
    fn reset(&self) -> BoxFuture<'_, Result<(), Failure>>;

    /// Lists the stored sessions, newest first, of the backend that keeps this conversation; where
    /// nothing is stored, of the backend that an extension made the active one, or the first.
    fn sessions(&self, _options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        Box::pin(std::future::ready(Err(no_store())))
    }

    /// Leaves this conversation and goes on with a stored one, which `path` of a [`SessionInfo`]
    /// names. Where that fails nothing has changed. It gives what is known of the session that is
    /// now open, which is a copy where the stored one cannot be added to.
    ///
    /// # Errors
    /// A turn is under way, or the session cannot be read or opened.
    fn resume(&self, _path: PathBuf) -> BoxFuture<'_, Result<SessionInfo, Failure>> {
        Box::pin(std::future::ready(Err(no_store())))
    }

    /// Tells the beginning and the end of a stored conversation in a few lines.
    fn preview_session(&self, _path: PathBuf) -> BoxFuture<'_, Result<String, Failure>> {
        Box::pin(std::future::ready(Err(no_store())))
    }

    /// Gives a stored session a title, be it this one or another.
    fn rename_stored(&self, _path: PathBuf, _title: String) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(std::future::ready(Err(no_store())))
    }

    /// Deletes a stored session. The one that is open stays.
    fn delete_stored(&self, _path: PathBuf) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(std::future::ready(Err(no_store())))
    }

    /// Ends the run: the presenter's event source runs dry.
    fn quit(&self);

    /// Where questions to the person go; `None` if nobody can be asked.
    fn ui(&self) -> Option<Arc<dyn Ui>>;
}

fn no_store() -> Failure {
    Failure::caller("no stored conversations can be reached from here")
}
