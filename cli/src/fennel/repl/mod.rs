//! `fen fennel repl`: Fennel line by line, and what it gives.
//!
//! The code runs as `fen run` runs it. It reads and prints plain lines: editing them is up to the
//! terminal, and a pipe sees no prompts.

mod brackets;
mod evaluation;
mod keyboard;

use self::evaluation::Evaluation;
use self::keyboard::{Heard, Keyboard};
use crate::exit;
use crate::own_code::{end, write_line};
use crate::scripts::Choice;
use crate::subcommands::Looking;
use fen_contract::failure::Failure;
use std::process::ExitCode;

/// What a person can type beside Fennel.
const HELP: &str = "\
Type Fennel to see what it gives. Locals, functions and macros last until ,reset.
  ,compile FORM   show FORM as Lua
  ,doc NAME       show what a function says about itself
  ,reset          begin anew, with nothing defined
  ,help           show this
  ,exit           leave, as ctrl-d does";

/// Why the conversation is over.
enum Ending {
    /// The person left.
    Left,
    /// A signal of this number.
    Signal(i32),
}

/// Runs until the person leaves.
pub fn repl() -> Result<ExitCode, Failure> {
    let looking = Looking::new(Choice::default())?;
    match looking.runtime.block_on(converse(&looking))? {
        Ending::Left => Ok(ExitCode::SUCCESS),
        Ending::Signal(number) => end(&looking, number),
    }
}

async fn converse(looking: &Looking) -> Result<Ending, Failure> {
    let mut keyboard = Keyboard::listen()?;
    let mut evaluation = Evaluation::begin(looking).await?;
    if keyboard.is_terminal() {
        write_line("Fennel, with fen's api; ,help tells more");
    }
    loop {
        let text = match keyboard.next_text().await? {
            Heard::Text(text) => text,
            Heard::Interrupt => continue,
            Heard::Signal(number) => return Ok(Ending::Signal(number)),
            Heard::End => return Ok(Ending::Left),
        };
        match command(&text) {
            None => {
                if let Some(number) = run(&mut keyboard, evaluation.each(&text)).await {
                    return Ok(Ending::Signal(number));
                }
            }
            Some(("exit" | "quit", _)) => return Ok(Ending::Left),
            Some(("help", _)) => write_line(HELP),
            Some(("reset", _)) => {
                // What ran in the old one ends before the new one begins.
                drop(evaluation);
                evaluation = Evaluation::begin(looking).await?;
            }
            Some(("compile", form)) => evaluation.show_lua(form),
            Some(("doc", name)) => {
                if let Some(number) = run(&mut keyboard, evaluation.show_doc(name)).await {
                    return Ok(Ending::Signal(number));
                }
            }
            Some((name, _)) => {
                exit::note(&format!("there is no command ,{name}; ,help lists those there are"));
            }
        }
    }
}

/// The command that a text is, and the rest of it.
fn command(text: &str) -> Option<(&str, &str)> {
    let text = text.trim().strip_prefix(',')?;
    Some(text.split_once(char::is_whitespace).unwrap_or((text, "")))
}

/// Runs this unless it is interrupted; gives the number of a signal that ends the program.
async fn run(keyboard: &mut Keyboard, work: impl Future<Output = ()>) -> Option<i32> {
    let heard = tokio::select! {
        biased;
        () = work => return None,
        heard = keyboard.signal() => heard,
    };
    match heard {
        Heard::Signal(number) => Some(number),
        _ => {
            exit::note("interrupted");
            None
        }
    }
}
