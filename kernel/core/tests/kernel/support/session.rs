//! Sessions in memory.

use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::{Count, Millis};
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo,
};
use fen_contract::types::Message;
use serde_json::Value;
use std::path::Path;
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
}

impl MemorySessions {
    pub fn new() -> Arc<MemorySessions> {
        Arc::default()
    }

    /// A fresh session: `s1`, `s2` and so on.
    pub fn begin(&self) -> Session {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        Session {
            info: SessionInfo {
                id: format!("s{number}").into(),
                path: format!("/sessions/s{number}").into(),
                cwd: "/home".into(),
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
        _path: &'a Path,
        _options: OpenOptions,
    ) -> BoxFuture<'a, Result<Session, Failure>> {
        refuse("the kernel opens no stored session")
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

    fn load<'a>(&'a self, _path: &'a Path) -> BoxFuture<'a, Result<Loaded, Failure>> {
        refuse("the kernel loads no session")
    }

    fn find(&self, _options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        give(Vec::new())
    }

    fn list(&self, _options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        give(Vec::new())
    }

    fn latest(&self, _options: FindOptions) -> BoxFuture<'_, Result<Option<SessionInfo>, Failure>> {
        give(None)
    }
}
