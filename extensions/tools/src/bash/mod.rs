//! `bash`: runs a command line.
//!
//! The command has a session of its own, no input and no terminal. The call ends when the shell
//! ends, whatever its background children hold open; they go on living. On a timeout, on
//! cancellation and when the call's future is dropped, the whole process group ends with it.
//!
//! Calls are serial: a command may change what the next one sees.

use fen_contract::api::Extension;
use fen_contract::failure::BoxFuture;
use fen_contract::secret::CredentialVariables;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::arguments::Arguments;
use crate::builtin::Builtin;
use crate::paths::{resolve, shown};
use crate::refusal::{Refusal, settle};
use crate::work::cancelled;

mod collector;
mod live;
mod report;
mod run;
mod shell;
mod spill;

/// The longest timeout that a call can ask for.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(3_600);

/// What the tool is told by those who load it.
#[derive(Debug, Clone)]
pub struct Config {
    /// The variables that hold credentials; commands do not inherit them.
    pub credentials: CredentialVariables,
    /// Names among them that commands inherit all the same.
    pub keep_env: Vec<String>,
    /// The timeout of a call that names none.
    pub timeout: Duration,
    /// Where the full text of long output goes; `None` for the system's temporary directory.
    pub spill_dir: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            credentials: CredentialVariables::default(),
            keep_env: Vec::new(),
            timeout: Duration::from_secs(120),
            spill_dir: None,
        }
    }
}

/// The extension with the tool `bash`.
pub fn extension(config: Config) -> impl Extension {
    Builtin::new(
        "bash",
        "Run a shell command, without stdin or terminal. Shows the last 2000 lines or 50 KiB of \
         its output.",
        json!({
            "type": "object",
            "properties": {
                "command": {"type": "string"},
                "timeout": {"type": "number", "description": "Seconds, default 120, at most 3600"},
                "cwd": {"type": "string"}
            },
            "required": ["command"]
        }),
        BashTool(config),
    )
}

struct BashTool(Config);

impl Tool for BashTool {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            if call.cancel.is_cancelled() {
                return cancelled();
            }
            match request(Arguments(&arguments), call, &self.0) {
                Ok(request) => settle(run::run(&request, call, &self.0).await),
                Err(refusal) => settle(Err(refusal)),
            }
        })
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Serial
    }
}

/// A command that can be started.
pub(crate) struct Request {
    command: String,
    cwd: PathBuf,
    timeout: Duration,
}

fn request(
    arguments: Arguments<'_>,
    call: &ToolCallContext,
    config: &Config,
) -> Result<Request, Refusal> {
    let command = arguments.text("command")?;
    if command.trim().is_empty() {
        return Err(Refusal::new("The command is empty."));
    }
    if command.contains('\0') {
        return Err(Refusal::new("The command contains a NUL."));
    }
    let timeout = match arguments.seconds("timeout")? {
        // Bounded first, so that the conversion cannot fail.
        Some(seconds) => Duration::from_secs_f64(seconds.min(MAX_TIMEOUT.as_secs_f64())),
        None => config.timeout,
    };
    let cwd = match arguments.optional_text("cwd")? {
        Some(cwd) => resolve(&call.cwd, cwd)?,
        None => call.cwd.clone(),
    };
    check_directory(&cwd, &call.cwd)?;
    Ok(Request { command: command.to_owned(), cwd, timeout })
}

/// Says that the directory is the matter before the system says that some program is missing.
fn check_directory(cwd: &Path, own: &Path) -> Result<(), Refusal> {
    match std::fs::metadata(cwd) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(Refusal(format!("Cannot run in {}: it is not a directory.", shown(cwd)))),
        Err(_) if cwd == own => Err(Refusal(format!(
            "The working directory {} is gone. Give an existing directory as cwd, such as /tmp, \
             or make it again.",
            shown(cwd)
        ))),
        Err(error) => Err(Refusal::io("run in", cwd, &error)),
    }
}

#[cfg(test)]
mod tests;
