//! The sessions under one root: beginning, opening, copying, loading and deleting them.
//!
//! It carries no state of a conversation but the writers of the open sessions. All of it blocks;
//! the backend calls it from the blocking pool.

use crate::backend::Config;
use crate::copy;
use crate::layout::{self, Lock};
use crate::line::{self, Header, NewHeader, VERSION};
use crate::reader;
use crate::summary;
use crate::writer::{Ways, Writer};
use fen_contract::failure::Failure;
use fen_contract::names::{Count, Millis};
use fen_contract::session::{Loaded, OpenOptions, Session, SessionInfo};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// All sessions under one root.
pub(crate) struct Store {
    config: Config,
    /// The open sessions by path, so that loading one can tell what was found when it was opened.
    open: Mutex<HashMap<PathBuf, Weak<OpenSession>>>,
}

/// The backend's part of a [`Session`].
pub(crate) struct OpenSession {
    path: PathBuf,
    pub(crate) writer: Mutex<Writer>,
    pub(crate) notices: Mutex<Vec<String>>,
}

/// A writer keeps itself consistent at every step, so a panic elsewhere leaves it usable.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn new_session_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

impl Store {
    pub(crate) fn new(config: Config) -> Self {
        Store { config, open: Mutex::default() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.config.root
    }

    /// Ends the memory of a session that is being closed.
    pub(crate) fn forget(&self, session: &OpenSession) {
        lock(&self.open).remove(&session.path);
    }

    fn now(&self) -> Millis {
        (self.config.clock)()
    }

    fn ways(&self) -> Ways {
        Ways { clock: self.config.clock.clone(), durability: self.config.durability }
    }

    fn path(&self, cwd: &Path, now: Millis, id: &str) -> PathBuf {
        layout::folder(&self.config.root, cwd).join(layout::file_name(now, id))
    }

    fn opened(&self, info: SessionInfo, writer: Writer, notices: Vec<String>) -> Session {
        let path = info.path.clone();
        let session = Arc::new(OpenSession {
            path: path.clone(),
            writer: Mutex::new(writer),
            notices: Mutex::new(notices),
        });
        let mut open = lock(&self.open);
        open.retain(|_, session| session.strong_count() > 0);
        open.insert(path, Arc::downgrade(&session));
        Session { info, state: session }
    }

    /// Begins a session; its file comes with its first entry.
    pub(crate) fn open(&self, options: OpenOptions) -> Result<Session, Failure> {
        let (id, now) = (new_session_id(), self.now());
        let cwd = layout::canonical(&options.cwd);
        let path = self.path(&cwd, now, &id);
        let header = line::line_of(&NewHeader {
            r#type: "session",
            version: VERSION,
            id: &id,
            timestamp: now,
            cwd: &cwd.to_string_lossy(),
            provider: options.provider.as_deref(),
            model: options.model.as_deref(),
            forked_from: None,
        })?;
        let info = SessionInfo {
            id: id.as_str().into(),
            path: path.clone(),
            cwd,
            timestamp: now,
            title: None,
            message_count: Count(0),
            version: Count(VERSION),
            size: None,
            modified: None,
        };
        let writer = Writer::unborn(id, path, header, self.ways());
        Ok(self.opened(info, writer, Vec::new()))
    }

    /// Opens a stored session for adding to it, or a copy of it.
    pub(crate) fn open_existing(
        &self,
        path: &Path,
        options: OpenOptions,
    ) -> Result<Session, Failure> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let source = layout::readable(&path)?;
        let info = described(&path, &source)?;
        let shown = path.display();
        if info.version != Count(VERSION) {
            return self.open_copy(&source, info, options);
        }
        let file = layout::existing_file(&path)
            .map_err(|error| Failure::new(format!("cannot open {shown} for writing: {error}")))?;
        become_only_writer(&info, &file)?;
        if let Some(folder) = path.parent().filter(|folder| folder.starts_with(&self.config.root)) {
            // Privacy of a folder that is someone else's is not fen's to enforce.
            let _ = layout::private_folder(&self.config.root);
            let _ = layout::private_folder(folder);
        }
        let id = info.id.as_str().to_owned();
        let (writer, notice) = Writer::existing(id, path, file, self.ways())?;
        Ok(self.opened(info, writer, notice.into_iter().collect()))
    }

