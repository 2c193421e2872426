//! The log: a bounded ring of lines, from which known secrets are removed.
//!
//! It writes to no file and no terminal. Extensions write through their api, the kernel where a
//! callback fails.

use fen_contract::api::LogLevel;
use fen_contract::names::{Millis, Owner};
use fen_contract::secret::Secret;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How many lines are kept.
const LINES: usize = 1000;
/// How long one line may be, in bytes.
const LINE_BYTES: usize = 4096;

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogLine {
    /// When it was written.
    pub timestamp: Millis,
    /// How grave it is.
    pub level: LogLevel,
    /// Who wrote it.
    pub owner: Owner,
    /// What it says.
    pub message: String,
}

/// Takes each line as it is written.
type Sink = Box<dyn FnMut(&LogLine) + Send>;

#[derive(Default)]
struct State {
    lines: VecDeque<LogLine>,
    secrets: Vec<Secret>,
    sink: Option<Sink>,
}

/// The log of a run.
#[derive(Default)]
pub struct Log(Mutex<State>);

impl Log {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives each further line to a sink as well, such as a file. It must be quick.
    pub fn set_sink(&self, sink: impl FnMut(&LogLine) + Send + 'static) {
        self.state().sink = Some(Box::new(sink));
    }

    /// Notes a secret, so that no line shows it.
    pub fn hide(&self, secret: &Secret) {
        let mut state = self.state();
        if !state.secrets.contains(secret) {
            state.secrets.push(secret.clone());
        }
    }

    /// Writes a line; the oldest one makes room for it.
    pub fn write(&self, owner: Owner, level: LogLevel, message: &str) {
        let mut state = self.state();
        let mut message = message.to_owned();
        for secret in &state.secrets {
            message = message.replace(secret.reveal(), "[secret]");
        }
        message.truncate(message.floor_char_boundary(LINE_BYTES));
        if state.lines.len() == LINES {
            state.lines.pop_front();
        }
        let line = LogLine { timestamp: Millis::now(), level, owner, message };
        if let Some(sink) = &mut state.sink {
            sink(&line);
        }
        state.lines.push_back(line);
    }

    /// The lines, oldest first.
    pub fn lines(&self) -> Vec<LogLine> {
        self.state().lines.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_bounded_and_shows_no_secret() {
        let log = Log::default();
        log.hide(&Secret::new("sk-canary").unwrap());
        for number in 0..LINES + 5 {
            log.write(Owner::from("x"), LogLevel::Info, &format!("{number} sk-canary"));
        }
        let lines = log.lines();
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0].message, "5 [secret]");
    }
}
