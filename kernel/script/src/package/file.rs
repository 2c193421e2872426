//! Reads one file of a package: bounded, and never waiting for a pipe or a device.

use super::files::PackageError;
use rustix::fs::OFlags;
use std::fs::{FileType, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// The largest file, in bytes.
pub(super) const MAX_FILE: u64 = 2 * 1024 * 1024;

/// Reads a text file. `shown` is how errors call it.
pub(super) fn read_text(path: &Path, shown: &str) -> Result<String, PackageError> {
    let unreadable =
        |error: std::io::Error| PackageError::Unreadable { file: shown.to_owned(), reason: error };
    // Opening a device can do something by itself, so its kind is asked before; a pipe that takes
    // its place meanwhile does not block, and is found out after.
    require_file(&path.metadata().map_err(unreadable)?, shown)?;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(unreadable)?;
    require_file(&file.metadata().map_err(unreadable)?, shown)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(PackageError::FileTooLarge { file: shown.to_owned() });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        PackageError::NotUtf8 { file: shown.to_owned(), line }
    })
}

fn require_file(found: &Metadata, shown: &str) -> Result<(), PackageError> {
    if found.is_file() {
        return Ok(());
    }
    Err(PackageError::NotAFile { file: shown.to_owned(), what: what(found.file_type()) })
}

fn what(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}
