//! `fen ext check`: loads an extension aside and tells all that can be known of it without a
//! conversation.

use super::aside::{Aside, NoTerminal, find};
use super::report::{Ability, Problem, Report};
use crate::exit;
use crate::run::runtime;
use fen_contract::api::SURFACES;
use fen_contract::events::Event;
use fen_contract::failure::Failure;
use fen_core::Kernel;
use fen_provider_mock::Script;
use fen_script::host::Program;
use fen_script::language::Severity;
use fen_script::package::discovery::State;
use fen_script::package::{Hooks, Package};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long the end waits for what the extension began.
const LAST_WAIT: Duration = Duration::from_millis(200);

/// The surfaces whose rows are no contributions.
const NO_CONTRIBUTIONS: [&str; 3] = ["extensions", "models", "logs"];

/// Checks one extension and prints the report. The code is 1 if it has problems.
pub fn check(path: &Path, json: bool) -> Result<ExitCode, Failure> {
    let found = find(path)?;
    let mut report =
        Report { name: found.name, path: found.place.display().to_string(), ..Report::default() };
    match found.state {
        State::Ready(package) => {
            describe(&package, &mut report);
            let runtime = runtime()?;
            runtime.block_on(load(&package, &mut report))?;
            runtime.shutdown_background();
        }
        State::Withheld(package, reason) => {
            describe(&package, &mut report);
            report.problems.push(Problem::from_words(&reason.to_string()));
        }
        State::Error(problem) => report.problems.push(Problem::from_words(&problem.to_string())),
    }
    let printed = match json {
        true => exit::print_json(&report)?,
        false => exit::print_strict(&report.page()),
    };
    Ok(if report.problems.is_empty() { printed } else { ExitCode::from(exit::FAILED) })
}

/// What is known before any code runs.
fn describe(package: &Package, report: &mut Report) {
    let manifest = package.manifest();
    report.description.clone_from(&manifest.description);
    report.files = package.files().len();
    report.bytes = package.files().values().map(|text| text.len()).sum();
    let abilities = manifest
        .capabilities
        .iter()
        .map(|capability| Ability { name: capability.to_string(), allows: capability.sentence() });
    report.capabilities = abilities.collect();
    let warnings = manifest.warnings.iter();
    report.warnings = warnings.map(|warning| Problem::from_words(&warning.to_string())).collect();
}

/// Adds what is wrong with the texts of all files, and what likely is.
fn mistakes(program: &Arc<Program>, report: &mut Report) {
    for one in fen_script::check::check(program) {
        let list = match one.severity {
            Severity::Error => &mut report.problems,
            Severity::Warning => &mut report.warnings,
        };
        list.push(Problem::from(&one));
    }
}

async fn load(package: &Arc<Package>, report: &mut Report) -> Result<(), Failure> {
    let program = Arc::new(Program::from(&**package));
    mistakes(&program, report);
    if report.problems.iter().any(|problem| problem.file == Some(program.shown(&program.entry))) {
        return Ok(());
    }
    let aside = Aside::new(Script::Echo, Arc::new(NoTerminal))?;
    let failed = Arc::new(Mutex::new(Vec::new()));
    let heard = failed.clone();
    aside.kernel.api().on(
        "extension-error",
        Arc::new(move |event| {
            if let Event::ExtensionError(error) = &**event {
                let mut failed = heard.lock().unwrap_or_else(PoisonError::into_inner);
                failed.push(Problem::from_words(&error.error));
            }
            Ok(())
        }),
    );
    match aside.host.load(Program::clone(&program)).await {
        Ok(loaded) => {
            report.load_us = Some(u64::try_from(loaded.time.as_micros()).unwrap_or(u64::MAX));
            report.memory = Some(loaded.memory);
            aside.host.settle(LAST_WAIT).await;
            report.problems.append(&mut failed.lock().unwrap_or_else(PoisonError::into_inner));
            contributions(&aside.kernel, report)?;
            logged_warnings(&aside.kernel, report)?;
            undeclared_hooks(package, report);
        }
        Err(failure) => {
            let problem = Problem::from_words(&failure.message);
            // A module that does not compile is named already.
            if !report.problems.iter().any(|known| problem.message.contains(&known.message)) {
                report.problems.push(problem);
            }
        }
    }
    aside.host.shutdown(LAST_WAIT);
    Ok(())
}

fn contributions(kernel: &Kernel, report: &mut Report) -> Result<(), Failure> {
    for surface in SURFACES.into_iter().filter(|surface| !NO_CONTRIBUTIONS.contains(surface)) {
        let rows = kernel.list(surface)?;
        let own: Vec<Value> =
            rows.into_iter().filter(|row| row["owner"] == report.name.as_str()).collect();
        if !own.is_empty() {
            report.contributions.insert(surface.to_owned(), own.into());
        }
    }
    Ok(())
}

/// What the kernel and the host warned of while it was loaded: unknown fields, events that never
/// come.
fn logged_warnings(kernel: &Kernel, report: &mut Report) -> Result<(), Failure> {
    let rows = kernel.list("logs")?;
    let own = rows
        .iter()
        .filter(|row| row["owner"] == report.name.as_str() && row["level"] == "warn")
        .filter_map(|row| row["message"].as_str());
    report.warnings.extend(own.map(Problem::from_words));
    Ok(())
}

/// Hooks that the manifest does not tell of are not missed where the extension cannot be read.
fn undeclared_hooks(package: &Package, report: &mut Report) {
    if report.contributions.contains_key("hooks") && package.manifest().hooks == Hooks::None {
        report.warnings.push(Problem::from_words(
            "it registers hooks, and its manifest does not say so; with \"hooks\": true tool calls \
             are refused while it cannot be loaded",
        ));
    }
}
