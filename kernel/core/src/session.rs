//! The session of the run: storing messages, and beginning anew.
//!
//! A failure to store is told and never stops the conversation. It knows nothing of how a backend
//! keeps what it is given; the agent calls it.

use crate::guard::guarded;
use crate::shared::{Shared, lock};
use fen_contract::conversation::QueueContents;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::names::SessionId;
use fen_contract::session::{OpenOptions, Session, SessionBackend, SessionInfo};
use fen_contract::types::Message;
use serde_json::Value;
use std::sync::Arc;

/// A session together with the backend that keeps it.
#[derive(Clone)]
pub struct OpenSession {
    /// The backend.
    pub backend: Arc<dyn SessionBackend>,
    /// The open session.
    pub session: Session,
}

impl Shared {
    pub(crate) fn open_session(&self) -> Option<OpenSession> {
        lock(&self.session).clone()
    }

    /// The id of the session, where the conversation is stored.
    pub(crate) fn session_id(&self) -> Option<SessionId> {
        lock(&self.session).as_ref().map(|open| open.session.info.id.clone())
    }

    /// The session as it is now: the backend described it as it was when it was opened.
    pub(crate) fn session_info(&self) -> Option<SessionInfo> {
        let mut info = lock(&self.session).as_ref().map(|open| open.session.info.clone())?;
        info.message_count = self.transcript.len().into();
        // They were true when it was opened.
        (info.size, info.modified) = (None, None);
        Some(info)
    }

    /// Stores a message. A failure is told each time; the conversation goes on in memory.
    pub(crate) async fn store(&self, message: &Message) {
        let Some(open) = self.open_session() else { return };
        let stored = guarded(|| open.backend.append(&open.session, message)).await;
        if let Err(failure) = stored.flatten() {
            self.emit_error(format!(
                "this message is not saved, the conversation goes on in memory: {failure}"
            ));
        }
    }

    /// Closes the session; a failure is told. It can still be named afterwards.
    pub(crate) async fn close_session(&self) {
        let Some(open) = self.open_session() else { return };
        let closed = guarded(|| open.backend.close(&open.session)).await;
        if let Err(failure) = closed.flatten() {
            self.emit_error(format!("the session could not be closed well: {failure}"));
        }
    }

    /// Stores an entry that is not a message.
    pub(crate) async fn append_entry(&self, kind: &str, fields: Value) -> Result<(), Failure> {
        let open = self.session_or_failure()?;
        guarded(|| open.backend.append_entry(&open.session, kind, fields)).await.flatten()
    }

    /// The fields of the session's entries of this kind, oldest first.
    pub(crate) async fn load_entries(&self, kind: &str) -> Result<Vec<Value>, Failure> {
        let open = self.session_or_failure()?;
        let path = open.session.info.path.clone();
        let entries = guarded(|| open.backend.load_entries(&path)).await.flatten()?;
        Ok(entries
            .into_iter()
            .filter(|entry| entry.kind == kind)
            .map(|entry| entry.fields)
            .collect())
    }

    /// Gives the session a title.
    pub(crate) async fn rename_session(&self, title: &str) -> Result<(), Failure> {
        let open = self.session_or_failure()?;
        guarded(|| open.backend.rename(&open.session, title)).await.flatten()?;
        if let Some(open) = lock(&self.session).as_mut() {
            open.session.info.title = Some(title.to_owned());
        }
        Ok(())
    }

    fn session_or_failure(&self) -> Result<OpenSession, Failure> {
        self.open_session().ok_or_else(|| Failure::caller("this conversation is not stored"))
    }

    /// The backend for the next session: the one in use, unless an extension has made another one
    /// the active one.
    fn next_backend(&self, present: Arc<dyn SessionBackend>) -> Arc<dyn SessionBackend> {
        let Some(name) = lock(&self.active_backend).clone() else { return present };
        let snapshot = self.registry.snapshot();
        match snapshot.find(Kind::SessionBackend, &name).map(|entry| &entry.contribution) {
            Some(Contribution::SessionBackend(spec)) => spec.backend.clone(),
            _ => present,
        }
    }

    /// An empty conversation in a new session.
    pub(crate) async fn begin_anew(&self) -> Result<(), Failure> {
        if let Some(open) = self.open_session() {
            let run = self.run_state()?;
            let options = OpenOptions {
                cwd: run.cwd,
                provider: Some(run.provider.to_string()),
                model: Some(run.model.to_string()),
            };
            let backend = self.next_backend(open.backend);
            let session = guarded(|| backend.open(options)).await??;
            self.close_session().await;
            *lock(&self.session) = Some(OpenSession { backend, session });
        }
        self.transcript.replace(Vec::new());
        self.reveal_anew();
        // The new session has no queue yet; lines that wait are stored there.
        lock(&self.inbox).stored_queue = QueueContents::default();
        self.queue_changed.notify_one();
        Ok(())
    }
}
