//! Runs a command that the person typed, with the shell.
//!
//! It has a session of its own, no input and no terminal. The run is over when the shell is, whatever
//! its background children hold open; they live on. At a cancellation, at the limit, and when the
//! run's future is dropped, the whole group ends. What comes out is handed on as it comes, and kept in
//! bounds. It decides nothing about what may run.

mod kept;

use fen_contract::cancel::CancelToken;
use kept::Kept;
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{Pid, Signal, kill_process_group};
use std::future::{Future, pending};
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;
use tokio::time::sleep;

/// How long a command may run.
const LIMIT: Duration = Duration::from_secs(600);
/// How long a group may take to end itself before it is killed.
const MERCY: Duration = Duration::from_secs(1);
/// How long the output may stay open after the shell's end.
const GRACE: Duration = Duration::from_millis(150);
/// What a pipe can hold at the most.
const PIPE: usize = 1 << 20;
/// Programs that ask or page would wait for ever.
const ENVIRONMENT: [(&str, &str); 4] =
    [("TERM", "dumb"), ("PAGER", "cat"), ("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0")];

/// A command to be run.
#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    /// What the shell reads.
    pub(crate) command: &'a str,
    /// Where it runs.
    pub(crate) cwd: &'a Path,
    /// The variables that it does not inherit.
    pub(crate) hidden: &'a [String],
    /// How long it may run.
    pub(crate) limit: Duration,
}

impl<'a> Request<'a> {
    /// A command that may run for ten minutes.
    pub(crate) fn new(command: &'a str, cwd: &'a Path, hidden: &'a [String]) -> Request<'a> {
        Request { command, cwd, hidden, limit: LIMIT }
    }
}

/// How a command came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It ended itself, with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// It was cancelled.
    Cancelled,
    /// It ran for too long.
    TimedOut,
}

/// What became of a command.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// What it wrote, with a remark where something is left out of the middle.
    pub(crate) text: String,
    /// How it ended.
    pub(crate) end: End,
    /// Whether something it started still holds its output open.
    pub(crate) is_in_background: bool,
}

/// Why a command was not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShellError {
    /// The shell could not be started.
    #[error("the shell could not be started in {cwd}: {error}")]
    Start {
        /// Where it was to run.
        cwd: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Nothing tells how it ended.
    #[error("what became of the command is unknown: {0}")]
    Lost(io::Error),
}

type Exit<'a> = Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + 'a>>;

/// Runs a command to its end. `piece` is given its output as it comes.
pub(crate) async fn run(
    request: Request<'_>,
    cancel: &CancelToken,
    piece: impl FnMut(&str) + Send,
) -> Result<Outcome, ShellError> {
    let (mut child, pipe) = start(&request)
        .map_err(|error| ShellError::Start { cwd: request.cwd.to_owned(), error })?;
    let leader = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let mut group = Group { leader, armed: true };
    let mut output =
        Output { pipe: Some(pipe), kept: Kept::default(), piece, buffer: vec![0; 32 << 10] };
    let mut exit = child.wait();
    let stop = async {
        tokio::select! {
            () = cancel.cancelled() => End::Cancelled,
            () = sleep(request.limit) => End::TimedOut,
        }
    };
    let end = match output.read_until(&mut exit, stop).await {
        Ok(status) => end_of(status.map_err(ShellError::Lost)?),
        Err(end) => {
            group.signal(Signal::TERM);
            let ended = output.read_until(&mut exit, sleep(MERCY)).await;
            // Children may outlive a shell that ended as it was asked to.
            group.signal(Signal::KILL);
            if ended.is_err() {
                // Only what waits for a device cannot be killed.
                let _ = output.read_until(&mut exit, sleep(MERCY)).await;
            }
            end
        }
    };
    // From here on the children that are left have a life of their own.
    group.armed = false;
    output.drain().await;
    let rest = output.kept.finish();
    if !rest.is_empty() {
        (output.piece)(rest);
    }
    let is_in_background = output.pipe.is_some();
    if let Some(pipe) = output.pipe.take() {
        tokio::spawn(discard(pipe));
    }
    let (text, _) = output.kept.into_text();
    Ok(Outcome { text, end, is_in_background })
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Code(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    }
}

