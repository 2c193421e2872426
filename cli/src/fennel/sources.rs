//! Which texts a command is about, and reading them.

use super::tally::Tally;
use fen_contract::failure::Failure;
use ignore::WalkBuilder;
use std::collections::HashSet;
use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

/// The most bytes of a text; the compiler refuses one as large as that.
const MOST_BYTES: u64 = 64 << 20;
/// How standard input is called.
const STDIN: &str = "-";

/// A text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// How messages call it.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::File(path) => path.display().to_string(),
        }
    }

    /// Whether it holds macros and nothing to run, by its name.
    pub fn is_called_macros(&self) -> bool {
        let Source::File(path) = self else { return false };
        let has_ending = path.extension().is_some_and(|ending| ending == "fnlm");
        has_ending || path.file_name().is_some_and(|name| name == "init-macros.fnl")
    }

    /// All of it.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        let unreadable = |error: std::io::Error| {
            Failure::caller(format!("{} cannot be read: {error}", self.name()))
        };
        let mut bytes = Vec::new();
        match self {
            Source::Stdin => std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes),
            Source::File(path) => std::fs::File::open(path)
                .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes)),
        }
        .map_err(unreadable)?;
        Ok(bytes)
    }
}

/// What these arguments name, in their order, each once. A folder stands for the files below it that
/// the ignore files do not hide. What is not there is told.
pub fn named(paths: &[PathBuf], tally: &mut Tally) -> Result<Vec<Source>, Failure> {
    if paths.is_empty() {
        if std::io::stdin().is_terminal() {
            return Err(Failure::caller("no file is named; `-` is standard input"));
        }
        return Ok(vec![Source::Stdin]);
    }
    let mut known = HashSet::new();
    let mut sources = Vec::new();
    let mut add = |source: Source| {
        if known.insert(source.name()) {
            sources.push(source);
        }
    };
    for path in paths {
        if path == Path::new(STDIN) {
            add(Source::Stdin);
            continue;
        }
        match path.metadata() {
            Ok(found) if found.is_dir() => match below(path) {
                Ok(files) => files.into_iter().map(Source::File).for_each(&mut add),
                Err(failure) => tally.unusable(&failure),
            },
            Ok(_) => add(Source::File(path.clone())),
            Err(error) => {
                tally.unusable(&Failure::caller(format!("{}: {error}", path.display())));
            }
        }
    }
    Ok(sources)
}

/// The files of Fennel below a folder, sorted.
fn below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in WalkBuilder::new(folder).require_git(false).build() {
        let entry = entry.map_err(|error| Failure::caller(error.to_string()))?;
        let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
        let path = entry.into_path();
        let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
        if is_file && path.extension().is_some_and(|ending| ending == "fnl" || ending == "fnlm") {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::caller(format!(
            "there is no .fnl file in {}, or the ignore files hide them",
            folder.display()
        )));
    }
    files.sort();
    Ok(files)
}
