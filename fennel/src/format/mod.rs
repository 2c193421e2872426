//! Lays Fennel's text out as its community does.
//!
//! Decides about white space only: the forms and the comments are the author's, and so is each line
//! break behind the first part of a form. Breaks are added where a line is too long, and where a
//! form that takes several lines has a body; none of these moves again the next time, so what is
//! formatted stays as it is. Takes time in proportion to the text.

mod layout;
mod rules;
mod tree;

use crate::diagnostic::Diagnostic;

/// How text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatOptions {
    /// The longest line, in characters, where forms can be broken. Comments do not count.
    pub columns: usize,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions { columns: 90 }
    }
}

/// Formats a program.
///
/// The result reads as the same forms, has the same comments in the same order, and ends with one
/// line break unless it is empty. Formatting it again changes nothing.
///
/// # Errors
///
/// What is wrong with a text that cannot be read; its file is called `name`.
pub fn format(name: &str, source: &str, options: FormatOptions) -> Result<String, Vec<Diagnostic>> {
    let parsed = crate::reader::parse(name, source);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    Ok(layout::lay_out(&tree::grow(source), options, source.len()))
}
