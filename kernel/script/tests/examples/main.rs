//! The examples and the tutorial as their readers get them: read from disk, loaded into a real
//! kernel, used through a screen.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a panic is the failure report of a test"
)]

mod kit;

mod backends;
mod every_kind;
mod fennel_page;
mod presenter;
mod promises;
mod provider;
mod screen;
mod tools;
mod tutorial;
