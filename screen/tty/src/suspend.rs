//! Stopping and coming back: ctrl-z, and stops from outside.
//!
//! Owns the order of things: modes off, stop, wait for the foreground, modes on, once. It must never
//! touch the terminal while the program is in the background, and never stop a program that nothing
//! could continue.
//!
//! In raw mode ctrl-z is a key like others; whoever handles it calls [`suspend`]. A program that
//! listens for signals serves the others with the same functions, on the thread that draws:
//!
//! * `SIGTSTP` from outside: call [`suspend`].
//! * `SIGCONT`, after a `SIGSTOP` that nobody can hear: call [`continued`]. It may also be called after
//!   a [`suspend`] of one's own, which is continued by the same signal; all is drawn once more then.
//!
//! After both the size may be another one, and everything is to be drawn.

use crate::error::TtyError;
use crate::reader::Reader;
use crate::terminal::Terminal;
use rustix::process::{Signal, getpgrp, getppid, getsid, kill_current_process_group};
use signal_hook::consts::SIGCONT;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a program in the background looks whether it is in the foreground.
const LOOK: Duration = Duration::from_millis(100);

/// How often, and with which pause, a stop is waited for. It comes at once; on a busy machine some
/// other thread may have to run first. Counted and not timed, since no time counts while stopped.
const STOP_LOOKS: (u32, Duration) = (1_000, Duration::from_millis(2));

/// What to do while the program is in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Wait on.
    Wait,
    /// Return; the program has to end, say.
    GiveUp,
}

/// Gives the terminal back, stops this process and its group until a shell continues it, waits until
/// it is in the foreground, and takes the terminal again. The stop is `SIGSTOP`, so that a program may
/// listen for `SIGTSTP`.
///
/// In the background other threads go on with their work; `waiting` is asked several times a second
/// whether to go on waiting for the foreground.
///
/// # Errors
/// * [`TtyError::NoJobControl`]: there is no shell that could continue the program, and nothing was
///   done; or the stop did not come, and the terminal is ours as before.
/// * [`TtyError::InBackground`]: `waiting` gave up. The terminal is left, and the reader paused.
/// * [`TtyError::Gone`]: the terminal was closed meanwhile.
pub fn suspend(
    terminal: &Terminal,
    reader: &Reader,
    waiting: &mut dyn FnMut() -> Waiting,
) -> Result<(), TtyError> {
    if !has_job_control() {
        return Err(TtyError::NoJobControl);
    }
    reader.pause();
    let left = terminal.leave();
    let stopped = left.and_then(|()| stop());
    if let Ok(()) | Err(TtyError::NoJobControl) = stopped {
        wait_for_foreground(terminal, waiting)?;
    }
    terminal.resume()?;
    reader.resume();
    stopped
}

/// Turns the modes on again after the program was stopped from outside and continued: waits for the
/// foreground, then turns each mode off and on, so that each is on once. Does nothing if the terminal
/// was left.
///
/// # Errors
/// As [`suspend`], but for [`TtyError::NoJobControl`].
pub fn continued(
    terminal: &Terminal,
    reader: &Reader,
    waiting: &mut dyn FnMut() -> Waiting,
) -> Result<(), TtyError> {
    if !terminal.is_active() {
        return Ok(());
    }
    reader.pause();
    terminal.session().hold();
    wait_for_foreground(terminal, waiting)?;
    terminal.session().renew()?;
    reader.resume();
    Ok(())
}

/// Whether a shell started this process as a job of its own, which it can continue. A process that
/// is stopped without that stays so for ever.
fn has_job_control() -> bool {
    let Ok(session) = getsid(None) else { return false };
    // A shell with job control leads the session, and each job has a group of its own. A process
    // whose parent is gone, or is of another session, has no such shell any more.
    getpgrp() != session && getppid().is_some_and(|parent| getsid(Some(parent)) == Ok(session))
}

/// Stops the group, and returns when it was continued.
fn stop() -> Result<(), TtyError> {
    // That the signal was sent does not mean that this thread is stopped already: another one may be
    // the one that takes it. That the process was continued is the proof.
    let was_continued = Arc::new(AtomicBool::new(false));
    let system = |words: String| TtyError::System { doing: "stopping the program", words };
    let registered = signal_hook::flag::register(SIGCONT, was_continued.clone())
        .map_err(|error| system(error.to_string()))?;
    let sent = kill_current_process_group(Signal::STOP);
    let (looks, pause) = STOP_LOOKS;
    for _ in 0..looks {
        if sent.is_err() || was_continued.load(Ordering::Acquire) {
            break;
        }
        std::thread::sleep(pause);
    }
    signal_hook::low_level::unregister(registered);
    sent.map_err(|errno| system(errno.to_string()))?;
    if was_continued.load(Ordering::Acquire) { Ok(()) } else { Err(TtyError::NoJobControl) }
}

fn wait_for_foreground(
    terminal: &Terminal,
    waiting: &mut dyn FnMut() -> Waiting,
) -> Result<(), TtyError> {
    let device = terminal.device();
    while !device.in_foreground()? {
        if waiting() == Waiting::GiveUp {
            return Err(TtyError::InBackground);
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}
