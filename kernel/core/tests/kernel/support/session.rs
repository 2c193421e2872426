//! Sessions in memory.

use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::{Count, Millis};
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo,
};
use fen_contract::types::Message;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A store that keeps what it is given, and fails on demand.
#[derive(Default)]
pub struct MemorySessions {
    stored: Mutex<Vec<(String, Message)>>,
    entries: Mutex<Vec<(String, Value)>>,
    begun: AtomicUsize,
    closed: Mutex<Vec<String>>,
    full: AtomicBool,
    open_fails: AtomicBool,
    close_fails: AtomicBool,
    shelf: Mutex<Vec<Shelved>>,
    renamed: Mutex<Vec<(String, String)>>,
    deleted: Mutex<Vec<String>>,
}

/// A session that was stored before the run.
#[derive(Clone)]
pub struct Shelved {
    pub id: &'static str,
    pub loaded: Result<Loaded, Failure>,
    /// The session that it is opened as; a copy where that is another id.
    pub opens_as: Result<&'static str, Failure>,
    pub cwd: &'static str,
}

impl Shelved {
    /// One with these messages that can be opened.
    pub fn new(id: &'static str, messages: Vec<Message>) -> Shelved {
        let loaded = Loaded { messages, ..Loaded::default() };
        Shelved { id, loaded: Ok(loaded), opens_as: Ok(id), cwd: "/home" }
    }

    pub fn path(&self) -> PathBuf {
        path_of(self.id)
    }
}

fn path_of(id: &str) -> PathBuf {
    format!("/sessions/{id}").into()
}

fn session(id: &str, cwd: &str) -> Session {
    Session {
        info: SessionInfo {
            id: id.into(),
            path: path_of(id),
            cwd: cwd.into(),
            timestamp: Millis(0),
            title: None,
            message_count: Count(0),
            version: Count(1),
            size: None,
            modified: None,
        },
        state: Arc::new(()),
    }
}

impl MemorySessions {
    pub fn new() -> Arc<MemorySessions> {
        Arc::default()
    }

    /// A fresh session: `s1`, `s2` and so on.
    pub fn begin(&self) -> Session {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        session(&format!("s{number}"), "/home")
    }

    /// Puts a stored session there.
    pub fn shelve(&self, shelved: Shelved) {
        self.shelf.lock().unwrap().push(shelved);
    }

    fn shelved(&self, path: &Path) -> Result<Shelved, Failure> {
        let shelf = self.shelf.lock().unwrap();
        let found = shelf.iter().find(|shelved| shelved.path() == path).cloned();
        found.ok_or_else(|| Failure::caller(format!("there is no session at {}", path.display())))
    }

    /// The titles that sessions were given: id and title.
    pub fn renamed(&self) -> Vec<(String, String)> {
        self.renamed.lock().unwrap().clone()
    }

    /// The paths of the sessions that were deleted.
    pub fn deleted(&self) -> Vec<String> {
        self.deleted.lock().unwrap().clone()
    }

    /// The messages that a session holds.
    pub fn messages(&self, session: &str) -> Vec<Message> {
        let stored = self.stored.lock().unwrap();
        stored.iter().filter(|(id, _)| id == session).map(|(_, message)| message.clone()).collect()
    }

    /// The entries beside the messages: kind and fields.
    pub fn entries(&self) -> Vec<(String, Value)> {
        self.entries.lock().unwrap().clone()
    }

    /// How many messages all sessions hold.
    pub fn count(&self) -> usize {
        self.stored.lock().unwrap().len()
    }

    /// The sessions that were closed, in order.
    pub fn closed(&self) -> Vec<String> {
        self.closed.lock().unwrap().clone()
    }

    /// From now on nothing can be stored, or it can again.
    pub fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// From now on no session can be begun.
    pub fn refuse_to_open(&self) {
        self.open_fails.store(true, Ordering::Relaxed);
    }

    /// From now on no session can be closed well.
    pub fn refuse_to_close(&self) {
        self.close_fails.store(true, Ordering::Relaxed);
    }
}

fn refuse<T: Send + 'static>(words: &str) -> BoxFuture<'static, Result<T, Failure>> {
    Box::pin(std::future::ready(Err(Failure::new(words))))
}

fn give<T: Send + 'static>(value: T) -> BoxFuture<'static, Result<T, Failure>> {
    Box::pin(std::future::ready(Ok(value)))
}

impl SessionBackend for MemorySessions {
    fn open(&self, _options: OpenOptions) -> BoxFuture<'_, Result<Session, Failure>> {
        if self.open_fails.load(Ordering::Relaxed) {
            return refuse("no room for a session");
        }
        give(self.begin())
    }

    fn open_existing<'a>(
        &'a self,
        path: &'a Path,
        _options: OpenOptions,
    ) -> BoxFuture<'a, Result<Session, Failure>> {
        let opened =
            self.shelved(path).and_then(|shelved| Ok(session(shelved.opens_as?, shelved.cwd)));
        Box::pin(std::future::ready(opened))
    }

    fn append<'a>(
        &'a self,
        session: &'a Session,
        message: &'a Message,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            // A store that takes its time: nobody may tell of the message before it is done.
            tokio::task::yield_now().await;
            if self.full.load(Ordering::Relaxed) {
                return Err(Failure::new("no space left"));
            }
            let id = session.info.id.to_string();
            self.stored.lock().unwrap().push((id, message.clone()));
            Ok(())
        })
    }

    fn append_entry<'a>(
        &'a self,
        _session: &'a Session,
        kind: &'a str,
        fields: Value,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            if self.full.load(Ordering::Relaxed) {
                return Err(Failure::new("no space left"));
            }
            self.entries.lock().unwrap().push((kind.to_owned(), fields));
            Ok(())
        })
    }

    fn close<'a>(&'a self, session: &'a Session) -> BoxFuture<'a, Result<(), Failure>> {
        if self.close_fails.load(Ordering::Relaxed) {
            return refuse("the disk is gone");
        }
        self.closed.lock().unwrap().push(session.info.id.to_string());
        give(())
    }

    fn load<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<Loaded, Failure>> {
        // A copy reads as what it was made of.
        let shelf = self.shelf.lock().unwrap();
        let named =
            |shelved: &&Shelved| shelved.opens_as.as_ref().is_ok_and(|id| path_of(id) == path);
        let found = shelf.iter().find(named).cloned();
        let loaded = found.map_or_else(|| Err(Failure::new("it is gone")), |found| found.loaded);
        Box::pin(std::future::ready(loaded))
    }

    fn preview<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<String, Failure>> {
        let preview = self.shelved(path).map(|shelved| format!("about {}", shelved.id));
        Box::pin(std::future::ready(preview))
    }

    fn rename<'a>(
        &'a self,
        session: &'a Session,
        title: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let id = session.info.id.to_string();
        self.renamed.lock().unwrap().push((id, title.to_owned()));
        give(())
    }

    fn delete<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<(), Failure>> {
        self.deleted.lock().unwrap().push(path.display().to_string());
        give(())
    }

    fn find(&self, _options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        give(Vec::new())
    }

    fn list(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        let shelf = self.shelf.lock().unwrap();
        let infos = shelf.iter().map(|shelved| session(shelved.id, shelved.cwd).info);
        give(infos.take(options.limit.unwrap_or(usize::MAX)).collect())
    }

    fn latest(&self, _options: FindOptions) -> BoxFuture<'_, Result<Option<SessionInfo>, Failure>> {
        give(None)
    }
}
