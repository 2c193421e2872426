//! `models`: what is known of models without asking a service.

use super::{Group, failed};
use crate::host::Instance;
use crate::vm::HostError;
use crate::wire::table_of;
use mlua::{Table, Value};
use serde_json::Value as Json;
use std::rc::Rc;

fn rows(instance: &Instance, provider: Option<&str>) -> Result<Vec<Json>, HostError> {
    let rows = instance.api.list("models")?;
    Ok(rows.into_iter().filter(|row| provider.is_none_or(|name| row["provider"] == name)).collect())
}

/// The models that a query means: one by its full name or its id, else all whose name contains it.
fn matching(rows: Vec<Json>, query: &str) -> Vec<Json> {
    let exact = |row: &&Json| row["name"] == query || row["model"]["id"] == query;
    if let Some(found) = rows.iter().find(exact) {
        return vec![found.clone()];
    }
    let query = query.to_lowercase();
    rows.into_iter()
        .filter(|row| row["name"].as_str().is_some_and(|name| name.to_lowercase().contains(&query)))
        .collect()
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .now("list", |instance, options: Option<Table>| {
            let provider: Option<String> = match options {
                Some(options) => options.raw_get("provider")?,
                None => None,
            };
            Ok(table_of(instance.lua(), &rows(instance, provider.as_deref())?)?)
        })?
        .now("resolve", |instance, query: String| {
            let mut found = matching(rows(instance, None)?, &query);
            match found.len() {
                0 => failed(instance.lua(), format!("there is no model like `{query}`")),
                1 => {
                    let row = table_of(instance.lua(), &found.swap_remove(0))?;
                    let Value::Table(row) = row else { return Err("a row is a table".into()) };
                    row.raw_set("ok", true)?;
                    Ok(row)
                }
                _ => {
                    let names: Vec<&str> =
                        found.iter().filter_map(|row| row["name"].as_str()).take(10).collect();
                    let names = names.join(", ");
                    failed(instance.lua(), format!("`{query}` fits several models: {names}"))
                }
            }
        })?
        .now("canonical-id", |_, (provider, id): (String, String)| {
            let prefix = format!("{provider}/");
            let bare = id.strip_prefix(prefix.as_str()).unwrap_or(&id);
            Ok(format!("{prefix}{bare}"))
        })?
        .finish()
}
