//! What line-based presenters share: words for calls, results and failures, and output that notices
//! when nobody reads it any more.
//!
//! It knows no tool by name. Presenters call it; the program writes its JSON with it, and tells it
//! that the end of a run is near.

pub mod idle;
pub mod output;
pub mod words;
