//! Tables of options: known names only, in either spelling.

use std::time::Duration;

use mlua::{Table, Value};

use super::arguments::{milliseconds, whole, wrong};
use crate::vm::HostError;

/// The options of one call. The script's table is only read.
pub(super) struct Options {
    table: Option<Table>,
    /// For what a message says: `api.fs.read`.
    function: &'static str,
}

impl Options {
    /// Takes the table of options, if there is one.
    ///
    /// Names that the call does not know raise: a typing error would else be a default.
    pub(super) fn read(
        function: &'static str,
        value: &Value,
        known: &[&'static str],
    ) -> Result<Self, HostError> {
        let table = match value {
            Value::Nil => return Ok(Options { table: None, function }),
            Value::Table(table) => table.clone(),
            other => return Err(wrong(&format!("{function}: the options"), "a table", other)),
        };
        for pair in table.pairs::<Value, Value>() {
            let (key, _) = pair?;
            let name = match &key {
                Value::String(name) => name.to_string_lossy(),
                other => return Err(wrong(&format!("{function}: an option"), "a name", other)),
            };
            let canonical = name.replace('_', "-");
            if !known.contains(&canonical.as_str()) {
                let known = known.join(", ");
                return Err(HostError::new(format!(
                    "{function} has no option '{name}'; it has {known}"
                )));
            }
        }
        Ok(Options { table: Some(table), function })
    }

    /// The value of an option; nil where it is not given.
    pub(super) fn get(&self, name: &str) -> Result<Value, HostError> {
        let Some(table) = &self.table else { return Ok(Value::Nil) };
        let value: Value = table.raw_get(name)?;
        let alias = name.replace('-', "_");
        if alias == name {
            return Ok(value);
        }
        let other: Value = table.raw_get(alias.as_str())?;
        match (value.is_nil(), other.is_nil()) {
            (_, true) => Ok(value),
            (true, false) => Ok(other),
            (false, false) if value == other => Ok(value),
            (false, false) => Err(HostError::new(format!(
                "{}: both '{name}' and '{alias}' are given, with different values",
                self.function
            ))),
        }
    }

    /// What a message calls an option.
    pub(super) fn label(&self, name: &str) -> String {
        format!("{}: '{name}'", self.function)
    }

    /// An option by the rule of one of the readers of arguments; `None` where it is not given.
    pub(super) fn optional<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str, &Value) -> Result<T, HostError>,
    ) -> Result<Option<T>, HostError> {
        match self.get(name)? {
            Value::Nil => Ok(None),
            value => read(&self.label(name), &value).map(Some),
        }
    }

    /// `max-bytes` and its like.
    pub(super) fn size(&self, name: &str, default: usize, most: usize) -> Result<usize, HostError> {
        let given = self.optional(name, |what, value| whole(what, value, 1, most as u64))?;
        Ok(given.and_then(|size| usize::try_from(size).ok()).unwrap_or(default))
    }

    /// `timeout-ms` and its like.
    pub(super) fn time(&self, name: &str, most: Duration) -> Result<Option<Duration>, HostError> {
        self.optional(name, |what, value| milliseconds(what, value, most))
    }
}
