//! `log` and `diagnostics`.

use super::Group;
use crate::host::Instance;
use crate::value::{ToJson, to_json};
use crate::vm::HostError;
use crate::wire::table_of;
use fen_contract::api::LogLevel;
use mlua::{Function, Table, Value};
use std::rc::Rc;

/// `log(level, message)`: a table is written as JSON.
pub(super) fn log(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, (level, message): (String, Value)| {
        let level = match level.as_str() {
            "debug" => LogLevel::Debug,
            "info" => LogLevel::Info,
            "warn" => LogLevel::Warn,
            "error" => LogLevel::Error,
            other => {
                return Err(HostError::new(format!(
                    "there is no log level `{other}`; there are debug, info, warn, error"
                )));
            }
        };
        let text = match &message {
            // An error that the script caught names lines of the Lua that runs.
            Value::String(text) => instance.vm.translated(&text.to_string_lossy()),
            other => to_json(other, &ToJson::default())
                .map_err(|error| HostError::new(format!("log: {error}")))?
                .to_string(),
        };
        instance.api.log(level, &text);
        Ok(())
    })
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .now("list-errors", |instance, ()| {
            let mut rows = instance.api.list("logs")?;
            rows.retain(|row| row["level"] == "error");
            Ok(table_of(instance.lua(), &rows)?)
        })?
        .now("error-log-path", |instance, ()| {
            Ok(instance.around.error_log.as_ref().map(|path| path.display().to_string()))
        })?
        .finish()
}
