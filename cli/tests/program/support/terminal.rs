//! A terminal with fen in it, and what its screen shows.

use super::fen::PROGRAM;
use super::{Fen, GUARD, LOOK};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal};
use std::io::{Read as _, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

const ROWS: u16 = 24;

/// fen in a terminal; dropping it kills it.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    written: Arc<(Mutex<Vec<u8>>, Condvar)>,
    columns: u16,
    /// The terminal's own side; it hangs up when this goes.
    master: Option<Box<dyn MasterPty + Send>>,
}

impl Terminal {
    /// Starts fen in a terminal of this width.
    pub fn open(fen: &Fen, columns: u16) -> Self {
        let size = PtySize { rows: ROWS, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let (arguments, environment, folder) = fen.parts();
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(arguments);
        command.env_clear();
        // Plain lines, unless the test says otherwise; `Screen` is for the other kind.
        command.env("TERM", "dumb");
        for (name, value) in environment {
            command.env(name, value);
        }
        command.cwd(folder);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let written = Arc::<(Mutex<Vec<u8>>, Condvar)>::default();
        let collected = written.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                collected.0.lock().unwrap().extend_from_slice(&buffer[..count]);
                collected.1.notify_all();
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Terminal { child, keys, written, columns, master: Some(pair.master) }
    }

    /// Types; a line ends with `\r`.
    pub fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Closes the terminal under the program.
    pub fn hang_up(&mut self) {
        self.master = None;
        self.keys = Box::new(std::io::sink());
        // The reading side closes too, which needs its thread to wake up.
        rustix::process::kill_process(self.id(), Signal::HUP).unwrap();
    }

    /// `SIGKILL`, and nothing of the program is left when this returns.
    pub fn kill(mut self) {
        rustix::process::kill_process(self.id(), Signal::KILL).unwrap();
        self.child.wait().unwrap();
    }

    fn id(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.process_id().unwrap()).unwrap()).unwrap()
    }

    /// What was written to the terminal so far.
    pub fn written(&self) -> String {
        String::from_utf8_lossy(&self.written.0.lock().unwrap()).into_owned()
    }

    /// The screen at this moment.
    pub fn screen(&self) -> PlainRows {
        PlainRows::of(&self.written(), usize::from(self.columns))
    }

    /// Waits until the screen fits.
    pub fn wait(&self, what: &str, fits: impl Fn(&PlainRows) -> bool) {
        let deadline = Instant::now() + GUARD;
        let mut written = self.written.0.lock().unwrap();
        loop {
            let text = String::from_utf8_lossy(&written).into_owned();
            let screen = PlainRows::of(&text, usize::from(self.columns));
            if fits(&screen) {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(written);
                panic!("waited for {what}\n{}\n{text:?}", screen.text());
            }
            (written, _) = self.written.1.wait_timeout(written, left).unwrap();
        }
    }

    /// Waits until the screen shows this text.
    pub fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.text().contains(text) || screen.unbroken().contains(text));
    }

    /// Waits for the end and gives the exit code.
    pub fn code(&mut self) -> u32 {
        let deadline = Instant::now() + GUARD;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "it does not end\n{}", self.screen().text());
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A screen without scrolling: the rows that plain lines fill. What a sequence would do is not
/// pretended; a test that allows none says so.
pub struct PlainRows {
    rows: Vec<String>,
}

impl PlainRows {
    fn of(written: &str, columns: usize) -> Self {
        let mut rows = vec![String::new()];
        let mut column = 0;
        for c in written.chars() {
            match c {
                '\n' => rows.push(String::new()),
                '\r' => column = 0,
                c => {
                    if column == columns {
                        rows.push(String::new());
                        column = 0;
                    }
                    rows.last_mut().unwrap().push(c);
                    column += 1;
                }
            }
        }
        PlainRows { rows }
    }

    /// All rows.
    pub fn text(&self) -> String {
        self.rows.join("\n")
    }

    /// The text without the breaks at the right margin.
    pub fn unbroken(&self) -> String {
        self.rows.concat()
    }

    /// The last row.
    pub fn last_row(&self) -> &str {
        self.rows.last().unwrap()
    }
}
