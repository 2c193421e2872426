//! Looks what files there are: below the project's root by its ignore files, or in one folder.
//!
//! All of it is bounded, in entries, bytes and time. It runs on the index's threads and keeps nothing.

use ignore::WalkBuilder;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many entries are listed.
const MOST_ENTRIES: usize = 100_000;
/// How many bytes their names may have together.
const MOST_BYTES: usize = 16 << 20;
/// How deep below the root they may be.
const DEEPEST: usize = 32;
/// How long a walk may take.
const LONGEST: Duration = Duration::from_secs(3);
/// How many entries of one folder are looked at.
const MOST_IN_FOLDER: usize = 10_000;

/// Paths with `/` between their parts; folders end in one.
pub(super) type Entries = Vec<Box<str>>;

/// Lists the files and folders below a root: no hidden ones, none that ignore files name. What has
/// been found so far is handed to `part` now and then. Shallow ones come first.
pub(super) fn walk(root: &Path, stop: &AtomicBool, mut part: impl FnMut(Entries)) -> Entries {
    let end = Instant::now() + LONGEST;
    let mut entries = Entries::new();
    let mut bytes = 0;
    let mut next_part = 1_024;
    let walk = WalkBuilder::new(root)
        // Ignore files count wherever they stand, not only in repositories.
        .require_git(false)
        .max_depth(Some(DEEPEST))
        .current_dir(root)
        .filter_entry(|entry| entry.file_name() != ".git" || entry.depth() == 0)
        .build();
    for entry in walk {
        if stop.load(Ordering::Relaxed) || Instant::now() > end {
            break;
        }
        // What cannot be read is not offered.
        let Ok(entry) = entry else { continue };
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let Some(name) = entry.path().strip_prefix(root).ok().and_then(Path::to_str) else {
            continue;
        };
        if name.is_empty() || name.chars().any(char::is_control) {
            continue;
        }
        let slash = if is_folder { "/" } else { "" };
        bytes += name.len();
        entries.push(format!("{name}{slash}").into());
        if entries.len() >= MOST_ENTRIES || bytes >= MOST_BYTES {
            break;
        }
        if entries.len() == next_part {
            next_part *= 4;
            part(sorted(entries.clone()));
        }
    }
    sorted(entries)
}

/// Shallow ones first, and by name.
fn sorted(mut entries: Entries) -> Entries {
    entries.sort_by_cached_key(|entry| {
        let whole = entry.strip_suffix('/').unwrap_or(entry);
        (whole.matches('/').count(), entry.clone())
    });
    entries
}

/// Lists one folder, hidden files included, and goes no deeper.
pub(super) fn list(folder: &Path) -> Entries {
    let Ok(read) = std::fs::read_dir(folder) else { return Entries::new() };
    let mut entries: Entries = read
        .take(MOST_IN_FOLDER)
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_folder = match entry.file_type().ok()? {
                kind if kind.is_symlink() => entry.path().is_dir(),
                kind => kind.is_dir(),
            };
            let is_plain = !name.chars().any(char::is_control);
            let slash = if is_folder { "/" } else { "" };
            is_plain.then(|| format!("{name}{slash}").into())
        })
        .collect();
    entries.sort();
    entries
}

/// What a query that names a folder asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The folder as it was written, with its slash.
    pub(super) written: String,
    /// The folder.
    pub(super) folder: PathBuf,
    /// The beginning of a name in it.
    pub(super) name: String,
}

/// The place that a query names, if it is one that the index does not hold: above the root, from the
/// top, at home, or with a hidden part.
pub(super) fn place(query: &str, root: &Path, home: Option<&Path>) -> Option<Place> {
    let is_elsewhere = query.starts_with('/')
        || query == "~"
        || query.starts_with("~/")
        || query.split('/').any(|part| part.starts_with('.'));
    if !is_elsewhere || query.contains('\0') {
        return None;
    }
    // `..` and `~` are folders before their slash is written.
    let query = match query.rsplit('/').next() {
        Some("..") => format!("{query}/"),
        _ if query == "~" => "~/".to_owned(),
        _ => query.to_owned(),
    };
    let (written, name) = query.split_at(query.rfind('/').map_or(0, |slash| slash + 1));
    let folder = match written.strip_prefix("~/") {
        Some(rest) => home?.join(rest),
        None => root.join(written),
    };
    Some(Place { written: written.to_owned(), folder, name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str) -> Option<(String, String, String)> {
        let place = place(query, Path::new("/root"), Some(Path::new("/home/me")))?;
        Some((place.written, place.folder.display().to_string(), place.name))
    }

    #[test]
    fn places_that_the_index_does_not_hold_are_known() {
        for (query, written, folder, name) in [
            ("/", "/", "/", ""),
            ("/us", "/", "/", "us"),
            ("/usr/lo", "/usr/", "/usr/", "lo"),
            ("~", "~/", "/home/me/", ""),
            ("~/no", "~/", "/home/me/", "no"),
            ("~/a/b", "~/a/", "/home/me/a/", "b"),
            ("..", "../", "/root/../", ""),
            ("../a", "../", "/root/../", "a"),
            ("src/../x", "src/../", "/root/src/../", "x"),
            ("./a", "./", "/root/./", "a"),
            (".gi", "", "/root/", ".gi"),
            (".github/w", ".github/", "/root/.github/", "w"),
        ] {
            let expected = (written.to_owned(), folder.to_owned(), name.to_owned());
            assert_eq!(found(query), Some(expected), "{query}");
        }
        for query in ["", "src/main", "a.rs", "~a", "a~/b", "\0/"] {
            assert_eq!(found(query), None, "{query}");
        }
        assert_eq!(place("~/a", Path::new("/root"), None), None);
    }

    #[test]
    fn a_listing_has_an_order_and_shows_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", ".hidden", "new\nline"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("link")).unwrap();
        let entries = list(folder.path());
        assert_eq!(
            entries.iter().map(|entry| &**entry).collect::<Vec<_>>(),
            [".hidden", "a/", "b", "link/"]
        );
        assert!(list(&folder.path().join("none")).is_empty());
    }

    #[test]
    fn a_walk_stops_when_it_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "").unwrap();
        assert_eq!(walk(folder.path(), &AtomicBool::new(false), |_| {}).len(), 1);
        assert!(walk(folder.path(), &AtomicBool::new(true), |_| {}).is_empty());
    }

    #[test]
    fn a_long_walk_shows_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        for at in 0..1_100 {
            std::fs::write(folder.path().join(format!("{at}")), "").unwrap();
        }
        let mut parts = Vec::new();
        let all = walk(folder.path(), &AtomicBool::new(false), |part| parts.push(part.len()));
        assert_eq!((parts, all.len()), (vec![1_024], 1_100));
    }
}
