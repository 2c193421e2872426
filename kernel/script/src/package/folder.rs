//! Reads all that a package's folder holds for its code.
//!
//! Links are followed, since what they lead to is what would run. Everything is bounded, so that
//! neither a loop nor a link to the whole disk makes it hang.

use super::file::read_text;
use super::files::{Files, Link, PackageError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most files of a package.
pub(super) const MAX_FILES: usize = 1_000;
/// The most text of a package, in bytes.
pub(super) const MAX_TOTAL: usize = 10 * 1024 * 1024;
/// The most entries that are looked at, of whatever kind.
pub(super) const MAX_ENTRIES: usize = 10_000;
/// How deep folders lie in each other, the package's own being the first.
pub(super) const MAX_DEPTH: usize = 16;

/// Files with these suffixes belong to a package: what can run, the macros that it is compiled
/// with, and data beside it.
const SUFFIXES: [&str; 4] = ["lua", "fnl", "fnlm", "json"];

/// What was found in a folder.
#[derive(Default)]
pub(super) struct Contents {
    /// The text by path from the folder, with `/`.
    pub files: Files,
    /// The links that lead out of it.
    pub links: Vec<Link>,
}

/// Reads a folder, given by its canonical path. Hidden entries are left out; a link to a folder
/// that it lies in itself is left out too, since everything is there already.
pub(super) fn read(place: &Path) -> Result<Contents, PackageError> {
    let mut walk = Walk {
        place,
        contents: Contents::default(),
        total: 0,
        entries: 0,
        above: vec![place.to_owned()],
    };
    walk.folder(place, "")?;
    Ok(walk.contents)
}

struct Walk<'p> {
    place: &'p Path,
    contents: Contents,
    total: usize,
    entries: usize,
    /// The canonical folders from the package's own down to the present one.
    above: Vec<PathBuf>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, prefix: &str) -> Result<(), PackageError> {
        for name in self.names(folder, prefix)? {
            self.entry(folder, prefix, name)?;
        }
        Ok(())
    }

    /// The names in a folder, sorted, so that the same problem comes first each time.
    fn names(&mut self, folder: &Path, prefix: &str) -> Result<Vec<OsString>, PackageError> {
        let unreadable = |error: std::io::Error| PackageError::Unreadable {
            file: if prefix.is_empty() { ".".to_owned() } else { prefix.to_owned() },
            reason: error,
        };
        let mut names = Vec::new();
        for entry in folder.read_dir().map_err(unreadable)? {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                return Err(PackageError::TooManyEntries);
            }
            names.push(entry.map_err(unreadable)?.file_name());
        }
        names.retain(|name| !name.as_encoded_bytes().starts_with(b"."));
        names.sort();
        Ok(names)
    }

    fn entry(&mut self, folder: &Path, prefix: &str, name: OsString) -> Result<(), PackageError> {
        let path = folder.join(&name);
        let shown = format!("{prefix}{}", name.to_string_lossy());
        let is_source =
            path.extension().is_some_and(|suffix| SUFFIXES.iter().any(|s| suffix == *s));
        let found = match path.metadata() {
            Ok(found) => found,
            // A broken link matters only where something would be read.
            Err(_) if !is_source => return Ok(()),
            Err(error) => return Err(PackageError::Unreadable { file: shown, reason: error }),
        };
        if !found.is_dir() && !is_source {
            return Ok(());
        }
        if name.to_str().is_none() {
            return Err(PackageError::NameNotUtf8 { file: shown });
        }
        let target = self.target(&path, &shown)?;
        if found.is_dir() { self.subfolder(target, &shown) } else { self.file(&target, shown) }
    }

    /// Where the entry leads to, canonical. A link out of the package is noted.
    fn target(&mut self, path: &Path, shown: &str) -> Result<PathBuf, PackageError> {
        if !path.is_symlink() {
            return Ok(path.to_owned());
        }
        let target = path
            .canonicalize()
            .map_err(|error| PackageError::Unreadable { file: shown.to_owned(), reason: error })?;
        if !target.starts_with(self.place) {
            self.contents.links.push(Link { file: shown.to_owned(), target: target.clone() });
        }
        Ok(target)
    }

    fn subfolder(&mut self, target: PathBuf, shown: &str) -> Result<(), PackageError> {
        if self.above.contains(&target) {
            return Ok(());
        }
        if self.above.len() >= MAX_DEPTH {
            return Err(PackageError::TooDeep { folder: shown.to_owned() });
        }
        self.above.push(target.clone());
        self.folder(&target, &format!("{shown}/"))?;
        self.above.pop();
        Ok(())
    }

    fn file(&mut self, target: &Path, shown: String) -> Result<(), PackageError> {
        if self.contents.files.len() >= MAX_FILES {
            return Err(PackageError::TooManyFiles);
        }
        let text = read_text(target, &shown)?;
        self.total += text.len();
        if self.total > MAX_TOTAL {
            return Err(PackageError::TooMuchText { file: shown });
        }
        self.contents.files.insert(shown, Arc::from(text));
        Ok(())
    }
}
