//! The object through which a script reads a body piece by piece.
//!
//! A failure in the middle raises a table `{kind, message, …}`: a loop over events that just ended
//! would look like an answer that is complete. Its functions take no `self`, but do not mind one.

use std::rc::Rc;

use mlua::{Function, IntoLuaMulti, Lua, Table, Value};

use super::super::answer::{Refusal, done};
use super::body::{Body, Event};
use crate::vm::{HostError, Vm};

/// `read()`, `lines()`, `events()`, `error()`, `close()`.
pub(super) fn object(vm: &Vm, body: Rc<Body>) -> mlua::Result<Table> {
    let table = vm.lua().create_table_with_capacity(0, 5)?;
    let reader = body.clone();
    let read = vm.async_function(move |lua, ()| {
        let body = reader.clone();
        async move { text(&lua, body.read().await) }
    })?;
    table.raw_set("read", read)?;
    let reader = body.clone();
    let next_line = vm.async_function(move |lua, ()| {
        let body = reader.clone();
        async move { text(&lua, body.line().await) }
    })?;
    table.raw_set("lines", iterator(vm, next_line)?)?;
    let reader = body.clone();
    let next_event = vm.async_function(move |lua, ()| {
        let body = reader.clone();
        async move {
            match body.event().await {
                Ok(Some(found)) => Ok(Value::Table(event(&lua, &found)?)),
                Ok(None) => Ok(Value::Nil),
                Err(refusal) => Err(refusal.thrown(&lua)),
            }
        }
    })?;
    table.raw_set("events", iterator(vm, next_event)?)?;
    let failed = body.clone();
    let error = vm.function(move |lua, ()| {
        Ok(failed.failure().map(|refusal| refusal.table(lua)).transpose()?)
    })?;
    table.raw_set("error", error)?;
    let close = vm.function(move |lua, ()| {
        body.close();
        Ok(done(lua)?)
    })?;
    table.raw_set("close", close)?;
    Ok(table)
}

/// A function that gives `next` to a `for`.
fn iterator(vm: &Vm, next: Function) -> mlua::Result<Function> {
    vm.function(move |lua, ()| Ok(next.clone().into_lua_multi(lua)?))
}

fn text(lua: &Lua, read: Result<Option<Vec<u8>>, Refusal>) -> Result<Value, HostError> {
    match read {
        Ok(Some(bytes)) => Ok(Value::String(lua.create_string(&bytes)?)),
        Ok(None) => Ok(Value::Nil),
        Err(refusal) => Err(refusal.thrown(lua)),
    }
}

fn event(lua: &Lua, event: &Event) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 4)?;
    table.raw_set("event", event.event.as_str())?;
    table.raw_set("data", event.data.as_str())?;
    table.raw_set("id", event.id.as_str())?;
    table.raw_set("complete", event.complete)?;
    Ok(table)
}
