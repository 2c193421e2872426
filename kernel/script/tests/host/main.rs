//! Extensions in Lua and Fennel on a real kernel: what they contribute, what their `api` does, and what
//! becomes of those that fail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a panic is the failure report of a test"
)]

mod beside;
mod doubles;
mod kit;

mod api;
mod events;
mod fennel;
mod hostile;
mod kinds;
mod many;
mod once;
mod quarantine;
mod reload;
mod watchdog;
