//! A tool call in the making.

use super::arguments::{RAW_ARGUMENTS, bounded_raw, read_arguments};
use fen_contract::names::ToolCallId;
use fen_contract::record::Extra;
use fen_contract::types::ToolCall;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// What has come of one call.
pub(super) struct ToolDraft {
    /// How the provider tells its fragments from those of others.
    pub key: u64,
    id: String,
    pub name: String,
    arguments: String,
    pub extra: Extra,
    /// The call itself, once it is complete.
    pub call: Option<Arc<ToolCall>>,
}

impl ToolDraft {
    pub fn new(key: u64) -> Self {
        ToolDraft {
            key,
            id: String::new(),
            name: String::new(),
            arguments: String::new(),
            extra: Extra::new(),
            call: None,
        }
    }

    pub fn add(&mut self, id: Option<&str>, name: Option<&str>, fragment: &str) {
        if let Some(id) = id
            && self.id.is_empty()
        {
            self.id = id.to_owned();
        }
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            self.add_name(name);
        }
        self.arguments.push_str(fragment);
    }

    /// Services send a name once, with every fragment, growing, or in pieces before the arguments.
    fn add_name(&mut self, name: &str) {
        if name.starts_with(&self.name) {
            self.name = name.to_owned();
        } else if self.arguments.is_empty() {
            self.name.push_str(name);
        }
    }

    pub fn is_complete(&self) -> bool {
        self.call.is_some()
    }

    /// Whether it lacks the name without which nobody can run it or send it back.
    pub fn is_ghost(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether nothing seems to be missing, though nobody said so.
    pub fn looks_whole(&self) -> bool {
        self.arguments.trim_end().ends_with(['}', '"'])
            && read_arguments(&self.arguments).1.is_none()
    }

    /// Reads the arguments. The id is made up where the service gave none, or one of `used`.
    pub fn complete(&mut self, used: &HashSet<ToolCallId>) -> Arc<ToolCall> {
        let (arguments, invalid) = read_arguments(&self.arguments);
        let mut extra = std::mem::take(&mut self.extra);
        if invalid.is_some() {
            let raw = Value::String(bounded_raw(&self.arguments));
            extra.insert(RAW_ARGUMENTS.to_owned(), raw);
        }
        let mut id = ToolCallId::from(self.id.trim());
        while id.as_str().is_empty() || used.contains(&id) {
            id = ToolCallId::from(format!("call_{:016x}", fastrand::u64(..)));
        }
        let name = self.name.clone();
        let call = Arc::new(ToolCall { arguments, id, name, invalid, extra });
        self.call = Some(call.clone());
        call
    }
}
