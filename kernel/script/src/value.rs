//! Values across the border: JSON to Lua and back.
//!
//! Reading is raw: no metamethod of a script runs. The rules:
//!
//! - JSON `3` is a Lua integer, `3.0` a float. Back, a float without a fraction that is exact as an
//!   integer (up to 2^53) becomes an integer, since Lua's `/` makes floats of whole numbers; `-0.0`
//!   stays a float. Integers beyond 64 bits signed become floats. NaN and infinities are errors.
//! - JSON `null` is `json.null`, so that nothing is lost on the way back; a reader of a Lua table
//!   finds no field instead where [`ToLua::drop_nulls`] is set.
//! - An empty Lua table is an object, unless its declared [`Shape`] or the marker of `json.array()`
//!   says array. An empty JSON array gets that marker on its way in.
//! - Strings that are not UTF-8 get U+FFFD in place of each bad piece, or are refused
//!   ([`Text::Strict`]). Keys are strings; a table with other keys is an array without gaps.
//! - Depth and size are bounded both ways, and every error says where.

mod aliases;
mod from_json;
mod json_module;
mod lazy_list;
mod lazy_record;
mod to_json;

pub use self::aliases::{Aliases, aliased, normalise};
pub use self::from_json::{ToLua, to_lua};
pub use self::json_module::json_table;
pub(crate) use self::json_module::{decoded, empty_array};
pub use self::lazy_list::{ListSource, lazy_list};
pub use self::lazy_record::{RecordSource, lazy_record};
pub use self::to_json::{Shape, Text, ToJson, to_json};

/// The deepest nesting that crosses the border.
pub const MAX_DEPTH: usize = 128;

/// Why a value cannot cross.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", at(.path))]
pub struct ValueError {
    /// Where in the value, such as `content[2].text`; empty for the value itself.
    pub path: String,
    /// What is wrong there.
    pub problem: Problem,
}

fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A function, userdata or coroutine.
    #[error("a {0} cannot be data")]
    NotData(&'static str),
    /// NaN or an infinity.
    #[error("{0} is no JSON number")]
    NotFinite(String),
    /// A table that contains itself.
    #[error("the table contains itself")]
    Cycle,
    /// Nested too deeply.
    #[error("nested more than {0} levels deep")]
    TooDeep(usize),
    /// Too many values or too much text.
    #[error("too large: more than {0}")]
    TooLarge(String),
    /// An array with holes, or with names beside its elements.
    #[error("neither an array nor an object: {0}")]
    MixedKeys(String),
    /// A string that is not UTF-8, where that is refused.
    #[error("the string is not UTF-8")]
    NotUtf8,
    /// Both spellings of one field, with different values.
    #[error("both '{0}' and '{1}' are given, with different values")]
    TwoSpellings(String, String),
    /// The VM's memory is used up.
    #[error("{0}")]
    Lua(String),
}

impl ValueError {
    pub(crate) fn here(problem: Problem) -> Self {
        ValueError { path: String::new(), problem }
    }
}

impl From<mlua::Error> for ValueError {
    fn from(error: mlua::Error) -> Self {
        ValueError::here(Problem::Lua(crate::vm::HostError::from(error).to_string()))
    }
}

impl From<ValueError> for mlua::Error {
    fn from(error: ValueError) -> Self {
        mlua::Error::runtime(error.to_string())
    }
}

impl From<ValueError> for crate::vm::HostError {
    fn from(error: ValueError) -> Self {
        crate::vm::HostError::new(error.to_string())
    }
}

/// For those who tell what is wrong in words.
impl From<ValueError> for String {
    fn from(error: ValueError) -> Self {
        error.to_string()
    }
}
