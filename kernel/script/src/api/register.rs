//! `register(kind, spec)`.

use crate::host::Instance;
use crate::kinds;
use crate::vm::HostError;
use fen_contract::kinds::Kind;
use mlua::{Function, Value};
use std::rc::Rc;

/// Gives a registration: its `kind`, its `name`, and `unregister()`.
pub(super) fn register(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, (kind, spec): (Value, Value)| {
        let (Value::String(kind), Value::Table(spec)) = (&kind, &spec) else {
            // `api:register` hands over the api itself.
            let advice = match kind {
                Value::Table(_) => "; call it with a dot: api.register",
                _ => "",
            };
            return Err(HostError::new(format!(
                "register takes a kind and a table, got {} and {}{advice}",
                kind.type_name(),
                spec.type_name()
            )));
        };
        let kind = kind.to_string_lossy();
        let contribution =
            kinds::contribution(instance, &kind, spec).map_err(HostError::Message)?;
        let name = contribution.name().to_owned();
        let id = instance
            .api
            .register(contribution)
            .map_err(|error| HostError::Message(error.to_string()))?;
        if kind == Kind::SessionBackend.name() && !instance.has_run() {
            instance.staged_backends.borrow_mut().push(name.clone());
        }
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
