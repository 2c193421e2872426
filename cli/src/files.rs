//! Where fen's files are, and reading the user's own configuration.
//!
//! It reads only what is the user's, never a file of the project, and never writes.

use crate::exit;
use etcetera::BaseStrategy as _;
use fen_contract::failure::Failure;
use fen_core::settings::Settings;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// How large a configuration file may be, in bytes.
const CONFIG_BYTES: u64 = 4 * 1024 * 1024;

/// The folders, by the XDG rules.
#[derive(Debug, Clone)]
pub struct Folders {
    /// `~/.config/fen`.
    pub config: PathBuf,
    /// `~/.local/state/fen`.
    pub state: PathBuf,
}

impl Folders {
    /// The folders of this user.
    pub fn find() -> Result<Self, Failure> {
        let base = etcetera::base_strategy::Xdg::new()
            .map_err(|error| Failure::caller(format!("no home directory ({error}); set HOME")))?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        Ok(Folders { config: base.config_dir().join("fen"), state: state.join("fen") })
    }

    /// What a person agreed to let run.
    pub fn trust_file(&self) -> PathBuf {
        self.state.join("trust.json")
    }

    /// Where fen logs.
    pub fn log_file(&self) -> PathBuf {
        self.state.join("log").join("fen.log")
    }

    /// The settings; the default where there is no file.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let path = self.config.join("settings.json");
        match read_config(&path)? {
            None => Ok(Settings::default()),
            Some(text) => {
                let settings = Settings::parse(&text).map_err(|error| broken(&path, &error))?;
                let known = fen_core::settings::FIELDS;
                for name in settings.extra.keys() {
                    warn_unknown(&path.display().to_string(), name, known);
                }
                Ok(settings)
            }
        }
    }
}

/// A field that nothing reads is kept, and told: it may be a slip in one that matters.
pub fn warn_unknown<'a>(place: &str, name: &str, known: impl IntoIterator<Item = &'a str>) {
    let hint = fen_contract::validate::did_you_mean(name, known);
    exit::note(&format!("fen: {place}: unknown field `{name}`{hint}"));
}

/// The text of a configuration file; `None` if there is none.
pub fn read_config(path: &Path) -> Result<Option<String>, Failure> {
    let unreadable =
        |reason: String| Failure::caller(format!("{} cannot be read: {reason}", path.display()));
    match std::fs::metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error.to_string())),
        Ok(found) if !found.is_file() => return Err(unreadable("it is not a file".to_owned())),
        Ok(found) if found.len() > CONFIG_BYTES => {
            return Err(unreadable(format!("it has more than {CONFIG_BYTES} bytes")));
        }
        Ok(_) => {}
    }
    std::fs::read_to_string(path).map(Some).map_err(|error| unreadable(error.to_string()))
}

/// A file that cannot be parsed; it stays as it is.
pub fn broken(path: &Path, error: &serde_json::Error) -> Failure {
    Failure::caller(format!(
        "{} line {}, column {}: {error}; mend it, or move it away",
        path.display(),
        error.line(),
        error.column()
    ))
}
