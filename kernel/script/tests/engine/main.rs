//! The engine's promises, tested from outside: hostile code ends as a named error and the VM, the
//! thread and other VMs go on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod calls;
mod coroutines;
mod errors;
mod hostile;
mod kit;
mod libraries;
mod memory;
mod modules;
mod patterns;
mod threads;
mod values;
