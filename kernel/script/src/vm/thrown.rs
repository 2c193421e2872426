//! What a script threw: words for a person, the value for the host, and the traceback.

use mlua::{Function, Lua, Value};

use super::clock::{self, Thrown};
use super::hook;
use super::host::plain_message;
use crate::value::{ToJson, to_json};

/// The longest message that is kept, in bytes.
const LONGEST: usize = 16 << 10;

/// The message handler of every call: it writes down what was thrown while the stack is there.
pub(crate) fn catcher(lua: &Lua) -> mlua::Result<Function> {
    lua.create_function(|lua, value: Value| {
        if let Some(run) = clock::current()
            && value != Value::LightUserData(hook::sentinel())
        {
            let traceback = lua.traceback(None, 1).map(|text| text.to_string_lossy());
            let thrown = Thrown {
                message: words(&value),
                value: json(&value),
                traceback: traceback.unwrap_or_default(),
            };
            run.thrown.replace(Some(thrown));
        }
        Ok(value)
    })
}

fn bounded(text: &mlua::LuaString) -> String {
    let bytes = text.as_bytes();
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned()
}

fn json(value: &Value) -> Option<serde_json::Value> {
    let bounds = ToJson { max_depth: 8, max_nodes: 1_000, max_bytes: LONGEST, ..ToJson::default() };
    match value {
        Value::Table(_) => to_json(value, &bounds).ok(),
        _ => None,
    }
}

/// The words of a thrown value.
pub(crate) fn words(value: &Value) -> String {
    match value {
        Value::String(text) => bounded(text),
        Value::Error(error) => plain_message(error),
        Value::Table(table) => match table.raw_get::<Value>("message") {
            Ok(Value::String(text)) => bounded(&text),
            // `__tostring` is the script's own code; it runs under the clock of the call.
            _ => match table.metatable().map(|_| value.to_string()) {
                Some(Ok(text)) if !text.starts_with("table: ") => text,
                _ => "a table was thrown that has no `message`".to_owned(),
            },
        },
        Value::Nil => "nil was thrown".to_owned(),
        Value::Boolean(_) | Value::Integer(_) | Value::Number(_) => {
            value.to_string().unwrap_or_default()
        }
        other => format!("a {} was thrown", other.type_name()),
    }
}
