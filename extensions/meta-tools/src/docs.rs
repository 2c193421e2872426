//! `fen_docs`: the reference of the contract, and what is registered now.

use crate::bounds::{RESULT_BYTES, bounded};
use crate::{text, tool_spec};
use fen_contract::api::Api;
use fen_contract::failure::BoxFuture;
use fen_contract::kinds::{Exposure, ToolSpec};
use fen_contract::lookup;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) fn spec(api: &Arc<dyn Api>) -> ToolSpec {
    tool_spec(
        "fen_docs",
        Exposure::Search,
        "Read fen's reference for writing extensions (register kinds, events, types, interfaces, \
         the `api` table of scripts), or what is registered now (tools, commands, extensions, \
         models …). Without a topic: what topics there are.",
        json!({
            "type": "object",
            "properties": {
                "topic": {"type": "string", "description": "Such as events, tool, api, commands"},
                "name": {"type": "string", "description": "One entry of the topic, such as turn.submit! of api"}
            }
        }),
        FenDocs(api.clone()),
    )
}

struct FenDocs(Arc<dyn Api>);

impl Tool for FenDocs {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        _call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        // A name alone is a topic.
        let (topic, name) = match (text(&arguments, "topic"), text(&arguments, "name")) {
            (None, name) => (name, None),
            both => both,
        };
        let result = match lookup::page(topic, name, &|surface| self.0.list(surface)) {
            Ok(page) => AgentToolResult::text(bounded(page, RESULT_BYTES, "ask for one name")),
            Err(failure) => AgentToolResult::error(failure.message),
        };
        Box::pin(std::future::ready(result))
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{kernel, run, text_of};
    use serde_json::json;

    #[test]
    fn the_reference_and_the_live_registries_are_read() {
        let kernel = kernel();
        let docs = |arguments| text_of(&run(&kernel, "fen_docs", arguments), false);
        assert!(docs(json!({})).contains("register-kinds"));
        assert!(docs(json!({"topic": "events", "name": "user"})).starts_with("user  (events)"));
        assert!(docs(json!({"name": "tool"})).starts_with("tool  (register-kinds)"));
        assert!(docs(json!({"topic": "api", "name": "turn"})).contains("api.turn.submit("));
        assert!(docs(json!({"name": "turn.submit!"})).starts_with("turn.submit!  (api)"));
        assert!(docs(json!({"topic": "tools"})).contains("agent_state"));
        assert!(docs(json!({"topic": "tools", "name": "fen_docs"})).contains("owner: meta-tools"));
        let error = text_of(&run(&kernel, "fen_docs", json!({"topic": "evnts"})), true);
        assert!(error.contains("did you mean `events`?"), "{error}");
    }
}
