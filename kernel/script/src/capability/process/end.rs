//! How a program ends: by itself, or because it must.

use std::future::Future;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::pin::Pin;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::{Instant, sleep, timeout_at};

use super::super::answer::{Kind, Refusal};
use super::start::ProcessGroup;

/// How long a session may take to end itself before it is killed.
const MERCY: Duration = Duration::from_secs(2);

/// How long children may outlive a program that ended when it was asked to.
const STRAGGLERS: Duration = Duration::from_millis(500);

/// The wait for a program's exit.
pub(super) type Waiting<'a> = Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + 'a>>;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    /// As a shell has it: 128 and the signal for a program that was killed.
    pub(super) code: i32,
    pub(super) signal: Option<i32>,
}

impl Exit {
    pub(super) fn of(status: io::Result<ExitStatus>) -> Result<Self, Refusal> {
        let status = status.map_err(|error| Refusal::io("wait for the process", &error))?;
        let signal = status.signal();
        let code = status.code().unwrap_or_else(|| 128 + signal.unwrap_or_default());
        Ok(Exit { code, signal })
    }
}

/// Asks all processes of the session to end, and kills them if they do not.
pub(super) async fn terminate(
    group: &ProcessGroup,
    exit: &mut Waiting<'_>,
) -> Result<Exit, Refusal> {
    group.signal(Signal::TERM);
    let deadline = Instant::now() + MERCY;
    let asked = timeout_at(deadline, &mut *exit).await;
    // Children may outlive the program; nothing tells of their end, so they are looked at.
    let stragglers = deadline.min(Instant::now() + STRAGGLERS);
    while asked.is_ok() && group.is_alive() && Instant::now() < stragglers {
        sleep(Duration::from_millis(10)).await;
    }
    if asked.is_err() || group.is_alive() {
        group.signal(Signal::KILL);
    }
    let ended = match asked {
        Ok(status) => Ok(status),
        Err(_) => timeout_at(Instant::now() + MERCY, exit).await,
    };
    match ended {
        Ok(status) => Exit::of(status),
        Err(_) => Err(Refusal::new(Kind::Io, "the process could not be killed and still runs")),
    }
}

/// The signal's name as `kill -l` has it.
pub(super) fn signal_name(raw: i32) -> String {
    const NAMES: [(Signal, &str); 16] = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::USR2, "SIGUSR2"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
    ];
    NAMES
        .iter()
        .find(|(signal, _)| signal.as_raw() == raw)
        .map_or_else(|| format!("signal {raw}"), |(_, name)| (*name).to_owned())
}
