//! `fen fennel check`: every finding in every file.

use super::modules::{Folders, Seen};
use super::names::known;
use super::sources::{Source, named};
use super::tally::Tally;
use crate::arguments::Names;
use crate::exit;
use fen_contract::failure::Failure;
use fennel::{Diagnostic, Form, Kind, ModuleText, Modules, Options, Severity, Wanted};
use serde_json::json;
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
                    print: Rc::new(exit::note),
                    warnings: true,
                    ..Options::default()
                };
                checked.push((source, findings(source, &bytes, options)));
            }
            Err(failure) => tally.unusable(&failure),
        }
    }
    let count = checked.len();
    let mut all: Vec<Diagnostic> = Vec::new();
    for (source, found) in checked {
        // A module of macros has been compiled for those who use it, and is no program.
        if !is_in(&seen, source) {
            all.extend(found);
        }
    }
    let mut told: Vec<Diagnostic> = Vec::new();
    let mut printed = ExitCode::SUCCESS;
    for one in all {
        // What is wrong with a module is found by everyone who uses it.
        if told.contains(&one) {
            continue;
        }
        printed = match shape {
            Shape::Json => exit::print_json(&as_json(&one))?,
            Shape::Lines => exit::print(&format!("{}{}\n", word(one.severity), one.rendered())),
        };
        told.push(one);
    }
    let errors = told.iter().filter(|one| one.severity == Severity::Error).count();
    if errors > 0 {
        tally.wrong();
    }
    let warnings = told.len() - errors;
    exit::note(&format!(
        "{}: {}, {}",
        counted(count, "file"),
        counted(errors, "error"),
        counted(warnings, "warning")
    ));
    Ok(tally.code(printed))
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
    let has_macros =
        source.is_called_macros() || fennel::parse(&name, text).forms.iter().any(has_quotation);
    let compiled = match has_macros {
        false => fennel::compile(&name, text, &options),
        // Macros run while something else is compiled: a program that does nothing but use them.
        true => {
            let module = ModuleText { file: name, text: text.into() };
            let only = Only { module, others: options.modules };
            let user = format!("(import-macros _ :{MACROS})");
            let options = Options { modules: Rc::new(only), ..options };
            fennel::compile("the use of macros", &user, &options)
        }
    };
    compiled.map_or_else(|found| found, |output| output.warnings)
}

/// Whether a form quotes code outside of the macros that a program defines for itself: that can only
/// be a module of macros.
fn has_quotation(form: &Form) -> bool {
    match &form.kind {
        Kind::List(parts) => match parts.first().and_then(Form::as_symbol) {
            Some("quote") => true,
            Some("macro" | "macros" | "eval-compiler") => false,
            _ => parts.iter().any(has_quotation),
        },
        Kind::Sequence(parts) => parts.iter().any(has_quotation),
        Kind::Table(entries) => {
            entries.iter().any(|(key, value)| has_quotation(key) || has_quotation(value))
        }
        _ => false,
    }
}

/// How a module of macros is called that is checked.
const MACROS: &str = "fen-checks-these-macros";

/// One module beside others.
struct Only {
    module: ModuleText,
    others: Rc<dyn Modules>,
}

impl Modules for Only {
    fn find(&self, name: &str, wanted: Wanted) -> Result<Option<ModuleText>, String> {
        match name {
            MACROS => Ok(Some(self.module.clone())),
            _ => self.others.find(name, wanted),
        }
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

/// `1 file`, `2 files`.
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
