//! How fen is started: arguments, environment, standard input.

use super::{Outcome, Place, Running};
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_fen");

/// What standard input is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The descriptor does not exist.
    Closed,
    /// It ends at once.
    Empty,
    /// It has this text and ends.
    Text(String),
    /// A pipe that stays open; the test may write to it.
    Held,
}

/// A run that has not begun. Its environment is empty but for a home, a folder for temporary files
/// and the search path.
#[must_use]
pub struct Fen {
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    folder: PathBuf,
    input: Input,
    prelude: String,
}

impl Fen {
    pub(super) fn new(place: &Place, arguments: Vec<String>) -> Self {
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let environment = vec![
            ("HOME".to_owned(), text(place.home(""))),
            ("TMPDIR".to_owned(), text(place.tmp(""))),
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
        ];
        let folder = place.project("");
        Fen { arguments, environment, folder, input: Input::Empty, prelude: String::new() }
    }

    /// Further arguments.
    pub fn arguments<A: AsRef<str>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self = self.without_env(name);
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a variable away.
    pub fn without_env(mut self, name: &str) -> Self {
        self.environment.retain(|(known, _)| known != name);
        self
    }

    /// What standard input is; it is empty unless this says otherwise.
    pub fn input(mut self, input: Input) -> Self {
        self.input = input;
        self
    }

    /// Standard input with this text.
    pub fn text(self, text: &str) -> Self {
        self.input(Input::Text(text.to_owned()))
    }

    /// Starts in another directory.
    pub fn within(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.folder);
        self
    }

    /// Starts through a shell that first does this, such as `umask 002`.
    pub fn after(mut self, shell: &str) -> Self {
        self.prelude = format!("{shell}; ");
        self
    }

    /// What to start, for a terminal: program and arguments, environment, directory.
    pub(super) fn parts(&self) -> (&[String], &[(String, String)], &Path) {
        (&self.arguments, &self.environment, &self.folder)
    }

    /// Runs to the end.
    pub fn run(self) -> Outcome {
        self.start().finish()
    }

    /// Begins to run.
    pub fn start(self) -> Running {
        let closing = if self.input == Input::Closed { "exec <&-; " } else { "" };
        let mut command = match format!("{}{closing}", self.prelude) {
            prelude if prelude.is_empty() => Command::new(PROGRAM),
            prelude => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("{prelude}exec \"$0\" \"$@\"")).arg(PROGRAM);
                shell
            }
        };
        command
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(match &self.input {
                Input::Closed | Input::Empty => Stdio::null(),
                Input::Text(text) => filled(text),
                Input::Held => Stdio::piped(),
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Running::new(command, self.arguments)
    }
}

/// A standard input with all of the text in it before fen starts, so that no test depends on which
/// of the two is faster.
fn filled(text: &str) -> Stdio {
    /// What a pipe holds at the least.
    const PIPE: usize = 4096;
    if text.len() <= PIPE {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        return reader.into();
    }
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.rewind().unwrap();
    file.into()
}
