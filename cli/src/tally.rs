//! What became of several files: each is done, whatever the others are like, and the exit code tells
//! the gravest.

use crate::exit;
use fen_contract::failure::Failure;
use std::process::ExitCode;

/// See the module.
#[derive(Debug, Default)]
pub struct Tally {
    is_wrong: bool,
    is_unusable: bool,
}

impl Tally {
    /// A program has mistakes, or is not as it should be.
    pub fn wrong(&mut self) {
        self.is_wrong = true;
    }

    /// A file cannot be read or written; it is told at once.
    pub fn unusable(&mut self, failure: &Failure) {
        self.is_unusable = true;
        exit::note(&format!("fen: {failure}"));
    }

    /// The code: that of printing, if nothing is wrong.
    pub fn code(&self, printed: ExitCode) -> ExitCode {
        if self.is_unusable {
            ExitCode::from(exit::MISUSED)
        } else if self.is_wrong {
            ExitCode::from(exit::FAILED)
        } else {
            printed
        }
    }
}
