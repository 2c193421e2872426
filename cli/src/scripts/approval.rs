//! Asking the person whether code may run: on the terminal before a conversation, through the
//! presenter while one goes on.

use crate::exit;
use fen_contract::failure::BoxFuture;
use fen_contract::ui::{self, Choice};
use fen_core::Kernel;
use fen_script::loader::{Answer, Approver};
use std::io::{BufRead as _, IsTerminal as _, Write as _};

/// Asks on the terminal, where there is one on both ends.
pub struct TerminalApprover;

/// How often a word that is no answer is asked again.
const TRIES: usize = 3;

/// An answer, and the words for it; what is offered first is shown first.
type Offer = (Answer, &'static [&'static str], &'static str);

const ALWAYS: Offer = (Answer::Always, &["y", "yes"], "[y]es and remember");
const ONCE: Offer = (Answer::Once, &["o", "once"], "[o]nce");
const NO: Offer = (Answer::No, &["", "n", "no"], "[N]o");

impl TerminalApprover {
    /// Asks whether code may run from now on; there is no `Once` in it.
    pub async fn agree(&self, question: String) -> Answer {
        self.choose(&question, &[ALWAYS, NO])
    }

    /// Blocks on purpose: nothing else goes on yet, and ctrl-c still ends the program.
    fn choose(&self, question: &str, offers: &[Offer]) -> Answer {
        if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
            return Answer::Nobody;
        }
        exit::note(question);
        let shown: Vec<&str> = offers.iter().map(|(.., shown)| *shown).collect();
        for _ in 0..TRIES {
            let mut stderr = std::io::stderr().lock();
            let asked = write!(stderr, "Run it? {}: ", shown.join(", "));
            if asked.and_then(|()| stderr.flush()).is_err() {
                return Answer::Nobody;
            }
            drop(stderr);
            let mut line = String::new();
            match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => return Answer::No,
                Ok(_) => {}
            }
            let word = line.trim().to_lowercase();
            match offers.iter().find(|(_, words, _)| words.contains(&word.as_str())) {
                Some((answer, ..)) => return *answer,
                None => exit::note("Please answer with one of the letters in brackets."),
            }
        }
        Answer::No
    }
}

impl Approver for TerminalApprover {
    fn ask(&self, question: String) -> BoxFuture<'_, Answer> {
        Box::pin(async move { self.choose(&question, &[ALWAYS, ONCE, NO]) })
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
                choices: choices
                    .map(|(label, value)| ui::Offer::from((label.to_owned(), value.into())))
                    .into(),
                ..Choice::default()
            };
            match ui.select(choice).await.as_ref().and_then(|answer| answer.as_str()) {
                Some("always") => Answer::Always,
                Some("once") => Answer::Once,
                _ => Answer::No,
            }
        })
    }
}
