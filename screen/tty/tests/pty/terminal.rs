//! A terminal with the example in it, and all that was written to it.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a test waits for what never comes.
const GUARD: Duration = Duration::from_secs(60);

/// What turns the modes of the example on and off.
pub const ENTER: &str =
    "\x1b[?1049h\x1b[>5u\x1b[?2004h\x1b[?1004h\x1b[?1000h\x1b[?1002h\x1b[?1006h";
pub const LEAVE: &str = "\x1b\\\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\
                         \x1b[?2004l\x1b[<u\x1b[?1049l\x1b[?25h";

/// A terminal; dropping it kills what runs in it.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    written: Arc<(Mutex<Vec<u8>>, Condvar)>,
    master: Option<Box<dyn MasterPty + Send>>,
    closing: Arc<AtomicBool>,
    collector: Option<JoinHandle<()>>,
}

/// The example, which is built along with the tests.
fn example() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples/keys");
    let missing = "run all tests of the crate, or `cargo build -p fen-tty --examples` first";
    assert!(path.exists(), "{} is not there; {missing}", path.display());
    path
}

impl Terminal {
    /// Starts the example by itself, as the terminal's only program, and waits for its first frame.
    pub fn open() -> Self {
        let terminal = Terminal::start(CommandBuilder::new(example()));
        terminal.wait_for("pid ");
        terminal
    }

    /// Runs a script of the shell, to which `$0` is the example.
    pub fn script(script: &str) -> Self {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", script]);
        command.arg(example());
        Terminal::start(command)
    }

    fn start(command: CommandBuilder) -> Self {
        let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let written = Arc::<(Mutex<Vec<u8>>, Condvar)>::default();
        let collected = written.clone();
        let closing = Arc::<AtomicBool>::default();
        let closed = closing.clone();
        let collector = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if closed.load(Ordering::Acquire) {
                    return;
                }
                collected.0.lock().unwrap().extend_from_slice(&buffer[..count]);
                collected.1.notify_all();
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let (master, collector) = (Some(pair.master), Some(collector));
        Terminal { child, keys, written, master, closing, collector }
    }

    pub fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    pub fn written(&self) -> String {
        String::from_utf8_lossy(&self.written.0.lock().unwrap()).into_owned()
    }

    /// How often this was written.
    pub fn count(&self, text: &str) -> usize {
        self.written().matches(text).count()
    }

    /// Waits until this was written, and gives all from its beginning on.
    pub fn wait_for(&self, text: &str) -> String {
        self.wait_after(0, text).1
    }

    /// Waits until this was written after a place; gives its place and all from there on.
    pub fn wait_after(&self, place: usize, text: &str) -> (usize, String) {
        let deadline = Instant::now() + GUARD;
        let mut written = self.written.0.lock().unwrap();
        loop {
            let all = String::from_utf8_lossy(&written).into_owned();
            if let Some(found) = all.get(place..).and_then(|rest| rest.find(text)) {
                return (place + found, all[place + found..].to_owned());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(written);
                panic!("waited for {text:?}\n{all:?}");
            }
            (written, _) = self.written.1.wait_timeout(written, left).unwrap();
        }
    }

    /// Whether lines are edited by the terminal, signals come of keys, and what is typed is shown.
    pub fn is_cooked(&self) -> bool {
        let state = self.master.as_ref().unwrap().get_termios().unwrap();
        let (local, output) =
            (format!("{:?}", state.local_flags), format!("{:?}", state.output_flags));
        let on = [local.contains("ICANON"), local.contains("ISIG"), output.contains("OPOST")];
        assert!(on == [true; 3] || on == [false; 3], "neither raw nor cooked: {on:?}");
        on[0] && local.contains("ECHO")
    }

    /// Closes the terminal under the program.
    pub fn close(&mut self) {
        // The collector has the terminal open as well, and only something to read wakes it up.
        self.closing.store(true, Ordering::Release);
        self.type_keys("x");
        self.collector.take().unwrap().join().unwrap();
        self.master = None;
        self.keys = Box::new(std::io::sink());
    }

    /// Waits for the end and gives the exit code.
    pub fn code(&mut self) -> u32 {
        let deadline = Instant::now() + GUARD;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "it does not end\n{:?}", self.written());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
