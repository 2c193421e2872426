//! `list` and `introspect`: what is there, and how the extensions are.

use super::Group;
use crate::host::Instance;
use crate::vm::HostError;
use crate::wire::table_of;
use mlua::{Function, Lua, Table};
use serde_json::Value as Json;
use std::rc::Rc;

fn list_of(lua: &Lua, rows: &[Json]) -> Result<Table, HostError> {
    let list = lua.create_table_with_capacity(rows.len(), 0)?;
    for row in rows {
        list.raw_push(table_of(lua, row)?)?;
    }
    Ok(list)
}

/// `list(surface)`: rows, each a copy of its own.
pub(super) fn list(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, surface: String| {
        list_of(instance.lua(), &instance.api.list(&surface)?)
    })
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .waits("collect", |instance, owner: Option<String>| async move {
            let api = instance.api.clone();
            let rows = instance.on_kernel(async move { api.snapshots(owner).await }).await?;
            list_of(instance.lua(), &rows)
        })?
        .finish()
}
