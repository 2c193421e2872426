//! The contract of fen: what crosses every boundary between the kernel, its extensions and the
//! programs that drive it.
//!
//! It owns the canonical types, the events, the register kinds and the interfaces, each declared
//! once together with its documentation. It does no I/O, starts no task, depends on no async
//! runtime and knows no extension by name.

pub mod agent;
pub mod api;
pub mod auth;
pub mod cancel;
pub mod command;
pub mod conversation;
pub mod doc;
pub mod events;
pub mod failure;
pub mod hook;
pub mod interfaces;
pub mod introspect;
pub mod kinds;
pub mod lookup;
pub mod names;
pub mod presenter;
pub mod price;
pub mod provider;
pub mod record;
pub mod reference;
pub mod reload;
pub mod schema;
pub mod script_api;
pub mod secret;
pub mod session;
pub mod tool;
pub mod type_expr;
pub mod types;
pub mod ui;
pub mod validate;
