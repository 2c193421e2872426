//! The model server, seen through plain sockets.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod raw_client;
mod replies;
mod scripts;
mod server;
