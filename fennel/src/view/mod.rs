//! `fennel.view`: values of Lua as text that Fennel's reader takes back.
//!
//! It owns how values look, line by line as Fennel 1.6 shows them. It runs no code but the callbacks
//! that a value or the options bring (`__fennelview`, `__pairs`, `preprocess`, `byte-escape`), whose
//! errors pass through. Its own work is bounded, so a value that refers to itself in many ways ends
//! in an error and not in an endless text.

mod options;
mod order;
mod printer;
mod scalar;
mod session;
mod table;

use mlua::{Lua, LuaString, Table, Value};

use options::Options;
use printer::Printer;
use session::Session;

/// The longest text, in bytes.
pub const LONGEST: usize = 16 << 20;

/// The text of a value. The options are those of `fennel.view`, by their names there.
///
/// # Errors
/// Those of callbacks; options that are none; a text longer than [`LONGEST`].
pub fn view(lua: &Lua, value: &Value, options: Option<&Table>) -> mlua::Result<LuaString> {
    view_at(lua, value, options, 0)
}

/// The same for a value that stands this many columns from the left: lines after the first are
/// indented so much more.
///
/// # Errors
/// As [`view`].
pub fn view_at(
    lua: &Lua,
    value: &Value,
    options: Option<&Table>,
    indent: usize,
) -> mlua::Result<LuaString> {
    let options = options.map_or_else(|| Ok(Options::default()), Options::read)?;
    let session = Session::new(value)?;
    let text = Printer::new(lua, &session).show(value, &options, indent, None)?;
    lua.create_string(text)
}
