//! `fen ext test`: runs an extension's tests, each against a bench of its own.

use super::aside::find;
use super::bench::OwnBench;
use crate::exit;
use crate::run::runtime;
use crate::tally::counted;
use fen_contract::failure::Failure;
use fen_script::host::Program;
use fen_script::package::discovery::State;
use fen_script::testing::{Problem, TestFile, is_test_file, names_beside};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Runs the tests and prints one line for each. The code is 1 if one fails.
pub fn test(path: &Path, filter: Option<&str>) -> Result<ExitCode, Failure> {
    let found = find(path)?;
    let package = match found.state {
        State::Ready(package) => package,
        State::Withheld(_, reason) => {
            return Err(Failure::new(format!("{} cannot run: {reason}", found.name)));
        }
        State::Error(problem) => return Err(Failure::new(format!("{}: {problem}", found.name))),
    };
    let program = Arc::new(Program::from(&*package));
    let files = files(&program)?;
    let runtime = runtime()?;
    let score = runtime.block_on(run(&files, &program, filter));
    runtime.shutdown_background();
    let Score { passed, failed } = score;
    match (passed + failed, filter) {
        (0, Some(filter)) => {
            return Err(Failure::caller(format!("no test has `{filter}` in its file or name")));
        }
        (0, None) => return Err(Failure::caller("the test files have no tests")),
        _ => {}
    }
    let count = passed + failed;
    let tests = counted(count, "test");
    let printed = exit::print(&format!("\n{tests}: {passed} passed, {failed} failed\n"));
    Ok(if failed == 0 { printed } else { ExitCode::from(exit::FAILED) })
}

/// The test files, by name.
fn files(program: &Arc<Program>) -> Result<Vec<TestFile>, Failure> {
    let place = &program.place;
    let file = |name: String, text| TestFile { name, text, program: program.clone() };
    if place.is_dir() {
        let tests = program
            .files
            .iter()
            .filter(|(name, _)| name.starts_with("tests/") && is_test_file(name));
        let tests: Vec<TestFile> =
            tests.map(|(name, text)| file(name.clone(), text.clone())).collect();
        if tests.is_empty() {
            return Err(Failure::caller(format!(
                "there are no tests in {}; a test is a file such as tests/words_test.lua or tests/words_test.fnl that gives \
                 a function of `t`",
                place.display()
            )));
        }
        return Ok(tests);
    }
    let stem = place.file_stem().unwrap_or_default().to_string_lossy();
    let names = names_beside(&stem);
    for name in &names {
        let beside = place.with_file_name(name);
        match std::fs::read_to_string(&beside) {
            Ok(text) => return Ok(vec![file(name.clone(), text.into())]),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                let shown = beside.display();
                return Err(Failure::caller(format!("{shown} cannot be read: {error}")));
            }
        }
    }
    let folder = place.parent().unwrap_or(Path::new(".")).display();
    let names = names.join(" nor ");
    Err(Failure::caller(format!("there are no tests: neither {names} is in {folder}")))
}

/// How many tests went how.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    passed: usize,
    failed: usize,
}

impl Score {
    fn fail(&mut self, title: &str, problem: &Problem) {
        self.failed += 1;
        let words = problem.to_string().replace('\n', "\n      ");
        exit::print_strict(&format!("FAIL  {title}\n      {words}\n"));
    }
}

async fn run(files: &[TestFile], program: &Arc<Program>, filter: Option<&str>) -> Score {
    let mut score = Score::default();
    for file in files {
        let names = match file.names().await {
            Ok(names) => names,
            Err(problem) => {
                score.fail(&file.name, &problem);
                continue;
            }
        };
        for test in names {
            let title = match test.name.as_str() {
                "" => file.name.clone(),
                name => format!("{}: {name}", file.name),
            };
            if filter.is_some_and(|filter| !title.contains(filter)) {
                continue;
            }
            let began = Instant::now();
            match run_one(file, &test.name, program).await {
                Ok(()) => {
                    score.passed += 1;
                    let time = began.elapsed().as_millis();
                    exit::print(&format!("ok    {title} ({time} ms)\n"));
                }
                Err(problem) => score.fail(&title, &problem),
            }
        }
    }
    score
}

async fn run_one(file: &TestFile, name: &str, program: &Arc<Program>) -> Result<(), Problem> {
    let bench = OwnBench::open(program).await.map_err(|failure| Problem {
        place: None,
        message: failure.message,
        calls: Vec::new(),
    })?;
    // The results are on standard output.
    let outcome = file.run(name, bench.clone(), Arc::new(exit::note)).await;
    bench.close().await;
    outcome
}
