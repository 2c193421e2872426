//! What the kernel promises, judged from outside: through extensions, a presenter and the bus.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a panic is the failure report of a test"
)]

mod support;

mod bus;
mod cancelling;
mod commands;
mod context;
mod ending;
mod every_event;
mod exposure;
mod extensions;
mod hooks;
mod models;
mod queues;
mod registry;
mod reloading;
mod resume;
mod retries;
mod screen;
mod screen_presenter;
mod sessions;
mod slow_subscribers;
mod stored_sessions;
mod tool_calls;
mod turns;
