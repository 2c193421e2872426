//! The interface of a session backend: where conversations are kept.

use crate::conversation::QueueContents;
use crate::failure::{BoxFuture, Failure};
use crate::names::{Count, Millis, SessionId};
use crate::types::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is known of a session without reading its messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SessionInfo {
    /// The session's id.
    pub id: SessionId,
    /// Where it is stored.
    #[serde(serialize_with = "readable_path")]
    pub path: PathBuf,
    /// The directory that it was begun in.
    #[serde(serialize_with = "readable_path")]
    pub cwd: PathBuf,
    /// When it was begun, in milliseconds since the Unix epoch.
    pub timestamp: Millis,
    /// Its title, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// How many messages it has.
    pub message_count: Count,
    /// The version of its format.
    pub version: Count,
    /// How many bytes it takes where it is stored; additive.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub size: Option<Count>,
    /// When it was last added to, in milliseconds since the Unix epoch; additive.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub modified: Option<Millis>,
}

/// JSON is text and a path need not be; what is not is replaced.
fn readable_path<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// An open session: its description and whatever the backend needs to write to it.
#[derive(Clone)]
pub struct Session {
    /// What is known of it.
    pub info: SessionInfo,
    /// The backend's own state.
    pub state: Arc<dyn Any + Send + Sync>,
}

/// How to begin or open a session.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The working directory.
    pub cwd: PathBuf,
    /// The provider in use, noted in the session.
    pub provider: Option<String>,
    /// The model in use, noted in the session.
    pub model: Option<String>,
}

/// Which sessions to look for; an absent field fits all.
#[derive(Debug, Clone, Default)]
pub struct FindOptions {
    /// The directory that the session was begun in.
    pub cwd: Option<PathBuf>,
    /// The beginning of the id.
    pub id: Option<String>,
    /// Words of the title.
    pub text: Option<String>,
    /// How many to give at the most.
    pub limit: Option<usize>,
}

/// What was read of a stored session.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The messages in order.
    pub messages: Vec<Message>,
    /// The lines that still waited for the agent.
    pub queue: QueueContents,
    /// What could not be read, with the place, for the person to see.
    pub warnings: Vec<String>,
    /// The provider that it was last used with.
    pub provider: Option<String>,
    /// The model that it was last used with.
    pub model: Option<String>,
}

/// A stored entry that is not a message.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEntry {
    /// Its kind, such as `title`.
    pub kind: String,
    /// Its fields.
    pub fields: Value,
}

/// A store of conversations. It knows nothing of agents.
pub trait SessionBackend: Send + Sync {
    /// Begins a session for a new run.
    fn open(&self, options: OpenOptions) -> BoxFuture<'_, Result<Session, Failure>>;

    /// Opens a stored session to add to it.
    fn open_existing<'a>(
        &'a self,
        path: &'a Path,
        options: OpenOptions,
    ) -> BoxFuture<'a, Result<Session, Failure>>;

    /// Stores one message; it is safe on disk when this returns.
    fn append<'a>(
        &'a self,
        session: &'a Session,
        message: &'a Message,
    ) -> BoxFuture<'a, Result<(), Failure>>;

    /// Releases what an open session holds.
    fn close<'a>(&'a self, session: &'a Session) -> BoxFuture<'a, Result<(), Failure>>;

    /// Reads a stored session.
    fn load<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<Loaded, Failure>>;

    /// Looks sessions up, newest first.
    fn find(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>>;

    /// Lists sessions, newest first.
    fn list(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>>;

    /// The newest session that fits.
    fn latest(&self, options: FindOptions) -> BoxFuture<'_, Result<Option<SessionInfo>, Failure>>;

    /// Tells the beginning and the end of a stored conversation in a few lines. However long it is,
    /// only a bounded part of it is read.
    fn preview<'a>(&'a self, _path: &'a Path) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(std::future::ready(Err(unsupported("previews"))))
    }

    /// Stores an entry that is not a message: its kind and its fields.
    fn append_entry<'a>(
        &'a self,
        _session: &'a Session,
        _kind: &'a str,
        _fields: Value,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(std::future::ready(Err(unsupported("further entries"))))
    }

    /// Reads the entries of a stored session that are not messages, oldest first.
    fn load_entries<'a>(
        &'a self,
        _path: &'a Path,
    ) -> BoxFuture<'a, Result<Vec<StoredEntry>, Failure>> {
        Box::pin(std::future::ready(Err(unsupported("further entries"))))
    }

    /// Gives a session a title.
    fn rename<'a>(
        &'a self,
        _session: &'a Session,
        _title: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(std::future::ready(Err(unsupported("titles"))))
    }

    /// Gives a stored session that is not open a title. A backend that opens some sessions as a copy
    /// has to refuse those.
    fn rename_stored<'a>(
        &'a self,
        path: &'a Path,
        title: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let session = self.open_existing(path, OpenOptions::default()).await?;
            let renamed = self.rename(&session, title).await;
            let closed = self.close(&session).await;
            renamed.and(closed)
        })
    }

    /// Deletes a stored session.
    fn delete<'a>(&'a self, _path: &'a Path) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(std::future::ready(Err(unsupported("deletion"))))
    }
}

fn unsupported(what: &str) -> Failure {
    Failure::caller(format!("this session backend does not support {what}"))
}
