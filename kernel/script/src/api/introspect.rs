//! `list` and `introspect`: what is there, and how the extensions are.

use super::Group;
use crate::host::Instance;
use crate::wire::table_of;
use mlua::{Function, Table};
use std::rc::Rc;

/// `list(surface)`: rows, each a copy of its own. Of the log an extension gets what it wrote itself:
/// others may have written what is not for it.
pub(super) fn list(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, surface: String| {
        let mut rows = instance.api.list(&surface)?;
        if surface == "logs" {
            rows.retain(|row| row["owner"] == instance.owner.as_str());
        }
        Ok(table_of(instance.lua(), &rows)?)
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
