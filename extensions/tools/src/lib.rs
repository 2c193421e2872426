//! The built-in tools: bash, read, write, edit, grep, find, ls.
//!
//! Each tool is an extension of its own, so that any of them can be left out or replaced. What a
//! tool cannot do becomes an error result in words for the model; nothing here panics, and nothing
//! here draws. Blocking work runs on tokio's blocking pool.
//!
//! Output that could be long is bounded by [`bounds::MAX_LINES`] and [`bounds::MAX_BYTES`]; the
//! result then says how much there was and how to see the rest.

pub mod bash;
pub mod bounds;
pub mod edit;
pub mod find;
pub mod grep;
pub mod ls;
pub mod read;
pub mod write;

mod arguments;
mod builtin;
mod paths;
mod refusal;
mod save;
mod text;
mod tree;
mod work;

#[cfg(test)]
mod testing;
