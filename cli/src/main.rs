//! The `fen` program: arguments, wiring, subcommands, signals, the demo.
//!
//! It holds no logic of the agent; everything else lives in the kernel and its extensions.

mod arguments;
mod command_line;
mod demo;
mod exit;
mod ext;
mod fennel;
mod files;
mod log_file;
mod login;
mod mock_script;
mod models_auth;
mod models_file;
mod output_watch;
mod own_code;
mod prompt_input;
mod providers;
mod run;
mod scripts;
mod selection;
mod session_choice;
mod signals;
mod startup;
mod subcommands;
mod tally;
mod trust;
mod wiring;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The version is asked for by scripts and prompts: nothing is set up for it.
    let mut arguments = std::env::args_os().skip(1);
    if let (Some(only), None) = (arguments.next(), arguments.next())
        && (only == "--version" || only == "-V")
    {
        return exit::print(concat!("fen ", env!("CARGO_PKG_VERSION"), "\n"));
    }
    startup::begin();
    match command_line::parse(std::env::args_os().collect()) {
        Ok(parsed) => subcommands::carry_out(parsed),
        Err(error) => exit::usage(&error),
    }
}
