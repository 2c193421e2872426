//! Runs one tool call and always gives its one result.
//!
//! It owns the order of the checks. It stores and tells nothing: failures of extensions go back to
//! the agent, which calls it, beside the result.

use super::arguments::{SchemaCache, fit};
use super::result::{bounded, mark_synthetic};
use crate::guard::{caught, guarded, within_grace};
use crate::registry::{Registered, Snapshot};
use fen_contract::failure::Failure;
use fen_contract::hook::{HookContext, Verdict};
use fen_contract::kinds::{Contribution, Kind, ToolSpec};
use fen_contract::names::Owner;
use fen_contract::tool::{Concurrency, ToolCallContext};
use fen_contract::types::{AgentToolResult, ToolCall};
use fen_contract::validate::nearest_name;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Which tools may be used. Excluded tools are neither offered nor run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct ToolFilter {
    /// Only these, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<String>>,
    /// Not these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<String>,
}

impl ToolFilter {
    /// Whether the tool of this name may be used.
    pub fn admits(&self, name: &str) -> bool {
        let listed = |list: &[String]| list.iter().any(|entry| entry == name);
        self.allow.as_deref().is_none_or(listed) && !listed(&self.deny)
    }
}

/// A failure of an extension that was turned into a result, for the bus to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackFailure {
    /// The extension.
    pub owner: Owner,
    /// The callback, such as `before-tool`.
    pub callback: &'static str,
    /// What happened.
    pub error: String,
}

/// A call that was looked up and whose arguments fit.
pub struct Ready {
    entry: Arc<Registered>,
    arguments: Value,
    /// How it may run beside others.
    pub concurrency: Concurrency,
    /// How many calls of its tool may run at once.
    pub parallel_cap: Option<u32>,
}

/// A call before it runs.
pub enum Prepared {
    /// It can run, if the hooks let it.
    Ready(Box<Ready>),
    /// It cannot; this is its result.
    Refused(AgentToolResult),
}

/// Runs tool calls.
#[derive(Default)]
pub struct ToolRunner {
    schemas: SchemaCache,
}

fn spec(entry: &Registered) -> Option<&ToolSpec> {
    match &entry.contribution {
        Contribution::Tool(spec) => Some(spec),
        _ => None,
    }
}

impl ToolRunner {
    /// Looks the call up and fits its arguments to the schema.
    pub fn prepare(
        &self,
        registry: &Snapshot,
        filter: &ToolFilter,
        call: &ToolCall,
        context: &ToolCallContext,
    ) -> Prepared {
        let refuse = |text: String| Prepared::Refused(refusal(text));
        if let Some(reason) = &call.invalid {
            return refuse(format!("The call was not run: {reason}"));
        }
        let Some(entry) = registry.find(Kind::Tool, &call.name) else {
            return refuse(unknown_tool(registry, filter, &call.name));
        };
        let Some(spec) = spec(entry) else {
            return refuse(unknown_tool(registry, filter, &call.name));
        };
        if !filter.admits(&spec.name) {
            return refuse(format!("The tool `{}` is switched off in this run.", spec.name));
        }
        let fitted = fit(&self.schemas, entry.id, &spec.parameters, call.arguments.clone());
        let arguments = match fitted {
            Ok(arguments) => arguments,
            Err(problem) => {
                let text = format!("The arguments do not fit the tool `{}`: {problem}", spec.name);
                return refuse(text);
            }
        };
        match caught(|| spec.tool.concurrency(&arguments, context)) {
            Ok(concurrency) => Prepared::Ready(Box::new(Ready {
                entry: entry.clone(),
                arguments,
                concurrency,
                parallel_cap: spec.parallel_cap,
            })),
            Err(failure) => refuse(failed_tool(entry, spec, &failure)),
        }
    }

    /// Asks the hooks and runs the call. The failures are for the bus; the result is complete
    /// without them.
    pub async fn run(
        &self,
        registry: &Snapshot,
        ready: Ready,
        context: &ToolCallContext,
    ) -> (AgentToolResult, Vec<CallbackFailure>) {
        let mut failures = Vec::new();
        let Some(spec) = spec(&ready.entry) else {
            return (refusal("The tool is gone."), failures);
        };
        let verdict = ask_hooks(registry, spec, &ready, context, &mut failures).await;
        if context.cancel.is_cancelled() {
            return (cancelled_before(), failures);
        }
        if let Verdict::Block { reason } = verdict {
            return (bounded(refusal(format!("Blocked: {reason}"))), failures);
        }
        let running = guarded(|| spec.tool.execute(ready.arguments, context));
        let mut result = match within_grace(&context.cancel, running).await {
            Some(Ok(result)) => result,
            Some(Err(failure)) => {
                let text = failed_tool(&ready.entry, spec, &failure);
                failures.push(CallbackFailure {
                    owner: ready.entry.by.owner.clone(),
                    callback: "execute",
                    error: failure.message,
                });
                refusal(text)
            }
            None => AgentToolResult::error("Cancelled by the user while it ran."),
        };
        if context.cancel.is_cancelled() {
            result.is_error = true;
            mark_synthetic(&mut result);
        }
        (bounded(result), failures)
    }
}

/// An error result that the kernel makes in a tool's place.
pub fn refusal(text: impl Into<String>) -> AgentToolResult {
    let mut result = AgentToolResult::error(text);
    mark_synthetic(&mut result);
    result
}

/// The result of a call that was not begun when the person cancelled.
pub fn cancelled_before() -> AgentToolResult {
    refusal("Not run: the user cancelled.")
}

fn failed_tool(entry: &Registered, spec: &ToolSpec, failure: &Failure) -> String {
    format!("The tool `{}` of extension `{}` failed: {failure}", spec.name, entry.by.owner)
}

fn unknown_tool(registry: &Snapshot, filter: &ToolFilter, name: &str) -> String {
    let names: Vec<&str> = registry
        .of_kind(Kind::Tool)
        .map(|entry| entry.contribution.name())
        .filter(|name| filter.admits(name))
        .collect();
    let hint = nearest_name(name, names.iter().copied())
        .map(|near| format!(" Did you mean `{near}`?"))
        .unwrap_or_default();
    format!("There is no tool `{name}`.{hint} Available: {}.", names.join(", "))
}

/// The first veto wins; a hook that fails vetoes.
async fn ask_hooks(
    registry: &Snapshot,
    spec: &ToolSpec,
    ready: &Ready,
    context: &ToolCallContext,
    failures: &mut Vec<CallbackFailure>,
) -> Verdict {
    for entry in registry.of_kind(Kind::Hook) {
        let Contribution::Hook(hook) = &entry.contribution else { continue };
        let hook_context = HookContext {
            cwd: &context.cwd,
            tool: &spec.name,
            source: ready.entry.by.source.as_str(),
            call_id: &context.call_id,
        };
        let asked = guarded(|| hook.hook.before_tool(&spec.name, &ready.arguments, hook_context));
        let answer = tokio::select! {
            biased;
            answer = asked => answer.flatten(),
            () = context.cancel.cancelled() => {
                return Verdict::Block { reason: "the user cancelled".to_owned() };
            }
        };
        match answer {
            Ok(Verdict::Allow) => {}
            Ok(block @ Verdict::Block { .. }) => return block,
            Err(failure) => {
                let owner = entry.by.owner.clone();
                let reason = format!("the hook of extension `{owner}` failed: {failure}");
                failures.push(CallbackFailure {
                    owner,
                    callback: "before-tool",
                    error: failure.message,
                });
                return Verdict::Block { reason };
            }
        }
    }
    Verdict::Allow
}
