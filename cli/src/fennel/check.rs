//! `fen fennel check`: every finding in every file.

use super::modules::{Folders, Seen};
use super::names::known;
use super::sources::{Source, named};
use crate::arguments::Names;
use crate::exit;
use crate::tally::{Tally, counted};
use fen_contract::failure::Failure;
use fen_script::language::{is_macros, macro_findings};
use fennel::{Diagnostic, ModuleText, Options, Severity};
use serde_json::json;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// For people.
    Lines,
    /// Each as a line of JSON.
    Json,
}

impl Shape {
    /// The shape that the flag `--json` asks for.
    pub fn of(json: bool) -> Self {
        if json { Shape::Json } else { Shape::Lines }
    }
}

/// How many warnings are printed; who wants to see more has these to do first.
const MOST_WARNINGS: usize = 1_000;

/// Checks these files and folders. The code is 1 if one does not compile.
pub fn check(files: &[PathBuf], shape: Shape, names: &Names) -> Result<ExitCode, Failure> {
    let mut tally = Tally::default();
    let sources = named(files, &mut tally)?;
    let seen = Seen::default();
    let mut checked = Vec::new();
    for source in &sources {
        match source.read() {
            Ok(bytes) => {
                let options = Options {
                    globals: known(names).map(Into::into),
                    modules: Rc::new(Folders::of(source, seen.clone())),
                    print: Rc::new(exit::note_strict),
                    warnings: true,
                    ..Options::default()
                };
                checked.push((source, findings(source, &bytes, options)));
            }
            Err(failure) => tally.unusable(&failure),
        }
    }
    let count = checked.len();
    // What macros were imported from has been compiled for those who use it, and is no program.
    let programs = checked.into_iter().filter(|(source, _)| !is_in(&seen, source));
    let mut told = HashSet::new();
    let (mut errors, mut warnings) = (0, 0);
    for one in programs.flat_map(|(_, found)| found) {
        let rendered = one.rendered();
        // What is wrong with a module is found by everyone who uses it.
        if !told.insert((one.severity == Severity::Error, rendered.clone())) {
            continue;
        }
        match one.severity {
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
        }
        if one.severity == Severity::Warning && warnings > MOST_WARNINGS {
            continue;
        }
        tally.printed(match shape {
            Shape::Json => exit::print_json(&as_json(&one))?,
            Shape::Lines => exit::print_strict(&format!("{}{rendered}\n", word(one.severity))),
        });
    }
    if errors > 0 {
        tally.wrong();
    }
    if warnings > MOST_WARNINGS {
        exit::note(&format!("{} are not shown", counted(warnings - MOST_WARNINGS, "more warning")));
    }
    exit::note(&format!(
        "{}: {}, {}",
        counted(count, "file"),
        counted(errors, "error"),
        counted(warnings, "warning")
    ));
    Ok(tally.code())
}

fn is_in(seen: &Seen, source: &Source) -> bool {
    let Source::File(path) = source else { return false };
    path.canonicalize().is_ok_and(|path| seen.borrow().contains(&path))
}

fn findings(source: &Source, bytes: &[u8], options: Options) -> Vec<Diagnostic> {
    let name = source.name();
    let text = match fennel::decode(&name, bytes) {
        Ok(text) => text,
        Err(error) => return vec![error],
    };
    match is_macros(&name) {
        true => macro_findings(ModuleText { file: name, text: text.into() }, options),
        false => fennel::compile(&name, text, &options)
            .map_or_else(|found| found, |output| output.warnings),
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "",
        Severity::Warning => "warning: ",
    }
}

fn as_json(one: &Diagnostic) -> serde_json::Value {
    let severity = match one.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    json!({
        "severity": severity,
        "file": &*one.file,
        "line": one.line,
        "column": one.column,
        "width": one.width,
        "message": one.message,
        "help": one.help,
    })
}
