//! JSON of the contract as tables with aliases.

use crate::value::{Aliases, MAX_DEPTH, aliased};
use fen_contract::doc::entries;
use mlua::{IntoLua, Lua, Table, Value};
use serde::Serialize;
use serde_json::Value as Json;

/// Fields whose content belongs to somebody else: no alias reaches into them.
const OPAQUE: [&str; 3] = ["arguments", "details", "parameters"];

/// Names that contexts and answers of the host have beside the contract's fields.
const FURTHER: [&str; 16] = [
    "busy?",
    "call-id",
    "session-id",
    "message-count",
    "next-event",
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

/// The table of something that has a JSON form. Absent and null members are no fields.
pub(crate) fn table_of<T: Serialize>(lua: &Lua, value: &T) -> mlua::Result<Value> {
    let json = serde_json::to_value(value).map_err(mlua::Error::external)?;
    convert(lua, &json, Depth::Record(0))
}

/// How deep the value is, and whether it is still the contract's.
#[derive(Clone, Copy)]
enum Depth {
    Record(usize),
    Data(usize),
}

impl Depth {
    fn level(self) -> usize {
        match self {
            Depth::Record(level) | Depth::Data(level) => level,
        }
    }

    fn inside(self, field: &str) -> Self {
        match self {
            Depth::Record(level) if !is_opaque(field) => Depth::Record(level + 1),
            other => Depth::Data(other.level() + 1),
        }
    }

    fn element(self) -> Self {
        match self {
            Depth::Record(level) => Depth::Record(level + 1),
            Depth::Data(level) => Depth::Data(level + 1),
        }
    }
}

fn convert(lua: &Lua, json: &Json, depth: Depth) -> mlua::Result<Value> {
    if depth.level() > MAX_DEPTH {
        return Err(mlua::Error::runtime(format!("nested more than {MAX_DEPTH} levels deep")));
    }
    match json {
        Json::Object(members) => {
            let table = lua.create_table_with_capacity(0, members.len())?;
            for (name, member) in members {
                let kept = matches!(depth, Depth::Data(_));
                if kept || !member.is_null() {
                    table.raw_set(name.as_str(), convert(lua, member, depth.inside(name))?)?;
                }
            }
            match depth {
                Depth::Record(_) => names_aliased(lua, table).map(Value::Table),
                Depth::Data(_) => Ok(Value::Table(table)),
            }
        }
        Json::Array(elements) if !elements.is_empty() => {
            let table = lua.create_table_with_capacity(elements.len(), 0)?;
            for (index, element) in elements.iter().enumerate() {
                table.raw_set(index + 1, convert(lua, element, depth.element())?)?;
            }
            Ok(Value::Table(table))
        }
        Json::String(text) => text.as_str().into_lua(lua),
        other => crate::value::to_lua(lua, other, crate::value::ToLua::default())
            .map_err(|error| mlua::Error::runtime(error.to_string())),
    }
}
