//! Where fen runs: a home, a project and a folder for temporary files, all of the test's own.

use super::Fen;
use fen_contract::session::SessionBackend as _;
use fen_session_jsonl::{Config, JsonlBackend};
use fen_testing::{ModelServer, TempProject};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folders of one test.
pub struct Place {
    root: TempProject,
}

impl Place {
    pub fn new() -> Self {
        let root = TempProject::new();
        for folder in ["home", "project", "tmp"] {
            std::fs::create_dir(root.path(folder)).unwrap();
        }
        Place { root }
    }

    /// A path below the home directory.
    pub fn home(&self, path: &str) -> PathBuf {
        self.root.path("home").join(path)
    }

    /// A path below the project, which fen is started in.
    pub fn project(&self, path: &str) -> PathBuf {
        self.root.path("project").join(path)
    }

    /// A path below the folder for temporary files.
    pub fn tmp(&self, path: &str) -> PathBuf {
        self.root.path("tmp").join(path)
    }

    /// Writes a file of the project.
    pub fn write(&self, path: &str, content: &str) {
        self.root.write(Path::new("project").join(path), content);
    }

    /// Writes a file of the person's configuration.
    pub fn configure(&self, file: &str, content: &str) {
        self.root.write(Path::new("home/.config/fen").join(file), content);
    }

    /// The text of a file of the person's configuration.
    pub fn configuration(&self, file: &str) -> String {
        self.root.read(Path::new("home/.config/fen").join(file))
    }

    /// fen with these arguments.
    pub fn fen<A: AsRef<str>>(&self, arguments: impl IntoIterator<Item = A>) -> Fen {
        Fen::new(self, arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect())
    }

    /// fen with the provider `mock`, which plays these turns.
    pub fn mocked<A: AsRef<str>>(
        &self,
        turns: Value,
        arguments: impl IntoIterator<Item = A>,
    ) -> Fen {
        static SCRIPTS: AtomicUsize = AtomicUsize::new(0);
        let number = SCRIPTS.fetch_add(1, Ordering::Relaxed);
        let script = self.root.path(format!("script-{number}.json"));
        std::fs::write(&script, turns.to_string()).unwrap();
        self.fen(["--provider", "mock", "--mock-script", script.to_str().unwrap()])
            .arguments(arguments)
    }

    /// fen with a server that speaks Chat Completions.
    pub fn chatting<A: AsRef<str>>(
        &self,
        server: &ModelServer,
        arguments: impl IntoIterator<Item = A>,
    ) -> Fen {
        let url = format!("{}/v1", server.base_url());
        self.fen(["--provider", "vllm", "--base-url", &url, "--model", "m"]).arguments(arguments)
    }

    /// fen with a server that speaks Anthropic Messages.
    pub fn messaging<A: AsRef<str>>(
        &self,
        server: &ModelServer,
        arguments: impl IntoIterator<Item = A>,
    ) -> Fen {
        self.fen(["--provider", "anthropic", "--base-url", &server.base_url(), "--model", "m"])
            .arguments(arguments)
    }

    /// The folder of all sessions.
    pub fn sessions_folder(&self) -> PathBuf {
        self.home(".local/state/fen/sessions")
    }

    /// The files of all sessions.
    pub fn sessions(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = files_below(&self.sessions_folder())
            .into_iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
            .collect();
        files.sort();
        files
    }

    /// The one session that there is.
    pub fn session(&self) -> PathBuf {
        let mut files = self.sessions();
        assert_eq!(files.len(), 1, "{files:?}");
        files.remove(0)
    }

    /// Stores a session of this project, as fen itself would.
    pub fn store_session(&self, id: &str, provider: &str, messages: &[Value]) -> PathBuf {
        let path = self.sessions_folder().join("stored").join(format!("{id}.jsonl"));
        let mut lines = json!({
            "type": "session", "version": 3, "id": id, "timestamp": 1,
            "cwd": self.project(""), "provider": provider, "model": "m1",
        })
        .to_string();
        for (number, message) in messages.iter().enumerate() {
            let parent = number.checked_sub(1).map(|before| format!("e{before}"));
            lines += &format!(
                "\n{}",
                json!({
                    "type": "message", "id": format!("e{number}"), "parent-id": parent,
                    "timestamp": 2, "message": message,
                })
            );
        }
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, lines + "\n").unwrap();
        path
    }
}

/// The messages of a stored session, as the backend loads them.
pub fn load(session: &Path) -> Vec<Value> {
    let backend = JsonlBackend::new(Config::new("/nonexistent"));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let loaded = runtime.block_on(backend.load(session)).unwrap();
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    loaded.messages.iter().map(|message| json!(message)).collect()
}

/// All files below a folder; none if it does not exist.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => folders.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files
}
