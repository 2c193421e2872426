//! Which texts a command is about, and reading them.

use crate::tally::Tally;
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

    /// The same for all names of one text.
    fn identity(&self) -> PathBuf {
        match self {
            Source::Stdin => STDIN.into(),
            Source::File(path) => path.canonicalize().unwrap_or_else(|_| path.clone()),
        }
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
/// the ignore files do not hide. What cannot be used is told.
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
        if known.insert(source.identity()) {
            sources.push(source);
        }
    };
    for path in paths {
        if path == Path::new(STDIN) {
            add(Source::Stdin);
            continue;
        }
        let shown = path.display();
        match path.metadata() {
            Ok(found) if found.is_dir() => {
                below(path, tally).into_iter().map(Source::File).for_each(&mut add);
            }
            Ok(found) if found.is_file() => add(Source::File(path.clone())),
            // Reading one may never end.
            Ok(_) => tally.unusable(&Failure::caller(format!(
                "{shown} is a device or a pipe; `-` is standard input"
            ))),
            Err(error) => tally.unusable(&Failure::caller(format!("{shown}: {error}"))),
        }
    }
    Ok(sources)
}

/// The files of Fennel below a folder, sorted. A link is none of them: what it leads to may be
/// anywhere. What cannot be read is told, and the rest taken.
fn below(folder: &Path, tally: &mut Tally) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut is_whole = true;
    for entry in WalkBuilder::new(folder).require_git(false).build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                is_whole = false;
                tally.unusable(&Failure::caller(error.to_string()));
                continue;
            }
        };
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let path = entry.into_path();
        let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
        if is_file && path.extension().is_some_and(|ending| ending == "fnl" || ending == "fnlm") {
            files.push(path);
        }
    }
    if files.is_empty() && is_whole {
        tally.unusable(&Failure::caller(format!(
            "there is no .fnl file in {}, or the ignore files hide them",
            folder.display()
        )));
    }
    files.sort();
    files
}
