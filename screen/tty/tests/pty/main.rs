//! A program in a terminal, and what it leaves behind; the program is the example `keys`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is the failure report of a test")]

mod endings;
mod reading;
mod suspending;
mod terminal;
