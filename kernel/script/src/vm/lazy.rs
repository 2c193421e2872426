//! Tables of the host that are filled when a script first looks into them.
//!
//! Most extensions use a few functions of a large API; making all of them would be most of the cost
//! of a VM.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};

type Fill = Box<dyn FnOnce(&Lua, &Table) -> mlua::Result<()>>;

/// An empty table that `fill` fills on the first look, by index or by `pairs`.
pub(crate) fn table(
    lua: &Lua,
    fill: impl FnOnce(&Lua, &Table) -> mlua::Result<()> + 'static,
) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let fill: Rc<RefCell<Option<Fill>>> = Rc::new(RefCell::new(Some(Box::new(fill))));
    let metatable = lua.create_table_with_capacity(0, 3)?;
    let by_index = fill.clone();
    metatable.raw_set(
        "__index",
        lua.create_function(move |lua, (table, key): (Table, Value)| {
            filled(lua, &table, &by_index)?;
            table.get::<Value>(key)
        })?,
    )?;
    metatable.raw_set(
        "__pairs",
        lua.create_function(move |lua, table: Table| {
            filled(lua, &table, &fill)?;
            let next: Function = lua.globals().raw_get("next")?;
            Ok((next, table, Value::Nil))
        })?,
    )?;
    metatable.raw_set("__metatable", false)?;
    table.set_metatable(Some(metatable))?;
    Ok(table)
}

fn filled(lua: &Lua, table: &Table, fill: &RefCell<Option<Fill>>) -> mlua::Result<()> {
    let Some(fill) = fill.borrow_mut().take() else { return Ok(()) };
    table.set_metatable(None)?;
    fill(lua, table)
}
