//! The one form of answers that can be failures.

use crate::vm::HostError;
use mlua::{Lua, Table};
use std::fmt::Display;

/// `{ok = false, error = …}`.
pub(crate) fn failed(lua: &Lua, error: impl Display) -> Result<Table, HostError> {
    let table = lua.create_table_with_capacity(0, 2)?;
    table.raw_set("ok", false)?;
    table.raw_set("error", error.to_string())?;
    Ok(table)
}

/// `{ok = true}` with what `fill` adds, or `{ok = false, error = …}`.
pub(crate) fn outcome<T, E: Display>(
    lua: &Lua,
    result: Result<T, E>,
    fill: impl FnOnce(&Table, T) -> mlua::Result<()>,
) -> Result<Table, HostError> {
    match result {
        Ok(value) => {
            let table = lua.create_table_with_capacity(0, 2)?;
            table.raw_set("ok", true)?;
            fill(&table, value)?;
            Ok(table)
        }
        Err(error) => failed(lua, error),
    }
}
