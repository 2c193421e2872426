//! Finds extensions and says of each whether it can run.
//!
//! The answer is the same for the same disk: roots in their order, entries by name. Nothing is run
//! and nobody is asked; trust comes after. What cannot be read is told, never passed over.

use super::files::{Package, PackageError};
use super::requires::{Missing, missing_programs};
use super::rivalry;
use super::roots::{Root, Roots};
use super::version::VersionRange;
use fen_contract::api::Source;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most entries of one root.
pub const MAX_ENTRIES: usize = 2_000;

/// What an extension is judged by.
#[derive(Debug, Clone)]
pub struct Conditions<'c> {
    /// The version of fen.
    pub fen: semver::Version,
    /// Where programs are, as `$PATH` has it.
    pub path: OsString,
    /// The suffixes of the languages that can be loaded, without dots, the preferred first.
    pub suffixes: &'c [&'c str],
    /// The Lua modules that fen brings.
    pub modules: &'c [&'c str],
    /// Names that the settings enable.
    pub enabled: &'c [String],
    /// Names that the settings disable; they win over `enabled`.
    pub disabled: &'c [String],
}

/// One extension, or a place where one could have been.
#[derive(Debug)]
pub struct Found {
    /// Its name; where it could not be read, that of its file or folder.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// Its path as it was found, absolute; a package knows its canonical one.
    pub place: PathBuf,
    /// Whether it can run.
    pub state: State,
}

/// Whether an extension can run.
#[derive(Debug)]
pub enum State {
    /// It can, once it is trusted.
    Ready(Arc<Package>),
    /// It could be read but is not to run.
    Withheld(Arc<Package>, Reason),
    /// It could not be read.
    Error(Problem),
}

/// Why an extension is not to run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Another one has its name.
    #[error("the one in {by} has the same name and comes first")]
    Shadowed {
        /// The place of the other, as it was found.
        by: PathBuf,
    },
    /// Its manifest says so.
    #[error("it is off until the settings enable it")]
    OffByDefault,
    /// The settings say so.
    #[error("the settings disable it")]
    Disabled,
    /// Something that it needs is not there.
    #[error("{}", .0.iter().map(Missing::to_string).collect::<Vec<_>>().join("; "))]
    MissingDependency(Vec<Missing>),
    /// It is for another version of fen.
    #[error("it is for fen {range}, and this is {fen}; get another version of one of them")]
    Incompatible {
        /// What it works with.
        range: VersionRange,
        /// What this is.
        fen: semver::Version,
    },
}

/// Why a place could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The extension cannot be taken.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// A root cannot be read.
    #[error("this folder of extensions cannot be read: {0}")]
    Root(io::Error),
    /// A root has too many entries.
    #[error("this folder of extensions has more than {MAX_ENTRIES} entries; none was loaded")]
    TooManyEntries,
    /// A listed root is not absolute.
    #[error("FEN_EXTENSIONS_PATH takes absolute paths only; it was passed over")]
    NotAbsolute,
}

/// Finds all extensions, in the order in which they load and win names.
pub fn discover(roots: &Roots, conditions: &Conditions<'_>) -> Vec<Found> {
    let mut found: Vec<Found> = roots
        .explicit_paths()
        .into_iter()
        .map(|path| judge(path, Source::Explicit, conditions))
        .collect();
    for root in roots.folders() {
        match entries(&root, conditions) {
            Ok(entries) => {
                found.extend(entries.into_iter().map(|path| judge(path, root.source, conditions)))
            }
            Err(problem) => found.push(Found {
                name: root.place.display().to_string(),
                source: root.source,
                place: root.place,
                state: State::Error(problem),
            }),
        }
    }
    rivalry::settle(&mut found);
    found
}

