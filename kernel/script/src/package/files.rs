//! A package: an extension's files, read once.
//!
//! The bytes that are kept here are the bytes that were hashed, that a person is asked about, and
//! that run; nobody reads the files again. Where packages lie is [`super::discovery`]'s affair.

use super::digest::Digest;
use super::field::Format;
use super::file::{MAX_FILE, read_text};
use super::folder::{self, Contents, MAX_DEPTH, MAX_ENTRIES, MAX_FILES, MAX_TOTAL};
use super::header;
use super::manifest::{ManifestError, ScriptManifest};
use super::name::{self, NameError};
use fen_contract::api::{Manifest, Source};
use std::collections::BTreeMap;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The text of a package's files by their path from its folder, with `/`.
pub type Files = BTreeMap<String, Arc<str>>;

/// A link that leads out of the package's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its path from the package's folder.
    pub file: String,
    /// Where it leads to, canonical.
    pub target: PathBuf,
}

/// An extension's files, and what they declare.
#[derive(Debug, Clone)]
pub struct Package {
    name: String,
    source: Source,
    place: PathBuf,
    entry: String,
    manifest: ScriptManifest,
    files: Files,
    links: Vec<Link>,
    digest: Digest,
}

/// Why a package cannot be taken. Files are named by their path from its folder.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// A file or folder cannot be read.
    #[error("{file} cannot be read: {reason}")]
    Unreadable {
        /// Which.
        file: String,
        /// The system's reason.
        reason: io::Error,
    },
    /// A pipe, a socket or a device stands where a file should.
    #[error("{file} is {what} and not a file; remove it")]
    NotAFile {
        /// Which.
        file: String,
        /// What it is.
        what: &'static str,
    },
    /// A single file has a suffix of no language.
    #[error("{file} is no extension; expected a folder or a file that ends in {expected}")]
    UnknownSuffix {
        /// Which.
        file: String,
        /// The suffixes, with their dots.
        expected: String,
    },
    /// A file is too large.
    #[error("{file} is larger than {} MiB; split it", MAX_FILE / 1024 / 1024)]
    FileTooLarge {
        /// Which.
        file: String,
    },
    /// The files are too large together.
    #[error(
        "the files up to {file} are larger than {} MiB together; take some out",
        MAX_TOTAL / 1024 / 1024
    )]
    TooMuchText {
        /// The file that went beyond.
        file: String,
    },
    /// There are too many files.
    #[error("it has more than {MAX_FILES} files; take some out")]
    TooManyFiles,
    /// There are too many entries of any kind.
    #[error(
        "it has more than {MAX_ENTRIES} entries; take out what is not code, or a link that leads too far"
    )]
    TooManyEntries,
    /// Folders lie too deep in each other.
    #[error("{folder} lies more than {MAX_DEPTH} folders deep; flatten it")]
    TooDeep {
        /// The folder.
        folder: String,
    },
    /// A file is not text.
    #[error("{file}:{line}: this is not UTF-8 text; save it as UTF-8")]
    NotUtf8 {
        /// Which.
        file: String,
        /// The line of the first bad byte, from 1.
        line: usize,
    },
    /// A name is not text.
    #[error("the name {file} is not UTF-8; rename it")]
    NameNotUtf8 {
        /// The name, with marks for what is bad in it.
        file: String,
    },
    /// A folder has no file to begin with.
    #[error(
        "it has no {expected}; add it, or name its entry in a manifest (a folder that is no extension is passed over if its name begins with `_`)"
    )]
    NoEntry {
        /// What would be one.
        expected: String,
    },
    /// The manifest names an entry that is not there.
    #[error("the entry `{entry}` of its manifest is none of its files that end in {expected}")]
    UnknownEntry {
        /// The entry.
        entry: String,
        /// The suffixes, with their dots.
        expected: String,
    },
    /// The manifest cannot be taken.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The name cannot be taken.
    #[error(transparent)]
    Name(#[from] NameError),
}

impl Package {
    /// Reads the extension at `path`, a folder or a single file. `suffixes` are those of the
    /// languages that can be loaded, without dots, the preferred first.
    ///
    /// # Errors
    /// The first thing found that keeps it from being taken.
    pub fn read(path: &Path, source: Source, suffixes: &[&str]) -> Result<Self, PackageError> {
        let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let unreadable = |error| PackageError::Unreadable { file: shown.clone(), reason: error };
        let place = path.canonicalize().map_err(unreadable)?;
        if place.is_dir() {
            let contents = folder::read(&place)?;
            let manifest = folder_manifest(&contents)?;
            let entry = folder_entry(&contents, &manifest, suffixes)?;
            // Of `.` or `..` the canonical name is meant.
            let name = path.file_name().or(place.file_name()).unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            return Package::new(&name, source, place, entry, manifest, contents);
        }
        let Some(suffix) = known_suffix(path, suffixes) else {
            let expected = endings(suffixes);
            return Err(PackageError::UnknownSuffix { file: shown, expected });
        };
        let text = read_text(&place, &shown)?;
        let manifest = header::read(&shown, Format::of_comments(suffix), &text)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let files = Files::from([(shown.clone(), Arc::from(text))]);
        let contents = Contents { files, links: Vec::new() };
        Package::new(&name, source, place, shown, manifest, contents)
    }

