//! The provider against a server that speaks the protocol, faults included.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod answers;
mod conversations;
mod failures;
mod support;
mod thoughts;
mod unclean_streams;
