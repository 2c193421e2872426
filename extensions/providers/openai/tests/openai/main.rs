//! The provider against a scripted server: what goes out, what comes in, what goes wrong.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests, where a panic is the failure report"
)]

mod calls;
mod failures;
mod framing;
mod models;
mod requests;
mod support;
