//! A store in a temporary folder, and short words for what the tests do with it.

#![allow(dead_code, reason = "each test file uses its part")]

use fen_contract::failure::Failure;
use fen_contract::session::SessionInfo;
use fen_contract::session::{FindOptions, Loaded, OpenOptions, Session, SessionBackend as _};
use fen_contract::types::{AssistantBlock, AssistantMessage, Message, StopReason, TextContent};
use fen_contract::types::{ToolCall, UserMessage};
use fen_session_jsonl::{Config, JsonlBackend};
use std::future::Future;
use std::path::{Path, PathBuf};

pub struct Store {
    pub folder: tempfile::TempDir,
    pub backend: JsonlBackend,
}

/// Runs a future to its end on a runtime of its own.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

impl Store {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let backend = backend(&folder.path().join("sessions"));
        std::fs::create_dir(folder.path().join("project")).unwrap();
        Store { folder, backend }
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("sessions")
    }

    pub fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub fn open(&self) -> Session {
        self.open_in(&self.project())
    }

    pub fn open_in(&self, cwd: &Path) -> Session {
        wait(self.backend.open(options(cwd))).unwrap()
    }

    pub fn reopen(&self, path: &Path) -> Session {
        self.try_reopen(path).unwrap()
    }

    pub fn try_reopen(&self, path: &Path) -> Result<Session, Failure> {
        wait(self.backend.open_existing(path, options(&self.project())))
    }

    pub fn say(&self, session: &Session, text: &str) {
        self.try_say(session, text).unwrap();
    }

    pub fn try_say(&self, session: &Session, text: &str) -> Result<(), Failure> {
        wait(self.backend.append(session, &user(text)))
    }

    pub fn append(&self, session: &Session, message: &Message) {
        wait(self.backend.append(session, message)).unwrap();
    }

    pub fn close(&self, session: &Session) {
        wait(self.backend.close(session)).unwrap();
    }

    pub fn load(&self, path: &Path) -> Loaded {
        wait(self.backend.load(path)).unwrap()
    }

    pub fn list(&self) -> Vec<SessionInfo> {
        self.find(FindOptions::default())
    }

    pub fn find(&self, options: FindOptions) -> Vec<SessionInfo> {
        wait(self.backend.find(options)).unwrap()
    }

    /// A stored, closed session with these words of a person.
    pub fn stored(&self, texts: &[&str]) -> PathBuf {
        let session = self.open();
        for text in texts {
            self.say(&session, text);
        }
        self.close(&session);
        session.info.path
    }

    /// A file with this content where sessions lie.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        std::fs::create_dir_all(self.root()).unwrap();
        let path = self.root().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

pub fn backend(root: &Path) -> JsonlBackend {
    JsonlBackend::new(Config::new(root))
}

pub fn options(cwd: &Path) -> OpenOptions {
    OpenOptions { cwd: cwd.to_owned(), provider: Some("p".into()), model: Some("m".into()) }
}

pub fn user(text: &str) -> Message {
    UserMessage::new(text).into()
}

pub fn answer(text: &str) -> Message {
    let block = AssistantBlock::Text(TextContent::new(text));
    AssistantMessage::new(vec![block], StopReason::Stop).into()
}

pub fn calling(arguments: serde_json::Value) -> Message {
    let call = AssistantBlock::ToolCall(ToolCall::new("c1", "bash", arguments).into());
    AssistantMessage::new(vec![call], StopReason::ToolUse).into()
}

pub fn texts(loaded: &Loaded) -> Vec<String> {
    loaded
        .messages
        .iter()
        .map(|message| match message {
            Message::User(user) => user.content.text(),
            Message::Assistant(answer) => answer.text().unwrap_or_default(),
            Message::ToolResult(result) => result.text(),
        })
        .collect()
}

pub fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A line of the present format.
pub fn entry(id: &str, parent: Option<&str>, text: &str) -> String {
    let message = serde_json::json!({"role": "user", "content": text, "timestamp": 1});
    let entry = serde_json::json!({
        "type": "message", "id": id, "parent-id": parent, "timestamp": 1, "message": message,
    });
    format!("{entry}\n")
}

pub fn header(version: u64) -> String {
    format!(
        "{{\"type\":\"session\",\"version\":{version},\"id\":\"old-id\",\"timestamp\":5,\
         \"cwd\":\"/nowhere/at all\"}}\n"
    )
}

/// Where a helper process is to work; tests that are not such a process return at once.
const CHILD_FOLDER: &str = "FEN_TEST_CHILD_FOLDER";

/// The folder that this helper process was given, if it is one.
pub fn child_folder() -> Option<PathBuf> {
    std::env::var_os(CHILD_FOLDER).map(PathBuf::from)
}

/// Runs the helper `name`, a test of this binary, as a process of its own, after `prelude` of the
/// shell.
pub fn child(name: &str, prelude: &str, folder: &Path) -> std::process::Command {
    let mut command = std::process::Command::new("/bin/sh");
    let script = format!("{prelude}\nexec \"$0\" --exact --nocapture \"$1\"");
    command.arg("-c").arg(script).arg(std::env::current_exe().unwrap()).arg(name);
    command.env(CHILD_FOLDER, folder);
    command
}
