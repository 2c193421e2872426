//! What the commands do in a conversation, with a screen and without.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod choosing;
mod output;
mod sessions;
mod status;
mod support;
