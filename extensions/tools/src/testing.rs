//! What the tests of several tools share.

use fen_contract::api::{Api, EventHandler, Extension, LogLevel, PromptFragment, RegistrationId};
use fen_contract::conversation::Conversation;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, ToolSpec};
use fen_contract::names::Owner;
use fen_contract::tool::ToolCallContext;
use fen_contract::types::{AgentToolResult, joined_text};
use fen_contract::validate::{ContractError, check_contribution};
use serde_json::Value;
use std::path::Path;
use std::sync::{Arc, Mutex};

struct Recorder {
    owner: Owner,
    specs: Mutex<Vec<ToolSpec>>,
}

impl Api for Recorder {
    fn owner(&self) -> Owner {
        self.owner.clone()
    }

    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError> {
        let warnings = check_contribution(&self.owner, &contribution)?;
        assert!(warnings.is_empty(), "{warnings:?}");
        match contribution {
            Contribution::Tool(spec) => self.specs.lock().unwrap().push(spec),
            other => panic!("not a tool: {other:?}"),
        }
        Ok(RegistrationId(1))
    }

    fn unregister(&self, _id: RegistrationId) -> bool {
        panic!("a tool has no use for it")
    }

    fn on(&self, _event: &str, _handler: EventHandler) -> RegistrationId {
        panic!("a tool has no use for it")
    }

    fn emit(&self, _event: Event) -> Result<(), Failure> {
        panic!("a tool has no use for it")
    }

    fn log(&self, _level: LogLevel, _message: &str) {}

    fn prompt(&self, _fragment: PromptFragment) -> RegistrationId {
        panic!("a tool has no use for it")
    }

    fn list(&self, _surface: &str) -> Result<Vec<Value>, Failure> {
        panic!("a tool has no use for it")
    }

    fn snapshots(&self, _owner: Option<String>) -> BoxFuture<'_, Vec<Value>> {
        panic!("a tool has no use for it")
    }

    fn conversation(&self) -> Option<Arc<dyn Conversation>> {
        None
    }
}

/// The one tool that an extension registers.
pub(crate) fn registered(extension: &impl Extension) -> ToolSpec {
    let name = extension.manifest().name;
    let api = Arc::new(Recorder { owner: Owner::from(name.as_str()), specs: Mutex::default() });
    extension.register(api.clone()).unwrap();
    let mut specs = api.specs.lock().unwrap();
    assert_eq!(specs.len(), 1);
    let spec = specs.remove(0);
    assert_eq!(spec.name, name);
    spec
}

/// Runs a call in a directory, with a runtime of its own.
pub(crate) fn run(extension: &impl Extension, cwd: &Path, arguments: Value) -> AgentToolResult {
    run_call(extension, &ToolCallContext::detached(cwd), arguments)
}

/// Runs a call, with a runtime of its own.
pub(crate) fn run_call(
    extension: &impl Extension,
    call: &ToolCallContext,
    arguments: Value,
) -> AgentToolResult {
    let spec = registered(extension);
    runtime().block_on(spec.tool.execute(arguments, call))
}

/// The kind of runtime that the kernel uses.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// The text of a result that must be a success.
pub(crate) fn success(result: &AgentToolResult) -> String {
    let text = joined_text(&result.content);
    assert!(!result.is_error, "{text}");
    text
}

/// The text of a result that must be an error.
pub(crate) fn failure(result: &AgentToolResult) -> String {
    let text = joined_text(&result.content);
    assert!(result.is_error, "{text}");
    text
}

/// What the test binary must do with lower rights or limits, done in a process of its own: the
/// test `name` runs again under `wrapper`, with `FEN_TEST_INNER` set. True inside that process.
pub(crate) fn rerun(name: &str, wrapper: impl FnOnce(&Path) -> std::process::Command) -> bool {
    if std::env::var_os("FEN_TEST_INNER").is_some() {
        return true;
    }
    let output = wrapper(&std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env("FEN_TEST_INNER", "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{errors}");
    false
}

/// Rights mean nothing to root: under root, the test `name` runs again as somebody else. True where
/// rights count.
pub(crate) fn unprivileged(name: &str) -> bool {
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        return true;
    }
    rerun(name, |test| {
        let mut command = std::process::Command::new(test);
        command.uid(65_534).gid(65_534).current_dir("/").env("TMPDIR", "/tmp");
        command
    });
    false
}

#[test]
fn the_seven_specs_fit_their_share_of_the_first_request() {
    let specs = [
        registered(&crate::bash::extension(crate::bash::Config::default())),
        registered(&crate::read::extension()),
        registered(&crate::write::extension()),
        registered(&crate::edit::extension()),
        registered(&crate::grep::extension()),
        registered(&crate::find::extension()),
        registered(&crate::ls::extension()),
    ];
    let bytes: usize = specs
        .iter()
        .map(|spec| {
            let tool = serde_json::json!({"type": "function", "function": {
                "name": spec.name, "description": spec.description, "parameters": spec.parameters,
            }});
            tool.to_string().len()
        })
        .sum();
    assert!(bytes <= 2_800, "{bytes} bytes");
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["bash", "read", "write", "edit", "grep", "find", "ls"]);
}
