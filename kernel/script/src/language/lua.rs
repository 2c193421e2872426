//! Lua itself. Its mistakes are found when the VM loads the chunk.

use std::borrow::Cow;

use super::{Chunk, Diagnostic, Language, SourceMap, Surroundings};

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lua;

impl Language for Lua {
    fn suffix(&self) -> &'static str {
        "lua"
    }

    /// Takes away a byte order mark and a first line that begins with `#`, as `lua FILE` does.
    fn compile<'s>(
        &self,
        source: &'s str,
        _: &str,
        _: &Surroundings,
    ) -> Result<Chunk<'s>, Vec<Diagnostic>> {
        let mut lua = Cow::Borrowed(source.strip_prefix('\u{feff}').unwrap_or(source));
        if lua.starts_with('#') {
            let rest = lua.find('\n').map_or("", |end| &lua[end..]);
            lua = Cow::Owned(rest.to_owned());
        }
        Ok(Chunk { lua, map: SourceMap::Identity })
    }

    fn returning(&self, expression: &str) -> Option<String> {
        Some(format!("return {expression}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lua_keeps_its_line_numbers_below_a_hash_line() {
        let source = "\u{feff}#!/usr/bin/lua\nreturn 1";
        let chunk = Lua.compile(source, "a.lua", &Surroundings::default()).unwrap();
        assert_eq!(chunk.lua, "\nreturn 1");
    }
}
