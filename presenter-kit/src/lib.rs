//! What line-based presenters share: one line of words for a call or a result, and output that
//! notices when nobody reads it any more. It knows no tool by name.

pub mod output;
pub mod words;
