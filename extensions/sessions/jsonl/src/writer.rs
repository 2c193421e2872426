//! The writing side of one open session: its file, its lock, its place in the tree and the lines
//! that the disk would not take.
//!
//! It only ever appends. The one thing it takes back is the part of a line that it wrote itself
//! and could not finish. The backend calls it from blocking threads, one call at a time.

use crate::backend::{Clock, Durability};
use crate::copy;
use crate::layout::{self, Lock};
use crate::line::{self, Parent, Stamp};
use fen_contract::failure::Failure;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// How many bytes of unsaved lines are kept for better times.
const MAX_PENDING_BYTES: usize = 64 << 20;
/// How much of the end of a file is searched for its last entry before all of it is read.
const TAIL_BYTES: u64 = 1 << 20;

/// One open session.
pub(crate) struct Writer {
    id: String,
    path: PathBuf,
    clock: Clock,
    durability: Durability,
    place: Place,
    /// What the next entry follows.
    leaf: Parent,
    /// Lines that are not in the file yet, in order.
    pending: VecDeque<Vec<u8>>,
    pending_bytes: usize,
    /// The length up to which the end of the file is known.
    known_length: u64,
    /// Whether the file ends in the middle of a line.
    open_line: bool,
}

enum Place {
    /// Not made yet.
    Unborn,
    File(File),
    /// A copy that nothing was added to so far; it goes when the session closes unchanged.
    UnusedCopy(File),
    Closed,
}

/// How a writer is to work, whatever the session.
pub(crate) struct Ways {
    pub(crate) clock: Clock,
    pub(crate) durability: Durability,
}

impl Writer {
    /// A session that has no file yet; `header` will be its first line.
    pub(crate) fn unborn(id: String, path: PathBuf, header: Vec<u8>, ways: Ways) -> Self {
        let pending_bytes = header.len();
        let pending = VecDeque::from([header]);
        Writer { pending, pending_bytes, ..Writer::at(id, path, Place::Unborn, Parent::Root, ways) }
    }

    /// A copy of another session, complete and locked.
    pub(crate) fn for_copy(
        id: String,
        path: PathBuf,
        copy: File,
        leaf: Parent,
        ways: Ways,
    ) -> Self {
        Writer::at(id, path, Place::UnusedCopy(copy), leaf, ways)
    }

    /// A stored session, locked by the caller. A line that was torn off at its end is closed off.
    pub(crate) fn existing(
        id: String,
        path: PathBuf,
        file: File,
        ways: Ways,
    ) -> Result<(Self, Option<String>), Failure> {
        let trouble = |error: io::Error| {
            Failure::new(format!("cannot read the session {}: {error}", path.display()))
        };
        let length = file.metadata().map_err(trouble)?.len();
        let open_line = !ends_a_line(&file, length).map_err(trouble)?;
        let leaf = leaf_of(&file, length).map_err(trouble)?;
        let mut writer = Writer::at(id, path, Place::File(file), leaf, ways);
        writer.known_length = length;
        writer.open_line = open_line;
        if !open_line {
            return Ok((writer, None));
        }
        // Should the disk refuse the newline now, it goes out with the next line.
        if let Place::File(file) = &writer.place
            && (&*file).write(b"\n").is_ok_and(|count| count == 1)
        {
            writer.open_line = false;
            writer.known_length += 1;
        }
        let notice = "the last line was cut off when it was written; it was closed off, and what \
                      could not be read of it was kept in the file";
        Ok((writer, Some(notice.into())))
    }

    fn at(id: String, path: PathBuf, place: Place, leaf: Parent, ways: Ways) -> Self {
        Writer {
            id,
            path,
            clock: ways.clock,
            durability: ways.durability,
            place,
            leaf,
            pending: VecDeque::new(),
            pending_bytes: 0,
            known_length: 0,
            open_line: false,
        }
    }

