//! What scripts can reach outside their VM, tested from Lua: each call's good and bad path, what is
//! closed to them, and that nothing outlives a call that was given up.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod files;
mod grants;
mod kit;
mod links;
mod processes;
mod requests;
mod running;
mod streams;
