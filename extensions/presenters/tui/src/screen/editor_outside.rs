//! The person's own editor for what they type.

use std::io::Write as _;
use std::process::{Child, Command};

/// What a text is edited in, as a line of the shell.
fn program() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".to_owned())
}

impl Drop for Editing {
    fn drop(&mut self) {
        // Fen is leaving, or the editor is gone already, which is no failure here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A text that is being edited.
pub(crate) struct Editing {
    file: tempfile::NamedTempFile,
    child: Child,
    name: String,
}

impl Editing {
    /// Opens the editor on the text. The terminal is its own meanwhile.
    pub fn begin(text: &str) -> Result<Editing, String> {
        let mut file = tempfile::Builder::new()
            .prefix("fen-prompt-")
            .suffix(".md")
            .tempfile()
            .map_err(|error| format!("no file for it: {error}"))?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.flush())
            .map_err(|error| format!("the text cannot be written: {error}"))?;
        let name = program();
        // The shell splits the line, so that quotes in it hold; the file is an argument of its own.
        let child = Command::new("sh")
            .args(["-c", &format!("exec {name} \"$1\""), "sh"])
            .arg(file.path())
            .spawn()
            .map_err(|error| format!("`{name}` cannot be started: {error}; set $EDITOR"))?;
        Ok(Editing { file, child, name })
    }

    /// The text, once the editor is closed.
    pub fn poll(&mut self) -> Option<Result<String, String>> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) if status.success() => {
                Some(std::fs::read_to_string(self.file.path()).map_err(|error| error.to_string()))
            }
            Ok(Some(status)) => {
                let name = &self.name;
                Some(Err(format!("`{name}` ended with {status}")))
            }
            Err(error) => Some(Err(error.to_string())),
        }
    }
}
