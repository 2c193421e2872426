//! Exit codes, and output that ends quietly when its reader is gone.
//!
//! What it writes may come from anywhere, so control characters become marks. The subcommands write
//! through it; a conversation's output is its presenter's.

use fen_contract::failure::{Failure, Fault};
use fen_core::printable::{printable, printable_strict};
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// The model, a tool, a provider or the runtime failed.
pub const FAILED: u8 = 1;
/// The caller made a mistake.
pub const MISUSED: u8 = 2;

/// The code for a failure.
pub fn code_of(failure: &Failure) -> ExitCode {
    match failure.fault {
        Fault::Runtime => ExitCode::from(FAILED),
        Fault::Caller => ExitCode::from(MISUSED),
    }
}

/// Tells a failure on standard error and gives its code.
pub fn fail(failure: &Failure) -> ExitCode {
    note(&format!("fen: {failure}"));
    code_of(failure)
}

/// A line on standard error. Where that fails there is nowhere left to tell it.
pub fn note(text: &str) {
    let text = printable(text);
    let _ = std::io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}

/// The same for words about foreign code, which may quote it: characters that hide or reorder others
/// are shown by their number.
pub fn note_strict(text: &str) {
    note(&printable_strict(text));
}

/// Writes a result to standard output, control characters as marks; a reader that is gone is no
/// failure.
pub fn print(text: &str) -> ExitCode {
    put(&printable(text))
}

/// The same for words about foreign code, as [`note_strict`] shows them.
pub fn print_strict(text: &str) -> ExitCode {
    put(&printable_strict(text))
}

fn put(text: &str) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            note(&format!("fen: standard output cannot be written: {error}"));
            ExitCode::from(FAILED)
        }
    }
}

/// Writes a text to standard output exactly, or with control characters as marks where a person
/// reads it; a reader that is gone is no failure.
pub fn print_exactly(text: &str) -> ExitCode {
    match std::io::stdout().is_terminal() {
        true => print(text),
        false => put(text),
    }
}

/// Writes a result to standard output as one line of JSON.
pub fn print_json(value: &impl serde::Serialize) -> Result<ExitCode, Failure> {
    let line = fen_presenter_kit::output::json_line(value)
        .map_err(|error| Failure::new(format!("the result cannot be written as JSON: {error}")))?;
    Ok(print(&line))
}

/// What clap has to say: help on standard output, mistakes on standard error.
pub fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        // It repeats what was typed, which may come from anywhere.
        let text = error.render().to_string();
        let _ = std::io::stderr().lock().write_all(printable(&text).as_bytes());
        ExitCode::from(MISUSED)
    } else {
        print(&error.render().to_string())
    }
}
