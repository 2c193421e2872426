//! Standard output and standard error as a presenter uses them.
//!
//! A reader that does not read is waited for, but not beyond the end of the run: the program says
//! with [`stop_waiting`] that it is near. What was not taken within [`PATIENCE`] is then given up.

use fen_contract::failure::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether the reader of standard output is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// It took the text.
    Present,
    /// It has closed its end, or does not read though the run is ending; the program ends quietly.
    Gone,
}

/// How long a reader may take for a piece of text once the run is ending.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// What a pipe takes without waiting where it takes anything: `PIPE_BUF`.
const PIECE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
/// How often it is looked whether the run is ending.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

static ENDING: AtomicBool = AtomicBool::new(false);
/// The reader was given up; later text is not tried, so that no text is without its beginning.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// From now on a reader that does not read cannot hold the program up.
pub fn stop_waiting() {
    ENDING.store(true, Ordering::Relaxed);
}

/// Writes to standard output at once.
pub fn write_stdout(text: &str) -> Result<Reader, Failure> {
    match write(text.as_bytes()) {
        Ok(reader) => Ok(reader),
        Err(Errno::PIPE) => Ok(Reader::Gone),
        Err(error) => Err(Failure::new(format!("standard output cannot be written: {error}"))),
    }
}

/// Writes a value to standard output as one line of JSON.
pub fn write_json(value: &impl Serialize) -> Result<Reader, Failure> {
    let line = json_line(value)
        .map_err(|error| Failure::new(format!("it cannot be written as JSON: {error}")))?;
    write_stdout(&line)
}

/// A value as one line of JSON. Control characters that JSON allows as they are, but terminals
/// obey, are written as escapes, which mean the same.
pub fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let plain = serde_json::to_string(value)? + "\n";
    // The lead byte of U+0080 to U+009F, and the one control character above the printable ones.
    if !plain.bytes().any(|byte| byte == 0xc2 || byte == 0x7f) {
        return Ok(plain);
    }
    let mut line = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            '\u{7f}'..='\u{9f}' => line.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => line.push(c),
        }
    }
    Ok(line)
}

/// Writes to standard error. Where that fails there is nowhere left to tell it.
pub fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn write(mut rest: &[u8]) -> Result<Reader, Errno> {
    let stdout = io::stdout().lock();
    if GIVEN_UP.load(Ordering::Relaxed) {
        return Ok(Reader::Gone);
    }
    while !rest.is_empty() {
        let Room::For(count) = room(&stdout, rest.len())? else { return Ok(Reader::Gone) };
        match rustix::io::write(&stdout, &rest[..count]) {
            Ok(written) => rest = &rest[written..],
            // Somebody made it non-blocking; the next look waits until there is room.
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Reader::Present)
}

enum Room {
    /// So many bytes are taken without waiting.
    For(usize),
    /// None, and none is waited for any longer.
    None,
}

/// Waits until `wanted` bytes, or a part of them, can be written.
fn room(stdout: &io::StdoutLock<'_>, wanted: usize) -> Result<Room, Errno> {
    let mut deadline = None;
    loop {
        let mut descriptors = [PollFd::new(stdout, PollFlags::OUT)];
        match poll(&mut descriptors, Some(&LOOK)) {
            Ok(1..) => return Ok(Room::For(wanted.min(PIECE))),
            Ok(0) | Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
        if ENDING.load(Ordering::Relaxed) {
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
            if Instant::now() >= deadline {
                GIVEN_UP.store(true, Ordering::Relaxed);
                return Ok(Room::None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_exact_and_has_no_raw_control_character() {
        let hostile = "a\u{1b}[2J\u{9b}2J\u{7f}\u{85}é\u{a0}\n";
        let line = json_line(&hostile).unwrap();
        let (text, end) = line.split_at(line.len() - 1);
        assert_eq!(end, "\n");
        assert!(!text.chars().any(char::is_control), "{text:?}");
        assert!(text.contains('é'));
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), hostile);
    }
}
