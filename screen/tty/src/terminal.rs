//! A terminal while a full-screen program has it.
//!
//! Owns the terminal from entering to leaving, whichever way the program ends. It must never draw or
//! read. The program makes one; a second one is refused while there is the first.

use crate::device::Device;
use crate::error::TtyError;
use crate::modes::Modes;
use crate::output::Output;
use crate::session::Session;
use std::io::{self, Write};
use std::sync::Arc;

/// What to enter, and with which modes.
#[derive(Debug)]
pub struct Options {
    /// The terminal.
    pub device: Device,
    /// What to turn on besides raw input.
    pub modes: Modes,
}

impl Options {
    /// Standard input and output with all modes.
    ///
    /// # Errors
    /// [`TtyError::NotATerminal`] if one of them is none.
    pub fn stdio() -> Result<Options, TtyError> {
        Ok(Options { device: Device::stdio()?, modes: Modes::default() })
    }
}

/// The size of a terminal in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Cells in a row.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

/// A terminal in raw mode and with modes; dropping it gives the terminal back.
///
/// It is a writer of frames itself; [`output`](Terminal::output) gives more of them.
#[derive(Debug)]
pub struct Terminal {
    session: Arc<Session>,
    output: Output,
}

impl Terminal {
    /// Takes the terminal: raw input, and the modes.
    ///
    /// # Errors
    /// [`TtyError::AlreadyEntered`] while there is another, [`TtyError::InBackground`] if the
    /// terminal is another program's at the moment, and what the system says.
    pub fn enter(options: Options) -> Result<Terminal, TtyError> {
        let session = Session::begin(Arc::new(options.device), options.modes)?;
        Ok(Terminal { output: Output::new(session.clone()), session })
    }

    /// Gives the terminal back: modes off, raw input off. Once is enough, and again does no harm. For
    /// another program, such as an editor, pause the reader first, and
    /// [`resume`](Terminal::resume) afterwards.
    ///
    /// # Errors
    /// What the system says; there is nothing more to be done about it.
    pub fn leave(&self) -> Result<(), TtyError> {
        self.session.leave()
    }

    /// Takes the terminal again after it was left, or was given back because of a panic that
    /// somebody caught. All has to be drawn anew.
    ///
    /// # Errors
    /// As [`enter`](Terminal::enter).
    pub fn resume(&self) -> Result<(), TtyError> {
        self.session.enter()
    }

    /// Whether the terminal is ours: entered and not given back.
    pub fn is_active(&self) -> bool {
        self.session.is_active()
    }

    /// The size at this moment.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn size(&self) -> Result<Size, TtyError> {
        let (columns, rows) = self.session.device().size()?;
        Ok(Size { columns, rows })
    }

    /// The modes that are on while the terminal is ours.
    pub fn modes(&self) -> Modes {
        self.session.modes()
    }

    /// Turns modes on or off, such as the mouse. A terminal that was left has them when it is
    /// resumed.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn set_modes(&self, modes: Modes) -> Result<(), TtyError> {
        self.session.change(modes)
    }

    /// A writer of frames for whoever draws.
    pub fn output(&self) -> Output {
        Output::new(self.session.clone())
    }

    /// What a [`Reader`](crate::reader::Reader) reads from.
    pub fn device(&self) -> Arc<Device> {
        self.session.device().clone()
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }
}

impl Write for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // There is nobody to tell, and nothing else to try.
        let _ = self.session.leave();
        self.session.end();
    }
}
