//! The presenter of a test's conversation: nobody sees it, and the person's answers are prepared.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::conversation::Conversation;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::{Choice, Question, Ui};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The presenter's name, and its extension's.
pub const NAME: &str = "test-bench";

/// The answers that a test prepares, and what was shown.
#[derive(Default)]
pub struct Person {
    answers: Mutex<VecDeque<Value>>,
    seen: Mutex<Vec<String>>,
}

/// The value behind a lock, whoever panicked with it.
pub fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Person {
    /// Prepares the next answer.
    pub fn prepare(&self, answer: Value) {
        locked(&self.answers).push_back(answer);
    }

    /// What was shown so far.
    pub fn seen(&self) -> Vec<String> {
        locked(&self.seen).clone()
    }

    fn next(&self, question: &str) -> Option<Value> {
        locked(&self.seen).push(question.to_owned());
        locked(&self.answers).pop_front().filter(|answer| !answer.is_null())
    }
}

impl Ui for Person {
    fn notify(&self, text: &str) {
        locked(&self.seen).push(text.to_owned());
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        let answer = self.next(&question.text).map(|answer| match answer {
            Value::String(text) => text,
            other => other.to_string(),
        });
        Box::pin(std::future::ready(answer))
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>> {
        let answer = self.next(&choice.title);
        // A person sees the label; what it stands for is given as well.
        let chosen = answer.and_then(|answer| {
            let mut choices = choice.choices.into_iter();
            choices.find(|offer| offer.value == answer || answer == *offer.label.as_str())
        });
        Box::pin(std::future::ready(chosen.map(|offer| offer.value)))
    }
}

/// The extension with the presenter.
pub struct Stage {
    person: Arc<Person>,
    begun: Arc<watch::Sender<Option<Arc<dyn Conversation>>>>,
}

impl Stage {
    /// The extension, and where the conversation appears once it has begun.
    pub fn new(person: Arc<Person>) -> (Stage, watch::Receiver<Option<Arc<dyn Conversation>>>) {
        let (begun, seen) = watch::channel(None);
        (Stage { person, begun: Arc::new(begun) }, seen)
    }
}

impl Extension for Stage {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: NAME.to_owned(),
            description: "Holds the conversation of a test".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let presenter = Arc::new(Unseen { person: self.person.clone(), begun: self.begun.clone() });
        api.register(PresenterSpec { name: NAME.to_owned(), one_shot: None, presenter }.into())?;
        Ok(())
    }
}

struct Unseen {
    person: Arc<Person>,
    begun: Arc<watch::Sender<Option<Arc<dyn Conversation>>>>,
}

impl Presenter for Unseen {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            self.begun.send_replace(Some(context.conversation.clone()));
            while context.events.next_event().await.is_some() {}
            Ok(())
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        Some(self.person.clone())
    }
}
