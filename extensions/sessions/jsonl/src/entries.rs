//! Reads the entries of a session that are not messages: extensions' state and the like.
//!
//! They come in the order of the file, whichever branch of the conversation they stand on. Lines
//! that cannot be read are passed over here; loading the session names them.

use crate::layout;
use crate::lines::{Lines, RawLine};
use fen_contract::failure::Failure;
use fen_contract::session::StoredEntry;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::path::Path;

/// How many entries are given at the most; the oldest make room.
const MAX_ENTRIES: usize = 10_000;

/// As much of a line as tells whether the rest is wanted.
#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<std::borrow::Cow<'a, str>>,
}

/// The entries of a stored session, oldest first.
pub(crate) fn load(path: &Path) -> Result<Vec<StoredEntry>, Failure> {
    let mut lines = Lines::new(layout::readable(path)?);
    let mut entries = VecDeque::new();
    loop {
        let bytes = match lines.next_line() {
            Ok(None) => break,
            Ok(Some(RawLine::Bytes(bytes))) => bytes,
            Ok(Some(RawLine::TooLong)) => continue,
            Err(error) => {
                let shown = path.display();
                return Err(Failure::new(format!("{shown} cannot be read: {error}")));
            }
        };
        let Some(entry) = entry(bytes) else { continue };
        if entries.len() == MAX_ENTRIES {
            entries.pop_front();
        }
        entries.push_back(entry);
    }
    Ok(entries.into())
}

fn entry(line: &[u8]) -> Option<StoredEntry> {
    let kind = serde_json::from_slice::<Kind<'_>>(line).ok()?.kind?;
    if matches!(&*kind, "session" | "message") {
        return None;
    }
    let mut fields: Map<String, Value> = serde_json::from_slice(line).ok()?;
    for own in crate::backend::OWN_FIELDS {
        fields.shift_remove(own);
    }
    Some(StoredEntry { kind: kind.into_owned(), fields: Value::Object(fields) })
}
