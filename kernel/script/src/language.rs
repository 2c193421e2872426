//! What can be compiled to Lua, and how positions in the Lua lead back to the source.
//!
//! A language is pure: source in, Lua out, no I/O. The loader picks one by the file's suffix.

use std::borrow::Cow;
use std::fmt;

/// A language in which extensions are written.
pub trait Language {
    /// The suffix of its files, without the dot.
    fn suffix(&self) -> &str;

    /// Compiles one file. `name` is how errors call it.
    ///
    /// # Errors
    /// Every mistake that was found, never an empty list.
    fn compile<'s>(&self, source: &'s str, name: &str) -> Result<Chunk<'s>, Vec<Diagnostic>>;
}

/// One compiled file.
#[derive(Debug, Clone)]
pub struct Chunk<'s> {
    /// The Lua text.
    pub lua: Cow<'s, str>,
    /// Where its lines come from.
    pub map: SourceMap,
}

/// From lines of Lua to lines of the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SourceMap {
    /// The Lua is the source.
    #[default]
    Identity,
    /// For each line of Lua, from 1, its origin.
    Lines(Vec<Option<Origin>>),
}

/// A place in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file, if it is another than the one that was compiled (a macro's).
    pub file: Option<Box<str>>,
    /// The line, from 1.
    pub line: u32,
}

impl SourceMap {
    /// The origin of a line of Lua that was compiled from `file`. A line without an origin of its
    /// own belongs to the nearest one above it.
    pub fn origin<'a>(&'a self, file: &'a str, line: u32) -> (&'a str, u32) {
        match self {
            SourceMap::Identity => (file, line),
            SourceMap::Lines(lines) => {
                let upto = lines.len().min(line as usize);
                match lines[..upto].iter().rev().flatten().next() {
                    Some(origin) => (origin.file.as_deref().unwrap_or(file), origin.line),
                    None => (file, 1),
                }
            }
        }
    }
}

/// A mistake in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file as it was named to the compiler.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, where it is known.
    pub column: Option<u32>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.file, self.line)?;
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Lua itself. Its mistakes are found when the VM loads the chunk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lua;

impl Language for Lua {
    fn suffix(&self) -> &'static str {
        "lua"
    }

    /// Takes away a byte order mark and a first line that begins with `#`, as `lua FILE` does.
    fn compile<'s>(&self, source: &'s str, _: &str) -> Result<Chunk<'s>, Vec<Diagnostic>> {
        let mut lua = Cow::Borrowed(source.strip_prefix('\u{feff}').unwrap_or(source));
        if lua.starts_with('#') {
            let rest = lua.find('\n').map_or("", |end| &lua[end..]);
            lua = Cow::Owned(rest.to_owned());
        }
        Ok(Chunk { lua, map: SourceMap::Identity })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_origin_belongs_to_the_one_above() {
        let at = |line| Some(Origin { file: None, line });
        let map = SourceMap::Lines(vec![None, at(3), None, at(9)]);
        assert_eq!(map.origin("a.fnl", 1), ("a.fnl", 1));
        assert_eq!(map.origin("a.fnl", 3), ("a.fnl", 3));
        assert_eq!(map.origin("a.fnl", 4), ("a.fnl", 9));
        assert_eq!(map.origin("a.fnl", 400), ("a.fnl", 9));
    }

    #[test]
    fn lua_keeps_its_line_numbers_below_a_hash_line() {
        let chunk = Lua.compile("\u{feff}#!/usr/bin/lua\nreturn 1", "a.lua").unwrap();
        assert_eq!(chunk.lua, "\nreturn 1");
    }
}
