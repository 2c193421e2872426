//! Lines from standard input, and questions that the next line answers.

use fen_contract::failure::BoxFuture;
use fen_contract::ui::{Choice, Question, Ui};
use fen_core::printable::printable_strict;
use fen_presenter_kit::output::write_stdout;
use serde_json::Value;
use std::collections::VecDeque;
use std::io::BufRead as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, oneshot};

/// How many bytes one line may have; the rest of a longer one is a line of its own.
const LINE_BYTES: usize = 4 * 1024 * 1024;
/// How many lines may wait; the reader of standard input then pauses.
const LINES: usize = 256;

/// What came from standard input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// A line without its end.
    Line(String),
    /// Nothing more will come.
    End,
    /// It cannot be read.
    Broken(String),
}

#[derive(Default)]
struct State {
    started: bool,
    /// Nothing more will come, so nobody need wait for it.
    over: bool,
    waiting: VecDeque<Typed>,
    /// Who gets the next line instead of the chat.
    asked: VecDeque<oneshot::Sender<Option<String>>>,
}

/// Standard input, read by a thread of its own because a read cannot be interrupted.
#[derive(Default)]
pub(crate) struct Input {
    state: Mutex<State>,
    arrived: Notify,
    room: std::sync::Condvar,
}

impl Input {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to read; a second call changes nothing.
    pub fn start(self: &Arc<Self>) {
        if std::mem::replace(&mut self.state().started, true) {
            return;
        }
        let input = self.clone();
        let spawned =
            std::thread::Builder::new().name("stdin".to_owned()).spawn(move || input.read_lines());
        if let Err(error) = spawned {
            self.deliver(Typed::Broken(error.to_string()));
        }
    }

    fn read_lines(&self) {
        let mut stdin = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let mut limited = std::io::Read::take(&mut stdin, LINE_BYTES as u64);
            match limited.read_until(b'\n', &mut line) {
                Ok(0) => return self.deliver(Typed::End),
                Ok(_) => {
                    let text = String::from_utf8_lossy(&line);
                    let text = text.trim_end_matches(['\n', '\r']).to_owned();
                    self.deliver(Typed::Line(text));
                }
                Err(error) => return self.deliver(Typed::Broken(error.to_string())),
            }
        }
    }

    fn deliver(&self, typed: Typed) {
        let mut state = self.state();
        state.over = !matches!(typed, Typed::Line(_));
        if let Some(asker) = state.asked.pop_front() {
            match typed {
                Typed::Line(line) => {
                    // An asker that gave up has no use for it, and it was no prompt either.
                    let _ = asker.send(Some(line));
                    return;
                }
                end => {
                    state.asked.clear();
                    let _ = asker.send(None);
                    state.waiting.push_back(end);
                }
            }
        } else {
            while state.waiting.len() >= LINES {
                state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.waiting.push_back(typed);
        }
        drop(state);
        self.arrived.notify_one();
    }

    /// The next thing that was typed.
    pub async fn next(&self) -> Typed {
        loop {
            let arrived = self.arrived.notified();
            if let Some(typed) = self.state().waiting.pop_front() {
                self.room.notify_one();
                return typed;
            }
            arrived.await;
        }
    }

    /// The next line, for whoever asked a question.
    async fn answer(&self) -> Option<String> {
        let (sender, answer) = oneshot::channel();
        {
            let mut state = self.state();
            match state.waiting.front() {
                Some(Typed::Line(_)) => {
                    let Some(Typed::Line(line)) = state.waiting.pop_front() else { return None };
                    self.room.notify_one();
                    return Some(line);
                }
                Some(_) => return None,
                None if state.over => return None,
                None => state.asked.push_back(sender),
            }
        }
        answer.await.ok().flatten()
    }
}

/// Questions as lines.
pub(crate) struct LineUi {
    pub input: Arc<Input>,
}

fn show(text: &str) {
    // A reader that is gone is noticed by the chat itself.
    let _ = write_stdout(text);
}

impl Ui for LineUi {
    fn notify(&self, text: &str) {
        show(&format!("{}\n", printable_strict(text)));
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        Box::pin(async move {
            let offered = match &question.initial {
                Some(initial) => format!(" [{}]", printable_strict(initial)),
                None => String::new(),
            };
            show(&format!("{}{offered} ", printable_strict(&question.text)));
            let answer = self.input.answer().await?;
            match (answer.trim().is_empty(), question.initial) {
                (true, initial) => initial,
                (false, _) => Some(answer),
            }
        })
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>> {
        Box::pin(async move {
            show(&format!("{}\n", printable_strict(&choice.title)));
            for (number, offer) in choice.choices.iter().enumerate() {
                let detail = offer.detail.as_deref().map(printable_strict);
                let detail = detail.map(|detail| format!("  ({detail})")).unwrap_or_default();
                show(&format!("  {}. {}{detail}\n", number + 1, printable_strict(&offer.label)));
            }
            loop {
                show("Number, or nothing to decline: ");
                let answer = self.input.answer().await?;
                if answer.trim().is_empty() {
                    return None;
                }
                let place = answer.trim().parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                if let Some(offer) = place.and_then(|place| choice.choices.get(place)) {
                    return Some(offer.value.clone());
                }
                show(&format!("Please answer with a number from 1 to {}.\n", choice.choices.len()));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::ui::Offer;

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn a_question_takes_the_next_line_and_the_chat_the_one_after() {
        let input = Arc::new(Input::default());
        run(async {
            let question = LineUi { input: input.clone() };
            let choice = Choice {
                title: "Which?".to_owned(),
                choices: [("a", 1), ("b", 2)]
                    .map(|(label, value)| Offer::from((label.to_owned(), value.into())))
                    .into(),
                ..Choice::default()
            };
            let typing = async {
                // What was not offered is no answer, and no refusal either.
                for line in ["y", "7", "2", "a prompt"] {
                    input.deliver(Typed::Line(line.to_owned()));
                    tokio::task::yield_now().await;
                }
            };
            let (answer, ()) = tokio::join!(question.select(choice), typing);
            assert_eq!(answer, Some(2.into()));
            assert_eq!(input.next().await, Typed::Line("a prompt".to_owned()));
        });
    }

    #[test]
    fn nobody_waits_for_an_answer_once_the_input_is_over() {
        let input = Input::default();
        input.deliver(Typed::End);
        run(async {
            assert_eq!(input.answer().await, None);
            assert_eq!(input.next().await, Typed::End);
            assert_eq!(input.answer().await, None);
        });
    }
}
