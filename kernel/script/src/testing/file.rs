//! One test file: which tests it has, and running one of them.

use super::{Bench, table};
use crate::host::{OwnFiles, Program, SPOKEN, ScriptFailure};
use crate::language::language_of;
use crate::thread::ScriptThread;
use crate::vm::{CallError, CallLimits, Vm, VmConfig};
use fen_contract::cancel::CancelToken;
use mlua::{Function, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Running time of one test.
const RUNNING: Duration = Duration::from_secs(10);
/// How long a test may take, its waits included.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the end of a test waits for its thread.
const LAST_WAIT: Duration = Duration::from_millis(200);

/// A file with tests of an extension.
#[derive(Clone)]
pub struct TestFile {
    /// How errors call it.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
    /// The extension, whose files `require` finds.
    pub program: Arc<Program>,
}

/// The name of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestName {
    /// As the file spells it; empty where the file is one test.
    pub name: String,
    /// The line where it begins.
    pub line: Option<u32>,
}

/// Why a test failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place, as `file:line`, as far as it is known.
    pub place: Option<String>,
    /// What happened; it may have several lines.
    pub message: String,
    /// The calls that led there, the innermost first.
    pub calls: Vec<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        // The first call is the place itself.
        for call in self.calls.iter().skip(1) {
            write!(f, "\n  {call}")?;
        }
        Ok(())
    }
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        // The host's own frames tell nothing.
        let own = |call: &&String| !call.starts_with("[C]") && !call.starts_with("fen:");
        let calls = error.traceback.iter().filter(own).take(8).cloned();
        if !error.diagnostics.is_empty() {
            return Problem { place: None, message: error.words(), calls: Vec::new() };
        }
        let place = match (&error.file, error.line) {
            (Some(file), Some(line)) => Some(format!("{file}:{line}")),
            (file, _) => file.clone(),
        };
        Problem { place, calls: calls.collect(), message: error.message.clone() }
    }
}

impl Problem {
    fn of(file: &str, message: impl Into<String>) -> Self {
        Problem { place: Some(file.to_owned()), message: message.into(), calls: Vec::new() }
    }
}

impl TestFile {
    /// The names of its tests, in the order in which they stand in the file.
    ///
    /// # Errors
    /// The file does not run, or gives no tests.
    pub async fn names(&self) -> Result<Vec<TestName>, Problem> {
        let file = self.clone();
        self.on_a_thread(move || async move {
            let (_, tests) = file.tests(Arc::new(|_: &str| {})).await?;
            Ok(tests.into_iter().map(|(name, _)| name).collect())
        })
        .await
    }

    /// Runs the test of this name against a bench that nothing has used yet. What the test prints
    /// goes to `print`, line by line.
    ///
    /// # Errors
    /// The test fails.
    pub async fn run(
        &self,
        name: &str,
        bench: Arc<dyn Bench>,
        print: Arc<dyn Fn(&str) + Send + Sync>,
    ) -> Result<(), Problem> {
        let (file, name) = (self.clone(), name.to_owned());
        // What the bench does, it does on the runtime of whoever runs the test.
        let runtime = tokio::runtime::Handle::current();
        self.on_a_thread(move || async move {
            let (vm, tests) = file.tests(print).await?;
            let test = tests.into_iter().find(|(test, _)| test.name == name);
            let (_, function) =
                test.ok_or_else(|| Problem::of(&file.name, format!("the test `{name}` is gone")))?;
            let table = table::table(&vm, &file.name, bench, runtime)
                .map_err(|error| Problem::of(&file.name, error.to_string()))?;
            let limits = CallLimits { running: RUNNING, grace: vm.budgets().grace };
            let outcome =
                vm.call_async::<(), _>(&function, table, limits, CancelToken::new()).await;
            outcome.map_err(|mut error| {
                // Where a check is the last thing that a function does, Lua forgets the function.
                if error.file.as_deref() == Some(table::CHECKS_FILE) {
                    (error.file, error.line) = (None, None);
                }
                Problem::from(vm.placed(error, &function))
            })
        })
        .await
    }

    async fn on_a_thread<T, F, Fut>(&self, work: F) -> Result<T, Problem>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, Problem>> + 'static,
        T: Send + 'static,
    {
        let thread = ScriptThread::start("fen-test", || ())
            .map_err(|error| Problem::of(&self.name, format!("a thread cannot start: {error}")))?;
        let outcome = tokio::time::timeout(PATIENCE, thread.run(move |_| work())).await;
        thread.shutdown(LAST_WAIT);
        match outcome {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => Err(Problem::of(&self.name, error.to_string())),
            Err(_) => Err(Problem::of(&self.name, format!("it did not end within {PATIENCE:?}"))),
        }
    }

    /// Runs the file and takes its tests, by the lines where they begin.
    async fn tests(
        &self,
        print: Arc<dyn Fn(&str) + Send + Sync>,
    ) -> Result<(Vm, Vec<(TestName, Function)>), Problem> {
        let vm = Vm::new(VmConfig {
            print: Box::new(move |line| print(line)),
            resolver: Box::new(OwnFiles(self.program.clone())),
            ..VmConfig::new(&self.name)
        })?;
        let language = language_of(&self.name)
            .ok_or_else(|| Problem::of(&self.name, format!("tests are written in {SPOKEN}")))?;
        let chunk = vm.load_source(language, &self.text, &self.name)?;
        let limits = vm.budgets().for_load();
        let value: Value = vm.call_async(&chunk, (), limits, CancelToken::new()).await?;
        let tests = self.taken(&vm, value)?;
        Ok((vm, tests))
    }

    fn taken(&self, vm: &Vm, value: Value) -> Result<Vec<(TestName, Function)>, Problem> {
        let named = |name: String, function: Function| {
            let (_, line) = vm.place(&function);
            (TestName { name, line }, function)
        };
        let problem = |message: String| Problem::of(&self.name, message);
        let table = match value {
            Value::Function(function) => return Ok(vec![named(String::new(), function)]),
            Value::Table(table) => table,
            other => {
                return Err(problem(format!(
                    "it gives {}; a test file gives a function of `t`, or a table of them: \
                     return {{[\"does this\"] = function(t) … end}}",
                    other.type_name()
                )));
            }
        };
        let mut tests = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            let (name, test) =
                pair.map_err(|error| problem(ScriptFailure::from(error.to_string()).message))?;
            match (name, test) {
                (Value::String(name), Value::Function(test)) => {
                    tests.push(named(name.to_string_lossy(), test));
                }
                (name, test) => {
                    let name = name.to_string().unwrap_or_default();
                    return Err(problem(format!(
                        "the test `{name}` is a {} under a {}; a test is a function under a name",
                        test.type_name(),
                        if name.parse::<f64>().is_ok() { "number" } else { "name" },
                    )));
                }
            }
        }
        tests.sort_by(|(a, _), (b, _)| (a.line, &a.name).cmp(&(b.line, &b.name)));
        Ok(tests)
    }
}
