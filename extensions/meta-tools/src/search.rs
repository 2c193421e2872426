//! `tool_search`: finds tools that are not in the requests and puts them there.

use crate::rank::{Described, score, words};
use crate::{text, tool_spec};
use fen_contract::api::Api;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Exposure, ToolSpec};
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// How many tools are put on offer where the call says nothing, and at the most.
const LIMIT: (usize, usize) = (5, 20);

/// How many names are listed where nothing fits.
const NAMES: usize = 50;

/// The longest line of a description that is shown, in bytes.
const LINE_BYTES: usize = 200;

pub(crate) fn spec(api: &Arc<dyn Api>) -> ToolSpec {
    tool_spec(
        "tool_search",
        Exposure::Finder,
        "Find more tools by keywords; those found can be called next.",
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "limit": {"type": "integer", "description": "Default 5"}
            },
            "required": ["query"]
        }),
        ToolSearch(api.clone()),
    )
}

struct ToolSearch(Arc<dyn Api>);

impl Tool for ToolSearch {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        _call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        let result = match self.search(&arguments) {
            Ok(text) => AgentToolResult::text(text),
            Err(failure) => AgentToolResult::error(failure.message),
        };
        Box::pin(std::future::ready(result))
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}

impl ToolSearch {
    fn search(&self, arguments: &Value) -> Result<String, Failure> {
        let query = text(arguments, "query")
            .ok_or_else(|| Failure::caller("The argument `query` needs a word or two."))?;
        let limit = match arguments.get("limit").and_then(Value::as_u64) {
            None => LIMIT.0,
            Some(limit) => usize::try_from(limit).unwrap_or(LIMIT.1).clamp(1, LIMIT.1),
        };
        let conversation =
            self.0.conversation().ok_or_else(|| Failure::caller("No conversation is running."))?;
        let rows = self.0.list("tools")?;
        let tools: Vec<&Value> = rows
            .iter()
            .filter(|row| row["exposure"] == "search" && row["offer"] != "switched-off")
            .collect();
        let found = best(query, &tools, limit);
        if found.is_empty() {
            return Ok(nothing(query, &tools));
        }
        let mut answer = String::from("You can call these from now on:");
        for row in found {
            if conversation.reveal_tool(name(row)) {
                let _ = write!(answer, "\n{}", line(row));
            }
        }
        Ok(answer)
    }
}

fn name(row: &Value) -> &str {
    row["name"].as_str().unwrap_or_default()
}

fn parameters(row: &Value) -> Vec<&str> {
    let properties = row["parameters"]["properties"].as_object();
    properties.into_iter().flat_map(|fields| fields.keys().map(String::as_str)).collect()
}

/// The tools that fit best, the best first. Those that fit far worse than it are left out.
fn best<'a>(query: &str, tools: &[&'a Value], limit: usize) -> Vec<&'a Value> {
    let words = words(query);
    let mut scored: Vec<(u32, &Value)> = tools
        .iter()
        .map(|row| {
            let described = Described {
                name: name(row),
                label: row["label"].as_str().unwrap_or_default(),
                description: row["description"].as_str().unwrap_or_default(),
                parameters: parameters(row),
            };
            (score(&words, &described), *row)
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| name(left).cmp(name(right))));
    let top = scored.first().map_or(0, |(score, _)| *score);
    scored.retain(|(score, _)| score.saturating_mul(4) >= top);
    scored.into_iter().take(limit).map(|(_, row)| row).collect()
}

/// `name(parameters): what it is for`.
fn line(row: &Value) -> String {
    let description = row["description"].as_str().unwrap_or_default();
    let first = description.trim().lines().next().unwrap_or_default();
    let first = &first[..first.floor_char_boundary(LINE_BYTES)];
    format!("{}({}): {first}", name(row), parameters(row).join(", "))
}

fn nothing(query: &str, tools: &[&Value]) -> String {
    let mut names: Vec<&str> = tools.iter().map(|row| name(row)).collect();
    names.sort_unstable();
    let more = names.len().saturating_sub(NAMES);
    names.truncate(NAMES);
    let query = &query[..query.floor_char_boundary(LINE_BYTES)];
    match (names.as_slice(), more) {
        ([], _) => format!("Nothing fits `{query}`: there are no further tools."),
        (names, 0) => format!("Nothing fits `{query}`. There are: {}.", names.join(", ")),
        (names, more) => {
            format!("Nothing fits `{query}`. There are: {}, and {more} more.", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{add_tool, kernel, run, run_in, text_of};
    use fen_core::tools::ToolFilter;
    use serde_json::json;

    #[test]
    fn the_best_are_put_on_offer_and_described() {
        let kernel = kernel();
        add_tool(&kernel, "web_fetch", "Download a page\nand more", &["url", "limit"]);
        add_tool(&kernel, "web_search", "Search the web for pages", &["words"]);
        let search = |arguments| text_of(&run(&kernel, "tool_search", arguments), false);
        assert_eq!(
            search(json!({"query": "download"})),
            "You can call these from now on:\nweb_fetch(url, limit): Download a page"
        );
        let both = search(json!({"query": "WEB page"}));
        assert!(both.contains("web_fetch(") && both.contains("web_search("), "{both}");
        assert_eq!(search(json!({"query": "web", "limit": 1})).lines().count(), 2);
        assert!(search(json!({"query": "agent_state"})).contains("agent_state(query): "));
    }

    #[test]
    fn where_nothing_fits_the_names_are_listed_with_a_bound() {
        let kernel = kernel();
        let text = text_of(&run(&kernel, "tool_search", json!({"query": "zebra"})), false);
        assert_eq!(text, "Nothing fits `zebra`. There are: agent_state, fen_docs.");
        for number in 0..60 {
            add_tool(&kernel, &format!("t{number}"), "x", &[]);
        }
        let text = text_of(&run(&kernel, "tool_search", json!({"query": "zebra"})), false);
        assert!(text.ends_with("and 12 more."), "{text}");
    }

    #[test]
    fn tools_that_are_switched_off_are_not_found() {
        let kernel = kernel();
        let deny = vec!["fen_docs".to_owned(), "agent_state".to_owned()];
        let filter = ToolFilter { deny, ..ToolFilter::default() };
        let call = json!({"query": "reference"});
        let text = text_of(&run_in(&kernel, filter, Vec::new(), "tool_search", call), false);
        assert_eq!(text, "Nothing fits `reference`: there are no further tools.");
    }

    #[test]
    fn an_empty_query_is_refused() {
        let text = text_of(&run(&kernel(), "tool_search", json!({"query": " "})), true);
        assert!(text.contains("query"), "{text}");
    }
}
