//! The `api` table of an extension: what scripts can ask of fen.
//!
//! One file for each group of calls. A member is made when a script first looks at it. One rule
//! holds throughout: a call that can fail gives `{ok = true, …}` or `{ok = false, error = …}`; a
//! mistake in the program itself (a wrong argument, a broken contract) raises an error.

mod answer;
mod auth;
mod bus;
mod capabilities;
mod diagnostics;
mod files;
mod group;
mod introspect;
mod models;
mod prompt;
mod register;
mod session;
mod settings;
mod timer;
mod turn;
mod ui;

pub(crate) use self::answer::{failed, outcome};
pub(crate) use self::auth::backend as auth_backend;
pub(crate) use self::group::Group;
pub(crate) use self::session::BACKEND_MODULE;
pub(crate) use self::turn::submitted;

use crate::host::Instance;
use crate::value::json_table;
use crate::vm::HostError;
use mlua::{Lua, Table, Value};
use std::rc::{Rc, Weak};

/// Every member, for `pairs` and for the names in errors.
pub const MEMBERS: [&str; 26] = [
    "auth",
    "commands",
    "diagnostics",
    "emit",
    "enqueue",
    "env",
    "fs",
    "http",
    "introspect",
    "json",
    "list",
    "load",
    "log",
    "models",
    "name",
    "off",
    "on",
    "process",
    "prompt",
    "register",
    "session",
    "settings",
    "state",
    "timer",
    "turn",
    "ui",
];

/// The table for one instance.
pub(crate) fn table(instance: &Rc<Instance>) -> mlua::Result<Table> {
    let lua = instance.lua();
    let (api, members) = (lua.create_table()?, lua.create_table()?);
    let making = lua.create_table_with_capacity(0, 1)?;
    let weak = Rc::downgrade(instance);
    making.raw_set(
        "__index",
        lua.create_function(move |_, (members, key): (Table, Value)| {
            let Value::String(name) = &key else { return Ok(Value::Nil) };
            made(&weak, &members, &name.to_string_lossy())
        })?,
    )?;
    members.set_metatable(Some(making))?;
    let metatable = lua.create_table_with_capacity(0, 4)?;
    // The table itself stays empty, so that `__newindex` sees whatever is set in it.
    metatable.raw_set("__index", &members)?;
    let weak = Rc::downgrade(instance);
    metatable.raw_set(
        "__pairs",
        lua.create_function(move |lua: &Lua, _: Table| {
            let list = lua.create_table_with_capacity(0, MEMBERS.len())?;
            for name in MEMBERS {
                list.raw_set(name, made(&weak, &members, name)?)?;
            }
            let next: Value = lua.globals().raw_get("next")?;
            Ok((next, list, Value::Nil))
        })?,
    )?;
    metatable.raw_set(
        "__newindex",
        instance.vm.function(|_, (_, key, _): (Table, Value, Value)| {
            let name = key.to_string()?;
            Err::<(), _>(HostError::new(format!(
                "api.{name} cannot be set; what is to outlive a reload goes into api.state"
            )))
        })?,
    )?;
    metatable.raw_set("__metatable", false)?;
    api.set_metatable(Some(metatable))?;
    instance.vm.host_module(BACKEND_MODULE, session::backend_module(instance)?)?;
    Ok(api)
}

/// A member, made now unless it is there.
fn made(instance: &Weak<Instance>, members: &Table, name: &str) -> mlua::Result<Value> {
    let there: Value = members.raw_get(name)?;
    if !there.is_nil() {
        return Ok(there);
    }
    let Some(instance) = instance.upgrade() else { return Ok(Value::Nil) };
    if capabilities::NAMES.contains(&name) {
        capabilities::install(&instance, members)?;
        return members.raw_get(name);
    }
    let member = member(&instance, name)?;
    if !member.is_nil() {
        members.raw_set(name, &member)?;
    }
    Ok(member)
}

fn member(instance: &Rc<Instance>, name: &str) -> mlua::Result<Value> {
    Ok(match name {
        "auth" => Value::Table(auth::group(instance)?),
        "commands" => Value::Table(turn::commands(instance)?),
        "diagnostics" => Value::Table(diagnostics::group(instance)?),
        "emit" => Value::Function(bus::emit(instance)?),
        "enqueue" => Value::Function(turn::enqueue(instance)?),
        "introspect" => Value::Table(introspect::group(instance)?),
        "json" => Value::Table(json_table(&instance.vm)?),
        "list" => Value::Function(introspect::list(instance)?),
        "load" => Value::Function(files::load(instance)?),
        "log" => Value::Function(diagnostics::log(instance)?),
        "models" => Value::Table(models::group(instance)?),
        "name" => Value::String(instance.lua().create_string(instance.owner.as_str())?),
        "off" => Value::Function(bus::off(instance)?),
        "on" => Value::Function(bus::on(instance)?),
        "prompt" => Value::Function(prompt::prompt(instance)?),
        "register" => Value::Function(register::register(instance)?),
        "session" => Value::Table(session::group(instance)?),
        "settings" => Value::Table(settings::group(instance)?),
        "state" => Value::Table(instance.state.clone()),
        "turn" => Value::Table(turn::group(instance)?),
        "ui" => Value::Table(ui::group(instance)?),
        _ => Value::Nil,
    })
}
