//! Who is asked whether code may run, and what they may answer.

use fen_contract::failure::BoxFuture;

/// A person's answer to the question whether code may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Now and from now on, as long as it stays as it is.
    Always,
    /// Until fen ends.
    Once,
    /// No.
    No,
    /// Nobody can be asked.
    Nobody,
}

/// Asks a person.
pub trait Approver: Send + Sync {
    /// Shows the question, which is fit to be printed, and gives the answer.
    fn ask(&self, question: String) -> BoxFuture<'_, Answer>;
}

/// An approver for runs in which nobody can be asked.
pub struct NobodyThere;

impl Approver for NobodyThere {
    fn ask(&self, _: String) -> BoxFuture<'_, Answer> {
        Box::pin(std::future::ready(Answer::Nobody))
    }
}
