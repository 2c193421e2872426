//! How calls into a script fail, in words for a person and in kinds for the layer above.

use std::fmt;
use std::ops::{Deref, DerefMut};

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
            value: None,
        }))
    }

    /// Whether it counts towards quarantine: the script took more than it was given.
    pub fn is_strike(&self) -> bool {
        matches!(self.kind, CallErrorKind::Deadline | CallErrorKind::Memory | CallErrorKind::Killed)
    }
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
        write!(f, "extension {}: ", self.extension)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            _ => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}
