//! The multi-line input of a terminal program.
//!
//! [`Command`]s go in and rows come out: the crate has no type of a key and none of a terminal. An
//! [`Editor`] holds a text with a cursor; [`Editor::view`] gives what is seen of it. [`History`] keeps
//! the lines that were entered and is the only part that touches files. [`Vi`] makes commands of the
//! keys of vi.
//!
//! It is our own since the editors that are kept count characters and not graphemes, and know no
//! folded pastes; and how wide a text is must have one answer, that of [`fen_cells`].

mod buffer;
mod command;
mod edit;
mod editor;
mod fragment;
mod history;
mod history_file;
mod kill_ring;
mod layout;
mod line_index;
mod motion;
mod place;
mod undo;
mod vi;
mod vi_edit;
mod wrap;

pub use command::{Command, Outcome, UnknownCommand};
pub use editor::Editor;
pub use fragment::FOLD;
pub use history::History;
pub use layout::View;
pub use vi::{Vi, ViKey};
pub use vi_edit::{Motion, Side, ViCommand};