    fn new(
        fallback: &str,
        source: Source,
        place: PathBuf,
        entry: String,
        manifest: ScriptManifest,
        contents: Contents,
    ) -> Result<Self, PackageError> {
        let name = manifest.name.as_deref().unwrap_or(fallback).to_owned();
        name::check(&name)?;
        let Contents { files, mut links } = contents;
        links.sort_by(|a, b| a.file.cmp(&b.file));
        let digest = digest(&name, &entry, &links, &files);
        Ok(Package { name, source, place, entry, manifest, files, links, digest })
    }

    /// Its name: the manifest's, or that of its file or folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it comes from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The canonical path of its folder or single file.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// The file that is loaded first; one of [`files`](Self::files).
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// What it declares.
    pub fn manifest(&self) -> &ScriptManifest {
        &self.manifest
    }

    /// What the contract wants to know of it.
    pub fn contract_manifest(&self) -> Manifest {
        Manifest {
            name: self.name.clone(),
            description: self.manifest.description.clone(),
            overrides: self.manifest.overrides.clone(),
        }
    }

    /// The text of its files. The manifest's file is among them.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The links that lead out of its folder, sorted by path.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The hash of its name, entry, files and outward links.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The file of the module that `require(name)` means, and its text: `a.b` is `a/b` with one of
    /// the suffixes, or `init` in the folder `a/b`.
    pub fn module(&self, name: &str, suffixes: &[&str]) -> Option<(&str, &str)> {
        // `a/b` would be a second name of the same module, which would then be loaded twice.
        if name.contains('/') {
            return None;
        }
        let path = name.replace('.', "/");
        let files = suffixes
            .iter()
            .flat_map(|suffix| [format!("{path}.{suffix}"), format!("{path}/init.{suffix}")]);
        files.into_iter().find_map(|file| self.file(&file))
    }

    /// A file by its path from the folder, with or without one of the suffixes.
    pub fn sibling(&self, name: &str, suffixes: &[&str]) -> Option<(&str, &str)> {
        let name = name.strip_prefix("./").unwrap_or(name);
        self.file(name)
            .or_else(|| suffixes.iter().find_map(|suffix| self.file(&format!("{name}.{suffix}"))))
    }

    fn file(&self, path: &str) -> Option<(&str, &str)> {
        self.files.get_key_value(path).map(|(path, text)| (path.as_str(), &**text))
    }
}

/// The hash by which a person's yes is bound to a package.
pub(super) fn digest(name: &str, entry: &str, links: &[Link], files: &Files) -> Digest {
    let counts = [links.len() as u64, files.len() as u64].map(u64::to_be_bytes);
    let head = [b"fen extension 1".as_slice(), name.as_bytes(), entry.as_bytes()];
    let links =
        links.iter().flat_map(|link| [link.file.as_bytes(), link.target.as_os_str().as_bytes()]);
    let files = files.iter().flat_map(|(path, text)| [path.as_bytes(), text.as_bytes()]);
    Digest::of(
        head.into_iter().chain(counts.iter().map(|c| c.as_slice())).chain(links).chain(files),
    )
}

fn known_suffix<'s>(path: &Path, suffixes: &[&'s str]) -> Option<&'s str> {
    suffixes.iter().copied().find(|suffix| path.extension().is_some_and(|found| found == *suffix))
}

fn endings(suffixes: &[&str]) -> String {
    suffixes.iter().map(|suffix| format!("`.{suffix}`")).collect::<Vec<_>>().join(" or ")
}

fn folder_manifest(contents: &Contents) -> Result<ScriptManifest, PackageError> {
    let mut there = Format::FILES.iter().filter(|(file, _)| contents.files.contains_key(*file));
    let Some((file, format)) = there.next() else {
        return Ok(ScriptManifest::default());
    };
    if let Some((second, _)) = there.next() {
        return Err(ManifestError::TwoManifests(file, second).into());
    }
    let text = contents.files.get(*file).map_or("", |text| &**text);
    let fields = format
        .read(text)
        .map_err(|error| ManifestError::Syntax { file: (*file).to_owned(), error })?;
    Ok(ScriptManifest::from_fields(file, fields)?)
}

fn folder_entry(
    contents: &Contents,
    manifest: &ScriptManifest,
    suffixes: &[&str],
) -> Result<String, PackageError> {
    if let Some(entry) = &manifest.entry {
        let file = entry.strip_prefix("./").unwrap_or(entry);
        let is_code = known_suffix(Path::new(file), suffixes).is_some();
        // Only paths below the folder are among its files, so `..` finds nothing.
        if !is_code || !contents.files.contains_key(file) {
            let expected = endings(suffixes);
            return Err(PackageError::UnknownEntry { entry: entry.clone(), expected });
        }
        return Ok(file.to_owned());
    }
    let entries = || suffixes.iter().map(|suffix| format!("init.{suffix}"));
    entries().find(|file| contents.files.contains_key(file)).ok_or_else(|| PackageError::NoEntry {
        expected: entries().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(" or "),
    })
}

#[cfg(test)]
mod tests;
