//! Why a tool did not do what it was asked, in words for the model.

use fen_contract::types::AgentToolResult;
use std::io;
use std::path::Path;

use crate::paths::shown;

/// The words of an error result: what happened, to what, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(pub(crate) String);

impl Refusal {
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Refusal(words.into())
    }

    /// What the operating system said about `path` while fen tried to `verb` it.
    pub(crate) fn io(verb: &str, path: &Path, error: &io::Error) -> Self {
        let path = shown(path);
        Refusal(match error.kind() {
            io::ErrorKind::NotFound => format!("Cannot {verb} {path}: it does not exist."),
            io::ErrorKind::PermissionDenied => {
                format!("Cannot {verb} {path}: permission denied.")
            }
            io::ErrorKind::StorageFull => {
                format!("Cannot {verb} {path}: no space is left on the device.")
            }
            _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                format!("Cannot {verb} {path}: its symbolic links form a loop.")
            }
            _ => format!("Cannot {verb} {path}: {error}."),
        })
    }
}

/// A refusal is an error result.
pub(crate) fn settle(outcome: Result<AgentToolResult, Refusal>) -> AgentToolResult {
    outcome.unwrap_or_else(|Refusal(words)| AgentToolResult::error(words))
}
