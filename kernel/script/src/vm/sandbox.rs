//! What a script finds in its globals: Lua's libraries without what reaches the machine or cannot
//! be stopped, rebuilt by the prelude.
//!
//! The prelude is compiled once in the process; each VM loads the result, which is several times
//! cheaper than parsing it.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::OnceLock;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaOptions, StdLib, Table};

use super::{WeakVm, hook, host, modules, strings};

const PRELUDE: [&str; 5] = [
    include_str!("prelude/base.lua"),
    include_str!("prelude/coroutines.lua"),
    include_str!("prelude/strings.lua"),
    include_str!("prelude/tables.lua"),
    include_str!("prelude/modules.lua"),
];

/// The global variables of every VM, before its extension makes any.
pub const GLOBALS: [&str; 30] = [
    "_G",
    "_VERSION",
    "assert",
    "collectgarbage",
    "coroutine",
    "error",
    "getmetatable",
    "ipairs",
    "load",
    "math",
    "next",
    "os",
    "package",
    "pairs",
    "pcall",
    "print",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "require",
    "select",
    "setmetatable",
    "string",
    "table",
    "tonumber",
    "tostring",
    "type",
    "utf8",
    "xpcall",
];

/// Lua's functions that the engine itself goes on using, taken before the prelude replaces them.
pub(crate) struct Originals {
    pub(crate) xpcall: Function,
    pub(crate) wrap: Function,
    pub(crate) wrap_async: Function,
    pub(crate) loaded: Table,
}

/// A Lua state with the libraries that can be made safe; no `io`, `debug` or `package`.
pub(crate) fn new_state() -> mlua::Result<Lua> {
    let libraries = StdLib::COROUTINE
        | StdLib::TABLE
        | StdLib::STRING
        | StdLib::UTF8
        | StdLib::MATH
        | StdLib::OS;
    Lua::new_with(libraries, LuaOptions::new())
}

/// Builds the globals.
pub(crate) fn furnish(
    lua: &Lua,
    home: &Rc<OnceCell<WeakVm>>,
    source_limit: usize,
    print: impl Fn(&str) + 'static,
) -> mlua::Result<Originals> {
    let globals = lua.globals();
    let xpcall: Function = globals.raw_get("xpcall")?;
    let natives = lua.create_table()?;
    for (name, function) in hook::functions(lua)? {
        natives.raw_set(name, function)?;
    }
    natives.raw_set("source_limit", source_limit)?;
    natives.raw_set(
        "print",
        lua.create_function(move |_, line: mlua::LuaString| {
            print(&String::from_utf8_lossy(&line.as_bytes()));
            Ok(())
        })?,
    )?;
    host::wait_functions(lua, &natives)?;
    strings::install(lua, &natives)?;
    let loaded = lua.create_table()?;
    modules::install(lua, &natives, &loaded, home)?;
    for part in compiled_prelude(lua)? {
        lua.load(part.as_slice()).set_mode(ChunkMode::Binary).call::<()>(&natives)?;
    }
    let libraries = ["coroutine", "table", "string", "utf8", "math", "os"];
    for name in libraries {
        loaded.raw_set(name, globals.raw_get::<Table>(name)?)?;
    }
    loaded.raw_set("_G", &globals)?;
    Ok(Originals {
        xpcall,
        wrap: natives.raw_get("wrap")?,
        wrap_async: natives.raw_get("wrap_async")?,
        loaded,
    })
}

/// The prelude as bytecode of this very build; no other bytecode is ever loaded. It is stripped,
/// so that its frames carry no position in messages.
fn compiled_prelude(lua: &Lua) -> mlua::Result<&'static [Vec<u8>]> {
    static COMPILED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    if let Some(compiled) = COMPILED.get() {
        return Ok(compiled);
    }
    let compiled = PRELUDE
        .iter()
        .map(|source| {
            let function =
                lua.load(*source).set_name("=(fen)").set_mode(ChunkMode::Text).into_function()?;
            Ok(function.dump(true))
        })
        .collect::<mlua::Result<Vec<_>>>()?;
    Ok(COMPILED.get_or_init(|| compiled))
}
