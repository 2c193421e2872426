//! The extension around one built-in tool: a manifest and a single registration.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, ToolSpec};
use fen_contract::tool::Tool;
use serde_json::Value;
use std::sync::Arc;

/// An extension that registers one tool under its own name.
pub(crate) struct Builtin(ToolSpec);

impl Builtin {
    pub(crate) fn new(
        name: &str,
        description: &str,
        parameters: Value,
        tool: impl Tool + 'static,
    ) -> Self {
        Builtin(ToolSpec {
            description: description.to_owned(),
            name: name.to_owned(),
            parameters,
            label: None,
            exposure: None,
            parallel_cap: None,
            parallel_safe: None,
            snippet: None,
            tool: Arc::new(tool),
        })
    }

    /// Marks it as one whose calls may run beside others.
    pub(crate) fn parallel_safe(mut self) -> Self {
        self.0.parallel_safe = Some(true);
        self
    }
}

impl Extension for Builtin {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: self.0.name.clone(),
            description: format!("The built-in tool `{}`.", self.0.name),
            overrides: Vec::new(),
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        api.register(Contribution::Tool(self.0.clone()))?;
        Ok(())
    }
}
