//! Tests of extensions, written in the languages of extensions.
//!
//! A test file gives a function of `t`, or a table of such functions under the names of the tests.
//! Each test runs in a VM of its own, on a thread of its own, with `t` as its only way to the
//! extension under test; `require` finds the extension's own files. Here is what runs a test and
//! what `t` offers; a [`Bench`] carries out what a test asks for. It is the program's affair, since
//! it needs what the host must not know: a model that plays a script, and the extensions that come
//! with fen.

mod compare;
mod file;
mod table;

pub use file::{Problem, TestFile, TestName};

use crate::answers::Answers;
use crate::language::languages;
use fen_contract::failure::{BoxFuture, Failure};
use serde_json::Value as Json;
use std::path::PathBuf;

/// One fresh kernel with the extension under test in it, and a conversation that has begun.
pub trait Bench: Send + Sync {
    /// The working directory, which was empty at first.
    fn cwd(&self) -> PathBuf;

    /// Runs a tool as a model's call would: its arguments against the schema, hooks, bounds. Gives
    /// the result, with the texts of its content joined under `text`.
    fn call_tool(&self, name: String, arguments: Json) -> BoxFuture<'_, Result<Json, Failure>>;

    /// Runs a slash command and gives what was said meanwhile.
    fn command(&self, line: String) -> BoxFuture<'_, Result<Vec<String>, Failure>>;

    /// Says how the model answers from now on.
    ///
    /// # Errors
    /// An answer has the wrong form.
    fn mock(&self, answers: Answers) -> Result<(), Failure>;

    /// Runs a turn. Gives `text`, `messages` and `events` of it, and `error` where it failed.
    fn prompt(&self, text: String) -> BoxFuture<'_, Result<Json, Failure>>;

    /// What a status item says now, and its style; `None` while it says nothing.
    fn status(&self, name: String) -> BoxFuture<'_, Result<Option<Said>, Failure>>;

    /// The rows of a panel; `None` while it is not shown.
    fn panel(&self, name: String) -> BoxFuture<'_, Result<Option<Vec<String>>, Failure>>;

    /// Presses a key that a control has.
    fn press(&self, key: String) -> BoxFuture<'_, Result<(), Failure>>;

    /// The answer to the next question that nobody has answered yet.
    fn answer(&self, answer: Json);

    /// The remarks and questions that the person has seen.
    fn notices(&self) -> Vec<String>;

    /// All events so far.
    fn events(&self) -> BoxFuture<'_, Vec<Json>>;

    /// Loads the extension anew.
    fn reload(&self) -> BoxFuture<'_, Result<(), Failure>>;
}

/// Whether a file holds tests, by its name: `words_test.lua`, `words_test.fnl`.
pub fn is_test_file(name: &str) -> bool {
    languages().iter().any(|language| name.ends_with(&ending(language.suffix())))
}

/// The names that the tests of a single file may have beside it, such as `words_test.lua` for
/// `words`; the first one that is there counts.
pub fn names_beside(stem: &str) -> Vec<String> {
    languages().map(|language| format!("{stem}{}", ending(language.suffix()))).to_vec()
}

fn ending(suffix: &str) -> String {
    format!("_test.{suffix}")
}

/// A text and its style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// The style's name.
    pub style: Option<String>,
}
