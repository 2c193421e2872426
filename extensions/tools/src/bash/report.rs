//! Puts the result of a command into words.

use fen_contract::types::AgentToolResult;
use rustix::process::Signal;
use serde_json::json;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use super::collector::Collected;

/// Why fen ended a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Cancelled,
    TimedOut(Duration),
}

/// How a command came to its end.
pub(super) struct Outcome {
    /// `None` if it could not even be killed.
    pub(super) status: Option<ExitStatus>,
    pub(super) ended: Option<Ended>,
    pub(super) duration: Duration,
    /// Whether something still holds the output open.
    pub(super) background: bool,
}

/// The result: the output, then what is to be known about it.
pub(super) fn result(output: Collected, outcome: &Outcome) -> AgentToolResult {
    let status = outcome.status;
    let code = status
        .and_then(|status| status.code().or_else(|| status.signal().map(|signal| 128 + signal)));
    // A shell tells the death of its child as 128 and the signal.
    let signal = status
        .and_then(|status| status.signal())
        .or_else(|| code.filter(|code| (129..160).contains(code)).map(|code| code - 128));
    let mut notes = Vec::new();
    notes.extend(output.note.clone());
    if outcome.background {
        notes.push(
            "A background process is still running; what it writes from now on is not kept. \
             Redirect its output to a file to see it"
                .to_owned(),
        );
    }
    match outcome.ended {
        Some(Ended::Cancelled) => notes.push("Command cancelled".to_owned()),
        Some(Ended::TimedOut(limit)) => {
            notes.push(format!("Command timed out after {} s and was ended", limit.as_secs_f64()));
        }
        None => notes.extend(status_words(status, code, signal)),
    }
    let mut text = output.text.clone();
    if text.is_empty() && (notes.is_empty() || outcome.ended.is_none()) {
        text.push_str("(no output)");
    }
    for note in &notes {
        if !text.is_empty() {
            text.push_str(if text.ends_with('\n') { "" } else { "\n" });
        }
        text.push_str(&format!("[{note}]"));
    }
    let failed = outcome.ended.is_some() || !status.is_some_and(|status| status.success());
    let mut result =
        if failed { AgentToolResult::error(text) } else { AgentToolResult::text(text) };
    result.details = Some(json!({
        "exit-code": code,
        "signal": signal.map(signal_name),
        "timed-out": matches!(outcome.ended, Some(Ended::TimedOut(_))),
        "cancelled": outcome.ended == Some(Ended::Cancelled),
        "duration-ms": u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
        "lines": output.lines,
        "bytes": output.bytes,
        "truncated": output.note.is_some(),
        "spill-path": output.spill,
    }));
    result
}

fn status_words(
    status: Option<ExitStatus>,
    code: Option<i32>,
    signal: Option<i32>,
) -> Option<String> {
    let Some(status) = status else {
        return Some("Command could not be killed and is still running".to_owned());
    };
    let code = code.filter(|code| *code != 0)?;
    Some(match signal {
        Some(signal) if status.signal().is_some() => {
            format!("Killed by {}; exit status {code}", signal_name(signal))
        }
        Some(signal) => format!("Exit status {code} (128 + {})", signal_name(signal)),
        None => format!("Exit status {code}"),
    })
}

/// The signal's name as `kill -l` has it.
fn signal_name(raw: i32) -> String {
    const NAMES: [(Signal, &str); 26] = [
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
        (Signal::CHILD, "SIGCHLD"),
        (Signal::CONT, "SIGCONT"),
        (Signal::STOP, "SIGSTOP"),
        (Signal::TSTP, "SIGTSTP"),
        (Signal::TTIN, "SIGTTIN"),
        (Signal::TTOU, "SIGTTOU"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
        (Signal::VTALARM, "SIGVTALRM"),
        (Signal::PROF, "SIGPROF"),
        (Signal::SYS, "SIGSYS"),
    ];
    NAMES
        .iter()
        .find(|(signal, _)| signal.as_raw() == raw)
        .map_or_else(|| format!("signal {raw}"), |(_, name)| (*name).to_owned())
}
