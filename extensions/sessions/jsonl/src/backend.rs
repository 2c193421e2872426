//! The contract's face of the store: its methods, and how they reach the disk.
//!
//! It keeps the runtime's own thread free of file work; what is done to files is the store's.

use crate::line;
use crate::store::{OpenSession, Store, lock};
use crate::{NAME, catalog, entries, layout, preview};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::Millis;
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo, StoredEntry,
};
use fen_contract::types::Message;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tells the time of new sessions and entries.
pub type Clock = Arc<dyn Fn() -> Millis + Send + Sync>;

/// What a stored line is to survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The death of fen, by whatever signal. The operating system writes to the disk in its own
    /// time, within seconds as a rule.
    #[default]
    Process,
    /// A loss of power too: each append waits for the disk, which takes milliseconds.
    Power,
}

/// How a [`JsonlBackend`] works.
#[derive(Clone)]
pub struct Config {
    /// The folder for all sessions, such as `~/.local/state/fen/sessions`. It is made when the
    /// first session is written.
    pub root: PathBuf,
    /// The time of new sessions and entries.
    pub clock: Clock,
    /// What a stored line is to survive.
    pub durability: Durability,
}

impl Config {
    /// The usual ways, with all sessions under `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let clock = Arc::new(Millis::now);
        Config { root: root.into(), clock, durability: Durability::default() }
    }
}

/// Keeps sessions as files of JSON lines; the crate's page says how.
pub struct JsonlBackend {
    store: Arc<Store>,
}

/// Runs file work on the blocking pool, or here where there is no runtime. Work that has begun is
/// finished even if nobody waits for it any more.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(work).await.unwrap_or_else(|error| {
            Err(Failure::new(format!("the session's file work was broken off: {error}")))
        }),
        Err(_) => work(),
    }
}

impl JsonlBackend {
    /// A backend that touches nothing until it is asked to.
    pub fn new(config: Config) -> Self {
        JsonlBackend { store: Arc::new(Store::new(config)) }
    }

    /// Takes what a person should know of how this session was opened: a torn line, a copy that
    /// was made. [`load`](SessionBackend::load) of its path tells the same, whichever comes first.
    pub fn take_notices(&self, session: &Session) -> Vec<String> {
        let open = own(session).ok();
        open.map(|open| std::mem::take(&mut *lock(&open.notices))).unwrap_or_default()
    }
}

fn own(session: &Session) -> Result<Arc<OpenSession>, Failure> {
    session.state.clone().downcast().map_err(|_| {
        Failure::caller(format!(
            "the session {} was not opened by the `{NAME}` backend",
            session.info.id
        ))
    })
}

/// The fields that stand in every entry and are not the caller's to give.
pub(crate) const OWN_FIELDS: [&str; 4] = ["type", "id", "parent-id", "timestamp"];

fn entry_fields(kind: &str, fields: Value) -> Result<Map<String, Value>, Failure> {
    if kind.is_empty() || kind == "session" || kind == "message" {
        return Err(Failure::caller(format!("an entry cannot be of the kind `{kind}`")));
    }
    let fields = match fields {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        other => {
            return Err(Failure::caller(format!(
                "the fields of a `{kind}` entry must be a table, got {other}"
            )));
        }
    };
    match OWN_FIELDS.iter().find(|name| fields.contains_key(**name)) {
        None => Ok(fields),
        Some(name) => Err(Failure::caller(format!(
            "a `{kind}` entry cannot have a field `{name}`: the backend gives it"
        ))),
    }
}

impl SessionBackend for JsonlBackend {
    fn open(&self, options: OpenOptions) -> BoxFuture<'_, Result<Session, Failure>> {
        // It only looks where the folder is, and every start does it: less than a thread costs.
        Box::pin(async move { self.store.open(options) })
    }

    fn open_existing<'a>(
        &'a self,
        path: &'a Path,
        options: OpenOptions,
    ) -> BoxFuture<'a, Result<Session, Failure>> {
        let (store, path) = (self.store.clone(), path.to_owned());
        Box::pin(blocking(move || store.open_existing(&path, options)))
    }

    /// A message that failed is kept and written before the next one: do not append it again.
    fn append<'a>(
        &'a self,
        session: &'a Session,
        message: &'a Message,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let message = message.clone();
        Box::pin(async move {
            let open = own(session)?;
            blocking(move || lock(&open.writer).add(|stamp| line::message_line(stamp, &message)))
                .await
        })
    }

    fn close<'a>(&'a self, session: &'a Session) -> BoxFuture<'a, Result<(), Failure>> {
        let store = self.store.clone();
        Box::pin(async move {
            let open = own(session)?;
            blocking(move || {
                store.forget(&open);
                lock(&open.writer).close()
            })
            .await
        })
    }

    fn load<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<Loaded, Failure>> {
        let (store, path) = (self.store.clone(), path.to_owned());
        Box::pin(blocking(move || store.load(&path)))
    }

    fn find(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        let store = self.store.clone();
        Box::pin(blocking(move || catalog::find(store.root(), &options)))
    }

    fn list(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        self.find(options)
    }

    fn latest(&self, options: FindOptions) -> BoxFuture<'_, Result<Option<SessionInfo>, Failure>> {
        let found = self.find(FindOptions { limit: Some(1), ..options });
        Box::pin(async move { Ok(found.await?.into_iter().next()) })
    }

    fn append_entry<'a>(
        &'a self,
        session: &'a Session,
        kind: &'a str,
        fields: Value,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let kind = kind.to_owned();
        Box::pin(async move {
            let open = own(session)?;
            let fields = entry_fields(&kind, fields)?;
            blocking(move || {
                lock(&open.writer).add(|stamp| line::entry_line(stamp, &kind, &fields))
            })
            .await
        })
    }

    fn load_entries<'a>(
        &'a self,
        path: &'a Path,
    ) -> BoxFuture<'a, Result<Vec<StoredEntry>, Failure>> {
        let path = path.to_owned();
        Box::pin(blocking(move || entries::load(&path)))
    }

    fn rename<'a>(
        &'a self,
        session: &'a Session,
        title: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let fields = serde_json::json!({ "title": title });
        self.append_entry(session, "title", fields)
    }

    fn preview<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<String, Failure>> {
        let path = path.to_owned();
        Box::pin(blocking(move || {
            let file = layout::readable(&path)?;
            preview::of(&file).map_err(|error| {
                Failure::new(format!("cannot read the session {}: {error}", path.display()))
            })
        }))
    }

    fn rename_stored<'a>(
        &'a self,
        path: &'a Path,
        title: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let (store, path, title) = (self.store.clone(), path.to_owned(), title.to_owned());
        Box::pin(blocking(move || store.rename(&path, &title)))
    }

    fn delete<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<(), Failure>> {
        let (store, path) = (self.store.clone(), path.to_owned());
        Box::pin(blocking(move || store.delete(&path)))
    }
}
