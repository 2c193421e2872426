//! What the presenter is made with.

use fen_contract::secret::CredentialVariables;
use std::path::PathBuf;
use std::sync::Arc;

/// Notes the name of something that a start reaches, and when.
pub type Mark = Arc<dyn Fn(&'static str) + Send + Sync>;

/// What the presenter is made with.
#[derive(Clone)]
pub struct Config {
    /// The folder of the person's configuration: `keybindings.json` and `themes/`.
    pub config_folder: PathBuf,
    /// The folder of what fen keeps: the history of entered lines.
    pub state_folder: PathBuf,
    /// The working directory.
    pub cwd: PathBuf,
    /// Variables that commands run with `!` do not get.
    pub credentials: CredentialVariables,
    /// Told when the first frame is on the screen, and of what comes before it.
    pub mark: Mark,
    /// How a conversation is resumed from the command line; `{id}` stands for the session.
    pub resume_hint: String,
}
