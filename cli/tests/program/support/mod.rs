//! A place for fen to run in, the run itself, and a terminal.

mod fen;
mod outcome;
mod place;
mod processes;
mod running;
mod screen;
mod terminal;

pub use fen::{Fen, Input};
pub use outcome::Outcome;
pub use place::{Place, files_below, load};
pub use processes::{appears, ends};
pub use running::{Running, events as stream_of};
pub use screen::{Screen, key};
pub use terminal::Terminal;

use std::time::Duration;

/// How long anything may take before it is taken for hung. It is no limit of speed.
pub const GUARD: Duration = Duration::from_secs(60);

/// How long between two looks at something that tells of no change.
pub const LOOK: Duration = Duration::from_millis(5);