fn judge(place: PathBuf, source: Source, conditions: &Conditions<'_>) -> Found {
    match Package::read(&place, source, conditions.suffixes) {
        Ok(package) => {
            let name = package.name().to_owned();
            let reason = conditions.against(&package);
            let package = Arc::new(package);
            let state = match reason {
                Some(reason) => State::Withheld(package, reason),
                None => State::Ready(package),
            };
            Found { name, source, place, state }
        }
        Err(error) => {
            let name = if place.is_dir() { place.file_name() } else { place.file_stem() };
            let name = name.unwrap_or(place.as_os_str()).to_string_lossy().into_owned();
            Found { name, source, place, state: State::Error(error.into()) }
        }
    }
}

impl Conditions<'_> {
    /// What speaks against running it.
    fn against(&self, package: &Package) -> Option<Reason> {
        let manifest = package.manifest();
        // What is named on the command line is wanted, whatever the settings say.
        if package.source() != Source::Explicit {
            let among = |names: &[String]| names.iter().any(|name| name == package.name());
            if among(self.disabled) {
                return Some(Reason::Disabled);
            }
            if !manifest.enabled_by_default && !among(self.enabled) {
                return Some(Reason::OffByDefault);
            }
        }
        if let Some(range) = &manifest.fen
            && !range.contains(&self.fen)
        {
            return Some(Reason::Incompatible { range: range.clone(), fen: self.fen.clone() });
        }
        let is_module = |name: &&String| {
            self.modules.contains(&name.as_str()) || package.module(name, self.suffixes).is_some()
        };
        let requires = &manifest.requires;
        let modules = requires.lua.iter().filter(|name| !is_module(name)).cloned();
        let programs = missing_programs(requires, &self.path).into_iter();
        let missing: Vec<Missing> =
            modules.map(Missing::Lua).chain(programs.map(Missing::Program)).collect();
        (!missing.is_empty()).then_some(Reason::MissingDependency(missing))
    }
}

/// The entries of a root that are to be extensions: folders, and files of a known language. Sorted
/// by name; of a folder and a file of one name the folder comes first, and so wins, and of two files
/// the one in the preferred language.
fn entries(root: &Root, conditions: &Conditions<'_>) -> Result<Vec<PathBuf>, Problem> {
    if !root.place.is_absolute() {
        return Err(Problem::NotAbsolute);
    }
    let listing = match root.place.read_dir() {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Problem::Root(error)),
    };
    let mut entries = Vec::new();
    for (count, entry) in listing.enumerate() {
        if count >= MAX_ENTRIES {
            return Err(Problem::TooManyEntries);
        }
        let entry = entry.map_err(Problem::Root)?;
        if let Some(shape) = shape(&entry, conditions.suffixes) {
            let path = entry.path();
            let name = match shape {
                Shape::Folder => path.file_name(),
                Shape::File => path.file_stem(),
            };
            let suffix = conditions
                .suffixes
                .iter()
                .position(|suffix| path.extension().is_some_and(|found| found == *suffix));
            entries.push((name.unwrap_or_default().to_owned(), shape, suffix, path));
        }
    }
    entries.sort();
    Ok(entries.into_iter().map(|(_, _, _, path)| path).collect())
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Folder,
    File,
}

fn shape(entry: &DirEntry, suffixes: &[&str]) -> Option<Shape> {
    let name = entry.file_name();
    if name.as_encoded_bytes().starts_with(b".") || name.as_encoded_bytes().starts_with(b"_") {
        return None;
    }
    // The tests of a single file lie beside it.
    if Path::new(&name).file_stem().is_some_and(|stem| stem.as_encoded_bytes().ends_with(b"_test"))
        && !entry.path().is_dir()
    {
        return None;
    }
    let suffix = Path::new(&name).extension();
    let is_source = suffix.is_some_and(|found| suffixes.iter().any(|known| found == *known));
    match entry.file_type() {
        Ok(kind) if kind.is_dir() => Some(Shape::Folder),
        Ok(kind) if kind.is_symlink() => match entry.path().metadata() {
            Ok(target) if target.is_dir() => Some(Shape::Folder),
            Ok(_) => is_source.then_some(Shape::File),
            // A broken link was meant to be an extension; reading it tells what is wrong.
            Err(_) => Some(Shape::File),
        },
        _ => is_source.then_some(Shape::File),
    }
}

#[cfg(test)]
mod tests;
