//! The interface of a hook: a look at a tool call before it runs.

use crate::failure::{BoxFuture, Failure};
use crate::names::ToolCallId;
use serde_json::Value;
use std::path::Path;

/// What a hook is told beside the tool's name and the arguments.
#[derive(Debug, Clone, Copy)]
pub struct HookContext<'a> {
    /// The working directory.
    pub cwd: &'a Path,
    /// The tool's name.
    pub tool: &'a str,
    /// Where the tool comes from: `bundled`, `user`, `project` or `explicit`.
    pub source: &'a str,
    /// The call's id.
    pub call_id: &'a ToolCallId,
}

/// A hook's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The call may run, as far as this hook is concerned.
    Allow,
    /// The call must not run.
    Block {
        /// Why, in words for the model and the person.
        reason: String,
    },
}

/// A hook's behaviour. A failure counts as a veto.
pub trait Hook: Send + Sync {
    /// Looks at a call whose arguments fit the schema.
    fn before_tool<'a>(
        &'a self,
        tool: &'a str,
        arguments: &'a Value,
        context: HookContext<'a>,
    ) -> BoxFuture<'a, Result<Verdict, Failure>>;
}
