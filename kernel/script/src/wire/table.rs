//! Tables of the contract, and the underscore spellings of its names.

use super::serialize::to_table;
use crate::value::{Aliases, aliased};
use fen_contract::doc::entries;
use mlua::{Lua, Table, Value};
use serde::Serialize;

/// Fields whose content belongs to somebody else: no alias reaches into them.
const OPAQUE: [&str; 3] = ["arguments", "details", "parameters"];

/// Names that contexts and answers of the host have beside the contract's fields.
const FURTHER: [&str; 18] = [
    "busy?",
    "call-id",
    "session-id",
    "message-count",
    "ending?",
    "next-event",
    "try-next-event",
    "read-line",
    "has-ui?",
    "api-key",
    "context-window",
    "max-tokens",
    "first-party?",
    "follow-up",
    "tool-call-id",
    "base-url",
    "initial-query",
    "secret?",
];

thread_local! {
    static NAMES: Aliases = Aliases::new(
        entries().flat_map(|entry| entry.fields).map(|field| field.name).chain(FURTHER),
    );
}

pub(super) fn is_opaque(field: &str) -> bool {
    OPAQUE.contains(&field)
}

/// Lets the underscore spellings of the contract's names work on a table.
pub(crate) fn names_aliased(lua: &Lua, table: Table) -> mlua::Result<Table> {
    NAMES.with(|names| aliased(lua, table, names))
}

/// Gives the aliases of the contract's names.
pub(super) fn with_names<T>(work: impl FnOnce(&Aliases) -> T) -> T {
    NAMES.with(work)
}

/// The table of something of the contract. Absent and null members are no fields.
pub(crate) fn table_of<T: Serialize>(lua: &Lua, value: &T) -> mlua::Result<Value> {
    to_table(lua, value)
}