/// Starts the shell. Its two outputs are one pipe, so that their order is kept.
fn start(request: &Request<'_>) -> io::Result<(Box<dyn ChildWrapper>, Receiver)> {
    let (reader, writer) = io::pipe()?;
    let stderr = writer.try_clone()?;
    let mut command = CommandWrap::with_new("/bin/sh", |command| {
        command
            .arg("-c")
            .arg(request.command)
            .current_dir(request.cwd)
            .envs(ENVIRONMENT)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(stderr);
        for name in request.hidden {
            command.env_remove(name);
        }
    });
    command.wrap(ProcessSession);
    let child = command.spawn()?;
    // The command holds the writing ends; the output ends only when they are closed.
    drop(command);
    Ok((child, Receiver::from_owned_fd(reader.into())?))
}

/// The process group of a command. While it is armed, dropping it kills the group.
struct Group {
    leader: Option<Pid>,
    armed: bool,
}

impl Group {
    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // It may be gone, which is what was wanted.
            let _ = kill_process_group(leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.armed {
            self.signal(Signal::KILL);
        }
    }
}

/// The output as it is read.
struct Output<F> {
    /// `None` once it is closed.
    pipe: Option<Receiver>,
    kept: Kept,
    piece: F,
    buffer: Vec<u8>,
}

impl<F: FnMut(&str)> Output<F> {
    /// Reads until the shell ends or `stop` is over.
    async fn read_until<S: Future>(
        &mut self,
        exit: &mut Exit<'_>,
        stop: S,
    ) -> Result<io::Result<ExitStatus>, S::Output> {
        let mut stop = std::pin::pin!(stop);
        loop {
            let (pipe, buffer) = (&mut self.pipe, &mut self.buffer);
            let read = async {
                match pipe {
                    Some(pipe) => pipe.read(buffer).await,
                    None => pending().await,
                }
            };
            // Only waiting is cut short, never the taking of what was read.
            let read = tokio::select! {
                status = &mut *exit => return Ok(status),
                stopped = &mut stop => return Err(stopped),
                read = read => read,
            };
            self.take(read);
        }
    }

    fn take(&mut self, read: io::Result<usize>) {
        match read {
            Ok(0) | Err(_) => self.pipe = None,
            Ok(length) => {
                let text = self.kept.push(&self.buffer[..length]);
                if !text.is_empty() {
                    (self.piece)(&text);
                }
            }
        }
    }

    /// Takes what the shell left in the pipe, and sees whether anybody still holds it. What fen
    /// starts at this very moment does so for an instant.
    async fn drain(&mut self) {
        self.take_what_is_there();
        let mut grace = std::pin::pin!(sleep(GRACE));
        while let Some(pipe) = &mut self.pipe {
            let read = tokio::select! {
                biased;
                () = &mut grace => break,
                read = pipe.read(&mut self.buffer) => read,
            };
            self.take(read);
        }
        self.take_what_is_there();
    }

    /// Reads without waiting.
    fn take_what_is_there(&mut self) {
        let mut taken = 0;
        while let Some(pipe) = self.pipe.as_ref().filter(|_| taken < PIPE) {
            // The runtime may not have heard yet that there is something.
            let read = match rustix::io::read(pipe, &mut self.buffer[..]) {
                Err(rustix::io::Errno::AGAIN) => return,
                Err(rustix::io::Errno::INTR) => continue,
                read => read.map_err(io::Error::from),
            };
            taken += *read.as_ref().unwrap_or(&0);
            self.take(read);
        }
    }
}

/// Reads on for the sake of the background children: a closed pipe would kill them, a full one would
/// stop them. A flood is slowed down rather than followed.
async fn discard(mut pipe: Receiver) {
    let mut buffer = vec![0; 16 << 10];
    while let Ok(1..) = pipe.read(&mut buffer).await {
        sleep(Duration::from_millis(10)).await;
    }
}

#[cfg(test)]
mod tests;
