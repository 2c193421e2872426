//! The terminal as presenters in scripts reach it.

use super::asking::TerminalUi;
use crate::exit;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::ui::Ui;
use fen_core::printable::printable;
use fen_script::host::Console;
use std::io::{BufRead as _, ErrorKind, Write as _};
use std::sync::Arc;

/// How long a line may be, in bytes.
const LINE_BYTES: u64 = 1 << 20;

/// Standard input, output and error.
pub struct Terminal {
    /// Whether questions may be asked while no conversation runs.
    pub asking: Asking,
}

/// Whether a person may be asked while no conversation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Asking {
    /// They did not start anything that asks.
    #[default]
    No,
    /// They wait for it: a login.
    Yes,
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let joined = tokio::task::spawn_blocking(work).await;
    joined.unwrap_or_else(|error| Err(Failure::new(format!("the terminal is gone: {error}"))))
}

fn write(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(printable(text).as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        // A reader that is gone is no failure; the program ends for it elsewhere.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(format!("standard output cannot be written: {error}"))),
    }
}

impl Console for Terminal {
    fn write(&self, text: String) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(blocking(move || write(&text)))
    }

    fn read_line(&self, prompt: String) -> BoxFuture<'_, Result<Option<String>, Failure>> {
        Box::pin(blocking(move || {
            write(&prompt)?;
            let mut line = Vec::new();
            let mut input = std::io::Read::take(std::io::stdin().lock(), LINE_BYTES);
            match input.read_until(b'\n', &mut line) {
                Ok(0) => Ok(None),
                Ok(_) => {
                    let text = String::from_utf8_lossy(&line);
                    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
                }
                Err(error) => Err(Failure::new(format!("standard input cannot be read: {error}"))),
            }
        }))
    }

    fn note(&self, line: &str) {
        exit::note(line);
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        match self.asking {
            Asking::Yes => TerminalUi::open().map(|ui| Arc::new(ui) as Arc<dyn Ui>),
            Asking::No => None,
        }
    }
}
