//! Standard error while there is a full screen.
//!
//! Owns file descriptor 2 between begin and end, so that nothing writes over the screen: messages of
//! libraries, and of child processes that inherit it. It must never lose a line without counting it,
//! and never keep the descriptor when a panic has something to say.

use crate::device::wait;
use crate::error::TtyError;
use crate::session::lock;
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The longest line in bytes; a longer one is told in pieces.
const LONGEST_LINE: usize = 4 << 10;

/// The most lines that are kept; of more the oldest are dropped, and counted.
const MOST_LINES: usize = 1_000;

/// The real standard error while another stands in for it.
static REAL: Mutex<Option<Real>> = Mutex::new(None);

/// The real standard error, and whose pipe stands in for it.
#[derive(Debug)]
struct Real {
    descriptor: OwnedFd,
    /// The kept lines are the capture's own, so they tell captures apart.
    capture: Arc<Mutex<Kept>>,
}

/// Called with each line on the capture's own thread. What it writes to standard error comes back as
/// a line, so it should not.
pub type OnLine = Box<dyn FnMut(&str) + Send>;

/// What was written to standard error.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// The newest lines, oldest first, without their line ends. Bytes that are no UTF-8 are
    /// replaced; control characters are as they were written.
    pub lines: Vec<String>,
    /// How many were dropped before these.
    pub dropped: usize,
}

#[derive(Debug, Default)]
struct Kept {
    lines: VecDeque<String>,
    dropped: usize,
}

/// Standard error, captured; dropping it ends that.
#[derive(Debug)]
pub struct StderrCapture {
    kept: Arc<Mutex<Kept>>,
    stop: Option<PipeWriter>,
    thread: Option<JoinHandle<()>>,
}

impl StderrCapture {
    /// Captures standard error from now on.
    ///
    /// # Errors
    /// [`TtyError::AlreadyEntered`] while there is another capture, or the system's words.
    pub fn begin(on_line: OnLine) -> Result<StderrCapture, TtyError> {
        let mut real = lock(&REAL);
        if real.is_some() {
            return Err(TtyError::AlreadyEntered);
        }
        let (lines, into) = io::pipe()?;
        let (stopped, stop) = io::pipe()?;
        // The end is known by asking, since a child may keep the other side open.
        rustix::io::ioctl_fionbio(&lines, true).map_err(io::Error::from)?;
        let saved = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)
            .map_err(|errno| TtyError::of("keeping standard error", errno))?;
        let kept = Arc::<Mutex<Kept>>::default();
        let work = Work { lines, stopped, kept: kept.clone(), on_line, line: Vec::new() };
        let thread = std::thread::Builder::new()
            .name("standard-error".to_owned())
            .spawn(move || work.run())?;
        // If this fails `stop` is dropped, which ends the thread.
        rustix::stdio::dup2_stderr(&into)
            .map_err(|errno| TtyError::of("capturing standard error", errno))?;
        *real = Some(Real { descriptor: saved, capture: kept.clone() });
        Ok(StderrCapture { kept, stop: Some(stop), thread: Some(thread) })
    }

    /// What has been kept so far.
    pub fn lines(&self) -> Lines {
        let kept = lock(&self.kept);
        Lines { lines: kept.lines.iter().cloned().collect(), dropped: kept.dropped }
    }

    /// Gives standard error back, and all that was written until then. A child process that still
    /// has the captured one writes to nobody from then on.
    pub fn end(mut self) -> Lines {
        self.finish();
        self.lines()
    }

    fn finish(&mut self) {
        if let Some(thread) = self.thread.take() {
            // After a restore another capture may have begun, which is to go on.
            let is_own = |real: &mut Real| Arc::ptr_eq(&real.capture, &self.kept);
            replace(lock(&REAL).take_if(is_own));
            self.stop = None;
            let _ = thread.join();
        }
    }
}

impl Drop for StderrCapture {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Makes standard error the real one again; does nothing if it is.
pub(crate) fn give_back() {
    replace(lock(&REAL).take());
}

fn replace(real: Option<Real>) {
    if let Some(real) = real {
        // There is no place left to tell a failure.
        let _ = rustix::stdio::dup2_stderr(&real.descriptor);
    }
}

/// What the thread has.
struct Work {
    lines: PipeReader,
    /// Hangs up when the capture ends.
    stopped: PipeReader,
    kept: Arc<Mutex<Kept>>,
    on_line: OnLine,
    line: Vec<u8>,
}

impl Work {
    fn run(mut self) {
        loop {
            let mut ready = [
                PollFd::new(&self.lines, PollFlags::IN),
                PollFd::new(&self.stopped, PollFlags::IN),
            ];
            if wait(&mut ready, None).is_err() {
                break;
            }
            // Looked at before the reading: what was written before the end is read by then.
            let last = !ready[1].revents().is_empty();
            let closed = !self.read_all();
            if last || closed {
                break;
            }
        }
        if !self.line.is_empty() {
            self.end_of_line();
        }
    }

    /// Reads what there is; false when there can be no more.
    fn read_all(&mut self) -> bool {
        let mut bytes = [0; 4096];
        loop {
            match rustix::io::read(&self.lines, &mut bytes) {
                Ok(0) => return false,
                Ok(count) => self.take(bytes.get(..count).unwrap_or_default()),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return true,
                Err(_) => return false,
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end_of_line(),
                byte => {
                    self.line.push(byte);
                    if self.line.len() >= LONGEST_LINE {
                        self.end_of_line();
                    }
                }
            }
        }
    }

    fn end_of_line(&mut self) {
        let bytes = std::mem::take(&mut self.line);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(&bytes);
        let line = String::from_utf8_lossy(bytes).into_owned();
        (self.on_line)(&line);
        let mut kept = lock(&self.kept);
        if kept.lines.len() >= MOST_LINES {
            kept.lines.pop_front();
            kept.dropped = kept.dropped.saturating_add(1);
        }
        kept.lines.push_back(line);
    }
}
