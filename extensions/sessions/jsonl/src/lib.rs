//! Sessions as JSON lines: one file per conversation, one line per entry, only ever appended to.
//!
//! # The format, version 3
//!
//! The first line is the header, every further line an entry. Times are milliseconds since the
//! Unix epoch; messages are in the contract's spelling.
//!
//! ```json
//! {"type":"session","version":3,"id":"…","timestamp":1,"cwd":"/home/me/project","provider":"openai","model":"m"}
//! {"type":"message","id":"a","parent-id":null,"timestamp":2,"message":{"role":"user","content":"Hello","timestamp":2}}
//! {"type":"title","id":"b","parent-id":"a","timestamp":3,"title":"Greetings"}
//! ```
//!
//! The entries form a tree by `parent-id`; the conversation is the path from the last entry to the
//! root. An entry without `parent-id`, or whose parent cannot be found, follows the readable entry
//! before it. Entries of unknown type take part in the tree and are otherwise left alone. Versions
//! 1 and 2, whose lines are messages without ids, can be read. This crate writes version 3 only: a
//! file of any other version is continued in a copy, and stays as it is.
//!
//! # What can be relied on
//!
//! - A line is one `write(2)` on a file opened with `O_APPEND`. When
//!   [`append`](fen_contract::session::SessionBackend::append) returns, the line survives the death
//!   of the process; [`Durability::Power`] asks for the disk as well.
//! - A new session has a path from the start and a file from its first entry on, so a start that is
//!   abandoned leaves nothing behind.
//! - A damaged line costs itself alone: it is named in a warning and every other line loads. A line
//!   that was torn off at the end is closed off before anything is added.
//! - A line that could not be written leaves no part of itself in the file. It is kept in memory
//!   and goes out before the next one; until then each call fails and says why.
//! - An open session holds an exclusive `flock` on its file. It dies with the process, and since it
//!   belongs to the file and not to its name, it outlives a renaming.
//! - Files are 0600 and folders 0700 from their first byte on.
//!
//! All file work runs on the runtime's blocking pool, appends too: an append takes microseconds on
//! a local disk, but nobody can promise that of a network mount.

mod backend;
mod catalog;
mod copy;
mod entries;
mod layout;
mod line;
mod lines;
mod preview;
mod reader;
mod repair;
mod store;
mod summary;
mod tree;
mod writer;

pub use backend::{Clock, Config, Durability, JsonlBackend};

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::failure::Failure;
use fen_contract::kinds::SessionBackendSpec;
use std::sync::Arc;

/// The name that the backend is registered under.
pub const NAME: &str = "jsonl";

/// The extension that registers `backend`.
pub fn extension(backend: JsonlBackend) -> impl Extension {
    JsonlSessions { backend: Arc::new(backend) }
}

struct JsonlSessions {
    backend: Arc<JsonlBackend>,
}

impl Extension for JsonlSessions {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "sessions-jsonl".into(),
            description: "Keeps conversations as files of JSON lines.".into(),
            overrides: Vec::new(),
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let spec = SessionBackendSpec { name: NAME.into(), backend: self.backend.clone() };
        api.register(spec.into())?;
        Ok(())
    }
}
