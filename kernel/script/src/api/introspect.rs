//! `list` and `introspect`: what is there, and how the extensions are.

use super::Group;
use crate::host::Instance;
use crate::wire::table_of;
use mlua::{Function, Table};
use std::rc::Rc;

/// `list(surface)`: rows, each a copy of its own.
pub(super) fn list(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, surface: String| {
        Ok(table_of(instance.lua(), &instance.api.list(&surface)?)?)
    })
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .waits("collect", |instance, owner: Option<String>| async move {
            let api = instance.api.clone();
            let rows = instance.on_kernel(async move { api.snapshots(owner).await }).await?;
            Ok(table_of(instance.lua(), &rows)?)
        })?
        .finish()
}
