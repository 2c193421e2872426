//! The interface of a slash command.

use crate::agent::Agent;
use crate::failure::{BoxFuture, Failure};
use crate::session::SessionInfo;
use serde::{Deserialize, Serialize};

/// What a command knows of its caller.
#[derive(Debug, Clone)]
pub struct CommandContext {
    /// Whether a turn is under way.
    pub busy: bool,
    /// The agent: model, provider, working directory and messages.
    pub agent: Agent,
    /// The session, where the conversation is stored.
    pub session: Option<SessionInfo>,
}

/// One offer of a completion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// What is shown.
    pub label: String,
    /// What is inserted.
    pub value: String,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
}

/// A command's behaviour.
pub trait Command: Send + Sync {
    /// Runs with the text after the name. What it wants to say it emits as `info`.
    fn run<'a>(
        &'a self,
        arguments: &'a str,
        context: &'a CommandContext,
    ) -> BoxFuture<'a, Result<(), Failure>>;

    /// Offers completions of an argument.
    fn complete<'a>(
        &'a self,
        _prefix: &'a str,
        _context: &'a CommandContext,
    ) -> BoxFuture<'a, Vec<Completion>> {
        Box::pin(std::future::ready(Vec::new()))
    }
}
