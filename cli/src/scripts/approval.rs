//! Asking the person whether code may run: on the terminal before a conversation, through the
//! presenter while one goes on.

use crate::exit;
use fen_contract::failure::BoxFuture;
use fen_contract::ui::Choice;
use fen_core::Kernel;
use fen_script::loader::{Answer, Approver};
use std::io::{BufRead as _, IsTerminal as _, Write as _};

/// Asks on the terminal, where there is one on both ends.
pub struct TerminalApprover;

/// How often a word that is no answer is asked again.
const TRIES: usize = 3;

impl Approver for TerminalApprover {
    fn ask(&self, question: String) -> BoxFuture<'_, Answer> {
        if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
            return Box::pin(std::future::ready(Answer::Nobody));
        }
        Box::pin(async move {
            // Blocking on purpose: nothing else goes on yet, and ctrl-c still ends the program.
            exit::note(&question);
            for _ in 0..TRIES {
                let mut stderr = std::io::stderr().lock();
                let _ = write!(stderr, "Run it? [y]es and remember, [o]nce, [N]o: ");
                let _ = stderr.flush();
                drop(stderr);
                let mut line = String::new();
                match std::io::stdin().lock().read_line(&mut line) {
                    Ok(0) | Err(_) => return Answer::No,
                    Ok(_) => {}
                }
                match line.trim().to_lowercase().as_str() {
                    "y" | "yes" => return Answer::Always,
                    "o" | "once" => return Answer::Once,
                    "" | "n" | "no" => return Answer::No,
                    _ => exit::note("Please answer y, o or n."),
                }
            }
            Answer::No
        })
    }
}

/// Asks through the presenter of the running conversation.
pub struct UiApprover(pub Kernel);

impl Approver for UiApprover {
    fn ask(&self, question: String) -> BoxFuture<'_, Answer> {
        let ui = self.0.api().conversation().and_then(|conversation| conversation.ui());
        Box::pin(async move {
            let Some(ui) = ui else { return Answer::Nobody };
            let choices =
                [("No", "no"), ("Run it this time", "once"), ("Run it, and remember", "always")];
            let choice = Choice {
                title: format!("{question}\nRun it?"),
                choices: choices.map(|(label, value)| (label.to_owned(), value.into())).into(),
                initial_query: None,
            };
            match ui.select(choice).await.as_ref().and_then(|answer| answer.as_str()) {
                Some("always") => Answer::Always,
                Some("once") => Answer::Once,
                _ => Answer::No,
            }
        })
    }
}
