//! JSON to Lua.

use mlua::{IntoLua, Lua, Value};
use serde_json::Value as Json;

use super::json_module::Marker;
use super::{MAX_DEPTH, Problem, ValueError};

/// Rules of one conversion.
#[derive(Debug, Clone, Copy)]
pub struct ToLua {
    /// Levels of nesting.
    pub max_depth: usize,
    /// Leaves out object members that are null, instead of giving `json.null`.
    pub drop_nulls: bool,
}

impl Default for ToLua {
    fn default() -> Self {
        ToLua { max_depth: MAX_DEPTH, drop_nulls: false }
    }
}

/// The Lua value of a JSON value, made of plain tables.
///
/// # Errors
/// Too deep, or the VM's memory is used up.
pub fn to_lua(lua: &Lua, json: &Json, rules: ToLua) -> Result<Value, ValueError> {
    convert(lua, json, rules, 0)
}

fn convert(lua: &Lua, json: &Json, rules: ToLua, depth: usize) -> Result<Value, ValueError> {
    let deeper = |depth: usize| {
        if depth < rules.max_depth {
            Ok(depth + 1)
        } else {
            Err(ValueError::here(Problem::TooDeep(rules.max_depth)))
        }
    };
    Ok(match json {
        Json::Null => Value::NULL,
        Json::Bool(flag) => Value::Boolean(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => Value::Integer(integer),
            (None, float) => Value::Number(float.unwrap_or(f64::NAN)),
        },
        Json::String(text) => text.as_str().into_lua(lua)?,
        Json::Array(elements) if elements.is_empty() => {
            deeper(depth)?;
            Value::Table(Marker::Array.table(lua)?)
        }
        Json::Array(elements) => {
            let depth = deeper(depth)?;
            let table = lua.create_table_with_capacity(elements.len(), 0)?;
            for (index, element) in elements.iter().enumerate() {
                table.raw_set(index + 1, convert(lua, element, rules, depth)?)?;
            }
            Value::Table(table)
        }
        Json::Object(members) => {
            let depth = deeper(depth)?;
            let table = lua.create_table_with_capacity(0, members.len())?;
            for (name, member) in members {
                if !(rules.drop_nulls && member.is_null()) {
                    table.raw_set(name.as_str(), convert(lua, member, rules, depth)?)?;
                }
            }
            Value::Table(table)
        }
    })
}
