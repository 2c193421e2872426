//! The HTTP client against servers on loopback that say exactly the bytes they are told.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // the server panics with its test

mod answers;
mod routes;
mod server;
