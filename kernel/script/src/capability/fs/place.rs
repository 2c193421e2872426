//! What a path of a script means, and whether it may be touched.
//!
//! Every link on the way is followed here, one step at a time, so that what is checked is what is
//! opened: the path that comes out holds no links and no `..`. Folders are compared by device and
//! inode as well as by name, since a name may have other spellings on the disk. It must never be
//! asked on the script thread: it looks at the disk.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use super::super::Surroundings;
use super::super::answer::{Kind, Refusal};

/// Folders of the kernel's, in which files are views of processes and devices.
const KERNEL_FILES: [&str; 3] = ["/proc", "/sys", "/dev"];

/// How many links may follow each other; the system's own limit.
const MAX_LINKS: usize = 40;

/// What is going to be done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Something is looked at.
    Read,
    /// Something is made or changed there; a link at the end is followed.
    Write,
    /// The name itself goes or comes: a link at the end is what is meant.
    Name,
}

/// Where paths start and where they must not lead.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    cwd: PathBuf,
    folder: Option<PathBuf>,
    closed: Vec<PathBuf>,
}

/// A place that may be touched.
#[derive(Debug)]
pub(super) struct Place {
    /// Without links, except a last one that is meant itself.
    pub(super) path: PathBuf,
    /// What is there, if something is.
    pub(super) found: Option<Metadata>,
}

/// The path as a message shows it: no control characters.
pub(super) fn shown(path: &OsStr) -> String {
    let replaced = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    path.to_string_lossy().chars().map(replaced).collect()
}

/// The path that is meant, before links are followed.
pub(in super::super) fn absolute(cwd: &Path, given: &OsStr) -> PathBuf {
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    match given.as_bytes() {
        b"~" => home().unwrap_or_else(|| cwd.join(given)),
        [b'~', b'/', rest @ ..] => {
            home().map_or_else(|| cwd.join(given), |home| home.join(OsStr::from_bytes(rest)))
        }
        _ => cwd.join(given),
    }
}

impl Paths {
    pub(super) fn of(around: &Surroundings) -> Self {
        let Surroundings { cwd, folder, closed, .. } = around;
        Paths { cwd: cwd.clone(), folder: folder.clone(), closed: closed.clone() }
    }

    /// Finds what `given` leads to and whether that may be done there. `act` is for the message,
    /// such as "read".
    pub(super) fn find(&self, act: &str, given: &OsStr, access: Access) -> Result<Place, Refusal> {
        let words = || format!("{act} {}", shown(given));
        let path = absolute(&self.cwd, given);
        if access == Access::Name
            && !matches!(path.components().next_back(), Some(Component::Normal(_)))
        {
            let refusal = format!("cannot {}: the path must end with a name", words());
            return Err(Refusal::new(Kind::Invalid, refusal));
        }
        let walk = Walk::to(&path, access != Access::Name)
            .map_err(|error| Refusal::io(&words(), &error))?;
        if KERNEL_FILES.iter().any(|folder| walk.real.starts_with(folder)) {
            let refusal = format!(
                "cannot {}: it is a view of the running system, memory and environments among it; \
                 `process` is the capability for that",
                words()
            );
            return Err(Refusal::new(Kind::Denied, refusal));
        }
        if self.is_closed(&walk, access) {
            let refusal = format!(
                "cannot {}: it belongs to fen's own configuration and state, which extensions do \
                 not touch",
                words()
            );
            return Err(Refusal::new(Kind::Denied, refusal));
        }
        Ok(Place { path: walk.real, found: walk.found })
    }

    fn is_closed(&self, walk: &Walk, access: Access) -> bool {
        // Looked up each time: they may have been made, moved or linked since.
        let closed: Vec<Walk> =
            self.closed.iter().filter_map(|folder| Walk::to(folder, true).ok()).collect();
        if access == Access::Name
            && closed.iter().flat_map(|closed| &closed.passed).any(|passed| walk.ends_at(passed))
        {
            // To move a folder above a closed one, or a link to it, is to open it.
            return true;
        }
        let own = self.folder.as_ref().and_then(|folder| Walk::to(folder, true).ok());
        for ancestor in walk.real.ancestors() {
            let here = Point::at(ancestor.to_path_buf());
            let is = |folder: &Walk| here.is(&folder.end());
            if access == Access::Read && own.as_ref().is_some_and(is) {
                return false;
            }
            if closed.iter().any(is) {
                return true;
            }
        }
        false
    }
}

/// A name on the disk and what it stands for, without following it.
#[derive(Debug)]
struct Point {
    path: PathBuf,
    identity: Option<(u64, u64)>,
}

impl Point {
    fn at(path: PathBuf) -> Self {
        let identity = std::fs::symlink_metadata(&path).ok();
        Point { path, identity: identity.as_ref().map(identity_of) }
    }

    fn is(&self, other: &Point) -> bool {
        self.path == other.path || (self.identity.is_some() && self.identity == other.identity)
    }
}

fn identity_of(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// The way to a path, link by link.
#[derive(Debug)]
struct Walk {
    /// Where it ends.
    real: PathBuf,
    /// What is there.
    found: Option<Metadata>,
    /// Every name on the way, links among them.
    passed: Vec<Point>,
}

impl Walk {
    /// Goes there. What is missing at the end is taken by its name; `..` after something missing
    /// is an error, as it is to the system.
    fn to(path: &Path, follow_last: bool) -> io::Result<Walk> {
        let mut left: VecDeque<OsString> = parts(path).collect();
        let mut walk = Walk {
            real: PathBuf::from("/"),
            found: std::fs::symlink_metadata("/").ok(),
            passed: Vec::new(),
        };
        let mut links = 0;
        while let Some(part) = left.pop_front() {
            if part == ".." {
                if walk.found.is_none() {
                    return Err(io::ErrorKind::NotFound.into());
                }
                walk.real.pop();
                walk.found = std::fs::symlink_metadata(&walk.real).ok();
                continue;
            }
            match &walk.found {
                Some(above) if !above.is_dir() => return Err(io::ErrorKind::NotADirectory.into()),
                _ => {}
            }
            let next = walk.real.join(&part);
            let found = match (&walk.found, std::fs::symlink_metadata(&next)) {
                (Some(_), Ok(found)) => Some(found),
                (Some(_), Err(error)) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error);
                }
                _ => None,
            };
            let identity = found.as_ref().map(identity_of);
            walk.passed.push(Point { path: next.clone(), identity });
            let is_link = found.as_ref().is_some_and(Metadata::is_symlink);
            if is_link && (follow_last || !left.is_empty()) {
                links += 1;
                if links > MAX_LINKS {
                    return Err(rustix::io::Errno::LOOP.into());
                }
                let target = std::fs::read_link(&next)?;
                if target.is_absolute() {
                    walk.real = PathBuf::from("/");
                    walk.found = std::fs::symlink_metadata("/").ok();
                }
                for part in parts(&target).collect::<Vec<_>>().into_iter().rev() {
                    left.push_front(part);
                }
            } else {
                (walk.real, walk.found) = (next, found);
            }
        }
        Ok(walk)
    }

    fn end(&self) -> Point {
        Point { path: self.real.clone(), identity: self.found.as_ref().map(identity_of) }
    }

    fn ends_at(&self, point: &Point) -> bool {
        self.end().is(point)
    }
}

/// The names in a path and its `..`.
fn parts(path: &Path) -> impl Iterator<Item = OsString> + '_ {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_os_string()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}
