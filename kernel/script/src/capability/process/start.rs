//! How a program is started: its session, its environment and its three pipes.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::super::answer::{Kind, Refusal};

/// A program that can be started.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) cwd: PathBuf,
    /// Variables on top of fen's own; `None` takes one away.
    pub(super) environment: Vec<(OsString, Option<OsString>)>,
    /// Variables that are not inherited.
    pub(super) withheld: Vec<String>,
    /// Whether there will be input; without, the program finds its end at once.
    pub(super) input: Input,
}

/// What a program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Nothing,
    Pipe,
}

/// A program that runs.
pub(super) struct Started {
    pub(super) child: Box<dyn ChildWrapper>,
    pub(super) group: ProcessGroup,
    pub(super) stdin: Option<Sender>,
    pub(super) stdout: Receiver,
    pub(super) stderr: Receiver,
}

/// The processes of one session. While it is armed, dropping it kills them.
pub(super) struct ProcessGroup {
    leader: Option<Pid>,
    armed: bool,
}

impl ProcessGroup {
    pub(super) fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // It may be gone, which is what was wanted.
            let _ = kill_process_group(leader, signal);
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        self.leader.is_some_and(|leader| test_kill_process_group(leader).is_ok())
    }

    /// Leaves those that are left to a life of their own.
    pub(super) fn release(&mut self) {
        self.armed = false;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if self.armed {
            self.signal(Signal::KILL);
        }
    }
}

impl Request {
    /// Starts the program. It must run on a runtime with an I/O driver.
    pub(super) fn start(&self) -> Result<Started, Refusal> {
        self.try_start().map_err(|error| {
            let program = self.program.to_string_lossy();
            match std::fs::metadata(&self.cwd) {
                // The system says the same of a missing folder as of a missing program.
                Err(error) => Refusal::io(&format!("run in {}", self.cwd.display()), &error),
                Ok(cwd) if !cwd.is_dir() => Refusal::new(
                    Kind::Invalid,
                    format!("cannot run in {}: it is not a folder", self.cwd.display()),
                ),
                Ok(_) => Refusal::io(&format!("run {program}"), &error),
            }
        })
    }

    fn try_start(&self) -> io::Result<Started> {
        let (stdout, out) = io::pipe()?;
        let (stderr, err) = io::pipe()?;
        let (stdin, feed) = match self.input {
            Input::Nothing => (Stdio::null(), None),
            Input::Pipe => {
                let (reader, writer) = io::pipe()?;
                (Stdio::from(reader), Some(writer))
            }
        };
        let mut command = CommandWrap::with_new(&self.program, |command| {
            command.args(&self.arguments).current_dir(&self.cwd).stdin(stdin);
            command.stdout(out).stderr(err);
            for name in &self.withheld {
                command.env_remove(name);
            }
            for (name, value) in &self.environment {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
        });
        command.wrap(ProcessSession);
        let child = command.spawn()?;
        // It holds the far ends; the near ones end only when those are closed.
        drop(command);
        let leader = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        // Armed before anything else can fail.
        let group = ProcessGroup { leader, armed: true };
        Ok(Started {
            child,
            group,
            stdin: feed.map(|feed| Sender::from_owned_fd(feed.into())).transpose()?,
            stdout: Receiver::from_owned_fd(stdout.into())?,
            stderr: Receiver::from_owned_fd(stderr.into())?,
        })
    }
}
