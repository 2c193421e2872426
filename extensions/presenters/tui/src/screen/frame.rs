//! The terminal as the screen has it: frames go out whole, and only what changed in them.

use super::painter::Painter;
use crate::effect::Mouse;
use crate::input::Input;
use crate::presenter::Link;
use crate::theme::Depth;
use fen_contract::failure::Failure;
use fen_tty::colour::ColourDepth;
use fen_tty::modes::Modes;
use fen_tty::output::Output;
use fen_tty::reader::Reader;
use fen_tty::restore::restore_now;
use fen_tty::stderr::StderrCapture;
use fen_tty::suspend::{self, Waiting};
use fen_tty::terminal::{Options, Terminal};
use fen_tty::{TtyError, clipboard};
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether another program has the terminal just now.
static LENT: AtomicBool = AtomicBool::new(false);

/// Whether another program, such as the person's editor, has the terminal just now. What is typed there,
/// ctrl-c among it, is meant for that program, though the system tells this one too.
pub fn is_terminal_lent() -> bool {
    LENT.load(Ordering::Relaxed)
}

/// The terminal and what is on it.
pub(crate) struct Frame {
    terminal: Terminal,
    painter: Painter<Output>,
    reader: Reader,
    stderr: Option<StderrCapture>,
    depth: Depth,
    /// Another program had the terminal, or the program was stopped, since the last frame.
    was_away: bool,
}

fn failed(what: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("the terminal {what}: {error}"))
}

fn env(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Frame {
    /// Takes the terminal.
    pub fn open(mouse: Mouse, link: Arc<Link>) -> Result<Frame, Failure> {
        fen_tty::restore::install_panic_hook();
        let mut options = Options::stdio()
            .map_err(|error| failed("cannot be used, try --presenter stdio", &error))?;
        options.modes = Modes { mouse: mouse == Mouse::Reported, ..Modes::default() };
        let terminal =
            Terminal::enter(options).map_err(|error| failed("cannot be taken", &error))?;
        let keys = link.clone();
        let sink = move |inputs: Vec<fen_tty::input::Input>| {
            keys.mailbox.type_keys(inputs);
            ControlFlow::Continue(())
        };
        let reader = Reader::start(terminal.device(), Box::new(sink))
            .map_err(|error| failed("cannot be read", &error))?;
        let lines = link.clone();
        let stderr = StderrCapture::begin(Box::new(move |line: &str| {
            lines.mailbox.offer(Input::Stderr(line.to_owned()));
        }));
        let depth = match ColourDepth::detect(&env) {
            ColourDepth::None => Depth::None,
            ColourDepth::Ansi16 => Depth::Ansi16,
            ColourDepth::Ansi256 => Depth::Ansi256,
            ColourDepth::True => Depth::True,
        };
        let painter = Painter::new(terminal.output());
        Ok(Frame {
            terminal,
            painter,
            reader,
            // Without it, what others write goes over the screen, which ctrl-l mends.
            stderr: stderr.ok(),
            depth,
            was_away: false,
        })
    }

    /// How many colours the terminal has.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Columns and rows; a terminal that does not know them has the usual ones.
    pub fn size(&self) -> (u16, u16) {
        match self.terminal.size() {
            Ok(size) if size.columns > 0 && size.rows > 0 => (size.columns, size.rows),
            _ => (80, 24),
        }
    }

    /// Whether somebody else had the terminal since the last time this was asked; the window may have
    /// another size then.
    pub fn was_away(&mut self) -> bool {
        std::mem::take(&mut self.was_away)
    }

    /// Draws a frame: what differs from the one before goes to the terminal at once.
    pub fn draw(
        &mut self,
        size: (u16, u16),
        paint: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> Result<(), Failure> {
        if !self.terminal.is_active() {
            // A panic that somebody caught gave the terminal back.
            self.terminal.resume().map_err(|error| failed("cannot be taken again", &error))?;
            self.painter.forget();
        }
        match self.painter.put(size, paint) {
            Ok(_) => Ok(()),
            Err(error) => match TtyError::from(error) {
                // The next frame takes it again.
                TtyError::Left => Ok(()),
                error => Err(failed("cannot be written", &error)),
            },
        }
    }

    /// The next frame draws everything.
    pub fn reset(&mut self) {
        self.painter.forget();
    }

    /// Lets the terminal report the mouse, or not.
    pub fn set_mouse(&mut self, mouse: Mouse) -> Result<(), Failure> {
        let modes = Modes { mouse: mouse == Mouse::Reported, ..self.terminal.modes() };
        self.terminal.set_modes(modes).map_err(|error| failed("cannot be written", &error))
    }

    /// Puts text into the terminal's clipboard; false if it is too long for that.
    pub fn copy(&mut self, text: &str) -> Result<bool, Failure> {
        let Some(bytes) = clipboard::osc52(text, &env) else { return Ok(false) };
        self.painter.write_aside(&bytes).map_err(|error| failed("cannot be written", &error))?;
        Ok(true)
    }

    /// Stops the program as ctrl-z does, until it is continued. `meanwhile` is called now and then while
    /// it runs in the background; it says whether to give up.
    pub fn suspend(&mut self, meanwhile: &mut dyn FnMut() -> Waiting) -> Result<(), TtyError> {
        self.painter.forget();
        self.was_away = true;
        suspend::suspend(&self.terminal, &self.reader, meanwhile)
    }

    /// The program was stopped from outside and goes on.
    pub fn continued(&mut self, meanwhile: &mut dyn FnMut() -> Waiting) -> Result<(), TtyError> {
        self.painter.forget();
        suspend::continued(&self.terminal, &self.reader, meanwhile)
    }

    /// Gives the terminal to another program for a while.
    pub fn lend<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Failure> {
        self.reader.pause();
        self.terminal.leave().map_err(|error| failed("cannot be given away", &error))?;
        LENT.store(true, Ordering::Relaxed);
        let outcome = work();
        LENT.store(false, Ordering::Relaxed);
        self.painter.forget();
        self.was_away = true;
        self.terminal.resume().map_err(|error| failed("cannot be taken again", &error))?;
        self.reader.resume();
        Ok(outcome)
    }

    /// Gives the terminal back.
    pub fn close(self) {
        drop(self.reader);
        // What cannot be given back now cannot be given back later either.
        let _ = self.terminal.leave();
        if let Some(stderr) = self.stderr {
            stderr.end();
        }
        restore_now();
    }
}

/// Writes to the terminal after it was given back. A terminal that is gone has no reader.
pub(crate) fn say_last(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}
