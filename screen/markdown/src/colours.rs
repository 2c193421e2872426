//! Where the colours of code come from: not from here.

use fen_cells::Role;
use std::sync::Arc;

/// For each line of a block the runs that it is made of, from its start: how many bytes, and their
/// role. What they do not cover, lines that are missing among it, is plain code.
pub type Runs = Vec<Vec<(usize, Role)>>;

/// Code of one language.
#[derive(Debug, Clone, Copy)]
pub struct CodeBlock<'a> {
    /// The language as the text names it; never empty.
    pub language: &'a str,
    /// The code. Its lines end in `\n`, or `\r\n` where the text has them so.
    pub code: &'a str,
    /// The byte of the text that the code begins at. It stays while the text grows, so that it can be
    /// the key to what was worked out.
    pub at: usize,
    /// Whether more of it may come.
    pub is_open: bool,
}

/// Code of one language, for highlighting.
///
/// It is asked while rows are made, for an open block on each frame, so an answer must be quick: give
/// what is known already, and work the rest out elsewhere.
pub trait Colours {
    /// The colours of a block; `None` keeps it plain for now. Those of an open block may end before its
    /// code does. As long as nothing changed, give the same `Arc`.
    fn runs(&self, block: &CodeBlock<'_>) -> Option<Arc<Runs>>;
}

/// No colours.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Colours for Plain {
    fn runs(&self, _: &CodeBlock<'_>) -> Option<Arc<Runs>> {
        None
    }
}
