//! The `api` table, row by row.

mod bus;
mod conversation;
mod files;
mod looks;
mod session;
mod timers;
mod ui;
