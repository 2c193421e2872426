//! Extensions in Fennel.

mod errors;
mod loading;
mod macros;
mod module;
mod once;

use crate::kit::program;
use fen_script::host::Program;
use std::collections::BTreeMap;

/// An extension of one file, `NAME.fnl`.
fn single(name: &str, source: &str) -> Program {
    let file = format!("{name}.fnl");
    let files = BTreeMap::from([(file.clone(), source.into())]);
    Program { entry: file, files, ..program(name, "") }
}

/// An extension with a folder; its first file is its entry.
fn folder(name: &str, files: &[(&str, &str)]) -> Program {
    let entry = files[0].0.to_owned();
    let files = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).into())).collect();
    Program { entry, files, place: format!("/extensions/{name}").into(), ..program(name, "") }
}

/// An extension whose snapshot is what this code gives.
fn giving(code: &str) -> String {
    format!("(fn [api]\n  (api.register :introspect {{:name :seen :snapshot (fn [] {code})}}))")
}
