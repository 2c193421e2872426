//! The presenter `tui`: the full screen.
//!
//! State changes by events; drawing is a function of state and size. It knows the contract, and no
//! tool, provider or command by name.

// Until all of it is joined, parts of it have no caller yet.
#![allow(dead_code)]

mod clock;
mod files;
mod fuzzy;
// What these two offer has no user yet either.
#[allow(unused_imports)]
mod keymap;
mod paint;
mod shell;
#[allow(unused_imports)]
mod theme;
mod user_file;
