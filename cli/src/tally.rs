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
    /// The first failure of printing.
    unprinted: Option<ExitCode>,
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

    /// Something was printed, with this outcome.
    pub fn printed(&mut self, outcome: ExitCode) {
        if outcome != ExitCode::SUCCESS {
            self.unprinted.get_or_insert(outcome);
        }
    }

    /// The code: that of printing, if nothing is wrong.
    pub fn code(&self) -> ExitCode {
        if self.is_unusable {
            ExitCode::from(exit::MISUSED)
        } else if self.is_wrong {
            ExitCode::from(exit::FAILED)
        } else {
            self.unprinted.unwrap_or(ExitCode::SUCCESS)
        }
    }
}

/// `1 file`, `2 files`.
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_printed_is_not_forgotten() {
        let mut tally = Tally::default();
        tally.printed(ExitCode::from(exit::FAILED));
        tally.printed(ExitCode::SUCCESS);
        assert_eq!(tally.code(), ExitCode::from(exit::FAILED));
    }
}
