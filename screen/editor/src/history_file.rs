//! The file of a history, which several processes may use at once.
//!
//! A line is `{"text":"…"}`. Entries are appended with one write each, under a lock of the file, and the
//! file is made shorter by renaming a new one over it, under the same lock: whoever waited for the lock
//! of the old file sees that it is no longer the one of that name, and takes the new one. So nobody's
//! entry is lost. A line that cannot be read, such as one that was torn off, costs itself alone.
//! [`History`](crate::History) calls it.

use crate::history::{BYTES, ENTRIES, ENTRY_BYTES};
use rustix::fs::{Access, access};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// How many lines more than entries that are kept the file has before it is made shorter.
const SPARE_LINES: usize = 200;
/// How many bytes more it has before.
const SPARE_BYTES: u64 = 256 << 10;
/// How much of the file is read, from its end.
const READ_BYTES: u64 = 2 << 20;
/// How often a lock is tried for, and how long is waited each time. It is held for a few milliseconds.
const LOCK_TRIES: usize = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(10);
/// How often the file of the name may be another one by the time it is locked.
const OPEN_TRIES: usize = 20;

#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// A file of entries.
#[derive(Debug)]
pub(crate) struct HistoryFile {
    path: PathBuf,
    /// How many lines it has, as far as this process knows.
    lines: usize,
    /// The last failure, which is told once.
    failed: Option<io::ErrorKind>,
}

impl HistoryFile {
    /// A file that can be made or written, as far as can be told without doing so.
    pub(crate) fn new(path: PathBuf) -> Result<HistoryFile, String> {
        let file = HistoryFile { path, lines: 0, failed: None };
        match file.check() {
            Ok(()) => Ok(file),
            Err(error) => Err(words(&file.path, &error)),
        }
    }

    fn check(&self) -> io::Result<()> {
        let folder = self.folder();
        match access(&self.path, Access::WRITE_OK | Access::READ_OK) {
            Ok(()) if self.path.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            // A file is made shorter by a new one in its folder.
            Ok(()) => return Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?),
            Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let mut nearest = Some(folder);
        while let Some(folder) = nearest {
            match access(folder, Access::WRITE_OK | Access::EXEC_OK) {
                Err(rustix::io::Errno::NOENT) => nearest = folder.parent().map(or_here),
                Ok(()) if !folder.is_dir() => return Err(io::ErrorKind::NotADirectory.into()),
                other => return Ok(other?),
            }
        }
        Ok(())
    }

    fn folder(&self) -> &Path {
        self.path.parent().map_or(Path::new("."), or_here)
    }

    /// The entries of the file, as many of the newest as are kept. A file that is not there has none.
    pub(crate) fn read(&mut self) -> Result<VecDeque<String>, String> {
        let read = match File::open(&self.path) {
            Ok(mut file) => contents(&mut file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(VecDeque::new()),
            Err(error) => Err(error),
        };
        match read {
            Ok(contents) => {
                self.lines = contents.lines;
                Ok(contents.entries)
            }
            Err(error) => Err(words(&self.path, &error)),
        }
    }

    /// Adds an entry. A failure is told once until it is another one, or until it went well again.
    pub(crate) fn append(&mut self, text: &str) -> Result<(), String> {
        let error = match self.try_append(text) {
            Ok(()) => {
                self.failed = None;
                return Ok(());
            }
            Err(error) => error,
        };
        match self.failed.replace(error.kind()) == Some(error.kind()) {
            true => Ok(()),
            false => Err(words(&self.path, &error)),
        }
    }

    fn try_append(&mut self, text: &str) -> io::Result<()> {
        let mut file = self.locked()?;
        let size = file.metadata()?.len();
        let mut line = Vec::with_capacity(text.len() + 16);
        let mut last = [b'\n'];
        if size > 0 {
            file.read_exact_at(&mut last, size - 1)?;
        }
        if last != *b"\n" {
            // Somebody's line was torn off: it is not to take this one with it.
            line.push(b'\n');
        }
        serde_json::to_writer(&mut line, &Entry { text: Cow::Borrowed(text) })?;
        line.push(b'\n');
        file.write_all(&line)?;
        self.lines += 1;
        let bytes = size + line.len() as u64;
        if bytes > BYTES as u64 + SPARE_BYTES || self.lines > ENTRIES + SPARE_LINES {
            // The entry is in the file; a file that stays too long is tried again with the next one,
            // and never read but for its end.
            let _ = self.shorten(&mut file);
        }
        // The lock goes with the file.
        Ok(())
    }

    /// The file of this name, made if it is not there, with its lock.
    fn locked(&self) -> io::Result<File> {
        for _ in 0..OPEN_TRIES {
            let file = self.opened()?;
            lock(&file)?;
            let held = file.metadata()?;
            match std::fs::metadata(&self.path) {
                Ok(named) if (named.dev(), named.ino()) == (held.dev(), held.ino()) => {
                    if held.permissions().mode() & 0o077 != 0 {
                        file.set_permissions(Permissions::from_mode(FILE_MODE))?;
                    }
                    return Ok(file);
                }
                // It was replaced meanwhile, or removed.
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "it is replaced again and again"))
    }

    fn opened(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(FILE_MODE);
        match options.open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(self.folder())?;
                options.open(&self.path)
            }
            other => other,
        }
    }

    /// Replaces the file, whose lock is held, by one of the entries that are kept.
    fn shorten(&mut self, file: &mut File) -> io::Result<()> {
        let contents = contents(file)?;
        let mut lines = Vec::new();
        for text in &contents.entries {
            serde_json::to_writer(&mut lines, &Entry { text: Cow::Borrowed(text) })?;
            lines.push(b'\n');
        }
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        // Nobody else writes to it: the lock is held.
        let new = self.folder().join(format!(".{name}.new"));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(FILE_MODE);
        let replaced = options.open(&new).and_then(|mut file| {
            file.set_permissions(Permissions::from_mode(FILE_MODE))?;
            file.write_all(&lines)?;
            file.sync_data()?;
            std::fs::rename(&new, &self.path)
        });
        if replaced.is_err() {
            let _ = std::fs::remove_file(&new);
        }
        replaced?;
        self.lines = contents.entries.len();
        Ok(())
    }
}

/// What a file holds.
struct Contents {
    entries: VecDeque<String>,
    lines: usize,
}

fn contents(file: &mut File) -> io::Result<Contents> {
    let size = file.metadata()?.len();
    let from = size.saturating_sub(READ_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(READ_BYTES).read_to_end(&mut bytes)?;
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    if from > 0 {
        // It began before what was read.
        lines.remove(0);
    }
    lines.retain(|line| !line.is_empty());
    let mut entries = VecDeque::new();
    let mut left = BYTES;
    for line in lines.iter().rev() {
        let Ok(entry) = serde_json::from_slice::<Entry<'_>>(line) else { continue };
        if entry.text.len() > ENTRY_BYTES {
            continue;
        }
        if line.len() >= left || entries.len() == ENTRIES {
            break;
        }
        left -= line.len() + 1;
        entries.push_front(entry.text.into_owned());
    }
    Ok(Contents { entries, lines: lines.len() })
}

/// Waits for the lock of a file, within bounds: whoever has it may have been stopped.
fn lock(file: &File) -> io::Result<()> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            // Some file systems have no locks; appending is safe there too, only making it shorter is not.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(());
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "another process keeps it locked"))
}

/// The folder itself, or the current one where there is no name.
fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

fn words(path: &Path, error: &io::Error) -> String {
    format!("entered lines are kept in memory only: {}: {error}", path.display())
}
