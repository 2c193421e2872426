//! Where sessions lie and how their files and folders come to be: private from the first byte.
//!
//! `root/<words of the directory>-<hash of the directory>/<moment>_<id>.jsonl`. The hash keeps
//! directories apart whose words are the same; the words are for people who look.

use fen_contract::failure::Failure;
use fen_contract::names::Millis;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
const STICKY: u32 = 0o1000;

/// The longest readable part of a folder's name, in bytes.
const WORDS_BYTES: usize = 60;

/// The directory that a path means, links resolved. One that does not exist is made absolute.
pub(crate) fn canonical(directory: &Path) -> PathBuf {
    std::fs::canonicalize(directory)
        .or_else(|_| std::path::absolute(directory))
        .unwrap_or_else(|_| directory.to_owned())
}

/// The folder for the sessions of a directory, which must be canonical.
pub(crate) fn folder(root: &Path, cwd: &Path) -> PathBuf {
    let bytes = cwd.as_os_str().as_bytes();
    let words: String = bytes
        .iter()
        .map(|&byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' => char::from(byte),
            _ => '-',
        })
        .collect();
    // The end of a path says more than its beginning; all characters are single bytes.
    let words = words[words.len().saturating_sub(WORDS_BYTES)..].trim_matches(['-', '.']);
    let words = if words.is_empty() { "root" } else { words };
    root.join(format!("{words}-{:016x}", fnv1a(bytes)))
}

/// FNV-1a, 64 bits: it stays the same from one build of fen to the next.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The name of a session's file.
pub(crate) fn file_name(moment: Millis, id: &str) -> String {
    let moment = i64::try_from(moment.0)
        .ok()
        .and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok())
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{}_{id}.jsonl", moment.strftime("%Y-%m-%dT%H-%M-%SZ"))
}

/// The id within a file name that [`file_name`] made.
pub(crate) fn id_in_name(path: &Path) -> Option<&str> {
    let (_, id) = path.file_stem()?.to_str()?.split_once('_')?;
    Some(id)
}

/// Whether a path is named like a session's file. Hidden ones are being written.
pub(crate) fn is_session_name(path: &Path) -> bool {
    let hidden = path.file_name().is_none_or(|name| name.as_bytes().starts_with(b"."));
    !hidden && path.extension().is_some_and(|extension| extension == "jsonl")
}

/// Makes a folder of fen's own with all above it, or takes others' rights to it away.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)?;
    let mode = std::fs::metadata(path)?.mode();
    // A sticky folder is shared on purpose, like /tmp: it is not fen's own.
    if mode & 0o077 != 0 && mode & STICKY == 0 {
        std::fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE))?;
    }
    Ok(())
}

/// Makes a file that must not exist yet, for appending.
pub(crate) fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).append(true).create_new(true).mode(FILE_MODE).open(path)
}

/// Opens a file that exists, for appending, and takes others' rights to it away.
pub(crate) fn existing_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).append(true).open(path)?;
    if file.metadata()?.mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    }
    Ok(file)
}

/// Opens a stored session for reading. Pipes and devices are refused: they might never end.
pub(crate) fn readable(path: &Path) -> Result<File, Failure> {
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::caller(format!("there is no session at {shown}")),
        _ => Failure::new(format!("cannot read the session {shown}: {error}")),
    })?;
    if !metadata.is_file() {
        let what = match metadata.file_type() {
            kind if kind.is_dir() => "a folder",
            kind if kind.is_char_device() || kind.is_block_device() => "a device",
            _ => "not a regular file",
        };
        return Err(Failure::caller(format!("{shown} is {what}, not a session file")));
    }
    File::open(path)
        .map_err(|error| Failure::new(format!("cannot read the session {shown}: {error}")))
}

/// The outcome of a try to become the only writer of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// Taken; it lasts until the file is closed, at the latest with the process.
    Taken,
    /// Another open session has it.
    Busy,
}

/// Tries to become the only writer. A holder that is just going away is waited for a moment.
pub(crate) fn lock(file: &File) -> io::Result<Lock> {
    const TRIES: u32 = 5;
    for attempt in 1..=TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(Lock::Taken),
            Err(TryLockError::WouldBlock) if attempt < TRIES => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {}
            // Some network mounts have no locks. Words that are not saved would be worse.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(Lock::Taken);
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(Lock::Busy)
}

/// Whether `path` still leads to the file that is open.
pub(crate) fn leads_to(path: &Path, file: &File) -> bool {
    match (std::fs::metadata(path), file.metadata()) {
        (Ok(named), Ok(open)) => named.dev() == open.dev() && named.ino() == open.ino(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(cwd: &str) -> String {
        let path = folder(Path::new("/r"), Path::new(cwd));
        path.file_name().unwrap().to_str().unwrap().to_owned()
    }

    #[test]
    fn directories_of_the_same_words_have_different_folders() {
        let (one, other) = (name("/tmp/foo-bar/p"), name("/tmp/foo/bar/p"));
        assert!(one.starts_with("tmp-foo-bar-p-") && other.starts_with("tmp-foo-bar-p-"));
        assert_ne!(one, other);
    }

    #[test]
    fn a_folder_name_is_stable_and_short() {
        // A published vector of the hash.
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(name("/"), "root-af63a24c860189fe");
        assert!(name(&format!("/{}/ü/日本", "x".repeat(5000))).len() < 100);
    }

    #[test]
    fn a_file_name_leads_back_to_its_id() {
        let name = file_name(Millis(1_700_000_000_000), "0192-ab_c");
        assert_eq!(name, "2023-11-14T22-13-20Z_0192-ab_c.jsonl");
        assert_eq!(id_in_name(Path::new(&name)), Some("0192-ab_c"));
        assert!(is_session_name(Path::new(&name)));
        assert!(!is_session_name(Path::new(".x.jsonl")) && !is_session_name(Path::new("x.json")));
    }
}
