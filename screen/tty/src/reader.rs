//! The thread that reads the terminal.
//!
//! Owns the thread and when it reads. It must never wake up without need: it waits for bytes, for its
//! owner, or for what the decoder has due. It must not read while it is paused, since the bytes are
//! another program's then, nor while the program is in the background.

use crate::decoder::Decoder;
use crate::device::{Device, wait};
use crate::error::TtyError;
use crate::input::{Ended, Input};
use crate::session::lock;
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{JoinHandle, ThreadId};
use std::time::{Duration, Instant};

/// One read; the kernel keeps at most 4 KB of a terminal's input.
const READ: usize = 16 << 10;

/// How often a reader in the background, for which bytes are waiting, looks whether it may read.
const LOOK: Duration = Duration::from_millis(200);

/// What the thread gives its inputs to. [`ControlFlow::Break`] ends the thread. It runs on the
/// reader's thread, and nothing is read until it returns.
pub type Sink = Box<dyn FnMut(Vec<Input>) -> ControlFlow<()> + Send>;

/// What the owner wants and what the thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Reading,
    Paused,
    Ended,
}

#[derive(Debug)]
struct Shared {
    /// First what is wanted, then what is so.
    phases: Mutex<(Phase, Phase)>,
    changed: Condvar,
}

/// A thread that reads the terminal; dropping it ends the thread.
#[derive(Debug)]
pub struct Reader {
    shared: Arc<Shared>,
    wake: PipeWriter,
    thread: Option<JoinHandle<()>>,
}

impl Reader {
    /// Starts reading. The last input is [`Input::Ended`], unless the owner or the sink ended it.
    ///
    /// # Errors
    /// The system has no thread or no pipe.
    pub fn start(device: Arc<Device>, sink: Sink) -> Result<Reader, TtyError> {
        let (woken, wake) = io::pipe()?;
        // A wake-up more than the pipe holds is one too many, and must not block.
        rustix::io::ioctl_fionbio(&wake, true).map_err(io::Error::from)?;
        let phases = Mutex::new((Phase::Reading, Phase::Reading));
        let shared = Arc::new(Shared { phases, changed: Condvar::new() });
        let decoder = Decoder::new();
        let work = Work { device, woken, decoder, sink, shared: shared.clone() };
        let thread = std::thread::Builder::new()
            .name("terminal-input".to_owned())
            .spawn(move || work.run())?;
        Ok(Reader { shared, wake, thread: Some(thread) })
    }

