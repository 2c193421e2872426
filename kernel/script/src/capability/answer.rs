//! How a call of this module ends: with a table that says how it went.
//!
//! It owns the kinds of failure and their way into Lua. Every group of functions uses it.

use std::io;

use mlua::{Lua, Table, Value};

use crate::vm::HostError;

/// Why a call failed, for scripts to act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The file, folder or program is not there.
    NotFound,
    /// The system or fen does not allow it.
    Denied,
    /// There is one already.
    Exists,
    /// It took too long.
    Timeout,
    /// It was given up before its end.
    Cancelled,
    /// More came than was asked for.
    TooLarge,
    /// The connection, or what came over it.
    Network,
    /// What was asked for makes no sense for what is there.
    Invalid,
    /// Something else that the system says.
    Io,
    /// The manifest does not ask for it.
    Capability,
}

impl Kind {
    /// The word in the field `kind`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NotFound => "not-found",
            Kind::Denied => "denied",
            Kind::Exists => "exists",
            Kind::Timeout => "timeout",
            Kind::Cancelled => "cancelled",
            Kind::TooLarge => "too-large",
            Kind::Network => "network",
            Kind::Invalid => "invalid",
            Kind::Io => "io",
            Kind::Capability => "capability",
        }
    }
}

/// A call that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) kind: Kind,
    pub(super) words: String,
    /// Whether the same call may succeed later; only the network says so.
    pub(super) retryable: Option<bool>,
}

impl Refusal {
    pub(super) fn new(kind: Kind, words: impl Into<String>) -> Self {
        Refusal { kind, words: words.into(), retryable: None }
    }

    /// What the system said while fen tried to `act`, such as "read notes.txt".
    pub(super) fn io(act: &str, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => Kind::NotFound,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Kind::Denied,
            io::ErrorKind::AlreadyExists => Kind::Exists,
            io::ErrorKind::TimedOut => Kind::Timeout,
            io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::DirectoryNotEmpty
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput => Kind::Invalid,
            _ => Kind::Io,
        };
        let words = error.to_string();
        // The number says nothing to a person.
        let words = words.split(" (os error").next().unwrap_or_default();
        Refusal::new(kind, format!("cannot {act}: {words}"))
    }

    /// `{ok = false, kind = …, error = …}`.
    pub(super) fn table(&self, lua: &Lua) -> mlua::Result<Table> {
        let table = lua.create_table_with_capacity(0, 4)?;
        table.raw_set("ok", false)?;
        table.raw_set("kind", self.kind.name())?;
        table.raw_set("error", self.words.as_str())?;
        if let Some(retryable) = self.retryable {
            table.raw_set("retryable", retryable)?;
        }
        Ok(table)
    }

    /// The same table thrown, with the words in `message` too, where thrown tables have them.
    pub(super) fn thrown(&self, lua: &Lua) -> HostError {
        let table = self.table(lua).and_then(|table| {
            table.raw_set("message", self.words.as_str())?;
            Ok(table)
        });
        match table {
            Ok(table) => HostError::Value(Value::Table(table)),
            Err(error) => error.into(),
        }
    }
}

/// `{ok = true}`, for the fields of an answer.
pub(super) fn done(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 4)?;
    table.raw_set("ok", true)?;
    Ok(table)
}

/// The table of an outcome; `fields` adds what a success has to tell.
pub(super) fn answer<T>(
    lua: &Lua,
    outcome: Result<T, Refusal>,
    fields: impl FnOnce(&Table, T) -> mlua::Result<()>,
) -> Result<Table, HostError> {
    Ok(match outcome {
        Ok(value) => {
            let table = done(lua)?;
            fields(&table, value)?;
            table
        }
        Err(refusal) => refusal.table(lua)?,
    })
}