    /// Continues a file that cannot be added to in a copy of it.
    fn open_copy(
        &self,
        source: &File,
        original: SessionInfo,
        options: OpenOptions,
    ) -> Result<Session, Failure> {
        let trouble = |error: io::Error| {
            let shown = original.path.display();
            Failure::new(format!("cannot read the session {shown}: {error}"))
        };
        let mut rewound = source;
        rewound.rewind().map_err(trouble)?;
        let contents = reader::read(source);
        rewound.rewind().map_err(trouble)?;
        let cwd = match original.cwd.as_os_str().is_empty() {
            true => layout::canonical(&options.cwd),
            false => layout::canonical(&original.cwd),
        };
        let (id, now) = (new_session_id(), self.now());
        let path = self.path(&cwd, now, &id);
        let named = Header {
            provider: options.provider,
            model: options.model,
            ..contents.header.clone().unwrap_or_default()
        };
        let shown_cwd = cwd.to_string_lossy();
        let header = copy::header(&id, now, &shown_cwd, Some(&named), original.id.as_str());
        let copied = copy::copy(source, &path, &header, now)?;
        let mut notices = contents.warnings.into_list();
        let reason = reader::version_notice(contents.header.as_ref()).unwrap_or_default();
        notices.push(format!("{reason} (the copy is session {id})"));
        let info = SessionInfo {
            id: id.as_str().into(),
            path: path.clone(),
            cwd,
            timestamp: now,
            version: Count(VERSION),
            ..original
        };
        let writer = Writer::for_copy(id, path, copied.file, copied.leaf, self.ways());
        Ok(self.opened(info, writer, notices))
    }

    /// Reads a stored session, with what was found when it was opened.
    pub(crate) fn load(&self, path: &Path) -> Result<Loaded, Failure> {
        let mut loaded = reader::load(path)?;
        let open = std::path::absolute(path)
            .ok()
            .and_then(|path| lock(&self.open).get(&path).and_then(Weak::upgrade));
        if let Some(open) = open {
            loaded.warnings.splice(0..0, std::mem::take(&mut *lock(&open.notices)));
        }
        Ok(loaded)
    }

    /// Gives a session that nobody has open a title.
    pub(crate) fn rename(&self, path: &Path, title: &str) -> Result<(), Failure> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let info = described(&path, &layout::readable(&path)?)?;
        if info.version != Count(VERSION) {
            return Err(Failure::caller(format!(
                "the session {} is in another format and stays as it is; resume it, which makes a \
                 copy, and give that a title",
                info.id
            )));
        }
        let file = layout::existing_file(&path).map_err(|error| {
            Failure::new(format!("cannot open {} for writing: {error}", path.display()))
        })?;
        become_only_writer(&info, &file)?;
        let id = info.id.as_str().to_owned();
        let (mut writer, _) = Writer::existing(id, path, file, self.ways())?;
        let fields = serde_json::json!({ "title": title });
        writer.add(|stamp| line::entry_line(stamp, "title", &fields))?;
        writer.close()
    }

    /// Deletes a session that nobody has open.
    pub(crate) fn delete(&self, path: &Path) -> Result<(), Failure> {
        let shown = path.display();
        let root = layout::canonical(&self.config.root);
        let inside =
            path.parent().is_some_and(|folder| layout::canonical(folder).starts_with(root));
        if !inside || !layout::is_session_name(path) {
            return Err(Failure::caller(format!("{shown} is not one of fen's sessions")));
        }
        let file = layout::readable(path)?;
        let id = layout::id_in_name(path).unwrap_or("at this path");
        match layout::lock(&file) {
            Ok(Lock::Taken) => {}
            Ok(Lock::Busy) => {
                return Err(Failure::caller(format!(
                    "the session {id} is in use; close it before deleting it"
                )));
            }
            Err(error) => return Err(Failure::new(format!("cannot lock {shown}: {error}"))),
        }
        std::fs::remove_file(path)
            .map_err(|error| Failure::new(format!("cannot delete {shown}: {error}")))
    }
}

/// What is known of a stored session.
fn described(path: &Path, file: &File) -> Result<SessionInfo, Failure> {
    let shown = path.display();
    summary::describe(path, file)
        .map_err(|error| Failure::new(format!("cannot read the session {shown}: {error}")))?
        .ok_or_else(|| Failure::caller(format!("{shown} holds nothing of a fen session")))
}

/// Locks a stored session for writing.
fn become_only_writer(info: &SessionInfo, file: &File) -> Result<(), Failure> {
    let (id, shown) = (&info.id, info.path.display());
    match layout::lock(file) {
        Ok(Lock::Taken) if layout::leads_to(&info.path, file) => Ok(()),
        Ok(Lock::Taken) => Err(Failure::caller(format!(
            "the session {id} was moved or deleted while it was being opened"
        ))),
        Ok(Lock::Busy) => Err(Failure::caller(format!(
            "the session {id} is open in another fen ({shown}). Close it there and resume it \
             again, or begin a new session"
        ))),
        Err(error) => Err(Failure::new(format!("cannot lock the session {shown}: {error}"))),
    }
}
