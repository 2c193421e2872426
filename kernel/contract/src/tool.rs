//! The interface of a tool.

use crate::cancel::CancelToken;
use crate::failure::BoxFuture;
use crate::names::{SessionId, ToolCallId};
use crate::types::AgentToolResult;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// What a running tool knows of its call.
#[derive(Clone)]
pub struct ToolCallContext {
    /// The directory that relative paths start from.
    pub cwd: PathBuf,
    /// The call's id.
    pub call_id: ToolCallId,
    /// The session, where the conversation is stored.
    pub session_id: Option<SessionId>,
    /// Tripped when the person cancels; the tool then ends soon, its children too.
    pub cancel: CancelToken,
    /// Takes output as it comes, for presenters; the result still carries it.
    pub output: Arc<dyn Fn(&str) + Send + Sync>,
}

impl ToolCallContext {
    /// A context for a call outside any conversation; nothing listens to its output.
    pub fn detached(cwd: impl Into<PathBuf>) -> Self {
        ToolCallContext {
            cwd: cwd.into(),
            call_id: "detached".into(),
            session_id: None,
            cancel: CancelToken::new(),
            output: Arc::new(|_| {}),
        }
    }
}

/// Beside which other calls of the same answer a call may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concurrency {
    /// Beside any other.
    Parallel,
    /// Beside none.
    Serial,
    /// Beside any but those on the same path.
    ExclusivePath(PathBuf),
}

/// A tool's behaviour. Its name, description and schema stand in the
/// [`ToolSpec`](crate::kinds::ToolSpec).
pub trait Tool: Send + Sync {
    /// Runs with arguments that fit the schema. What goes wrong is an error result.
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult>;

    /// How this call may run beside others.
    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Serial
    }
}
