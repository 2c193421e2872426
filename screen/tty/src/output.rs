//! Frames on their way to the terminal.
//!
//! Owns the bytes of a frame until it is whole. It must never write to a terminal that was given
//! back. Whoever draws has one; a drawing library takes it as its writer.

use crate::error::TtyError;
use crate::session::Session;
use std::io::{self, Write};
use std::sync::Arc;

/// The most that is kept before it is written although the frame is not whole.
const LONGEST_FRAME: usize = 8 << 20;

/// What is kept of the buffer's room between frames.
const ROOM: usize = 256 << 10;

/// A writer that keeps a frame until it is flushed, and then writes it at once.
///
/// Writing fails with an [`io::Error`] around a [`TtyError`], which [`TtyError::from`] takes out
/// again: [`Gone`](TtyError::Gone) when the terminal was closed, [`Left`](TtyError::Left) when it
/// was given back. The frame is dropped then; the next one has to draw everything.
#[derive(Debug)]
pub struct Output {
    session: Arc<Session>,
    frame: Vec<u8>,
}

impl Output {
    pub(crate) fn new(session: Arc<Session>) -> Output {
        Output { session, frame: Vec::new() }
    }

    fn write_frame(&mut self) -> Result<(), TtyError> {
        let written = self.session.write_frame(&self.frame);
        self.frame.clear();
        self.frame.shrink_to(ROOM);
        written
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        if self.frame.len() > LONGEST_FRAME {
            self.write_frame()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(self.write_frame()?)
    }
}
