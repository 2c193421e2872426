//! What is done to files and folders, at places that were found and may be touched.
//!
//! Blocking work for the runtime's pool. It must never open anything but regular files: a pipe or
//! a device could hold a thread for ever.

use std::ffi::{OsStr, OsString};
use std::fs::{File, FileType, Metadata, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::UNIX_EPOCH;

use rustix::fs::OFlags;

use super::super::answer::{Kind, Refusal};
use super::place::{Access, Paths, Place, shown};

/// The most entries that one `list` gives.
const MOST_ENTRIES: usize = 10_000;

/// What is at a path.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kind: &'static str,
    /// Bytes of a file; 0 for what is none.
    pub(super) size: u64,
    /// Whole seconds since 1970, as `os.time` counts.
    pub(super) modified: i64,
}

impl Found {
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let seconds = modified.map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_secs()).unwrap_or(i64::MAX),
        });
        Found {
            kind: kind(metadata.file_type()),
            size: if metadata.is_file() { metadata.len() } else { 0 },
            modified: seconds,
        }
    }
}

fn kind(of: FileType) -> &'static str {
    match of {
        _ if of.is_file() => "file",
        _ if of.is_dir() => "directory",
        _ if of.is_symlink() => "link",
        _ => "other",
    }
}

fn failed<'a>(act: &'a str, path: &'a OsStr) -> impl Fn(io::Error) -> Refusal + 'a {
    move |error| Refusal::io(&format!("{act} {}", shown(path)), &error)
}

fn refused(act: &str, path: &OsStr, why: &str) -> Refusal {
    Refusal::new(Kind::Invalid, format!("cannot {act} {}: {why}", shown(path)))
}

/// Whether a file can be opened without waiting for someone.
fn regular(act: &str, path: &OsStr, found: &Metadata) -> Result<(), Refusal> {
    match kind(found.file_type()) {
        "file" => Ok(()),
        "directory" => Err(refused(act, path, "it is a folder")),
        _ => Err(refused(act, path, "it is not a regular file")),
    }
}

/// Opens what was looked at. Should something else be there by now, opening it neither waits nor
/// follows a link.
fn open(
    act: &str,
    path: &OsStr,
    place: &Place,
    options: &mut OpenOptions,
) -> Result<File, Refusal> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    let file = options.open(&place.path).map_err(failed(act, path))?;
    regular(act, path, &file.metadata().map_err(failed(act, path))?)?;
    Ok(file)
}

/// Up to `most` bytes from `offset` on, and whether there are more.
pub(super) fn read(
    paths: &Paths,
    path: &OsString,
    offset: u64,
    most: usize,
) -> Result<(Vec<u8>, bool), Refusal> {
    let place = paths.find("read", path, Access::Read)?;
    if let Some(found) = &place.found {
        regular("read", path, found)?;
    }
    let mut file = open("read", path, &place, OpenOptions::new().read(true))?;
    if offset > 0 {
        file.seek(SeekFrom::Start(offset)).map_err(failed("read", path))?;
    }
    let size = place.found.map_or(0, |found| found.len()).saturating_sub(offset);
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or(most).min(most) + 1);
    file.take(most as u64 + 1).read_to_end(&mut content).map_err(failed("read", path))?;
    let truncated = content.len() > most;
    content.truncate(most);
    Ok((content, truncated))
}

/// Puts a whole new content in place of the old one, or leaves the old one as it is.
pub(super) fn write(paths: &Paths, path: &OsString, content: &[u8]) -> Result<(), Refusal> {
    let place = paths.find("write", path, Access::Write)?;
    let failed = failed("write", path);
    if let Some(found) = &place.found {
        regular("write", path, found)?;
        // A rename would pass over the file's own protection.
        rustix::fs::access(&place.path, rustix::fs::Access::WRITE_OK)
            .map_err(|error| failed(error.into()))?;
    }
    // What is made anew has the mode of any new file, less what the umask takes.
    let mode = if place.found.is_some() { 0o600 } else { 0o666 };
    let folder = place.path.parent().unwrap_or(Path::new("/"));
    let mut new = tempfile::Builder::new()
        .prefix(".fen-")
        .suffix(".tmp")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)
        .map_err(|error| failed(without_path(&error)))?;
    new.as_file_mut().write_all(content).map_err(&failed)?;
    if let Some(found) = &place.found {
        let mode = Permissions::from_mode(found.permissions().mode() & 0o7777);
        new.as_file().set_permissions(mode).map_err(&failed)?;
    }
    new.persist(&place.path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The error without the temporary file's name, which says nothing to whoever gave another.
fn without_path(error: &io::Error) -> io::Error {
    error.kind().into()
}

/// Adds to the end of a file, making it where there is none.
pub(super) fn append(paths: &Paths, path: &OsString, content: &[u8]) -> Result<(), Refusal> {
    let place = paths.find("append to", path, Access::Write)?;
    if let Some(found) = &place.found {
        regular("append to", path, found)?;
    }
    let mut file = open("append to", path, &place, OpenOptions::new().append(true).create(true))?;
    file.write_all(content).map_err(failed("append to", path))
}

/// The entries of a folder by name, and whether there are more than are given.
pub(super) fn list(
    paths: &Paths,
    path: &OsString,
) -> Result<(Vec<(OsString, Found)>, bool), Refusal> {
    let place = paths.find("list", path, Access::Read)?;
    let failed = failed("list", path);
    let mut entries = Vec::new();
    let mut truncated = false;
    for entry in std::fs::read_dir(&place.path).map_err(&failed)? {
        let entry = entry.map_err(&failed)?;
        if entries.len() == MOST_ENTRIES {
            truncated = true;
            break;
        }
        // One that has gone meanwhile is none of the folder's any more.
        if let Ok(metadata) = entry.metadata() {
            entries.push((entry.file_name(), Found::of(&metadata)));
        }
    }
    entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    Ok((entries, truncated))
}

/// What a path leads to.
pub(super) fn stat(paths: &Paths, path: &OsString) -> Result<Found, Refusal> {
    let place = paths.find("look at", path, Access::Read)?;
    let found = place.found.ok_or_else(|| io::Error::from(rustix::io::Errno::NOENT));
    found.map(|found| Found::of(&found)).map_err(failed("look at", path))
}

/// Makes a folder and those above it; one that is there is fine.
pub(super) fn mkdir(paths: &Paths, path: &OsString) -> Result<(), Refusal> {
    let place = paths.find("make the folder", path, Access::Write)?;
    std::fs::create_dir_all(&place.path).map_err(failed("make the folder", path))
}

/// Removes a file, a link or an empty folder.
pub(super) fn remove(paths: &Paths, path: &OsString) -> Result<(), Refusal> {
    let place = paths.find("remove", path, Access::Name)?;
    let removed = if place.found.is_some_and(|found| found.is_dir()) {
        std::fs::remove_dir(&place.path)
    } else {
        std::fs::remove_file(&place.path)
    };
    removed.map_err(failed("remove", path))
}

/// Gives something another name; a file that has it already is replaced.
pub(super) fn rename(paths: &Paths, from: &OsString, to: &OsString) -> Result<(), Refusal> {
    let source = paths.find("rename", from, Access::Name)?;
    let target = paths.find("rename to", to, Access::Name)?;
    std::fs::rename(&source.path, &target.path).map_err(failed("rename", from))
}
