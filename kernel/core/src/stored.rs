//! The sessions that are stored beside the open one: looking them up, naming and deleting them.
//!
//! It changes nothing of the running conversation but its title; the conversation's handle calls it.

use crate::guard::guarded;
use crate::session::OpenSession;
use crate::shared::{Shared, lock};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::session::{FindOptions, SessionBackend, SessionInfo};
use std::path::Path;
use std::sync::Arc;

impl Shared {
    /// The backend that keeps this conversation; where nothing is stored, the one that an extension
    /// made active, or the first.
    pub(crate) fn backend_of_run(&self) -> Result<Arc<dyn SessionBackend>, Failure> {
        if let Some(open) = self.open_session() {
            return Ok(open.backend);
        }
        let active = lock(&self.active_backend).clone();
        let snapshot = self.registry.snapshot();
        let active = active.and_then(|name| snapshot.find(Kind::SessionBackend, &name));
        let entry = active.or_else(|| snapshot.of_kind(Kind::SessionBackend).next());
        match entry.map(|entry| &entry.contribution) {
            Some(Contribution::SessionBackend(spec)) => Ok(spec.backend.clone()),
            _ => Err(Failure::caller("there is no session backend, so nothing is stored")),
        }
    }

    /// The open session, if this is where it is stored.
    pub(crate) fn open_at(&self, path: &Path) -> Option<OpenSession> {
        self.open_session().filter(|open| open.session.info.path == path)
    }

    pub(crate) async fn stored_sessions(
        &self,
        options: FindOptions,
    ) -> Result<Vec<SessionInfo>, Failure> {
        let backend = self.backend_of_run()?;
        guarded(|| backend.list(options)).await.flatten()
    }

    pub(crate) async fn preview_session(&self, path: &Path) -> Result<String, Failure> {
        let backend = self.backend_of_run()?;
        guarded(|| backend.preview(path)).await.flatten()
    }

    pub(crate) async fn rename_stored(&self, path: &Path, title: &str) -> Result<(), Failure> {
        if self.open_at(path).is_some() {
            return self.rename_session(title).await;
        }
        let backend = self.backend_of_run()?;
        guarded(|| backend.rename_stored(path, title)).await.flatten()
    }

    pub(crate) async fn delete_stored(&self, path: &Path) -> Result<(), Failure> {
        if let Some(open) = self.open_at(path) {
            return Err(Failure::caller(format!(
                "the session {} is this conversation; begin or resume another one before deleting it",
                open.session.info.id
            )));
        }
        let backend = self.backend_of_run()?;
        guarded(|| backend.delete(path)).await.flatten()
    }
}
