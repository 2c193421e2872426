//! Answers to requests, written in Lua or Fennel: a list of them, or a function that makes one from each
//! request.
//!
//! Such a file is no extension: it has no `api`, reaches nothing, and lives in a VM of its own. It
//! knows neither what asks nor what the answers mean; both are plain data. The mock provider's
//! scripts are read through it.

use crate::host::{SPOKEN, ScriptFailure};
use crate::language::language_of;
use crate::thread::ScriptThread;
use crate::value::{Shape, ToJson, to_json};
use crate::vm::{CallLimits, Vm, VmConfig};
use crate::wire::table_of;
use fen_contract::cancel::CancelToken;
use mlua::{Function, Value};
use serde_json::Value as Json;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Running time for one answer.
const RUNNING: Duration = Duration::from_secs(5);

type Question = (Json, oneshot::Sender<Result<Json, String>>);

/// Where answers come from.
pub enum Answers {
    /// One after the other.
    List(Vec<Json>),
    /// Made from each request.
    Function(Asking),
}

/// A function of a script that can be asked from any thread.
#[derive(Clone)]
pub struct Asking {
    questions: mpsc::Sender<Question>,
    place: String,
    /// The thread that it lives on, where that is its own.
    _thread: Option<Arc<Mutex<ScriptThread>>>,
}