    /// Adds an entry that `encode` writes. On failure it is kept and goes out with the next one,
    /// unless it cannot be stored at all.
    pub(crate) fn add(
        &mut self,
        encode: impl FnOnce(Stamp<'_>) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        if matches!(self.place, Place::Closed) {
            let id = &self.id;
            return Err(Failure::caller(format!(
                "the session {id} is closed; open it again to add to it"
            )));
        }
        let id = line::new_entry_id();
        let stamp = Stamp { id: &id, parent: &self.leaf, timestamp: (self.clock)() };
        let line = encode(stamp).map_err(|failure| self.unstorable(failure))?;
        let full = !self.pending.is_empty()
            && self.pending_bytes.saturating_add(line.len()) > MAX_PENDING_BYTES;
        if full {
            // Room may have come since.
            if let Err(error) = self.write_pending() {
                return Err(Failure::new(format!(
                    "{}; too much is waiting already, so this entry is lost once fen ends",
                    self.trouble(&error)
                )));
            }
        }
        self.pending_bytes += line.len();
        self.pending.push_back(line);
        self.leaf = Parent::Entry(id);
        self.write_pending().map_err(|error| {
            let waiting = self.waiting();
            Failure::new(format!(
                "{}; {waiting} kept in memory and written as soon as that is possible",
                self.trouble(&error)
            ))
        })?;
        self.confirm().map_err(|error| {
            let (id, shown) = (&self.id, self.path.display());
            Failure::new(format!(
                "the session {id} was written to {shown}, but the disk does not confirm it: {error}"
            ))
        })
    }

    /// Writes what is waiting, gives the lock back and refuses any further entry.
    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        let worth_a_file = !matches!(self.place, Place::Unborn) || self.pending.len() > 1;
        let written = if worth_a_file { self.write_pending() } else { Ok(()) };
        let result = written.map_err(|error| {
            let waiting = self.waiting();
            Failure::new(format!("{}; {waiting} lost", self.trouble(&error)))
        });
        match std::mem::replace(&mut self.place, Place::Closed) {
            Place::UnusedCopy(file) => self.withdraw(&file),
            Place::File(file) => {
                if self.known_length == 0 && file.metadata().is_ok_and(|data| data.len() == 0) {
                    self.withdraw(&file);
                }
                // Closing gives the lock back as well, but not while a child that is just being
                // started still holds the descriptor.
                let _ = file.unlock();
            }
            Place::Unborn | Place::Closed => {}
        }
        self.pending.clear();
        result
    }

    /// Takes a file away that holds nothing of its own.
    fn withdraw(&self, file: &File) {
        if layout::leads_to(&self.path, file) {
            // What stays behind is empty, or a copy of what is stored elsewhere.
            let _ = std::fs::remove_file(&self.path);
        }
    }

    fn waiting(&self) -> String {
        let entries = self.pending.iter().filter(|line| !line.starts_with(HEADER_START)).count();
        match entries {
            1 => "1 entry is".into(),
            many => format!("{many} entries are"),
        }
    }

    fn trouble(&self, error: &io::Error) -> String {
        format!("cannot save the session {} to {}: {error}", self.id, self.path.display())
    }

    fn unstorable(&self, failure: Failure) -> Failure {
        Failure {
            message: format!("this entry of session {} is {}", self.id, failure.message),
            ..failure
        }
    }

    fn write_pending(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let file = self.take_file()?;
        let written = self.write_lines(&file);
        self.place = Place::File(file);
        written
    }

    /// The file to write to, made or restored where it is not there.
    fn take_file(&mut self) -> io::Result<File> {
        match std::mem::replace(&mut self.place, Place::Unborn) {
            Place::File(file) | Place::UnusedCopy(file) => {
                let metadata = file.metadata();
                if metadata.is_ok_and(|metadata| metadata.nlink() > 0) {
                    return Ok(file);
                }
                // Somebody deleted the file while it was in use. Its content is still at hand.
                match copy::restore(&self.path, &file) {
                    Ok(restored) => Ok(restored),
                    Err(error) => {
                        self.place = Place::File(file);
                        Err(error)
                    }
                }
            }
            Place::Unborn => create(&self.path),
            Place::Closed => {
                self.place = Place::Closed;
                Err(io::Error::other("the session is closed"))
            }
        }
    }

    fn write_lines(&mut self, file: &File) -> io::Result<()> {
        while let Some(line) = self.pending.pop_front() {
            if let Err(error) = self.write_line(file, &line) {
                self.pending.push_front(line);
                return Err(error);
            }
            self.pending_bytes = self.pending_bytes.saturating_sub(line.len());
        }
        Ok(())
    }

    /// Waits for the disk, where that was asked for. The folder is part of it: a file without its
    /// name cannot be found again.
    fn confirm(&self) -> io::Result<()> {
        if let (Durability::Power, Place::File(file)) = (self.durability, &self.place) {
            file.sync_data()?;
            if let Some(folder) = self.path.parent() {
                File::open(folder)?.sync_all()?;
            }
        }
        Ok(())
    }

    /// Puts one line at the end of the file, whole or not at all.
    fn write_line(&mut self, mut file: &File, line: &[u8]) -> io::Result<()> {
        let before = file.metadata()?.len();
        if before != self.known_length {
            // Somebody else wrote to it; what they wrote stays, and does not swallow this line.
            self.open_line = !ends_a_line(file, before)?;
            self.known_length = before;
        }
        let separated = self.open_line.then(|| [b"\n", line].concat());
        let bytes = separated.as_deref().unwrap_or(line);
        let mut done = 0;
        // One call as a rule. A disk that is full takes a part of it; the next call says why.
        while done < bytes.len() {
            match file.write(&bytes[done..]) {
                Ok(0) => {
                    self.take_back(file, before, done);
                    return Err(io::ErrorKind::WriteZero.into());
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.take_back(file, before, done);
                    return Err(error);
                }
            }
        }
        self.known_length = before + bytes.len() as u64;
        self.open_line = false;
        Ok(())
    }

    /// Removes the part of a line that was written, if it is the end of the file.
    fn take_back(&mut self, file: &File, before: u64, done: usize) {
        if done == 0 {
            return;
        }
        let expected = before + done as u64;
        let ours = file.metadata().is_ok_and(|metadata| metadata.len() == expected);
        if !(ours && file.set_len(before).is_ok()) {
            self.open_line = true;
            self.known_length = expected;
        }
    }
}

