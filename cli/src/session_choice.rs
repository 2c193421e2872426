//! Which session a run stores into, and the messages that it begins with.
//!
//! It reads first and opens later, so that a run which fails over its provider leaves no session
//! open. It knows no backend by name; `run` calls it.

use crate::arguments::RunArgs;
use crate::exit;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo,
};
use fen_core::Kernel;
use fen_core::settings::Settings;
use std::path::Path;
use std::sync::Arc;

/// How many fitting sessions an ambiguous id lists.
const LISTED: usize = 8;

/// What was chosen, before a session is opened.
pub enum Choice {
    /// Nothing is stored.
    None,
    /// A new session.
    New(Arc<dyn SessionBackend>),
    /// A stored one, already read.
    Stored {
        /// The backend.
        backend: Arc<dyn SessionBackend>,
        /// The session.
        info: SessionInfo,
        /// Its messages.
        loaded: Box<Loaded>,
    },
}

/// Reads the flags and, where one is named, the stored session.
pub async fn choose(
    kernel: &Kernel,
    settings: &Settings,
    args: &RunArgs,
    cwd: &Path,
) -> Result<Choice, Failure> {
    if args.no_session {
        return Ok(Choice::None);
    }
    // The command line goes before what an extension made active, and that before the settings.
    let active = kernel.active_session_backend();
    let name = args.session.as_deref().or(active.as_deref()).or(settings.session.as_deref());
    let backend = backend(kernel, name)?;
    let info = if args.continue_latest {
        let options = FindOptions { cwd: Some(cwd.to_owned()), ..FindOptions::default() };
        match backend.latest(options).await? {
            Some(info) => info,
            None => {
                return Err(Failure::caller(format!(
                    "there is no session of {} to continue; begin one without --continue",
                    cwd.display()
                )));
            }
        }
    } else if let Some(id) = &args.resume {
        by_id(&*backend, id).await?
    } else {
        return Ok(Choice::New(backend));
    };
    let loaded = backend.load(&info.path).await?;
    for warning in &loaded.warnings {
        exit::note(&format!("fen: {warning}"));
    }
    if !info.cwd.exists() {
        let old = info.cwd.display();
        exit::note(&format!("fen: the folder of this session, {old}, is gone or has moved"));
    } else if info.cwd.canonicalize().ok() != cwd.canonicalize().ok() {
        exit::note(&format!("fen: this session was begun in {}", info.cwd.display()));
    }
    Ok(Choice::Stored { backend, info, loaded: Box::new(loaded) })
}

fn backend(kernel: &Kernel, name: Option<&str>) -> Result<Arc<dyn SessionBackend>, Failure> {
    let registry = kernel.registry();
    let found = match name {
        Some(name) => registry.find(Kind::SessionBackend, name),
        None => registry.of_kind(Kind::SessionBackend).next(),
    };
    match found.map(|entry| &entry.contribution) {
        Some(Contribution::SessionBackend(spec)) => Ok(spec.backend.clone()),
        _ => Err(match name {
            Some(name) => registry.nothing_named(Kind::SessionBackend, name),
            None => Failure::new("there is no session backend; --no-session goes without one"),
        }),
    }
}

async fn by_id(backend: &dyn SessionBackend, id: &str) -> Result<SessionInfo, Failure> {
    let options = FindOptions { id: Some(id.to_owned()), ..FindOptions::default() };
    let mut found = backend.find(options).await?;
    if let Some(exact) = found.iter().position(|info| info.id == *id) {
        return Ok(found.swap_remove(exact));
    }
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::caller(format!("there is no session whose id begins with `{id}`"))),
        several => {
            let rows: Vec<String> = several
                .iter()
                .take(LISTED)
                .map(|info| {
                    let title = info.title.as_deref().unwrap_or("untitled");
                    format!("\n  {}  {}", info.id, fen_core::printable::printable_line(title))
                })
                .collect();
            Err(Failure::caller(format!(
                "`{id}` fits {} sessions; give more of the id:{}",
                several.len(),
                rows.concat()
            )))
        }
    }
}

impl Choice {
    /// The provider and model that the stored session was last used with.
    pub fn last_used(&self) -> (Option<String>, Option<String>) {
        match self {
            Choice::Stored { loaded, .. } => (loaded.provider.clone(), loaded.model.clone()),
            Choice::None | Choice::New(_) => (None, None),
        }
    }

    /// Opens the session.
    pub async fn open(
        self,
        options: OpenOptions,
    ) -> Result<Option<(Arc<dyn SessionBackend>, Session, Loaded)>, Failure> {
        Ok(match self {
            Choice::None => None,
            Choice::New(backend) => {
                let session = backend.open(options).await?;
                Some((backend, session, Loaded::default()))
            }
            Choice::Stored { backend, info, loaded } => {
                let session = backend.open_existing(&info.path, options).await?;
                if session.info.id != info.id {
                    exit::note(&format!("fen: the copy is session {}", session.info.id));
                }
                Some((backend, session, *loaded))
            }
        })
    }
}
