//! Lua source of our own, compiled once in the process.

use std::sync::OnceLock;

use mlua::chunk::ChunkMode;
use mlua::{FromLuaMulti, IntoLuaMulti, Lua};

/// A chunk of Lua that each state runs. It is compiled once in the process; loading the result is
/// several times cheaper than parsing. It is stripped, so that its frames carry no position in
/// messages. No other bytecode than that of this very build is ever loaded.
pub(crate) struct Prelude {
    name: &'static str,
    source: &'static str,
    compiled: OnceLock<Vec<u8>>,
}

impl Prelude {
    /// A prelude with the name that errors give it.
    pub(crate) const fn new(name: &'static str, source: &'static str) -> Self {
        Prelude { name, source, compiled: OnceLock::new() }
    }

    /// Runs it in a state.
    pub(crate) fn call<R: FromLuaMulti>(
        &self,
        lua: &Lua,
        arguments: impl IntoLuaMulti,
    ) -> mlua::Result<R> {
        let compiled = match self.compiled.get() {
            Some(compiled) => compiled,
            None => {
                let text = lua.load(self.source).set_name(self.name).set_mode(ChunkMode::Text);
                let function = text.into_function()?;
                self.compiled.get_or_init(|| function.dump(true))
            }
        };
        lua.load(compiled.as_slice()).set_mode(ChunkMode::Binary).call(arguments)
    }
}
