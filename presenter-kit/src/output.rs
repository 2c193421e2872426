//! Standard output and standard error as a presenter uses them.

use fen_contract::failure::Failure;
use std::io::{self, ErrorKind, Write};

/// Whether the reader of standard output is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// It took the text.
    Present,
    /// It has closed its end; the program ends quietly.
    Gone,
}

/// Writes to standard output at once.
pub fn write_stdout(text: &str) -> Result<Reader, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(Reader::Present),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::new(format!("standard output cannot be written: {error}"))),
    }
}

/// Writes to standard error. Where that fails there is nowhere left to tell it.
pub fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
