//! The tools with which a model looks at fen itself: `tool_search` finds tools that are not on offer
//! yet, `agent_state` reads the state of the run, `fen_docs` the reference.
//!
//! They only look: none of them changes anything but which tools are on offer. What they show is
//! bounded and without secrets. [`reload`] is an extension of its own, since it needs one who loads.

mod bounds;
mod docs;
mod query;
mod rank;
pub mod reload;
mod search;
mod state;

#[cfg(test)]
mod testing;

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Exposure, ToolSpec};
use fen_contract::tool::Tool;
use serde_json::Value;
use std::sync::Arc;

/// The extension with the three tools.
pub fn extension() -> impl Extension {
    MetaTools
}

struct MetaTools;

impl Extension for MetaTools {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "meta-tools".to_owned(),
            description: "Tools with which a model looks at fen itself".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        for spec in [search::spec(&api), state::spec(&api), docs::spec(&api)] {
            api.register(spec.into())?;
        }
        Ok(())
    }
}

/// A tool whose calls may run beside any other.
fn tool_spec(
    name: &str,
    exposure: Exposure,
    description: &str,
    parameters: Value,
    tool: impl Tool + 'static,
) -> ToolSpec {
    ToolSpec {
        description: description.to_owned(),
        name: name.to_owned(),
        parameters,
        label: None,
        exposure: Some(exposure),
        parallel_cap: None,
        parallel_safe: Some(true),
        snippet: None,
        tool: Arc::new(tool),
    }
}

/// A text argument; empty counts as absent.
fn text<'a>(arguments: &'a Value, name: &str) -> Option<&'a str> {
    arguments.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}
