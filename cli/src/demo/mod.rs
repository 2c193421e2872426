//! `fen demo`: the real loop, tools, session and presenter on a small project with a failing test.
//! Only the model is pretended.
//!
//! Where the terminal can do it, it plays on the full screen, which stays until the person leaves.

mod guide;
mod script;

use crate::arguments::ToolArgs;
use crate::exit;
use crate::files::Folders;
use crate::run::{on_terminal, runtime, tool_filter};
use crate::signals::{self, Interrupt};
use crate::wiring::{self, Wiring};
use fen_contract::api::Source;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::session::{OpenOptions, Session, SessionBackend};
use fen_core::settings::Settings;
use fen_core::{Kernel, RunSetup};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

const FILES: [(&str, &str); 2] = [
    ("average.sh", include_str!("project/average.sh")),
    ("test.sh", include_str!("project/test.sh")),
];
const PROMPT: &str = "The test fails. Find out why, mend it, and show that it passes.";

/// Runs the demo. The exit code is 1 if the test is red at the end.
pub fn run(tools: &ToolArgs) -> Result<ExitCode, Failure> {
    let place = make_project()?;
    let project = place.join("project");
    exit::note(&format!(
        "A project with a failing test: {}\nPrompt: {PROMPT}\n",
        project.display()
    ));
    let runtime = runtime()?;
    let (session, signal) = runtime.block_on(converse(&place, &project, tools))?;
    runtime.shutdown_background();
    if let Some(code) = signal {
        return Ok(ExitCode::from(code));
    }
    let green = test_passes(&project)?;
    let verdict = if green { "passes" } else { "still fails" };
    let mut text = format!(
        "\nThe test {verdict}, run once more without the agent.\n\nWhat ran: fen's own loop, tools, \
         session and presenter; only the model was pretended.\nProject: {}\nSession: {}\n",
        project.display(),
        session.display()
    );
    if green {
        text.push_str(
            "\nWith a real model, in a project of your own:\n  export ANTHROPIC_API_KEY=…   (or \
             another one; see: fen providers)\n  fen\nor with a local model server:\n  fen \
             --provider ollama\n",
        );
    }
    let printed = exit::print(&text);
    Ok(if green { printed } else { ExitCode::from(exit::FAILED) })
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("the demo cannot {what} {}: {error}", path.display()))
}

/// A fresh folder that stays, so that the person can look at the outcome.
fn make_project() -> Result<PathBuf, Failure> {
    let place = tempfile::Builder::new()
        .prefix("fen-demo-")
        .tempdir()
        .map_err(|error| failed("make a folder in", &std::env::temp_dir(), &error))?
        .keep();
    let project = place.join("project");
    std::fs::create_dir(&project).map_err(|error| failed("make", &project, &error))?;
    for (name, content) in FILES {
        let path = project.join(name);
        std::fs::write(&path, content).map_err(|error| failed("write", &path, &error))?;
    }
    Ok(place)
}

/// Where the demo plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Lines that go by; it ends with the turn.
    Lines,
    /// The full screen; the person leaves it.
    Screen,
}

fn stage() -> Stage {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if is_terminal && on_terminal() == SCREEN { Stage::Screen } else { Stage::Lines }
}

const SCREEN: &str = "tui";

impl Stage {
    fn presenter(self) -> &'static str {
        match self {
            Stage::Lines => "print",
            Stage::Screen => SCREEN,
        }
    }

    fn interrupt(self) -> Interrupt {
        match self {
            Stage::Lines => Interrupt::Ends,
            Stage::Screen => Interrupt::Cancels,
        }
    }
}

async fn converse(
    place: &Path,
    project: &Path,
    tools: &ToolArgs,
) -> Result<(PathBuf, Option<u8>), Failure> {
    let settings = Settings::default();
    let (kernel, _) = wiring::kernel(Wiring {
        // Nothing of the user's configuration takes part.
        folders: Folders { config: place.join("config"), state: place.to_owned() },
        sessions: place.join("sessions"),
        settings: settings.clone(),
        cwd: project.to_owned(),
        base_url: None,
        keep_env: Vec::new(),
        mock: script::script(),
        resume_hint: "fen, in a project of your own",
    })?;
    let stage = stage();
    if stage == Stage::Screen {
        kernel.load(&guide::Guide, Source::Bundled)?;
    }
    let tools = tool_filter(&kernel, tools, &settings)?;
    let (backend, session) = open_session(&kernel, project).await?;
    let path = session.info.path.clone();
    let ended = signals::heed(&kernel, stage.interrupt())
        .map_err(|error| Failure::new(format!("signals cannot be heeded: {error}")))?;
    let outcome = kernel
        .run(RunSetup {
            tools,
            pinned_tools: settings.pinned_tools,
            session: Some((backend, session)),
            prompt: Some(PROMPT.to_owned()),
            ..RunSetup::new(stage.presenter(), "mock", "script", project)
        })
        .await;
    match outcome.failure {
        Some(failure) => Err(failure),
        None => Ok((path, ended.exit_code())),
    }
}

async fn open_session(
    kernel: &Kernel,
    project: &Path,
) -> Result<(Arc<dyn SessionBackend>, Session), Failure> {
    let registry = kernel.registry();
    let entry = registry.of_kind(Kind::SessionBackend).next();
    let Some(Contribution::SessionBackend(spec)) = entry.map(|entry| &entry.contribution) else {
        return Err(Failure::new("there is no session backend"));
    };
    let options = OpenOptions {
        cwd: project.to_owned(),
        provider: Some("mock".to_owned()),
        model: Some("script".to_owned()),
    };
    let session = spec.backend.open(options).await?;
    Ok((spec.backend.clone(), session))
}

/// Runs the test apart from the agent.
fn test_passes(project: &Path) -> Result<bool, Failure> {
    Command::new("sh")
        .arg("test.sh")
        .current_dir(project)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map(|status| status.success())
        .map_err(|error| failed("run the test in", project, &error))
}
