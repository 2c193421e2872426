//! The global names that a program may use.

use crate::arguments::Names;

/// Those of Lua's own library, all of it, since a program may be for any Lua; and the two that fen
/// gives to the code that it runs. Fennel's module is no global: it is required.
const KNOWN: [&str; 37] = [
    "_G",
    "_VERSION",
    "api",
    "arg",
    "assert",
    "collectgarbage",
    "coroutine",
    "debug",
    "dofile",
    "error",
    "getmetatable",
    "io",
    "ipairs",
    "load",
    "loadfile",
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
    "warn",
    "xpcall",
];

/// The names; `None` where any name will do.
pub fn known(names: &Names) -> Option<Vec<String>> {
    if names.no_check_globals {
        return None;
    }
    let given = names.globals.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    Some(KNOWN.into_iter().chain(given).map(str::to_owned).collect())
}
