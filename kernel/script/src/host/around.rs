//! What the program around the host gives it: the terminal, the settings file, and where it stands.

use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::secret::CredentialVariables;
use fen_contract::ui::Ui;
use serde_json::{Map, Value as Json};
use std::path::PathBuf;
use std::sync::Arc;

/// The terminal as presenters in scripts reach it.
pub trait Console: Send + Sync {
    /// Writes to standard output.
    fn write(&self, text: String) -> BoxFuture<'_, Result<(), Failure>>;

    /// Shows a prompt and reads a line, without its end; `None` at the end of the input.
    fn read_line(&self, prompt: String) -> BoxFuture<'_, Result<Option<String>, Failure>>;

    /// Writes a line for the person to standard error.
    fn note(&self, line: &str);

    /// Where questions go while no conversation runs; `None` if nobody can be asked then.
    fn ui(&self) -> Option<Arc<dyn Ui>> {
        None
    }
}

/// The person's settings file.
pub trait SettingsFile: Send + Sync {
    /// Changes these settings and leaves the others as they are.
    fn set(&self, settings: Map<String, Json>) -> BoxFuture<'_, Result<(), Failure>>;
}

/// What the program around the host gives it.
#[derive(Clone)]
pub struct Around {
    /// The kernel's runtime; scripts' requests to the kernel and their I/O run there.
    pub runtime: tokio::runtime::Handle,
    /// The working directory.
    pub cwd: PathBuf,
    /// Folders that `fs` never reaches: fen's configuration, state and trust.
    pub closed: Vec<PathBuf>,
    /// Variables that child processes do not inherit.
    pub credentials: CredentialVariables,
    /// The client for `http`.
    pub http: Option<fen_transport::http::Client>,
    /// The terminal.
    pub console: Arc<dyn Console>,
    /// The person's settings file, where scripts may change it.
    pub settings: Option<Arc<dyn SettingsFile>>,
    /// Where the log file is, if there is one.
    pub error_log: Option<PathBuf>,
}
