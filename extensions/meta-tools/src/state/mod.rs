//! `agent_state`: the state of the run as one document, asked with the path language of `query`.

mod document;

use crate::bounds::{RESULT_BYTES, bounded};
use crate::query::{self, Filter, Step, StepKind, Test};
use crate::{text, tool_spec};
use document::AgentDocument;
use fen_contract::api::Api;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Exposure, ToolSpec};
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::sync::Arc;

const EXAMPLES: &str = "messages[-1], messages[role=tool-result].#, tools[name~ba].{name,source}, \
                        settings.thinking, snapshots[owner=x]";

pub(crate) fn spec(api: &Arc<dyn Api>) -> ToolSpec {
    tool_spec(
        "agent_state",
        Exposure::Search,
        "Look at the state of this agent: model, session, messages, tools, commands, settings, \
         extensions, logs, token usage. Read-only. Without a query: an overview.",
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": format!(
                    "A path: .name, [n], [a:b], [field=value], [field~text], {{a,b}}, .# (count). \
                     Such as {EXAMPLES}"
                )}
            }
        }),
        AgentState(api.clone()),
    )
}

struct AgentState(Arc<dyn Api>);

impl Tool for AgentState {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        _call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            let query = text(&arguments, "query").unwrap_or_default();
            match self.answer(query).await {
                Ok(text) => AgentToolResult::text(text),
                Err(failure) => AgentToolResult::error(failure.message),
            }
        })
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}

impl AgentState {
    async fn answer(&self, text: &str) -> Result<String, Failure> {
        let steps = query::parse(text).map_err(|error| Failure::caller(error.to_string()))?;
        let conversation =
            self.0.conversation().ok_or_else(|| Failure::caller("No conversation is running."))?;
        let snapshots = match snapshots_of(&steps) {
            Wanted::None => Vec::new(),
            Wanted::All => self.0.snapshots(None).await,
            Wanted::Owner(owner) => self.0.snapshots(Some(owner)).await,
        };
        let document = AgentDocument { api: self.0.clone(), conversation, snapshots };
        // A filter may go over a long conversation, which must not hold up everything else.
        let answering = tokio::task::spawn_blocking(move || {
            if steps.is_empty() {
                let advice = format!("{}\nQueries: {EXAMPLES}", document.overview());
                return Ok(bounded(advice, RESULT_BYTES, "ask for one part"));
            }
            query::evaluate(&document, &steps)
                .map(|found| query::render(&found, RESULT_BYTES))
                .map_err(|error| Failure::caller(error.to_string()))
        });
        answering
            .await
            .unwrap_or_else(|error| Err(Failure::new(format!("The look failed: {error}"))))
    }
}

/// Whose snapshots a query needs. Making one runs an extension's code.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    None,
    All,
    Owner(String),
}

fn snapshots_of(steps: &[Step]) -> Wanted {
    const NAME: &str = "snapshots";
    match steps.first().map(|step| &step.kind) {
        Some(StepKind::Field(name)) if name == NAME => match steps.get(1).map(|step| &step.kind) {
            Some(StepKind::Filter(Filter { path, test: Test::Equals, value }))
                if *path == ["owner"] =>
            {
                Wanted::Owner(value.clone())
            }
            _ => Wanted::All,
        },
        Some(StepKind::Pick(names)) if names.iter().any(|name| name == NAME) => Wanted::All,
        _ => Wanted::None,
    }
}

#[cfg(test)]
mod tests;
