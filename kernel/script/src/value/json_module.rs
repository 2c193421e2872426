//! `json` for scripts: `null`, `array(t)`, `object(t)`, `encode(value)`, `decode(text)`.

use mlua::{Lua, Table, Value};

use super::{ToJson, ToLua, to_json, to_lua};
use crate::vm::{HostError, Vm};

/// An empty table that is a list on its way back.
///
/// # Errors
/// The VM's memory is used up.
pub(crate) fn empty_array(lua: &Lua) -> mlua::Result<Table> {
    Marker::Array.table(lua)
}

/// What a script says about a table that nothing declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Array,
    Object,
}

impl Marker {
    const ALL: [Marker; 2] = [Marker::Array, Marker::Object];

    fn key(self) -> &'static str {
        match self {
            Marker::Array => "fen.json.array",
            Marker::Object => "fen.json.object",
        }
    }

    fn metatable(self, lua: &Lua) -> mlua::Result<Table> {
        if let Value::Table(known) = lua.named_registry_value(self.key())? {
            return Ok(known);
        }
        let metatable = lua.create_table()?;
        metatable.raw_set("__metatable", self.key())?;
        lua.set_named_registry_value(self.key(), &metatable)?;
        Ok(metatable)
    }

    /// An empty table with this marker.
    pub(super) fn table(self, lua: &Lua) -> mlua::Result<Table> {
        let table = lua.create_table()?;
        table.set_metatable(Some(self.metatable(lua)?))?;
        Ok(table)
    }

    /// The marker of a table. A table of the script's own that only claims to have one (by its
    /// `__metatable`) is no array for that.
    pub(super) fn of(table: &Table) -> Option<Marker> {
        let metatable = table.metatable()?;
        let lua = table.weak_lua().try_upgrade()?;
        let known = |marker: &Marker| marker.metatable(&lua).is_ok_and(|known| known == metatable);
        Marker::ALL.into_iter().find(known)
    }
}

fn marked(lua: &Lua, marker: Marker, table: Option<Table>) -> Result<Table, HostError> {
    match table {
        None => Ok(marker.table(lua)?),
        Some(table) if table.has_metatable() && Marker::of(&table).is_none() => {
            Err("a table with a metatable of its own cannot be marked".into())
        }
        Some(table) => {
            table.set_metatable(Some(marker.metatable(lua)?))?;
            Ok(table)
        }
    }
}

/// The longest text that `decode` takes, in bytes.
const LONGEST: usize = 4 << 20;

/// The `json` table.
///
/// # Errors
/// The VM's memory is used up.
pub fn json_table(vm: &Vm) -> mlua::Result<Table> {
    vm.lazy_table(|vm, json| {
        json.raw_set("null", Value::NULL)?;
        json.raw_set("array", vm.function(|lua, t| marked(lua, Marker::Array, t))?)?;
        json.raw_set("object", vm.function(|lua, t| marked(lua, Marker::Object, t))?)?;
        json.raw_set(
            "encode",
            vm.function(|_, value: Value| {
                let json = to_json(&value, &ToJson::default());
                Ok(json.map_err(|error| HostError::new(error.to_string()))?.to_string())
            })?,
        )?;
        json.raw_set(
            "decode",
            vm.function(|lua, text: mlua::LuaString| {
                let bytes = text.as_bytes();
                if bytes.len() > LONGEST {
                    return Err(HostError::new(format!("the text has more than {LONGEST} bytes")));
                }
                decoded(lua, &bytes).map_err(HostError::Message)
            })?,
        )
    })
}

/// The Lua value of a JSON text, or words that say why it is none.
pub(crate) fn decoded(lua: &Lua, bytes: &[u8]) -> Result<Value, String> {
    Ok(to_lua(lua, &parsed(bytes)?, ToLua::default())?)
}

/// JSON text of bounded depth: the parser itself has no limit in this build.
fn parsed(bytes: &[u8]) -> Result<serde_json::Value, String> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for &byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > super::MAX_DEPTH {
            return Err(format!("nested more than {} levels deep", super::MAX_DEPTH));
        }
    }
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}
