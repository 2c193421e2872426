//! What comes from the person: texts of Fennel, line by line, and signals.
//!
//! Lines are read by a thread of its own, and only when they are asked for: what the code reads for
//! itself meanwhile is its own.

use super::brackets::Brackets;
use fen_contract::failure::Failure;
use std::io::{BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::sync::mpsc;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The most bytes of one text.
const TEXT_BYTES: usize = 2 << 20;

/// The bytes of a text that is parsed anew with each line; a longer one only where it may be complete.
const ALWAYS_PARSED: usize = 4 << 10;

/// What was heard.
pub enum Heard {
    /// A text that is complete, or as complete as it gets.
    Text(String),
    /// There is no more text.
    End,
    /// An interrupt of a person at the terminal: what is under way is to end.
    Interrupt,
    /// A signal of this number: the program is to end.
    Signal(i32),
}

/// See the module.
pub struct Keyboard {
    /// Asks for a line.
    ask: mpsc::Sender<()>,
    lines: UnboundedReceiver<std::io::Result<Vec<u8>>>,
    /// Whether a line was asked for that has not come.
    is_asked: bool,
    is_terminal: bool,
    signals: [Signal; 3],
}

const SIGNALS: [SignalKind; 3] =
    [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];

impl Keyboard {
    /// Begins to listen, on the runtime that it is used on.
    pub fn listen() -> Result<Self, Failure> {
        let unable = |error: std::io::Error| Failure::new(format!("nothing can be heard: {error}"));
        let [interrupt, terminate, hang_up] = SIGNALS.map(signal);
        let signals =
            [interrupt.map_err(unable)?, terminate.map_err(unable)?, hang_up.map_err(unable)?];
        let (ask, asked) = mpsc::channel();
        let (tell, lines) = unbounded_channel();
        let read = move || {
            while asked.recv().is_ok() {
                if tell.send(read_line()).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("lines".to_owned()).spawn(read).map_err(unable)?;
        let is_terminal = std::io::stdin().is_terminal();
        Ok(Keyboard { ask, lines, is_asked: false, is_terminal, signals })
    }

    /// Whether a person sits at it.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// The next text: lines up to where the forms are complete.
    ///
    /// # Errors
    /// Standard input cannot be read, or a text does not end.
    pub async fn next_text(&mut self) -> Result<Heard, Failure> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut brackets = Brackets::default();
        loop {
            self.prompt(if bytes.is_empty() { ">> " } else { ".. " });
            let line = tokio::select! {
                biased;
                heard = next_signal(&mut self.signals, self.is_terminal) => {
                    if matches!(heard, Heard::Interrupt) {
                        // The terminal has dropped what was typed of this line.
                        self.prompt("\n");
                    }
                    return Ok(heard);
                }
                line = next_line(&self.ask, &mut self.lines, &mut self.is_asked) => line,
            };
            let line = line
                .map_err(|error| Failure::new(format!("standard input cannot be read: {error}")))?;
            if line.is_empty() {
                self.prompt("\n");
                let rest = bytes.trim_ascii();
                return Ok(match rest.is_empty() {
                    true => Heard::End,
                    false => Heard::Text(shown(&bytes)),
                });
            }
            bytes.extend(&line);
            if bytes.len() > TEXT_BYTES {
                return Err(Failure::caller(format!(
                    "a form on standard input has more than {TEXT_BYTES} bytes"
                )));
            }
            if !line.ends_with(b"\n") {
                continue;
            }
            brackets.follow(&line);
            if bytes.len() > ALWAYS_PARSED && brackets.are_open() {
                continue;
            }
            let text = shown(&bytes);
            if text.trim().is_empty() {
                bytes.clear();
            } else if !fennel::parse("input", &text).incomplete {
                return Ok(Heard::Text(text));
            }
        }
    }

    /// Waits for a signal.
    pub async fn signal(&mut self) -> Heard {
        next_signal(&mut self.signals, self.is_terminal).await
    }

    /// Says this to a person; a program at the other end of a pipe does not want it.
    fn prompt(&self, text: &str) {
        if self.is_terminal {
            let mut stdout = std::io::stdout().lock();
            // Who does not see it sees no answer either, and that is told.
            let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        }
    }
}

/// The text of some bytes; what is not UTF-8 becomes a mark, which is no form.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The next line with its end; without one where the input ends, or the line is long.
async fn next_line(
    ask: &mpsc::Sender<()>,
    lines: &mut UnboundedReceiver<std::io::Result<Vec<u8>>>,
    is_asked: &mut bool,
) -> std::io::Result<Vec<u8>> {
    let gone = || std::io::Error::other("its thread ended");
    if !*is_asked {
        ask.send(()).map_err(|_| gone())?;
        *is_asked = true;
    }
    let line = lines.recv().await.ok_or_else(gone)?;
    *is_asked = false;
    line
}

fn read_line() -> std::io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut input = std::io::stdin().lock().take(TEXT_BYTES as u64 + 1);
    input.read_until(b'\n', &mut line)?;
    Ok(line)
}

async fn next_signal(signals: &mut [Signal; 3], is_terminal: bool) -> Heard {
    let [interrupt, terminate, hang_up] = signals;
    let kind = tokio::select! {
        _ = interrupt.recv() => SIGNALS[0],
        _ = terminate.recv() => SIGNALS[1],
        _ = hang_up.recv() => SIGNALS[2],
    };
    match kind == SignalKind::interrupt() && is_terminal {
        true => Heard::Interrupt,
        false => Heard::Signal(kind.as_raw_value()),
    }
}
