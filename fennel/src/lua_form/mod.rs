//! Forms as values of Lua, for macros.
//!
//! It owns how code looks to a macro: lists, sequences, symbols and `...` are tables with marks, and
//! the rest are Lua's own values. It turns forms into such values and back, and gives the functions
//! of the compiler's environment that make and test them. It never runs a macro; the caller does,
//! in a [`Sandbox`](crate::sandbox::Sandbox).

mod environment;
mod form_of;
mod spans;
#[cfg(test)]
mod tests;
mod to_lua;

pub(crate) use environment::CompilerHost;

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table};

use crate::source::{FileId, Sources, Span};

/// How deep the code that a macro returns may nest.
pub(crate) const MAX_DEPTH: u32 = 500;
/// How many forms the code that a macro returns may have.
pub(crate) const MAX_FORMS: usize = 1_000_000;

/// The marks of one Lua state, by which it knows forms.
pub(crate) struct Forms {
    symbol: Table,
    list: Table,
    vararg: Table,
    /// In the metatable of each sequence, under `sequence`.
    sequence: Table,
    sequence_view: Function,
    /// The one value that stands for `...`.
    vararg_value: Table,
    fields: Fields,
    /// The names of files as Lua strings, as they came up.
    files: RefCell<Vec<(FileId, LuaString)>>,
    /// The last failure of `assert-compile`: its message, and where the form is from.
    complaint: Rc<RefCell<Option<Complaint>>>,
}

/// What `assert-compile` said and about which form.
struct Complaint {
    message: Vec<u8>,
    form: mlua::Value,
}

/// The names of fields, made once.
struct Fields {
    filename: LuaString,
    line: LuaString,
    col: LuaString,
    endcol: LuaString,
    bytestart: LuaString,
    byteend: LuaString,
    quoted: LuaString,
    keys: LuaString,
    sequence: LuaString,
    fennelview: LuaString,
    finalizer: LuaString,
}

impl Fields {
    fn new(lua: &Lua) -> mlua::Result<Self> {
        let name = |text: &str| lua.create_string(text);
        Ok(Fields {
            filename: name("filename")?,
            line: name("line")?,
            col: name("col")?,
            endcol: name("endcol")?,
            bytestart: name("bytestart")?,
            byteend: name("byteend")?,
            quoted: name("quoted")?,
            keys: name("keys")?,
            sequence: name("sequence")?,
            fennelview: name("__fennelview")?,
            finalizer: name("__gc")?,
        })
    }
}

/// What a conversion needs to know of the compilation.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// The files that spans are about.
    pub(crate) sources: &'a Sources,
    /// Where the macro is called: the place of what it makes.
    pub(crate) call: Span,
}

/// Stands for all files whose numbers have no room beside the line.
const NO_FILE: u32 = 0x7ff;

/// A place in one number, for a value of Lua to carry.
pub(crate) fn packed(span: Span) -> i64 {
    let file = i64::from(span.file.0.min(NO_FILE));
    let line = i64::from(span.line.min(0xf_ffff));
    file << 52 | line << 32 | i64::from(span.start)
}

/// The place of a name of this length. What a macro made up leads to the macro's call.
fn unpacked(place: i64, length: usize, origin: Origin<'_>) -> Span {
    let (file, start) = ((place >> 52) as u32 & NO_FILE, place as u32);
    let line = (place >> 32) as u32 & 0xf_ffff;
    let end = start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
    match file != NO_FILE && origin.sources.has(FileId(file), end) {
        true => Span { file: FileId(file), line, start, end },
        false => origin.call,
    }
}
