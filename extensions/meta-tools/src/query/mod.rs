//! A small path language over one document that is made part by part.
//!
//! It reads text and gives values or an error that names the position; it knows nothing of fen, and
//! never panics whatever the text is.
//!
//! ```text
//! query  = step { step }                 the first step is a field or { … }
//! step   = "." name                      a field; the first step has no dot. Of a list: of each entry
//!        | "[" integer "]"               an entry, from 0; negative ones count from the end
//!        | "[" [integer] ":" [integer] "]"   entries from one position up to before another
//!        | "[" [path] "=" value "]"      entries whose field is this value
//!        | "[" [path] "~" value "]"      entries whose field contains this text, in any case
//!        | "{" name { "," name } "}"     only these fields; of a list: of each entry
//!        | ".#"                          how many entries, fields or characters
//! path   = name { "." name }
//! name   = characters other than . [ ] { } , : = ~ # " and blanks, or a quoted text
//! value  = text up to "]", or a quoted text
//! quoted = '"' … '"', with \" and \\
//! ```

mod evaluate;
mod parse;
mod render;

pub(crate) use evaluate::{Document, Found, List, Part, evaluate};
pub(crate) use parse::{Filter, Step, StepKind, Test, parse};
pub(crate) use render::render;

use std::fmt;

/// What is wrong with a query, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryError {
    /// The position in characters, from 1.
    pub position: usize,
    /// What is allowed there.
    pub message: String,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}: {}", self.position, self.message)
    }
}

#[cfg(test)]
mod tests;
