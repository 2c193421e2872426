//! The file descriptors of a terminal.
//!
//! Owns them, and the system calls that write to and ask about a terminal. It must never change the
//! terminal's state by itself; the session does that.

use crate::error::TtyError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{Termios, isatty, tcgetattr, tcgetpgrp, tcgetwinsize};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// A terminal to read from and write to.
#[derive(Debug)]
pub struct Device {
    input: OwnedFd,
    output: OwnedFd,
}

/// The most that one write hands over. A write that the terminal has no room for goes on for as long
/// as that takes, also after the terminal was given back; most frames are smaller than this.
const ONE_WRITE: usize = 64 << 10;

impl Device {
    /// A terminal that is open already, by its two directions.
    pub fn new(input: OwnedFd, output: OwnedFd) -> Device {
        Device { input, output }
    }

    /// Standard input and output.
    ///
    /// # Errors
    /// [`TtyError::NotATerminal`] names the one that is none.
    pub fn stdio() -> Result<Device, TtyError> {
        let own = |fd: BorrowedFd<'_>| {
            rustix::io::fcntl_dupfd_cloexec(fd, 3)
                .map_err(|errno| TtyError::of("opening the terminal", errno))
        };
        let (input, output) = (std::io::stdin(), std::io::stdout());
        if !isatty(&input) {
            return Err(TtyError::NotATerminal("standard input"));
        }
        if !isatty(&output) {
            return Err(TtyError::NotATerminal("standard output"));
        }
        Ok(Device { input: own(input.as_fd())?, output: own(output.as_fd())? })
    }

    /// The terminal that the process belongs to, whatever standard input and output are. (On macOS
    /// this device cannot be waited for; use standard input there.)
    ///
    /// # Errors
    /// There is none, or it cannot be opened.
    pub fn controlling() -> Result<Device, TtyError> {
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY;
        let input = rustix::fs::open("/dev/tty", flags, Mode::empty())
            .map_err(|_| TtyError::NotATerminal("/dev/tty"))?;
        let output = rustix::io::fcntl_dupfd_cloexec(&input, 3)
            .map_err(|errno| TtyError::of("opening the terminal", errno))?;
        Ok(Device { input, output })
    }

    pub(crate) fn input(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }

    /// Columns and rows; 80 and 24 where the terminal does not know.
    pub(crate) fn size(&self) -> Result<(u16, u16), TtyError> {
        let size = tcgetwinsize(&self.output)
            .map_err(|errno| TtyError::of("asking for the terminal's size", errno))?;
        match (size.ws_col, size.ws_row) {
            (0, _) | (_, 0) => Ok((80, 24)),
            size => Ok(size),
        }
    }

    pub(crate) fn attributes(&self) -> Result<Termios, TtyError> {
        tcgetattr(&self.input).map_err(|errno| TtyError::of("reading the terminal's state", errno))
    }

    /// Whether the process is in the terminal's foreground. Touching the terminal from the
    /// background would stop it.
    pub(crate) fn in_foreground(&self) -> Result<bool, TtyError> {
        match tcgetpgrp(&self.input) {
            Ok(group) => Ok(group == rustix::process::getpgrp()),
            // A terminal that is not the process's own has no foreground to be in. Linux tells the
            // group as 0 if it belongs to another namespace.
            Err(Errno::NOTTY | Errno::OPNOTSUPP | Errno::PERM) => Ok(true),
            Err(errno) => Err(TtyError::of("asking who has the terminal", errno)),
        }
    }

    /// One write as far as it goes, waiting at most `patience` for room; 0 if there was none.
    pub(crate) fn write_some(&self, bytes: &[u8], patience: Duration) -> Result<usize, TtyError> {
        let bytes = bytes.get(..ONE_WRITE).unwrap_or(bytes);
        match rustix::io::write(&self.output, bytes) {
            Ok(count) => Ok(count),
            Err(Errno::INTR) => Ok(0),
            // Whoever started the program may have left the terminal so.
            Err(Errno::AGAIN) => {
                wait(&mut [PollFd::new(&self.output, PollFlags::OUT)], Some(patience))?;
                Ok(0)
            }
            Err(errno) => Err(TtyError::of("writing to the terminal", errno)),
        }
    }

    /// Writes what must not hang: gives up when there is no room for `patience`.
    pub(crate) fn write_promptly(&self, bytes: &[u8], patience: Duration) -> Result<(), TtyError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let mut ready = [PollFd::new(&self.output, PollFlags::OUT)];
            if wait(&mut ready, Some(patience))? == 0 {
                let (doing, words) = ("writing to the terminal", "it takes no more".to_owned());
                return Err(TtyError::System { doing, words });
            }
            let count = self.write_some(rest, patience)?;
            rest = rest.get(count..).unwrap_or_default();
        }
        Ok(())
    }
}

/// poll(2), begun again when a signal interrupts it.
pub(crate) fn wait(fds: &mut [PollFd<'_>], patience: Option<Duration>) -> Result<usize, TtyError> {
    let timeout = patience.map(|patience| Timespec::try_from(patience).unwrap_or(LONG));
    loop {
        match poll(fds, timeout.as_ref()) {
            Ok(count) => return Ok(count),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(TtyError::of("waiting for the terminal", errno)),
        }
    }
}

/// As good as for ever.
const LONG: Timespec = Timespec { tv_sec: 86_400, tv_nsec: 0 };

impl AsFd for Device {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}