impl Asking {
    /// Where the function begins, as `file:line`.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Asks; an error begins with the place where it happened.
    ///
    /// # Errors
    /// The function raises an error, takes too long, or gives what is no data.
    pub async fn ask(&self, request: Json) -> Result<Json, String> {
        let (answer, answered) = oneshot::channel();
        let gone = || format!("{}: the function is gone", self.place);
        self.questions.send((request, answer)).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

impl Answers {
    /// Runs a file on a thread of its own and takes what it gives.
    ///
    /// # Errors
    /// In words that begin with the place: it does not run, or gives neither a list nor a function.
    pub async fn load(file: &str, text: String) -> Result<Answers, String> {
        let thread = ScriptThread::start("fen-answers", || ())
            .map_err(|error| format!("{file}: a thread cannot start: {error}"))?;
        let shown = file.to_owned();
        let loaded = thread.run(move |_| async move { run(&shown, &text).await });
        let answers = loaded.await.map_err(|error| format!("{file}: {error}"))??;
        Ok(match answers {
            Answers::Function(asking) => {
                let thread = Some(Arc::new(Mutex::new(thread)));
                Answers::Function(Asking { _thread: thread, ..asking })
            }
            list => list,
        })
    }
}

async fn run(file: &str, text: &str) -> Result<Answers, String> {
    let words = |error| ScriptFailure::from(error).message;
    let config = VmConfig { print: Box::new(to_stderr), ..VmConfig::new(file) };
    let vm = Vm::new(config).map_err(words)?;
    let language =
        language_of(file).ok_or_else(|| format!("{file}: answers are written in {SPOKEN}"))?;
    let chunk = vm.load_source(language, text, file).map_err(words)?;
    let limits = CallLimits { running: RUNNING, grace: vm.budgets().grace };
    let value: Value =
        vm.call_async(&chunk, (), limits, CancelToken::new()).await.map_err(words)?;
    taken(&vm, file, value)
}

/// What is printed is for the person who looks for a fault.
fn to_stderr(line: &str) {
    use std::io::Write as _;
    // Where that fails there is nowhere left to tell it.
    let line = fen_core::printable::printable(line);
    let _ = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}

/// Takes a list or a function of a VM's; it has to be called on the VM's thread.
pub(crate) fn taken(vm: &Vm, file: &str, value: Value) -> Result<Answers, String> {
    match value {
        Value::Function(function) => Ok(Answers::Function(serve(vm, file, function))),
        Value::Table(_) => match to_json(&value, &rules(Shape::Array(Rc::new(turn())))) {
            Ok(Json::Array(list)) => Ok(Answers::List(list)),
            Ok(_) => Err(format!("{file}: expected a list of answers, got a table with names")),
            Err(error) => Err(format!("{file}: the answers are no data: {error}")),
        },
        other => Err(format!(
            "{file}: expected a list of answers or a function of the request, got {}",
            other.type_name()
        )),
    }
}

fn rules(shape: Shape) -> ToJson {
    ToJson { shape, ..ToJson::default() }
}

/// What empty tables are in an answer.
fn turn() -> Shape {
    let call =
        Shape::Record(Rc::new(vec![("arguments".to_owned(), Shape::Map(Rc::new(Shape::Any)))]));
    let calls = Shape::Array(Rc::new(call));
    let names = ["tool-calls", "tool_calls"].map(|name| (name.to_owned(), calls.clone()));
    Shape::Record(Rc::new(names.into()))
}

/// Answers questions until nobody can ask any more.
fn serve(vm: &Vm, file: &str, function: Function) -> Asking {
    let (questions, mut asked) = mpsc::channel::<Question>(1);
    let place = match vm.place(&function) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        _ => file.to_owned(),
    };
    let (vm, at) = (vm.clone(), place.clone());
    tokio::task::spawn_local(async move {
        while let Some((request, answer)) = asked.recv().await {
            // Nobody may be waiting any more.
            let _ = answer.send(ask(&vm, &at, &function, &request).await);
        }
    });
    Asking { questions, place, _thread: None }
}

async fn ask(vm: &Vm, place: &str, function: &Function, request: &Json) -> Result<Json, String> {
    let request = table_of(vm.lua(), request)
        .map_err(|error| format!("{place}: the request is too large: {error}"))?;
    let limits = CallLimits { running: RUNNING, grace: vm.budgets().grace };
    let value: Value = vm
        .call_async(function, request, limits, CancelToken::new())
        .await
        .map_err(|error| ScriptFailure::from(error).message)?;
    match value {
        Value::Table(_) => to_json(&value, &rules(turn()))
            .map_err(|error| format!("{place}: the answer is no data: {error}")),
        Value::String(text) => Ok(serde_json::json!({"text": text.to_string_lossy()})),
        other => Err(format!(
            "{place}: expected a table such as {{text = …}}, got {}",
            other.type_name()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    async fn function(text: &str) -> Asking {
        match Answers::load("x.lua", text.to_owned()).await.unwrap() {
            Answers::Function(asking) => asking,
            Answers::List(_) => panic!("a list"),
        }
    }

    async fn error(text: &str) -> String {
        Answers::load("x.lua", text.to_owned()).await.err().unwrap()
    }

    #[tokio::test]
    async fn a_list_is_data_and_its_empty_tables_are_what_they_have_to_be() {
        let text = "return {{text = 'a'}, {}, {tool_calls = {{name = 'ls', arguments = {}}}}}";
        let Answers::List(list) = Answers::load("x.lua", text.to_owned()).await.unwrap() else {
            panic!("a function")
        };
        let call = json!({"tool_calls": [{"name": "ls", "arguments": {}}]});
        assert_eq!(list, [json!({"text": "a"}), json!({}), call]);
    }

    #[tokio::test]
    async fn a_function_sees_the_request_and_its_failures_have_a_place() {
        let asking = function(
            "return function(request)\n  if request.number == 2 then error('no more') end\n  \
             return {text = request.text:upper()}\nend",
        )
        .await;
        assert_eq!(asking.place(), "x.lua:1");
        let answer = asking.ask(json!({"number": 1, "text": "hi"})).await;
        assert_eq!(answer, Ok(json!({"text": "HI"})));
        let failed = asking.ask(json!({"number": 2, "text": "hi"})).await.unwrap_err();
        assert_eq!(failed, "x.lua:2: no more");
        let failed = function("return function() return 7 end").await.ask(json!({})).await;
        assert!(failed.unwrap_err().starts_with("x.lua:1: expected a table"));
    }

    #[tokio::test]
    async fn a_file_that_gives_something_else_is_named() {
        assert!(
            error("return 7").await.contains("x.lua: expected a list of answers or a function")
        );
        assert!(error("return {a = 1}").await.starts_with("x.lua: "));
        assert!(error("x = = 1").await.starts_with("x.lua:1: "));
    }
}
