//! What the program promises, judged from outside: through the binary, a model server and a
//! terminal.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a panic is the failure report of a test"
)]

mod support;

mod authors;
mod closed_output;
mod command_line;
mod crashes;
mod demo;
mod environment;
mod extensions;
mod failures;
mod fennel;
mod fennel_repl;
mod guards;
mod hostile_text;
mod interactive;
mod json;
mod login;
mod models_file;
mod print;
mod project_files;
mod providers;
mod proxies;
mod queries;
mod reload;
mod requests;
mod screen;
mod session_files;
mod sessions;
mod settings;
mod signals;
mod standard_input;
mod tools;
mod trust;
