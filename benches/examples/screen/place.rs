//! Where a measurement takes place: the programs, a folder to work in, a new home for each run, and the
//! stored sessions.

use crate::pty::{Program, Screen};
use fen_contract::session::{OpenOptions, SessionBackend as _};
use fen_contract::types::{
    AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason, TextContent, ToolCall,
    ToolResultMessage, UserMessage,
};
use fen_session_jsonl::{Config, JsonlBackend};
use serde_json::json;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The last words of each stored session.
pub const LAST_WORDS: &str = "the last words of the session";

/// The programs and folders.
pub struct Place {
    pub fen: PathBuf,
    pub bare: PathBuf,
    root: TempDir,
}

/// A stored session: the files of a home with it, and its id.
pub struct Stored {
    home: TempDir,
    pub id: String,
    pub messages: usize,
    pub bytes: u64,
}

/// How long a session is to get.
pub enum Length {
    Messages(usize),
    Bytes(u64),
}

impl Place {
    pub fn new(fen: PathBuf, bare: PathBuf) -> Place {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("project")).unwrap();
        Place { fen, bare, root }
    }

    /// The folder that programs are started in.
    fn project(&self) -> PathBuf {
        self.root.path().join("project")
    }

    /// A home without anything in it.
    pub fn home(&self) -> TempDir {
        tempfile::tempdir_in(self.root.path()).unwrap()
    }

    /// A home with a stored session in it; the session itself stays as it is.
    pub fn home_with(&self, stored: &Stored) -> TempDir {
        let home = self.home();
        copy(stored.home.path(), home.path());
        home
    }

    /// Starts fen with the mock.
    pub fn start(&self, home: &TempDir, arguments: &[&str]) -> Screen {
        let mut all = vec!["--provider".to_owned(), "mock".to_owned()];
        all.extend(arguments.iter().map(|&argument| argument.to_owned()));
        let (path, cwd) = (&*self.fen, &*self.project());
        Screen::start(&Program { path, arguments: all, home: home.path(), cwd })
    }

    /// Starts the least that could do the same.
    pub fn start_bare(&self, home: &TempDir) -> Screen {
        let (path, cwd) = (&*self.bare, &*self.project());
        Screen::start(&Program { path, arguments: Vec::new(), home: home.path(), cwd })
    }

    /// Writes a session of this length.
    pub fn store(&self, length: &Length) -> Stored {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.write(length))
    }

    async fn write(&self, length: &Length) -> Stored {
        let home = self.home();
        let folder = home.path().join(".local/state/fen/sessions");
        let backend = JsonlBackend::new(Config::new(folder));
        let options = OpenOptions { cwd: self.project(), ..OpenOptions::default() };
        let session = backend.open(options).await.unwrap();
        let path = session.info.path.clone();
        let size = || std::fs::metadata(&path).map_or(0, |file| file.len());
        let mut messages = 0;
        let write = async |message: &Message| {
            backend.append(&session, message).await.unwrap();
        };
        while match length {
            Length::Messages(count) => messages + 2 < *count,
            Length::Bytes(bytes) => size() < *bytes,
        } {
            for message in &turn(messages) {
                write(message).await;
            }
            messages += 4;
        }
        let question = "Please find out why the value is wrong and mend it.";
        let words = vec![AssistantBlock::Text(TextContent::new(LAST_WORDS))];
        write(&UserMessage::new(question).into()).await;
        write(&AssistantMessage::new(words, StopReason::Stop).into()).await;
        let id = session.info.id.to_string();
        backend.close(&session).await.unwrap();
        Stored { home, id, messages: messages + 2, bytes: size() }
    }
}

/// A turn as coding sessions have it: a question, a call, its output, an answer in Markdown with code.
/// Together 4 KB.
fn turn(number: usize) -> [Message; 4] {
    let code = "    let value = \"quoted\\n\";\n\tif a < b && c > d { return Err(x) } // ü\n";
    let command = json!({"command": "cat a.rs", "timeout": 3});
    let call = ToolCall::new(format!("call_{number}"), "bash", command);
    let result = ToolResultMessage::new(&call, AgentToolResult::text(code.repeat(28)));
    let called = vec![
        AssistantBlock::Text(TextContent::new("Let me look at the file first.")),
        AssistantBlock::ToolCall(call.into()),
    ];
    let answer = format!(
        "## What is wrong\n\n{}\n\n- **first** the `value`\n- then the rest\n\n```rust\n{}```\n\n{}",
        "The value is wrong. ".repeat(30),
        code.repeat(6),
        "That is why it *has* to be mended. ".repeat(16)
    );
    let words = AssistantBlock::Text(TextContent::new(answer));
    [
        UserMessage::new("Please find out why the value is wrong and mend it.").into(),
        AssistantMessage::new(called, StopReason::ToolUse).into(),
        result.into(),
        AssistantMessage::new(vec![words], StopReason::Stop).into(),
    ]
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
