//! What a session backend in a script says of its sessions, read with what it leaves out filled in.

use super::answer::listed;
use crate::host::Instance;
use crate::value::{ToJson, to_json};
use fen_contract::names::Millis;
use fen_contract::session::SessionInfo;
use mlua::{Table, Value};
use serde_json::{Map, Value as Json, json};
use std::path::Path;
use std::rc::Rc;

/// Reads what is known of a session; what the script leaves out is filled in.
pub(super) fn info(mut json: Json, cwd: &Path) -> Result<SessionInfo, String> {
    let Some(fields) = json.as_object_mut() else {
        return Err(format!("a session is described by a table with `id`, got {json}"));
    };
    if let Some(count) = fields.remove("message_count") {
        fields.insert("message-count".to_owned(), count);
    }
    let id = fields.get("id").cloned().ok_or("a session has an `id`")?;
    let id = match id {
        Json::String(id) => id,
        other => other.to_string(),
    };
    fields.insert("id".to_owned(), id.as_str().into());
    fields.entry("path").or_insert_with(|| id.as_str().into());
    fields.entry("cwd").or_insert_with(|| cwd.display().to_string().into());
    fields.entry("timestamp").or_insert_with(|| json!(Millis::now()));
    fields.entry("message-count").or_insert_with(|| 0.into());
    fields.entry("version").or_insert_with(|| 1.into());
    serde_json::from_value(json).map_err(|error| format!("a session's description: {error}"))
}

/// The description of the session that a script opened: its field `info`, or itself. Whatever is no
/// data in it is the script's own affair.
pub(super) fn opened(
    instance: &Rc<Instance>,
    value: &Value,
    cwd: &Path,
) -> Result<SessionInfo, String> {
    match value {
        Value::Nil => Err("`open` gives a session, got nil".to_owned()),
        Value::Table(table) => {
            let described: Value = table.raw_get("info").map_err(|error| error.to_string())?;
            let table = match described {
                Value::Table(described) => described,
                _ => table.clone(),
            };
            info(described_by(&table), cwd)
        }
        Value::String(text) => info(json!({"id": text.to_string_lossy()}), cwd),
        _ => info(json!({"id": format!("{}-{}", instance.owner, Millis::now().0)}), cwd),
    }
}

pub(super) fn described_by(table: &Table) -> Json {
    let mut fields = Map::new();
    for name in [
        "id",
        "path",
        "cwd",
        "timestamp",
        "title",
        "message-count",
        "message_count",
        "version",
        "size",
        "modified",
    ] {
        if let Ok(value) = table.raw_get::<Value>(name)
            && !value.is_nil()
            && let Ok(json) = to_json(&value, &ToJson::default())
        {
            fields.insert(name.to_owned(), json);
        }
    }
    Json::Object(fields)
}

pub(super) fn infos(value: &Value) -> Result<Vec<SessionInfo>, String> {
    if value.is_nil() {
        return Ok(Vec::new());
    }
    let list = listed(value, "a list of sessions")?;
    list.into_iter().map(|session| info(session, Path::new(""))).collect()
}
