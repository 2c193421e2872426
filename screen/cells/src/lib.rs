//! Foreign text as cells of a terminal.
//!
//! [`Printable`] is the one way from text to cells: what it holds a terminal only prints. [`Line`]s are
//! made of it, each [`Span`] with a [`Look`], which names a role and no colour. [`units`] says how many
//! cells each piece takes; wrapping, clipping, cursors and painting all ask it, so that their sums agree.
//! It knows nothing of fen, of themes or of a terminal.

mod line;
mod look;
mod printable;
mod width;
mod wrap;

pub use line::{Join, Line, Span};
pub use look::{Look, Role};
pub use printable::Printable;
pub use width::{Unit, cut, units, width};
pub use wrap::{Prefix, clip, wrap_code, wrap_words};
