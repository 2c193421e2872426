//! Ownership of a terminal for a full-screen program.
//!
//! The crate stands alone: it knows bytes, keys and file descriptors, never what is drawn. It draws
//! nothing, asks the terminal nothing that it would have to wait for, and installs no signal handler
//! but for the moment that [`suspend`] needs one. It is for Unix.
//!
//! Pure:
//!
//! * [`key`] names keys, [`input`] is what comes, [`decoder`] makes it out of bytes.
//! * [`modes`] are the exact bytes that enter and leave a full screen.
//! * [`colour`] tells how many colours a terminal has.
//!
//! With a terminal:
//!
//! * [`terminal`] enters and leaves; [`output`] writes frames; [`reader`] reads on its own thread.
//! * [`restore`] gives the terminal back from anywhere, panics included.
//! * [`suspend`] is ctrl-z.
//! * [`stderr`] keeps what is written to standard error off the screen.
//! * [`clipboard`] copies, through the terminal or through a program.

pub mod clipboard;
pub mod colour;
pub mod decoder;
mod device;
mod error;
pub mod input;
pub mod key;
pub mod modes;
pub mod output;
pub mod reader;
pub mod restore;
mod session;
pub mod stderr;
pub mod suspend;
pub mod terminal;

pub use device::Device;
pub use error::TtyError;
