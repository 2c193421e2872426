//! A program in a terminal of its own: keys go in, and the cells are what it shows.

use crate::script::{Step, bytes_of};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// How long is waited for words that never come.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a key is left alone, so that an escape is one.
const KEY: Duration = Duration::from_millis(150);
/// What stays of the environment.
const INHERITED: [&str; 1] = ["PATH"];
/// What is set.
const SET: [(&str, &str); 5] = [
    ("TERM", "xterm-256color"),
    ("COLORTERM", "truecolor"),
    ("LANG", "C.UTF-8"),
    ("TZ", "UTC"),
    ("SHELL", "/bin/sh"),
];

type Shared = Arc<(Mutex<vt100::Parser>, Condvar)>;

/// Plays a script and gives the screen at its end.
pub fn play(steps: &[Step], program: &str, arguments: &[String]) -> vt100::Screen {
    let home = tempfile::tempdir().expect("a folder");
    let cwd = home.path().join("engine");
    std::fs::create_dir(&cwd).expect("a working directory");
    let (mut columns, mut rows) = (80, 24);
    for step in steps {
        match step {
            Step::Size(wide, high) => (columns, rows) = (*wide, *high),
            Step::File(path, text) => write(&cwd.join(path), text),
            _ => {}
        }
    }
    let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a terminal");
    let program = std::path::absolute(program).expect("the program's path");
    let mut command = CommandBuilder::new(program);
    command.args(arguments);
    command.cwd(&cwd);
    command.env_clear();
    command.env("HOME", home.path());
    for name in INHERITED {
        command.env(name, std::env::var_os(name).unwrap_or_default());
    }
    for (name, value) in SET {
        command.env(name, value);
    }
    let mut child = pair.slave.spawn_command(command).expect("the program starts");
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().expect("its output");
    let mut keys = pair.master.take_writer().expect("its input");

    let cells = |count| NonZeroU16::new(count).expect("a size above zero");
    let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
    let shared: Shared = Arc::new((Mutex::new(parser), Condvar::new()));
    let reading = shared.clone();
    let reader = std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = output.read(&mut bytes) {
            reading.0.lock().unwrap().process(&bytes[..count]);
            reading.1.notify_all();
        }
    });
    for step in steps {
        match step {
            Step::Size(..) | Step::File(..) => {}
            Step::Wait(words) => wait(&shared, words),
            Step::Pause(millis) => std::thread::sleep(Duration::from_millis(*millis)),
            Step::Type(text) => press(&mut keys, text.as_bytes()),
            Step::Key(key) => press(&mut keys, &bytes_of(key)),
        }
    }
    let screen = shared.0.lock().unwrap().screen().clone();
    child.kill().expect("the program ends");
    child.wait().expect("the program has ended");
    drop((keys, pair.master));
    reader.join().expect("its output ends");
    screen
}

fn write(path: &Path, text: &str) {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    std::fs::write(path, text).expect("a file");
}

fn press(keys: &mut impl Write, bytes: &[u8]) {
    keys.write_all(bytes).and_then(|()| keys.flush()).expect("the program takes keys");
    std::thread::sleep(KEY);
}

fn wait(shared: &Shared, words: &str) {
    let until = Instant::now() + PATIENCE;
    let mut parser = shared.0.lock().unwrap();
    while !parser.screen().contents().contains(words) {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            panic!("`{words}` did not come:\n{}", parser.screen().contents());
        }
        parser = shared.1.wait_timeout(parser, left).unwrap().0;
    }
}
