//! How a callback of an extension says that it could not do its work.

use std::future::Future;
use std::pin::Pin;

/// A future of a contract method.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A failure in words for a person: what happened, to what, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Whose mistake it was.
    pub fault: Fault,
    /// The words.
    pub message: String,
}

/// Whose mistake a [`Failure`] was; it decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Something failed while it ran.
    Runtime,
    /// The caller asked for what does not exist or cannot be.
    Caller,
}

impl Failure {
    /// A failure at run time.
    pub fn new(message: impl Into<String>) -> Self {
        Failure { fault: Fault::Runtime, message: message.into() }
    }

    /// A mistake of the caller's.
    pub fn caller(message: impl Into<String>) -> Self {
        Failure { fault: Fault::Caller, message: message.into() }
    }
}