/// How a header begins, as this crate writes it.
const HEADER_START: &[u8] = br#"{"type":"session","#;

/// Makes the file of a new session and becomes its only writer.
fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        if let Some(root) = folder.parent() {
            layout::private_folder(root)?;
        }
        layout::private_folder(folder)?;
    }
    let file = layout::new_file(path)?;
    let error = match layout::lock(&file) {
        Ok(Lock::Taken) => return Ok(file),
        Ok(Lock::Busy) => io::Error::other("another process took hold of the new file"),
        Err(error) => error,
    };
    // The next try begins anew.
    let _ = std::fs::remove_file(path);
    Err(error)
}

fn ends_a_line(file: &File, length: u64) -> io::Result<bool> {
    let Some(last) = length.checked_sub(1) else { return Ok(true) };
    let mut byte = [0];
    file.read_exact_at(&mut byte, last)?;
    Ok(byte == *b"\n")
}

/// What the next entry of a file follows, found from its end.
fn leaf_of(mut file: &File, length: u64) -> io::Result<Parent> {
    let start = length.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail)?;
    let mut rest = tail.as_slice();
    if start > 0 {
        // The first line is cut.
        let newline = memchr::memchr(b'\n', rest);
        rest = newline.map_or(&[][..], |newline| &rest[newline + 1..]);
    }
    for bytes in rest.rsplit(|&byte| byte == b'\n') {
        if let (Some(line::Line::Entry(entry)), _) = line::parse(bytes) {
            return Ok(entry.id.map_or(Parent::Previous, Parent::Entry));
        }
    }
    if start == 0 {
        return Ok(Parent::Root);
    }
    file.rewind()?;
    Ok(crate::reader::read(file).tree.leaf())
}
