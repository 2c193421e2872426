//! `fennel.view`.
use mlua::{Lua, Table, Value};
/// x
pub fn view_at(
    _lua: &Lua,
    _value: &Value,
    _options: Option<&Table>,
    _indent: usize,
) -> mlua::Result<mlua::LuaString> {
    _lua.create_string("todo")
}
