//! `on`, `off` and `emit`.

use super::outcome;
use crate::host::{Callback, Instance, handler};
use crate::vm::HostError;
use crate::wire::read_event;
use fen_contract::api::{LogLevel, RegistrationId};
use fen_contract::doc::{Section, entries, find};
use fen_contract::validate::did_you_mean;
use fen_core::bus;
use mlua::{Function, Table, Value};
use std::rc::Rc;

/// `on(event, fn)` gives a handle.
pub(super) fn on(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, (event, function): (Value, Value)| {
        let (Value::String(event), Value::Function(function)) = (&event, &function) else {
            return Err(HostError::new(format!(
                "on takes an event's name and a function, got {} and {}",
                event.type_name(),
                function.type_name()
            )));
        };
        let event = event.to_string_lossy();
        warn_unknown(instance, &event);
        let function = instance.keep(function.clone());
        let callback = Callback { link: instance.link()?, function };
        let id = instance.api.on(&event, handler(callback));
        instance.handles(id, function);
        let handle = instance.lua().create_table_with_capacity(0, 2)?;
        handle.raw_set("id", id.0)?;
        handle.raw_set("event", event)?;
        Ok(handle)
    })
}

/// A handler for an event that never comes is a slip in its name more likely than not.
fn warn_unknown(instance: &Instance, event: &str) {
    if event == "*" || event.contains('/') || find(Section::Events, event).is_some() {
        return;
    }
    let names = entries().filter(|entry| entry.section == Section::Events).map(|entry| entry.name);
    let hint = did_you_mean(event, names);
    instance.api.log(LogLevel::Warn, &format!("on: there is no event `{event}`{hint}"));
}

/// `off(handle)` gives whether there was something to take off.
pub(super) fn off(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, handle: Table| {
        let id: Option<u64> = handle.raw_get("id")?;
        let id = id.ok_or("off takes what `on` gave")?;
        let id = RegistrationId(id);
        instance.deafen(id);
        Ok(instance.api.unregister(id))
    })
}

/// `emit(event)`: an event that breaks the contract raises, one that may not be emitted is not ok.
pub(super) fn emit(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, event: Value| {
        let event = read_event(&event).map_err(HostError::Message)?;
        let depth = instance.depth.get();
        if bus::is_endless(depth) {
            return Err(HostError::new(format!(
                "`{}` cannot be emitted now: handlers answer events with events without end",
                event.name()
            )));
        }
        let emitted = bus::following(depth, || instance.api.emit(event));
        if let Err(failure) = &emitted {
            // Few look at what `emit` gives.
            instance.api.log(LogLevel::Warn, &failure.message);
        }
        outcome(instance.lua(), emitted, |_, ()| Ok(()))
    })
}
