//! A program in a terminal of its own, watched from outside: what is on its screen, and since when.
//!
//! A thread reads the terminal and notes the time of each read before anything else, so that looking at
//! the screen costs the figures nothing.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The size of all terminals.
const ROWS: NonZeroU16 = NonZeroU16::new(30).expect("not zero");
const COLUMNS: NonZeroU16 = NonZeroU16::new(100).expect("not zero");
/// How long something may take before the measurement is given up.
const GUARD: Duration = Duration::from_secs(60);

/// What one read gave.
struct Chunk {
    at: Instant,
    bytes: Vec<u8>,
}

/// A program in its terminal; dropping it ends the program.
pub struct Screen {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    chunks: Receiver<Chunk>,
    parser: vt100::Parser,
    begun: Instant,
    bytes: usize,
    _master: Box<dyn MasterPty + Send>,
}

/// A program, its arguments, and the home that it is to have.
pub struct Program<'a> {
    pub path: &'a Path,
    pub arguments: Vec<String>,
    pub home: &'a Path,
    pub cwd: &'a Path,
}

impl Screen {
    /// Starts a program; the clock runs from before the fork.
    pub fn start(program: &Program<'_>) -> Screen {
        let (rows, cols) = (ROWS.get(), COLUMNS.get());
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program.path);
        command.args(&program.arguments);
        command.cwd(program.cwd);
        command.env_clear();
        command.env("HOME", program.home);
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("LANG", "C.UTF-8");
        if let Some(marks) = std::env::var_os("FEN_START_MARKS") {
            command.env("FEN_START_MARKS", marks);
        }
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (sender, chunks) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let chunk = Chunk { at: Instant::now(), bytes: buffer[..count].to_vec() };
                if sender.send(chunk).is_err() {
                    return;
                }
            }
        });
        let begun = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = vt100::Parser::new(ROWS, COLUMNS, 0);
        Screen { child, keys, chunks, parser, begun, bytes: 0, _master: pair.master }
    }

    /// When it was started.
    pub fn begun(&self) -> Instant {
        self.begun
    }

    /// The id of its process.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Types, and says when.
    pub fn type_keys(&mut self, keys: &str) -> Instant {
        let at = Instant::now();
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        at
    }

    /// Waits until the screen is so, and says since which read it is.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&Rows) -> bool) -> Instant {
        let deadline = Instant::now() + GUARD;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => {
                    self.take(&chunk.bytes);
                    if is_so(&self.rows()) {
                        return chunk.at;
                    }
                }
                Err(error) => panic!("{what} ({error}):\n{}", self.rows().0.join("\n")),
            }
        }
    }

    /// Takes what comes for a while, and says how many bytes that were.
    pub fn watch(&mut self, time: Duration) -> usize {
        let (before, deadline) = (self.bytes, Instant::now() + time);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => self.take(&chunk.bytes),
                Err(RecvTimeoutError::Timeout) => return self.bytes - before,
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the program has ended:\n{}", self.rows().0.join("\n"))
                }
            }
        }
    }

    /// Has it leave by a key, and gives what it says last.
    pub fn farewell(mut self) -> String {
        self.type_keys("\x04");
        let mut last = Vec::new();
        while let Ok(chunk) = self.chunks.recv_timeout(GUARD) {
            last.extend(chunk.bytes);
        }
        let last = String::from_utf8_lossy(&last).into_owned();
        let shown = last.rsplit("\x1b[?1049l").next().unwrap_or_default();
        shown.replace("\x1b[?25h", "").replace('\r', "")
    }

    fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        self.parser.process(bytes);
    }

    /// What is on the screen.
    pub fn rows(&self) -> Rows {
        Rows(self.parser.screen().rows(0, COLUMNS.get()).collect())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // One that has ended already cannot be ended again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The rows of a screen.
pub struct Rows(pub Vec<String>);

impl Rows {
    /// Whether the first frame is there: the status row on top, and the sign of the input.
    pub fn is_first_frame(&self) -> bool {
        let [top, .., input] = self.0.as_slice() else { return false };
        top.starts_with(" fen ") && input.starts_with('›')
    }

    /// Whether the input begins with this.
    pub fn has_input(&self, text: &str) -> bool {
        let input = self.0.last().and_then(|row| row.strip_prefix("› "));
        input.is_some_and(|input| input.starts_with(text))
    }

    /// Whether this is anywhere.
    pub fn has(&self, text: &str) -> bool {
        self.0.iter().any(|row| row.contains(text))
    }
}
