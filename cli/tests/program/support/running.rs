//! A run under way: what it has written so far, signals, its end.

use super::{GUARD, LOOK, Outcome};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{Read, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

/// What a pipe has brought so far.
#[derive(Default)]
struct Collected {
    bytes: Mutex<Vec<u8>>,
    more: Condvar,
}

impl Collected {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    /// Reads in a thread of its own; gives the pipe back when it ends or `enough` says so.
    fn read<R: Read + Send + 'static>(
        self: &Arc<Self>,
        mut pipe: R,
        enough: fn(&[u8]) -> bool,
    ) -> JoinHandle<()> {
        let collected = self.clone();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            loop {
                let count = match pipe.read(&mut buffer) {
                    Ok(0) | Err(_) => break,
                    Ok(count) => count,
                };
                let mut bytes = collected.bytes.lock().unwrap();
                bytes.extend_from_slice(&buffer[..count]);
                collected.more.notify_all();
                if enough(&bytes) {
                    break;
                }
            }
            // Here the pipe closes.
        })
    }
}

/// A run of fen; dropping it kills it.
pub struct Running {
    child: Child,
    arguments: Vec<String>,
    stdin: Option<ChildStdin>,
    stdout: Arc<Collected>,
    stderr: Arc<Collected>,
    readers: Vec<JoinHandle<()>>,
    unread: Option<ChildStdout>,
}

impl Running {
    pub(super) fn new(mut command: Command, arguments: Vec<String>) -> Self {
        let mut child = command.spawn().unwrap();
        let (stdout, stderr) = (Arc::<Collected>::default(), Arc::<Collected>::default());
        let readers = vec![stderr.read(child.stderr.take().unwrap(), |_| false)];
        let unread = child.stdout.take();
        Running { stdin: child.stdin.take(), child, arguments, stdout, stderr, readers, unread }
    }

    /// Reads standard output from here on, as every wait does by itself.
    fn read_all(&mut self) {
        if let Some(pipe) = self.unread.take() {
            self.readers.push(self.stdout.read(pipe, |_| false));
        }
    }

    /// Reads no more than one line of standard output and then closes it.
    pub fn read_one_line(&mut self) {
        let pipe = self.unread.take().expect("nothing was read so far");
        self.readers.push(self.stdout.read(pipe, |bytes| bytes.contains(&b'\n')));
    }

    /// Closes standard output without reading anything.
    pub fn close_output(&mut self) {
        drop(self.unread.take().expect("nothing was read so far"));
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Writes to standard input, which must be held open.
    pub fn write(&mut self, text: &str) {
        self.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Ends standard input.
    pub fn end_input(&mut self) {
        self.stdin = None;
    }

    /// Waits until standard output fits.
    pub fn wait_stdout(&mut self, what: &str, fits: impl Fn(&str) -> bool) {
        self.read_all();
        self.wait(what, &self.stdout.clone(), fits);
    }

    /// Waits until standard error fits.
    pub fn wait_stderr(&mut self, what: &str, fits: impl Fn(&str) -> bool) {
        self.read_all();
        self.wait(what, &self.stderr.clone(), fits);
    }

    /// Waits until an event of this type was written that fits.
    pub fn wait_event(&mut self, kind: &str, fits: impl Fn(&Value) -> bool) {
        self.wait_stdout(kind, |text| {
            events(text).iter().any(|event| event["type"] == kind && fits(event))
        });
    }

    fn wait(&self, what: &str, collected: &Collected, fits: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + GUARD;
        let mut bytes = collected.bytes.lock().unwrap();
        while !fits(&String::from_utf8_lossy(&bytes)) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(bytes);
                panic!("waited for {what}\n{}", self.report());
            }
            (bytes, _) = collected.more.wait_timeout(bytes, left).unwrap();
        }
    }

    fn report(&self) -> String {
        format!(
            "fen {:?}\n--- stdout\n{}\n--- stderr\n{}",
            self.arguments,
            self.stdout.text(),
            self.stderr.text()
        )
    }

    /// Waits for the end.
    pub fn finish(mut self) -> Outcome {
        self.read_all();
        let status = self.end();
        for reader in std::mem::take(&mut self.readers) {
            // Something that fen started may hold the pipes open; it is judged by other means.
            let deadline = Instant::now() + GUARD;
            while !reader.is_finished() {
                assert!(Instant::now() < deadline, "a pipe stays open\n{}", self.report());
                std::thread::sleep(LOOK);
            }
            reader.join().unwrap();
        }
        let stdout = self.stdout.bytes.lock().unwrap().clone();
        Outcome::new(std::mem::take(&mut self.arguments), status, stdout, self.stderr.text())
    }

    /// Waits for the end without reading any of standard output, and gives the exit code.
    pub fn finish_unread(mut self) -> Option<i32> {
        assert!(self.unread.is_some(), "nothing was read so far");
        self.end().code()
    }

    /// Asks an idle conversation of lines for its state until no turn is under way.
    pub fn wait_idle(&mut self) {
        let states = |text: &str| text.matches("\nstate     ").count();
        loop {
            let before = states(&self.stdout.text());
            self.write("/status\n");
            self.wait_stdout("the state", |text| states(text) > before);
            if self.stdout.text().rsplit("\nstate     ").next().unwrap().starts_with("idle") {
                return;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Kills it with `SIGKILL` and gives what it had written by then.
    pub fn kill(mut self) -> String {
        self.read_all();
        let _ = self.child.kill();
        self.end();
        for reader in std::mem::take(&mut self.readers) {
            reader.join().unwrap();
        }
        self.stdout.text()
    }

    /// Waits until nothing more fits into the pipe that nobody reads.
    pub fn wait_until_stuck(&self) {
        const SETTLED: u32 = 60;
        let pipe = self.unread.as_ref().expect("nothing was read so far");
        let deadline = Instant::now() + GUARD;
        let (mut before, mut looks) = (0, 0);
        while looks < SETTLED {
            assert!(Instant::now() < deadline, "it is not stuck\n{}", self.report());
            std::thread::sleep(LOOK);
            let waiting = rustix::io::ioctl_fionread(pipe).unwrap();
            looks = if waiting == before && waiting > 4096 { looks + 1 } else { 0 };
            before = waiting;
        }
    }

    fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + GUARD;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if Instant::now() > deadline {
                let _ = self.child.kill();
                panic!("it does not end\n{}", self.report());
            }
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The complete lines of a stream of events.
pub fn events(text: &str) -> Vec<Value> {
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    let parse = |line: &str| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in the line {line:?}"))
    };
    complete.lines().map(parse).collect()
}
