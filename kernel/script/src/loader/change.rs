//! What a watcher looks for.

use crate::package::Digest;

/// An extension whose code is not the code that runs: changed, new or gone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// The extension's name.
    pub name: String,
    /// The code as it is now; `None` where it is gone.
    pub code: Option<Digest>,
}
