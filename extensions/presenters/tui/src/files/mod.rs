//! The project's files, for completing their names.
//!
//! Looking for files is done by threads of its own; asking never waits, and answers with what is
//! known. When more becomes known, the one who asked is told. Nothing is written, and no file is
//! opened but ignore files. The application's completion calls it.

mod scan;

use crate::fuzzy;
use scan::{Entries, Place};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long what is known stands before it is looked for again.
const FRESH: Duration = Duration::from_secs(5);

/// How many threads look at once. A folder can take for ever, as on a network that is gone.
const MOST_LOOKERS: usize = 4;

/// Whom to tell when there is more to be known.
type Tell = Arc<dyn Fn() + Send + Sync>;

/// The files below a root, as far as they are known.
pub(crate) struct FileIndex {
    root: PathBuf,
    home: Option<PathBuf>,
    fresh: Duration,
    shared: Arc<Shared>,
}

struct Shared {
    tell: Tell,
    /// Set when nobody will ask again.
    stop: AtomicBool,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    project: Listing,
    /// The one folder that was asked for last.
    folder: Option<(PathBuf, Listing)>,
    /// How many threads look at present.
    lookers: usize,
}

#[derive(Default)]
struct Listing {
    entries: Arc<Entries>,
    /// When it was last complete.
    since: Option<Instant>,
    is_looked_for: bool,
}

impl Listing {
    /// Whether it has to be looked for; then somebody is taken to do so.
    fn is_due(&mut self, fresh: Duration) -> bool {
        let is_old = self.since.is_none_or(|since| since.elapsed() > fresh);
        let is_due = is_old && !self.is_looked_for;
        self.is_looked_for |= is_due;
        is_due
    }

    fn set(&mut self, entries: Entries) {
        self.entries = Arc::new(entries);
        self.since = Some(Instant::now());
        self.is_looked_for = false;
    }
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        // What is known is whole at every point where a panic could strike.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FileIndex {
    /// An index of what is below a root. Nothing is looked for before somebody asks. `tell` is called
    /// from another thread whenever the answer to a question may have changed.
    pub(crate) fn new(
        root: &Path,
        home: Option<&Path>,
        tell: impl Fn() + Send + Sync + 'static,
    ) -> FileIndex {
        let known = Mutex::new(Known::default());
        let shared = Shared { tell: Arc::new(tell), stop: AtomicBool::new(false), known };
        FileIndex {
            root: root.to_owned(),
            home: home.map(Path::to_owned),
            fresh: FRESH,
            shared: Arc::new(shared),
        }
    }

    /// The paths that match best, the best first. A query that names a place outside of what is
    /// indexed, as `../`, `~/`, `/` and hidden folders are, is answered from that folder alone.
    pub(crate) fn matches(&self, query: &str, limit: usize) -> Vec<String> {
        match scan::place(query, &self.root, self.home.as_deref()) {
            Some(place) => self.in_place(&place, limit),
            None => {
                let entries = self.project();
                best(query, &entries, limit).map(|at| entries[at].to_string()).collect()
            }
        }
    }

    /// What is known of the project; looked for where it is old.
    fn project(&self) -> Arc<Entries> {
        let mut known = self.shared.known();
        let entries = known.project.entries.clone();
        let is_due = known.project.is_due(self.fresh);
        let is_first = known.project.since.is_none();
        drop(known);
        if is_due {
            let (shared, root) = (self.shared.clone(), self.root.clone());
            let look = move || {
                let entries = scan::walk(&root, &shared.stop, |part| {
                    // Later on, the old list is better than a part of the new one.
                    if is_first {
                        shared.known().project.entries = Arc::new(part);
                        (shared.tell)();
                    }
                });
                shared.known().project.set(entries);
                (shared.tell)();
            };
            if !start(&self.shared, look) {
                self.shared.known().project.is_looked_for = false;
            }
        }
        entries
    }

    fn in_place(&self, place: &Place, limit: usize) -> Vec<String> {
        let entries = self.folder(&place.folder);
        // Hidden ones are shown to those who ask for them.
        let is_shown = |name: &str| place.name.starts_with('.') || !name.starts_with('.');
        let shown: Vec<&str> =
            entries.iter().map(|name| &**name).filter(|name| is_shown(name)).collect();
        let found = best(&place.name, &shown, limit);
        found.map(|at| format!("{}{}", place.written, shown[at])).collect()
    }

    /// What is known of one folder; looked for where it is old or another one.
    fn folder(&self, folder: &Path) -> Arc<Entries> {
        let mut known = self.shared.known();
        if known.folder.as_ref().is_none_or(|(path, _)| path != folder) {
            known.folder = Some((folder.to_owned(), Listing::default()));
        }
        let Some((_, listing)) = &mut known.folder else { return Arc::default() };
        let entries = listing.entries.clone();
        let is_due = listing.is_due(self.fresh);
        drop(known);
        if is_due {
            let (shared, folder) = (self.shared.clone(), folder.to_owned());
            let look = move || {
                let entries = scan::list(&folder);
                if let Some((path, listing)) = &mut shared.known().folder
                    && *path == folder
                {
                    listing.set(entries);
                }
                (shared.tell)();
            };
            if !start(&self.shared, look) {
                self.shared.known().folder = None;
            }
        }
        entries
    }
}

impl Drop for FileIndex {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}

fn best<T: AsRef<str>>(query: &str, names: &[T], limit: usize) -> impl Iterator<Item = usize> {
    fuzzy::rank(query, names, limit).into_iter().map(|found| found.index)
}

/// One of the threads that look.
struct Looker(Arc<Shared>);

impl Drop for Looker {
    fn drop(&mut self) {
        let mut known = self.0.known();
        known.lookers = known.lookers.saturating_sub(1);
    }
}

/// Starts a thread; whether there could be one.
fn start(shared: &Arc<Shared>, look: impl FnOnce() + Send + 'static) -> bool {
    {
        let mut known = shared.known();
        if known.lookers >= MOST_LOOKERS {
            return false;
        }
        known.lookers += 1;
    }
    let looker = Looker(shared.clone());
    let body = move || {
        let _looker = looker;
        look();
    };
    thread::Builder::new().name("fen-files".to_owned()).spawn(body).is_ok()
}

#[cfg(test)]
mod tests;
