//! The tables in which answers of servers come: status, headers, and a body that may be JSON.

use fen_transport::http::{HeaderMap, Response};
use mlua::{Function, Lua, Table, Value};

use super::super::answer::{Kind, Refusal};
use crate::value::decoded;
use crate::vm::Vm;

/// Where the metatable of all tables of headers is kept.
const LOWER: &str = "fen.http.headers";

/// What a server says before its body.
#[derive(Debug)]
pub(super) struct Head {
    status: u16,
    headers: HeaderMap,
}

impl Head {
    pub(super) fn of(response: &Response) -> Self {
        Head { status: response.status.as_u16(), headers: response.headers().clone() }
    }

    /// Adds `status` and `headers`.
    pub(super) fn describe(&self, lua: &Lua, table: &Table) -> mlua::Result<()> {
        table.raw_set("status", self.status)?;
        let headers = lua.create_table_with_capacity(0, self.headers.keys_len())?;
        for name in self.headers.keys() {
            let values: Vec<&[u8]> =
                self.headers.get_all(name).iter().map(|value| value.as_bytes()).collect();
            headers.raw_set(name.as_str(), lua.create_string(values.join(&b", "[..]))?)?;
        }
        headers.set_metatable(Some(any_case(lua)?))?;
        table.raw_set("headers", headers)
    }
}

/// Names are stored in lower case and found in any.
fn any_case(lua: &Lua) -> mlua::Result<Table> {
    if let Value::Table(known) = lua.named_registry_value(LOWER)? {
        return Ok(known);
    }
    let index: Function = lua.create_function(|lua, (headers, name): (Table, Value)| {
        let Value::String(name) = name else { return Ok(Value::Nil) };
        headers.raw_get::<Value>(lua.create_string(name.as_bytes().to_ascii_lowercase())?)
    })?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", index)?;
    metatable.raw_set("__metatable", false)?;
    lua.set_named_registry_value(LOWER, &metatable)?;
    Ok(metatable)
}

/// Adds `body`, and `json()`, which decodes it when it is called.
pub(super) fn add_body(vm: &Vm, table: &Table, body: &[u8]) -> mlua::Result<()> {
    let text = vm.lua().create_string(body)?;
    table.raw_set("body", &text)?;
    let json = vm.function(move |lua, ()| {
        decoded(lua, &text.as_bytes()).map_err(|words| {
            let words = format!("the body of the answer cannot be read as JSON: {words}");
            Refusal::new(Kind::Invalid, words).thrown(lua)
        })
    })?;
    table.raw_set("json", json)
}
