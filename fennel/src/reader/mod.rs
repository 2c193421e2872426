//! From text to forms.
//!
//! Reading never stops at a mistake: what can be made out is given, with every fault found.

use crate::diagnostic::Fault;
use crate::form::Form;
use crate::source::{FileId, Sources};

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

/// Reads a file.
pub(crate) fn read(_sources: &Sources, _file: FileId) -> Reading {
    Reading::default()
}
