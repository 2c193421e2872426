//! Markdown, code and diffs as rows of cells.
//!
//! [`layout`] lays a whole text out. [`Stream`] does it for a text that is still growing, with work for
//! each frame that does not grow with the text. [`code_rows`] and [`diff_rows`] are for what is no
//! Markdown. All rows fit into the width that was asked for, and all of them come from
//! [`fen_cells::Printable`], so that a terminal only prints them. It knows nothing of fen, does no I/O
//! and highlights no code itself: see [`Colours`].
//!
//! Bars, rules, the names of languages and line numbers are decorations. What is left of the rows, each
//! row's [`content`](fen_cells::Line::content) put together by its [`join`](fen_cells::Line::join), is
//! the text for copying.

mod code;
mod colours;
mod containers;
mod definitions;
mod diff;
mod fence;
mod inline;
mod pages;
mod plain;
mod render;
mod stream;
mod table;
mod words;

pub use colours::{CodeBlock, Colours, Plain, Runs};
pub use diff::{diff_between, diff_rows};
pub use pages::layout;
pub use plain::{CodeLooks, code_rows};
pub use stream::{RowsView, Stream};
