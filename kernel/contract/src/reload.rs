//! Loading extensions anew while a conversation goes on, as commands and tools ask for it.

use crate::failure::{BoxFuture, Failure};

/// Who asks for a reload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A person.
    Person,
    /// A model. It never brings in code that is new or has changed without a person's yes.
    Model,
}

/// Loads extensions anew. Each takes over whole, or its former self stays.
pub trait Reloader: Send + Sync {
    /// Loads one extension, or all, and tells in words what became of them.
    ///
    /// # Errors
    /// There is no such extension, or none of what was asked for could be loaded.
    fn reload(&self, name: Option<String>, asker: Asker) -> BoxFuture<'_, Result<String, Failure>>;

    /// The names of the extensions that could be loaded anew, for completion.
    fn names(&self) -> Vec<String>;
}
