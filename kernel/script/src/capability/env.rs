//! `api.env`: the variables of fen's own environment, credentials among them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use mlua::{Table, Value};

use super::Capability;
use super::arguments::name;
use super::group::{Answers, Context, Group};
use crate::vm::Vm;

pub(super) const GROUP: Group = Group {
    name: "env",
    capability: Some(Capability::Env),
    functions: &[("get", Answers::Value), ("list", Answers::Value)],
    make,
};

fn make(vm: &Vm, table: &Table, _: &Rc<Context>) -> mlua::Result<()> {
    let get = vm.function(|lua, variable: Value| {
        let variable = name("api.env.get: the name", &variable)?;
        let value = std::env::var_os(variable);
        Ok(value.map(|value| lua.create_string(value.as_bytes())).transpose()?)
    })?;
    table.raw_set("get", get)?;
    let list = vm.function(|lua, ()| {
        let mut names: Vec<OsString> = std::env::vars_os().map(|(name, _)| name).collect();
        names.sort_unstable();
        let table = lua.create_table_with_capacity(names.len(), 0)?;
        for (index, name) in names.iter().enumerate() {
            table.raw_set(index + 1, lua.create_string(name.as_bytes())?)?;
        }
        Ok(table)
    })?;
    table.raw_set("list", list)
}
