//! Questions to the person, answered by the test.

use super::state::Shared;
use fen_contract::failure::BoxFuture;
use fen_contract::ui::{Choice, Question, Ui};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::oneshot;

/// What the person does about a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The text of a free answer, or the label of a given one.
    Words(String),
    /// No answer.
    Declined,
}

impl From<&str> for Answer {
    fn from(words: &str) -> Self {
        Answer::Words(words.to_owned())
    }
}

impl From<String> for Answer {
    fn from(words: String) -> Self {
        Answer::Words(words)
    }
}

/// A question that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its words.
    pub text: String,
    /// What kind of answer it takes.
    pub form: Form,
    /// What became of it.
    pub outcome: Outcome,
}

/// What kind of answer a question takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A free one.
    Prompt {
        /// The answer that is offered.
        initial: Option<String>,
        /// Whether the answer is kept off the screen.
        secret: bool,
    },
    /// One of these.
    Select {
        /// What is shown.
        labels: Vec<String>,
        /// The first filter text.
        initial_query: Option<String>,
    },
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It waits for an answer.
    Open,
    /// It was answered.
    Answered,
    /// It was declined, dismissed, or the run ended.
    Declined,
    /// Whoever asked did not wait for the answer.
    Abandoned,
}

/// The questions of a run, and the answers that wait for theirs.
#[derive(Default)]
pub(crate) struct Questions {
    pub asked: Vec<Asked>,
    answers: VecDeque<Answer>,
    open: VecDeque<oneshot::Sender<Answer>>,
    closed: bool,
}

impl Questions {
    /// Gives an answer to the question that waits longest, or keeps it for the next one.
    pub fn answer(&mut self, mut answer: Answer) {
        while let Some(asker) = self.open.pop_front() {
            match asker.send(answer) {
                Ok(()) => return,
                // Whoever asked is gone; the answer is for the next one.
                Err(unread) => answer = unread,
            }
        }
        self.answers.push_back(answer);
    }

    /// Declines what is open.
    pub fn dismiss(&mut self) {
        for asker in self.open.drain(..) {
            // Whoever asked may be gone.
            let _ = asker.send(Answer::Declined);
        }
    }

    /// Declines all questions from now on, or takes them again.
    pub fn set_closed(&mut self, closed: bool) {
        self.closed = closed;
        if closed {
            self.dismiss();
        }
    }

    /// The question that waits longest.
    pub fn first_open(&self) -> Option<Asked> {
        self.asked.iter().find(|asked| asked.outcome == Outcome::Open).cloned()
    }

    fn ask(&mut self, text: String, form: Form) -> (usize, oneshot::Receiver<Answer>) {
        let (asker, answer) = oneshot::channel();
        self.asked.push(Asked { text, form, outcome: Outcome::Open });
        self.open.push_back(asker);
        if self.closed {
            self.dismiss();
        } else if let Some(answer) = self.answers.pop_front() {
            // Nothing else is open: answers are only kept while that is so.
            self.answer(answer);
        }
        (self.asked.len() - 1, answer)
    }
}

/// A question while it is open; however it ends, its outcome is noted.
struct Open {
    shared: Arc<Shared>,
    number: usize,
    outcome: Outcome,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.shared.update(|state| state.questions.asked[self.number].outcome = self.outcome);
    }
}

/// The presenter's way to ask.
pub(crate) struct ScreenUi {
    pub shared: Arc<Shared>,
}

impl ScreenUi {
    /// Asks and makes what it can of the answer; `accept` says why it cannot.
    async fn ask<T>(
        &self,
        text: String,
        form: Form,
        accept: impl FnOnce(String) -> Result<T, String>,
    ) -> Option<T> {
        let (number, answer) = self.shared.update(|state| state.questions.ask(text, form));
        let mut open = Open { shared: self.shared.clone(), number, outcome: Outcome::Abandoned };
        let answer = answer.await.unwrap_or(Answer::Declined);
        open.outcome = Outcome::Declined;
        let Answer::Words(words) = answer else { return None };
        match accept(words) {
            Ok(accepted) => {
                open.outcome = Outcome::Answered;
                Some(accepted)
            }
            Err(mistake) => {
                self.shared.update(|state| {
                    state.mistake.get_or_insert(mistake);
                });
                None
            }
        }
    }
}

impl Ui for ScreenUi {
    fn notify(&self, text: &str) {
        self.shared.update(|state| {
            state.notices.push(text.to_owned());
            state.transcript.remark(None, text);
        });
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        let form = Form::Prompt { initial: question.initial, secret: question.secret };
        Box::pin(self.ask(question.text, form, Ok))
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>> {
        let labels: Vec<String> = choice.choices.iter().map(|offer| offer.label.clone()).collect();
        let form = Form::Select { labels, initial_query: choice.initial_query };
        let title = choice.title.clone();
        Box::pin(self.ask(choice.title, form, move |words| {
            let labels: Vec<&str> = choice.choices.iter().map(|offer| &*offer.label).collect();
            let chosen = labels.iter().position(|label| *label == words);
            let chosen = chosen.ok_or_else(|| {
                format!("“{title}” was answered with “{words}”; its labels are {labels:?}")
            })?;
            Ok(choice.choices[chosen].value.clone())
        }))
    }
}
