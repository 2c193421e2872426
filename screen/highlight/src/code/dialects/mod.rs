//! The tables of languages, by family. Data only.

mod compiled;
mod functional;
mod managed;
mod scripting;
mod settings;
mod web;

pub(crate) use compiled::*;
pub(crate) use functional::*;
pub(crate) use managed::*;
pub(crate) use scripting::*;
pub(crate) use settings::*;
pub(crate) use web::*;

use super::dialect::{Dialect, Escape, Holes, Prefixes, Quirk, Quote, Span};

/// Comments as C++ has them.
const SLASHES: Dialect =
    Dialect { line_comments: &["//"], block_comments: &[("/*", "*/")], ..Dialect::NONE };

/// Comments that begin with a `#`.
const HASHES: Dialect = Dialect { line_comments: &["#"], ..Dialect::NONE };
