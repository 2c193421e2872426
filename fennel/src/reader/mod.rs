//! From text to forms.
//!
//! Reading never stops at a mistake: what can be made out is given, with every fault found.

mod lexer;
mod number;
mod parser;
mod text;
mod word;

pub(crate) use lexer::{Bracket, Lexer, TokenKind, is_invisible, is_word};

use crate::diagnostic::{Diagnostic, Fault, Severity, kept};
use crate::form::Form;
use crate::source::{FileId, Sources, Span};

/// What a text reads as.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Its top-level forms.
    pub(crate) forms: Vec<Form>,
    /// What is wrong with it; empty if it is a program.
    pub(crate) faults: Vec<Fault>,
    /// Whether its only fault is that it ends too early: a person may be typing on.
    pub(crate) incomplete: bool,
}

/// The size of a text, in bytes, that is too large to be a program.
const TOO_LARGE: usize = 64 << 20;

/// Reads a file.
pub(crate) fn read(sources: &Sources, file: FileId) -> Reading {
    let text = &*sources.file(file).text;
    if text.len() >= TOO_LARGE {
        let span = Span { file, line: 1, start: 0, end: 0 };
        let fault = Fault::new(span, "a file of 64 MiB or more is not read as a program");
        let fault = fault.help("keep data in a file of its own");
        return Reading { faults: vec![fault], ..Reading::default() };
    }
    parser::parse(text, file)
}

/// What a text reads as, for those who have forms to look at and no program to compile.
#[derive(Debug)]
pub struct Parsed {
    /// Its top-level forms: as far as they can be made out, if something is wrong.
    pub forms: Vec<Form>,
    /// What is wrong with it; empty if it is a program. At most 50.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it is wrong only in that it ends too early: a person may be typing on.
    pub incomplete: bool,
}

/// Reads a text, which messages call by this name.
pub fn parse(name: &str, text: &str) -> Parsed {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let Reading { forms, faults, incomplete } = read(&sources, file);
    let diagnostics =
        faults.into_iter().map(|fault| fault.into_diagnostic(&sources, Severity::Error)).collect();
    Parsed { forms, diagnostics, incomplete }
}

/// The text of a file with these bytes, which messages call by this name.
///
/// # Errors
///
/// The place of the first byte that is not UTF-8.
pub fn decode<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Diagnostic> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    let rest = &bytes[line_start..];
    let line_end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let source_line = String::from_utf8_lossy(&rest[..line_end]);
    let column = u32::try_from(column).unwrap_or(u32::MAX);
    let (source_line, source_column) = kept(source_line.trim_end_matches('\r'), column);
    let byte = bytes[error.valid_up_to()];
    Err(Diagnostic {
        severity: Severity::Error,
        file: name.into(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column,
        width: 1,
        message: format!("the byte {byte:02x} is not UTF-8"),
        help: Some("save the file as UTF-8".to_owned()),
        source_line,
        source_column,
    })
}
