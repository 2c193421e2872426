//! What can go wrong with a terminal, by what a caller does about it.

use rustix::io::Errno;
use std::io;

/// Why a terminal could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TtyError {
    /// Standard input or output is no terminal; run without a full screen.
    #[error("{0} is not a terminal; a full screen needs one")]
    NotATerminal(&'static str),
    /// The terminal was closed, or the connection to it; there is nobody to tell.
    #[error("the terminal is gone")]
    Gone,
    /// This process has a full screen already; there can be one.
    #[error("the terminal is in use by this program already")]
    AlreadyEntered,
    /// The terminal was given back, by a panic or by leaving; see
    /// [`Terminal::resume`](crate::terminal::Terminal::resume).
    #[error("the terminal was given back")]
    Left,
    /// Nothing above the program could continue it after a stop.
    #[error(
        "this program was not started by a shell with job control, so nothing could continue it"
    )]
    NoJobControl,
    /// The caller did not wait until the program was in the foreground again.
    #[error("the program is in the background still")]
    InBackground,
    /// A system call failed.
    #[error("{doing}: {words}")]
    System {
        /// What was to be done.
        doing: &'static str,
        /// The system's words.
        words: String,
    },
}

impl TtyError {
    /// What a failed call means.
    pub(crate) fn of(doing: &'static str, errno: Errno) -> TtyError {
        match errno {
            Errno::IO | Errno::PIPE | Errno::NXIO | Errno::NODEV => TtyError::Gone,
            errno => TtyError::System { doing, words: errno.to_string() },
        }
    }
}

impl From<TtyError> for io::Error {
    fn from(error: TtyError) -> io::Error {
        let kind = match error {
            TtyError::Gone => io::ErrorKind::BrokenPipe,
            TtyError::Left => io::ErrorKind::NotConnected,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

impl From<io::Error> for TtyError {
    /// The error that a writer of this crate gave, out of the one that passed through others.
    fn from(error: io::Error) -> TtyError {
        if let Some(own) = error.get_ref().and_then(|inner| inner.downcast_ref::<TtyError>()) {
            return own.clone();
        }
        match error.raw_os_error() {
            Some(raw) => TtyError::of("using the terminal", Errno::from_raw_os_error(raw)),
            None => TtyError::System { doing: "using the terminal", words: error.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_survives_the_way_through_other_writers() {
        let kinds = [TtyError::Gone, TtyError::Left, TtyError::NotATerminal("standard output")];
        for error in kinds {
            assert_eq!(TtyError::from(io::Error::from(error.clone())), error);
        }
    }

    #[test]
    fn a_closed_terminal_is_told_as_gone() {
        for errno in [Errno::IO, Errno::PIPE] {
            assert_eq!(TtyError::of("writing", errno), TtyError::Gone);
            assert_eq!(TtyError::from(io::Error::from(errno)), TtyError::Gone);
        }
    }
}
