//! Runs one command to its end, and ends it where it must not go on.

use fen_contract::tool::ToolCallContext;
use fen_contract::types::AgentToolResult;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::process::ExitStatus;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::time::{Instant, sleep, sleep_until};

use super::collector::Collector;
use super::live::Live;
use super::report::{Ended, Outcome, result};
use super::{Config, Request, check_directory, shell};
use crate::refusal::Refusal;

/// How long the output may stay open after the shell's end.
const GRACE: Duration = Duration::from_millis(150);

/// How long a group may take to end itself before it is killed.
const MERCY: Duration = Duration::from_secs(2);

/// How long children may outlive a shell that ended when it was asked to.
const STRAGGLERS: Duration = Duration::from_millis(500);

/// What a pipe can hold at the most where its size was not changed by a privileged process.
const PIPE: usize = 1 << 20;

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

    fn is_alive(&self) -> bool {
        self.leader.is_some_and(|leader| test_kill_process_group(leader).is_ok())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.armed {
            self.signal(Signal::KILL);
        }
    }
}

type Exit<'a> = Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + 'a>>;

/// Runs the command and tells how it went.
pub(super) async fn run(
    request: &Request,
    call: &ToolCallContext,
    config: &Config,
) -> Result<AgentToolResult, Refusal> {
    let started = Instant::now();
    let (mut child, pipe) = shell::start(request, config).map_err(|error| {
        // The directory may have gone since it was looked at.
        check_directory(&request.cwd, &call.cwd)
            .err()
            .unwrap_or_else(|| Refusal(format!("The shell could not be started: {error}.")))
    })?;
    let leader = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let mut group = Group { leader, armed: true };
    let mut output = Output {
        pipe: Some(pipe),
        collector: Collector::new(Live::new(call), config.spill_dir.clone()),
        buffer: vec![0; 64 << 10],
    };
    let mut exit = child.wait();
    let stop = async {
        tokio::select! {
            () = call.cancel.cancelled() => Ended::Cancelled,
            () = sleep(request.timeout) => Ended::TimedOut(request.timeout),
        }
    };
    let (status, ended) = match output.read_until(&mut exit, stop).await {
        Ok(status) => (status.ok(), None),
        Err(ended) => (terminate(&group, &mut output, &mut exit).await, Some(ended)),
    };
    // From here on the children that are left have a life of their own.
    group.armed = false;
    output.drain().await;
    let background = output.pipe.is_some();
    if let Some(pipe) = output.pipe.take() {
        tokio::spawn(discard(pipe));
    }
    let outcome = Outcome { status, ended, duration: started.elapsed(), background };
    Ok(result(output.collector.finish().await, &outcome))
}

/// Asks the group to end, and kills it if it does not. `None` if even that did not help.
async fn terminate(
    group: &Group,
    output: &mut Output<'_>,
    exit: &mut Exit<'_>,
) -> Option<ExitStatus> {
    group.signal(Signal::TERM);
    let deadline = Instant::now() + MERCY;
    let status = output.read_until(exit, sleep_until(deadline)).await;
    // Children may outlive the shell; nothing tells of their end, so they are looked at. One that
    // has ended and was not reaped looks alive, so this does not take the whole time.
    let deadline = deadline.min(Instant::now() + STRAGGLERS);
    while status.is_ok() && group.is_alive() && Instant::now() < deadline {
        sleep(Duration::from_millis(20)).await;
    }
    if status.is_err() || group.is_alive() {
        group.signal(Signal::KILL);
    }
    let status = match status {
        Ok(status) => Ok(status),
        Err(()) => output.read_until(exit, sleep(MERCY)).await,
    };
    status.ok().and_then(io::Result::ok)
}

/// The command's output as it is read.
struct Output<'a> {
    /// `None` once it is closed.
    pipe: Option<Receiver>,
    collector: Collector<'a>,
    buffer: Vec<u8>,
}

impl Output<'_> {
    /// Reads until the shell ends or `stop` is over. Only waiting is cut short, never the taking
    /// of what was read.
    async fn read_until<S: Future>(
        &mut self,
        exit: &mut Exit<'_>,
        stop: S,
    ) -> Result<io::Result<ExitStatus>, S::Output> {
        let mut stop = std::pin::pin!(stop);
        loop {
            let Some(pipe) = &mut self.pipe else {
                return tokio::select! {
                    status = exit => Ok(status),
                    stopped = stop => Err(stopped),
                };
            };
            let read = tokio::select! {
                status = &mut *exit => return Ok(status),
                stopped = &mut stop => return Err(stopped),
                read = pipe.read(&mut self.buffer) => read,
            };
            self.take(read).await;
        }
    }

    async fn take(&mut self, read: io::Result<usize>) {
        match read {
            Ok(0) | Err(_) => self.pipe = None,
            Ok(length) => self.collector.push(&self.buffer[..length]).await,
        }
    }

    /// Takes what the shell left in the pipe. A child that keeps writing cannot prolong this.
    async fn drain(&mut self) {
        let deadline = Instant::now() + GRACE;
        while let Some(pipe) = &mut self.pipe {
            let read = tokio::select! {
                biased;
                () = sleep_until(deadline) => break,
                read = pipe.read(&mut self.buffer) => read,
            };
            self.take(read).await;
        }
        let mut taken = 0;
        while let Some(pipe) = &self.pipe {
            match pipe.try_read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                read => {
                    taken += read.as_ref().unwrap_or(&0);
                    self.take(read).await;
                }
            }
            if taken >= PIPE {
                break;
            }
        }
    }
}

/// Reads on for the sake of the background children: a closed pipe would kill them, a full one
/// would stop them. A flood is slowed down rather than followed.
async fn discard(mut pipe: Receiver) {
    let mut buffer = vec![0; 16 << 10];
    while let Ok(1..) = pipe.read(&mut buffer).await {
        sleep(Duration::from_millis(10)).await;
    }
}
