//! The kernel of fen: registry, bus, agent loop, turn queue, prompt fragments, tool runner, session
//! lifecycle and settings.
//!
//! It talks to the world only through the contract's interfaces: it opens no file, no connection
//! and no terminal, and it names no provider, tool, presenter or command.

pub mod bus;
pub mod guard;
pub mod kernel;
pub mod log;
pub mod printable;
pub mod prompt;
pub mod queue_keeper;
pub mod registry;
pub mod settings;
pub mod tools;
pub mod transcript;
pub mod turn_queue;

mod agent;
mod api;
mod conversation;
mod dispatch;
mod exposure;
mod listing;
mod resume;
mod screen;
mod session;
mod shared;
mod staging;
mod stored;

pub use kernel::{Kernel, RunOutcome, RunSetup};
pub use staging::Staging;
