//! Makes whole session files at once: the copy in which a file of another version is continued,
//! and the restoration of a file that was deleted while it was in use.
//!
//! A file takes shape under a hidden name and gets its own when it is complete. The lock is taken
//! before that, and stays.

use crate::layout::{self, Lock};
use crate::line::{self, Header, Line, NewHeader, Parent, Stamp, VERSION};
use crate::lines::{Lines, RawLine};
use crate::repair;
use fen_contract::failure::Failure;
use fen_contract::names::Millis;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

/// A copy that is ready to be added to.
pub(crate) struct Copied {
    pub(crate) file: File,
    pub(crate) leaf: Parent,
}

/// Copies every line of `source` that can be read into a new file at `path`. Entries keep their
/// ids; those without get one, and follow the entry before them.
pub(crate) fn copy(
    source: &File,
    path: &Path,
    header: &NewHeader<'_>,
    now: Millis,
) -> Result<Copied, Failure> {
    let trouble = |error: io::Error| {
        Failure::new(format!("cannot copy the session to {}: {error}", path.display()))
    };
    let first = line::line_of(header)?;
    let mut leaf = Parent::Root;
    let file = make(path, |out| {
        out.write_all(&first)?;
        let mut lines = Lines::new(source);
        while let Some(line) = lines.next_line()? {
            let RawLine::Bytes(bytes) = line else { continue };
            if let Some((line, id)) = as_entry(bytes, &leaf, now) {
                out.write_all(&line)?;
                leaf = Parent::Entry(id);
            }
        }
        Ok(())
    })
    .map_err(trouble)?;
    Ok(Copied { file, leaf })
}

/// The line as an entry of the present version, and its id; `None` for what is none.
fn as_entry(bytes: &[u8], leaf: &Parent, now: Millis) -> Option<(Vec<u8>, String)> {
    let Some(Line::Entry(_)) = line::parse(bytes).0 else { return None };
    let mut fields = repair::object(bytes).ok()?.fields;
    let kind = match fields.get("type").and_then(Value::as_str) {
        Some(kind) => kind.to_owned(),
        None => "message".into(),
    };
    if kind == "message" && !fields.contains_key("message") {
        // A bare message of an old file.
        let message = std::mem::take(&mut fields);
        fields.insert("message".into(), Value::Object(message));
    }
    let own_id = match fields.shift_remove("id") {
        Some(Value::String(id)) => Some(id),
        _ => None,
    };
    let own_parent = match fields.shift_remove("parent-id") {
        Some(Value::String(parent)) => Some(Parent::Entry(parent)),
        Some(Value::Null) => Some(Parent::Root),
        _ => None,
    };
    let parent = own_parent.as_ref().unwrap_or(leaf);
    let id = own_id.unwrap_or_else(line::new_entry_id);
    let timestamp = take_timestamp(&mut fields).unwrap_or(now);
    fields.shift_remove("type");
    let stamp = Stamp { id: &id, parent, timestamp };
    let line = line::entry_line(stamp, &kind, fields).ok()?;
    Some((line, id))
}

/// The entry's own time, or else that of its message.
fn take_timestamp(fields: &mut Map<String, Value>) -> Option<Millis> {
    let own = fields.shift_remove("timestamp");
    let message = || fields.get("message")?.get("timestamp")?.as_u64();
    own.as_ref().and_then(Value::as_u64).or_else(message).map(Millis)
}

/// Puts the content of a deleted file that is still open back under its name.
pub(crate) fn restore(path: &Path, mut deleted: &File) -> io::Result<File> {
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(io::Error::other(
            "the file was replaced by another one while the session was open",
        ));
    }
    deleted.rewind()?;
    make(path, |out| io::copy(&mut deleted, out).map(drop))
}

/// Makes a file at `path`, which appears there complete, private and locked.
fn make(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<File> {
    let hidden = hidden_name(path)?;
    if let Some(folder) = path.parent() {
        if let Some(root) = folder.parent() {
            layout::private_folder(root)?;
        }
        layout::private_folder(folder)?;
    }
    let file = layout::new_file(&hidden)?;
    let made = (|| {
        if layout::lock(&file)? == Lock::Busy {
            return Err(io::Error::other("another process took hold of the new file"));
        }
        let mut out = BufWriter::with_capacity(256 << 10, &file);
        fill(&mut out)?;
        out.flush()?;
        drop(out);
        std::fs::rename(&hidden, path)
    })();
    match made {
        Ok(()) => Ok(file),
        Err(error) => {
            // The first error is the one to tell; a hidden remainder is never taken for a session.
            let _ = std::fs::remove_file(&hidden);
            Err(error)
        }
    }
}

fn hidden_name(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let unique = line::new_entry_id();
    Ok(path.with_file_name(format!(".{}.{unique}.tmp", name.to_string_lossy())))
}

/// The header of a copy.
pub(crate) fn header<'a>(
    id: &'a str,
    now: Millis,
    cwd: &'a str,
    original: Option<&'a Header>,
    forked_from: &'a str,
) -> NewHeader<'a> {
    NewHeader {
        r#type: "session",
        version: VERSION,
        id,
        timestamp: now,
        cwd,
        provider: original.and_then(|header| header.provider.as_deref()),
        model: original.and_then(|header| header.model.as_deref()),
        forked_from: Some(forked_from),
    }
}
