//! How calls into a script fail, in words for a person and in kinds for the layer above.

use std::fmt;
use std::fmt::Write as _;
use std::ops::{Deref, DerefMut};

use crate::language::Diagnostic;

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallErrorKind {
    /// The source is no program.
    Syntax,
    /// The script raised an error.
    Runtime,
    /// It used up its running time and was ended.
    Deadline,
    /// It reached the memory limit of its VM.
    Memory,
    /// It waited in a callback that must answer at once.
    CannotWait,
    /// It was cancelled and stopped.
    Cancelled,
    /// It was cancelled, did not stop, and was ended.
    Killed,
    /// The host's own code failed.
    Panic,
}

/// The failure of one call; its parts are those of [`CallFailure`].
#[derive(Debug, Clone, PartialEq)]
pub struct CallError(Box<CallFailure>);

/// The parts of a [`CallError`].
#[derive(Debug, Clone, PartialEq)]
pub struct CallFailure {
    /// Why.
    pub kind: CallErrorKind,
    /// The extension whose VM it was.
    pub extension: String,
    /// The words, without the position in front of them.
    pub message: String,
    /// The source file, where it is known.
    pub file: Option<String>,
    /// The line in it, from 1.
    pub line: Option<u32>,
    /// The innermost calls first, positions in the source.
    pub traceback: Vec<String>,
    /// The mistakes of a file that is no program; empty for Lua, which tells of one in `message`.
    pub diagnostics: Vec<Diagnostic>,
    /// What was thrown, if it was a table that has a JSON form.
    pub value: Option<serde_json::Value>,
}

impl CallError {
    pub(crate) fn new(kind: CallErrorKind, extension: &str, message: impl Into<String>) -> Self {
        CallError(Box::new(CallFailure {
            kind,
            extension: extension.to_owned(),
            message: message.into(),
            file: None,
            line: None,
            traceback: Vec::new(),
            diagnostics: Vec::new(),
            value: None,
        }))
    }

    /// A file that is no program. `file` is its name, in case that nothing says where it is wrong.
    pub(crate) fn of_diagnostics(extension: &str, file: &str, found: Vec<Diagnostic>) -> Self {
        let mut error = CallError::new(CallErrorKind::Syntax, extension, "it is no program");
        error.file = Some(file.to_owned());
        if let Some(first) = found.first() {
            error.file = Some(first.file.to_string());
            error.line = Some(first.line);
            error.message.clone_from(&first.message);
        }
        error.diagnostics = found;
        error
    }

    /// Whether it counts towards quarantine: the script took more than it was given.
    pub fn is_strike(&self) -> bool {
        matches!(self.kind, CallErrorKind::Deadline | CallErrorKind::Memory | CallErrorKind::Killed)
    }
}

/// How many mistakes of a file are told at once.
const MOST_TOLD: usize = 20;

impl CallFailure {
    /// The words with their place in front, without the extension's name. Where a file has several
    /// mistakes they tell of all, each with its source line.
    pub fn words(&self) -> String {
        if !self.diagnostics.is_empty() {
            return told(&self.diagnostics);
        }
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: {}", self.message),
            (Some(file), None) => format!("{file}: {}", self.message),
            _ => self.message.clone(),
        }
    }
}

/// The mistakes of a file, each with its source line.
fn told(found: &[Diagnostic]) -> String {
    let shown = found.iter().take(MOST_TOLD).map(Diagnostic::rendered);
    let mut text = shown.collect::<Vec<_>>().join("\n");
    if found.len() > MOST_TOLD {
        let _ = write!(text, "\nand {} mistakes more", found.len() - MOST_TOLD);
    }
    text
}

impl Deref for CallError {
    type Target = CallFailure;

    fn deref(&self) -> &CallFailure {
        &self.0
    }
}

impl DerefMut for CallError {
    fn deref_mut(&mut self) -> &mut CallFailure {
        &mut self.0
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "extension {}: {}", self.extension, self.words())
    }
}

impl std::error::Error for CallError {}
