//! `register(kind, spec)`.

use crate::host::Instance;
use crate::kinds;
use crate::vm::HostError;
use mlua::{Function, Table};
use std::rc::Rc;

/// Gives a registration: its `kind`, its `name`, and `unregister()`.
pub(super) fn register(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, (kind, spec): (String, Table)| {
        let contribution =
            kinds::contribution(instance, &kind, &spec).map_err(HostError::Message)?;
        let name = contribution.name().to_owned();
        let id = instance
            .api
            .register(contribution)
            .map_err(|error| HostError::Message(error.to_string()))?;
        let registration = instance.lua().create_table_with_capacity(0, 3)?;
        registration.raw_set("kind", kind)?;
        registration.raw_set("name", name)?;
        registration.raw_set(
            "unregister",
            instance.function(move |instance, ()| Ok(instance.api.unregister(id)))?,
        )?;
        Ok(registration)
    })
}