    /// Stops reading; returns when nothing is read any more and the sink has all that was. Called
    /// by the sink itself it returns at once, and holds from the sink's return on.
    pub fn pause(&self) {
        self.want(Phase::Paused);
        if self.is_own_thread() {
            return;
        }
        let mut phases = lock(&self.shared.phases);
        while phases.1 == Phase::Reading {
            phases = self.shared.changed.wait(phases).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Reads again.
    pub fn resume(&self) {
        self.want(Phase::Reading);
    }

    fn want(&self, phase: Phase) {
        let mut phases = lock(&self.shared.phases);
        if phases.0 != Phase::Ended {
            phases.0 = phase;
        }
        drop(phases);
        // It fails when the thread is gone, or has enough of them to wake up.
        let _ = (&self.wake).write(&[0]);
        self.shared.changed.notify_all();
    }

    fn is_own_thread(&self) -> bool {
        let own: ThreadId = std::thread::current().id();
        self.thread.as_ref().is_some_and(|thread| thread.thread().id() == own)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.want(Phase::Ended);
        if !self.is_own_thread()
            && let Some(thread) = self.thread.take()
        {
            // A sink that panicked has told so by the panic's hook.
            let _ = thread.join();
        }
    }
}

/// What the thread has.
struct Work {
    device: Arc<Device>,
    woken: PipeReader,
    decoder: Decoder,
    sink: Sink,
    shared: Arc<Shared>,
}

/// Why a wait was over.
enum Woke {
    Readable,
    Due,
    Owner,
}

impl Work {
    fn run(mut self) {
        // Also when the sink panics, or a pause would wait for ever.
        let _end = TellEnd(self.shared.clone());
        while self.is_wanted() {
            let heard = match self.step() {
                Ok(inputs) => inputs,
                Err(ended) => {
                    let mut inputs = self.decoder.finish();
                    inputs.push(Input::Ended(ended));
                    let _ = (self.sink)(inputs);
                    return;
                }
            };
            if !heard.is_empty() && (self.sink)(heard).is_break() {
                return;
            }
        }
    }

    /// Whether to read; waits as long as the reader is paused.
    fn is_wanted(&mut self) -> bool {
        let wanted = || lock(&self.shared.phases).0;
        if wanted() == Phase::Paused {
            // What is half typed will not be finished after whatever the pause is for.
            let rest = self.decoder.finish();
            if !rest.is_empty() && (self.sink)(rest).is_break() {
                return false;
            }
        }
        let mut phases = lock(&self.shared.phases);
        while phases.0 == Phase::Paused {
            phases.1 = Phase::Paused;
            self.shared.changed.notify_all();
            phases = self.shared.changed.wait(phases).unwrap_or_else(PoisonError::into_inner);
        }
        phases.1 = phases.0;
        phases.0 == Phase::Reading
    }

    /// Waits for one thing, and gives what came of it.
    fn step(&mut self) -> Result<Vec<Input>, Ended> {
        match self.wait()? {
            Woke::Owner => Ok(Vec::new()),
            Woke::Due => Ok(self.decoder.expire(Instant::now())),
            Woke::Readable if !self.device.in_foreground().map_err(ended)? => {
                // Reading would stop the program. Its owner may want something meanwhile.
                self.wait_for_owner(LOOK)?;
                Ok(Vec::new())
            }
            Woke::Readable => self.read(),
        }
    }

    fn wait(&mut self) -> Result<Woke, Ended> {
        let due = self.decoder.due();
        let patience = due.map(|due| due.saturating_duration_since(Instant::now()));
        let mut ready = [
            PollFd::from_borrowed_fd(self.device.input(), PollFlags::IN),
            PollFd::new(&self.woken, PollFlags::IN),
        ];
        wait(&mut ready, patience).map_err(ended)?;
        let (readable, woken) = (!ready[0].revents().is_empty(), !ready[1].revents().is_empty());
        if woken {
            self.take_wake_ups();
            return Ok(Woke::Owner);
        }
        Ok(if readable { Woke::Readable } else { Woke::Due })
    }

    fn wait_for_owner(&mut self, patience: Duration) -> Result<(), Ended> {
        let mut ready = [PollFd::new(&self.woken, PollFlags::IN)];
        if wait(&mut ready, Some(patience)).map_err(ended)? > 0 {
            self.take_wake_ups();
        }
        Ok(())
    }

    fn take_wake_ups(&mut self) {
        let _ = self.woken.read(&mut [0; 64]);
    }

    fn read(&mut self) -> Result<Vec<Input>, Ended> {
        let mut bytes = [0; READ];
        match rustix::io::read(self.device.input(), &mut bytes) {
            Ok(0) => Err(Ended::Gone),
            Ok(count) => {
                Ok(self.decoder.feed(bytes.get(..count).unwrap_or_default(), Instant::now()))
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(Vec::new()),
            Err(errno) => Err(ended(TtyError::of("reading the terminal", errno))),
        }
    }
}

fn ended(error: TtyError) -> Ended {
    match error {
        TtyError::Gone => Ended::Gone,
        error => Ended::Failed(error.to_string()),
    }
}

/// Says that the thread ended, however it does.
struct TellEnd(Arc<Shared>);

impl Drop for TellEnd {
    fn drop(&mut self) {
        *lock(&self.0.phases) = (Phase::Ended, Phase::Ended);
        self.0.changed.notify_all();
    }
}
