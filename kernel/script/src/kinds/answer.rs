//! Forms that answers of scripts share, whatever the kind.

use crate::value::{ToJson, to_json};
use crate::wire::canonical;
use fen_contract::type_expr::TypeExpr;
use mlua::Value;
use serde_json::Value as Json;

/// The reason in `{ok = false, error = …}` as the failure that it is.
pub(super) fn not_refused(value: &Value) -> Result<(), String> {
    let Value::Table(answer) = value else { return Ok(()) };
    let is_ok: Option<bool> = answer.raw_get("ok").map_err(|error| error.to_string())?;
    if is_ok != Some(false) {
        return Ok(());
    }
    let error: Option<String> = answer.raw_get("error").map_err(|error| error.to_string())?;
    Err(error.unwrap_or_else(|| "it was refused".to_owned()))
}

/// The elements of a list; an empty table is one.
pub(super) fn listed(value: &Value, expected: &str) -> Result<Vec<Json>, String> {
    let mut json = to_json(value, &ToJson::default())?;
    canonical(&mut json, &TypeExpr::List(Box::new(TypeExpr::Any)));
    match json {
        Json::Array(list) => Ok(list),
        other => Err(format!("expected {expected}, got {other}")),
    }
}
