//! What is wrong with a source file, where, and what to do about it.

use std::fmt;
use std::sync::Arc;

use crate::source::{Sources, Span};

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It does not compile.
    Error,
    /// It compiles and is likely a mistake.
    Warning,
}

/// A finding in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The file as it was named to the compiler.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// How many characters of that line it concerns, at least 1.
    pub width: u32,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The text of the line; of a long one the part around the place.
    pub source_line: String,
    /// The column, from 1, where that text begins.
    pub source_column: u32,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

/// Characters of a source line that are shown.
const SHOWN: usize = 120;
/// Characters of a long source line that are shown before the place.
const SHOWN_BEFORE: usize = 40;
/// Characters of a source line that are kept.
const KEPT: usize = 400;

impl Diagnostic {
    /// The finding with its source line, a mark below the place and the advice: several lines.
    pub fn rendered(&self) -> String {
        let mut out = self.to_string();
        let column = self.column.saturating_sub(self.source_column) as usize;
        // What is behind the place may be cut, what is before it only if it is long.
        let skipped = if column < SHOWN { 0 } else { column - SHOWN_BEFORE };
        let shown: String =
            self.source_line.chars().skip(skipped).take(SHOWN).map(printable).collect();
        let (column, length) = (column - skipped, shown.chars().count());
        if !shown.trim().is_empty() && column <= length {
            let width = (self.width.max(1) as usize).min(length.saturating_sub(column).max(1));
            out.push_str(&format!(
                "\n    {shown}\n    {}{}",
                " ".repeat(column),
                "^".repeat(width)
            ));
        }
        if let Some(help) = &self.help {
            out.push_str(&format!("\n  help: {help}"));
        }
        out
    }
}

fn printable(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// The part of a line to keep for a place in this column, from 1, and the column where it begins.
pub(crate) fn kept(line: &str, column: u32) -> (String, u32) {
    if line.len() <= KEPT {
        return (line.to_owned(), 1);
    }
    let skipped = column.saturating_sub(1).saturating_sub(SHOWN_BEFORE as u32);
    (line.chars().skip(skipped as usize).take(KEPT).collect(), skipped + 1)
}

/// Faults after which reading and compiling a text give up.
pub(crate) const MOST_FAULTS: usize = 50;

/// A mistake while its place is still a span: what the parts of the compiler raise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault(Box<FaultParts>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct FaultParts {
    span: Span,
    message: String,
    help: Option<String>,
}

/// What a part of the compiler gives.
pub(crate) type Compiled<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Fault(Box::new(FaultParts { span, message: message.into(), help: None }))
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    pub(crate) fn span(&self) -> Span {
        self.0.span
    }

    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    pub(crate) fn into_diagnostic(self, sources: &Sources, severity: Severity) -> Diagnostic {
        let FaultParts { span, message, help } = *self.0;
        let (line, column) = sources.position(span.file, span.start);
        let (end_line, end_column) = sources.position(span.file, span.end);
        let text = sources.line(span.file, line);
        let last = match end_line == line {
            true => end_column,
            false => u32::try_from(text.chars().count()).unwrap_or(u32::MAX).saturating_add(1),
        };
        let (source_line, source_column) = kept(text, column);
        Diagnostic {
            severity,
            file: sources.file(span.file).name.clone(),
            line,
            column,
            width: last.saturating_sub(column).max(1),
            // What a macro says could look like another finding on a line of its own.
            message: message.replace(['\n', '\r'], " "),
            help,
            source_line,
            source_column,
        }
    }
}
