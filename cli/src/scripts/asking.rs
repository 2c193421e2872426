//! Questions on the terminal while no conversation runs, such as those of a login.

use crate::exit;
use fen_contract::failure::BoxFuture;
use fen_contract::ui::{Choice, Question, Ui};
use fen_core::printable::printable_line;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use serde_json::Value;
use std::io::{BufRead as _, IsTerminal as _, Write as _};

/// How often an answer that was not offered is asked for again.
const TRIES: usize = 3;

/// Asks on standard error and reads standard input.
pub struct TerminalUi;

impl TerminalUi {
    /// Where there is a terminal on both ends.
    pub fn open() -> Option<TerminalUi> {
        let is_there = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        is_there.then_some(TerminalUi)
    }
}

/// Keeps what is typed off the screen until it goes.
struct Silence(Termios);

impl Silence {
    fn begin() -> Option<Silence> {
        let before = tcgetattr(std::io::stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(std::io::stdin(), OptionalActions::Flush, &silent).ok()?;
        Some(Silence(before))
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // Where this fails the terminal is gone.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, &self.0);
        exit::note("");
    }
}

/// Shows a prompt and reads a line; `None` at the end of the input.
fn line(prompt: &str) -> Option<String> {
    let mut stderr = std::io::stderr().lock();
    let shown = write!(stderr, "{}: ", printable_line(prompt)).and_then(|()| stderr.flush());
    drop(stderr);
    shown.ok()?;
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line.trim_end_matches(['\r', '\n']).to_owned()),
    }
}

fn ask(question: &Question) -> Option<String> {
    if question.secret {
        // A secret is not asked for where it would be seen.
        let _silence = Silence::begin()?;
        return line(&question.text);
    }
    let prompt = match &question.initial {
        Some(initial) => format!("{} [{initial}]", question.text),
        None => question.text.clone(),
    };
    let answer = line(&prompt)?;
    match &question.initial {
        Some(initial) if answer.is_empty() => Some(initial.clone()),
        _ => Some(answer),
    }
}

fn choose(choice: Choice) -> Option<Value> {
    exit::note(&choice.title);
    for (number, offer) in choice.choices.iter().enumerate() {
        exit::note(&format!("  {}. {}", number + 1, printable_line(&offer.label)));
    }
    for _ in 0..TRIES {
        let answer = line("Number")?;
        if answer.trim().is_empty() {
            return None;
        }
        let place = answer.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match place.and_then(|place| choice.choices.get(place)) {
            Some(offer) => return Some(offer.value.clone()),
            None => exit::note("Please answer with one of the numbers, or with nothing."),
        }
    }
    None
}

impl Ui for TerminalUi {
    fn notify(&self, text: &str) {
        exit::note(text);
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        Box::pin(
            async move { tokio::task::spawn_blocking(move || ask(&question)).await.ok().flatten() },
        )
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>> {
        Box::pin(
            async move { tokio::task::spawn_blocking(move || choose(choice)).await.ok().flatten() },
        )
    }
}
