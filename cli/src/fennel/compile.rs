//! `fen fennel compile`: Lua on standard output, or in files.

use super::modules::Folders;
use super::names::known;
use super::output;
use super::sources::{Source, named};
use crate::arguments::Names;
use crate::exit;
use crate::tally::Tally;
use fen_contract::failure::Failure;
use fennel::{Diagnostic, LineMap, Options, Output};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

/// What is given of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Its Lua.
    Lua,
    /// Its Lua, and where each line is from.
    WithMap,
}

impl Form {
    /// The form that the flag `--map` asks for.
    pub fn of(map: bool) -> Self {
        if map { Form::WithMap } else { Form::Lua }
    }
}

/// Compiles these files; each is done, whatever the others are like.
pub fn compile(
    files: &[PathBuf],
    output: Option<&Path>,
    form: Form,
    names: &Names,
) -> Result<ExitCode, Failure> {
    let mut tally = Tally::default();
    if let Some(folder) = files.iter().find(|file| file.is_dir()) {
        return Err(Failure::caller(format!("{} is a folder; name a file", folder.display())));
    }
    let sources = named(files, &mut tally)?;
    let targets = targets(&sources, files.len(), output)?;
    for (source, target) in sources.iter().zip(targets) {
        let bytes = match source.read() {
            Ok(bytes) => bytes,
            Err(failure) => {
                tally.unusable(&failure);
                continue;
            }
        };
        let options = Options {
            globals: known(names).map(Into::into),
            modules: Rc::new(Folders::of(source, Rc::default())),
            print: Rc::new(exit::note_strict),
            ..Options::default()
        };
        let compiled = program(&source.name(), &bytes, &options);
        let compiled = match compiled {
            Ok(compiled) => compiled,
            Err(found) => {
                tally.wrong();
                found.iter().for_each(|one| exit::note_strict(&one.rendered()));
                continue;
            }
        };
        match target {
            Some(target) => {
                if let Err(failure) = write(&target, &compiled, form) {
                    tally.unusable(&failure);
                }
            }
            None => tally.printed(print(source, &compiled, form, sources.len())?),
        }
    }
    Ok(tally.code())
}

fn program(name: &str, bytes: &[u8], options: &Options) -> Result<Output, Vec<Diagnostic>> {
    let text = fennel::decode(name, bytes).map_err(|error| vec![error])?;
    fennel::compile(name, text, options)
}

/// Where the Lua of each text goes; `None` is standard output.
fn targets(
    sources: &[Source],
    count: usize,
    output: Option<&Path>,
) -> Result<Vec<Option<PathBuf>>, Failure> {
    let Some(output) = output.filter(|output| *output != Path::new("-")) else {
        return Ok(vec![None; sources.len()]);
    };
    let is_folder =
        count > 1 || output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/");
    let mut targets: Vec<Option<PathBuf>> = Vec::new();
    for source in sources {
        let target = match (is_folder, source) {
            (false, _) => output.to_owned(),
            (true, Source::File(path)) => {
                let stem = path.file_stem().unwrap_or(path.as_os_str());
                let mut name = stem.to_owned();
                name.push(".lua");
                output.join(name)
            }
            (true, Source::Stdin) => output.join("stdin.lua"),
        };
        let is_source = sources.iter().any(|source| match source {
            Source::File(path) => path
                .canonicalize()
                .is_ok_and(|path| target.canonicalize().is_ok_and(|to| to == path)),
            Source::Stdin => false,
        });
        let shown = target.display();
        if is_source {
            return Err(Failure::caller(format!("{shown} is the source; name another file")));
        }
        if targets.contains(&Some(target.clone())) {
            return Err(Failure::caller(format!(
                "two files would be written to {shown}; compile them one by one"
            )));
        }
        targets.push(Some(target));
    }
    Ok(targets)
}

fn print(
    source: &Source,
    compiled: &Output,
    form: Form,
    sources: usize,
) -> Result<ExitCode, Failure> {
    match form {
        Form::WithMap => exit::print_json(&json!({
            "file": source.name(),
            "lua": compiled.lua,
            "map": map(&compiled.map),
        })),
        // A name with a line break would end the comment.
        Form::Lua if sources > 1 => Ok(exit::print_exactly(&format!(
            "-- {}\n{}",
            fen_core::printable::printable_line(&source.name()),
            compiled.lua
        ))),
        Form::Lua => Ok(exit::print_exactly(&compiled.lua)),
    }
}

fn write(target: &Path, compiled: &Output, form: Form) -> Result<(), Failure> {
    let put = |path: &Path, text: &str| {
        let unwritable = |error: std::io::Error| {
            Failure::caller(format!("{} cannot be written: {error}", path.display()))
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(unwritable)?;
        }
        output::replace(path, text).map_err(unwritable)
    };
    put(target, &compiled.lua)?;
    if form == Form::WithMap {
        let mut name = target.as_os_str().to_owned();
        name.push(".map");
        put(Path::new(&name), &format!("{}\n", map(&compiled.map)))?;
    }
    Ok(())
}

/// The map as JSON: the files, and for each line of Lua the number of its file, from 0, and the line
/// in it; null where it has none of its own.
fn map(map: &LineMap) -> Value {
    let lines = (1..).zip(&map.lines).map(|(number, place)| {
        let origin = map.origin(number).filter(|_| place.line > 0);
        let file = |name: &str| map.files.iter().position(|file| **file == *name);
        origin.map_or(Value::Null, |(name, line)| json!([file(name), line]))
    });
    let files: Vec<&str> = map.files.iter().map(|file| &**file).collect();
    json!({ "files": files, "lines": lines.collect::<Vec<_>>() })
}
