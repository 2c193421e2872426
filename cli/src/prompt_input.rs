//! The prompt of a one-shot run: from the command line, from standard input, or both.
//!
//! The only reader of standard input beside an interactive presenter; the two never run together.

use crate::exit;
use fen_contract::failure::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{IsTerminal as _, Read as _};
use std::time::Duration;

/// How long a prompt from the command line waits for standard input.
const PATIENCE: Duration = Duration::from_millis(200);
/// How much is read from standard input, in bytes.
const INPUT_BYTES: u64 = 10 * 1024 * 1024;

/// The prompt. With one on the command line, standard input is added if something is there within
/// 200 ms; without one, standard input is read to its end and is the prompt.
pub fn collect(given: Option<String>) -> Result<String, Failure> {
    let stdin = std::io::stdin();
    let Some(given) = given else {
        if stdin.is_terminal() {
            return Err(Failure::caller(
                "there is no prompt; type it after -p, or pipe it into standard input",
            ));
        }
        let text = read_all()?;
        if text.trim().is_empty() {
            return Err(Failure::caller("the prompt on standard input is empty"));
        }
        return Ok(text);
    };
    if stdin.is_terminal() {
        return Ok(given);
    }
    if !has_input_within(PATIENCE) {
        exit::note("fen: standard input stays open and empty; going on without it");
        return Ok(given);
    }
    let text = read_all()?;
    if text.trim().is_empty() { Ok(given) } else { Ok(format!("{given}\n\n{text}")) }
}

fn has_input_within(patience: Duration) -> bool {
    let stdin = std::io::stdin();
    let mut descriptors = [PollFd::new(&stdin, PollFlags::IN)];
    let wait = Timespec {
        tv_sec: i64::try_from(patience.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(patience.subsec_nanos()),
    };
    // Where it cannot be watched, reading it tells what is wrong.
    poll(&mut descriptors, Some(&wait)).map_or(true, |ready| ready > 0)
}

fn read_all() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(INPUT_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::caller(format!("standard input cannot be read: {error}")))?;
    if bytes.len() as u64 > INPUT_BYTES {
        return Err(Failure::caller(
            "standard input has more than 10 MiB; put it into a file and name the file instead",
        ));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
