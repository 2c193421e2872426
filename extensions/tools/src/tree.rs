//! Walks a directory tree as `grep` and `find` see it: in parallel, by the rules of the ignore
//! files in their own directories, hidden files included, `.git` left out.
//!
//! Results are the first by path, whatever order the threads find them in. Once as many are known
//! as are wanted, all that comes after the last of them is not even looked at.

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder, WalkState};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::bounds::plural;
use crate::refusal::Refusal;
use crate::work::Stop;

/// The first results by path, up to a number.
pub(crate) struct First<T> {
    /// One more than is shown, so that it is known whether there are more.
    wanted: usize,
    full: AtomicBool,
    kept: Mutex<Kept<T>>,
}

struct Kept<T> {
    by_path: BTreeMap<PathBuf, (usize, T)>,
    count: usize,
}

impl<T> First<T> {
    pub(crate) fn new(limit: usize) -> Self {
        First {
            wanted: limit + 1,
            full: AtomicBool::new(false),
            kept: Mutex::new(Kept { by_path: BTreeMap::new(), count: 0 }),
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept<T>> {
        // Nothing panics while it holds the lock.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many results of one path are of use.
    pub(crate) fn wanted(&self) -> usize {
        self.wanted
    }

    /// Takes what was found at a path, which counts as `count` results.
    pub(crate) fn add(&self, path: PathBuf, count: usize, found: T) {
        let mut kept = self.kept();
        kept.count += count;
        kept.by_path.insert(path, (count, found));
        while let Some(last) = kept.by_path.last_entry() {
            let count = last.get().0;
            if kept.count - count < self.wanted {
                break;
            }
            kept.by_path.pop_last();
            kept.count -= count;
        }
        self.full.store(kept.count >= self.wanted, Ordering::Relaxed);
    }

    /// Whether nothing at or below the path can be among the first.
    fn is_beyond(&self, path: &Path) -> bool {
        self.full.load(Ordering::Relaxed)
            && self.kept().by_path.last_key_value().is_some_and(|(last, _)| path > last.as_path())
    }

    /// The results in the order of their paths, and whether there are more than were wanted.
    pub(crate) fn into_sorted(self) -> (Vec<(PathBuf, T)>, bool) {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let more = kept.count >= self.wanted;
        (kept.by_path.into_iter().map(|(path, (_, found))| (path, found)).collect(), more)
    }
}

/// A glob that is judged by a file's name, or by its path below the root if it has a slash.
pub(crate) struct Glob {
    matcher: GlobMatcher,
    by_path: bool,
    negated: bool,
}

impl Glob {
    /// Reads a glob. A leading `!` turns it round.
    pub(crate) fn new(text: &str, root: &Path) -> Result<Self, Refusal> {
        let (negated, glob) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        // An absolute one below the root means what is left of it.
        let below = root.to_str().and_then(|root| glob.strip_prefix(root));
        let glob = below.filter(|rest| rest.starts_with('/')).unwrap_or(glob);
        let by_path = glob.contains('/');
        let glob = glob.strip_prefix("./").unwrap_or(glob);
        let glob = glob.strip_prefix('/').unwrap_or(glob);
        if glob.is_empty() {
            return Err(Refusal::new("The glob is empty."));
        }
        let matcher = GlobBuilder::new(glob)
            .literal_separator(true)
            .build()
            .map_err(|error| Refusal(format!("Invalid glob: {error}.")))?
            .compile_matcher();
        Ok(Glob { matcher, by_path, negated })
    }

    /// Judges a file below the root.
    pub(crate) fn is_match(&self, root: &Path, path: &Path) -> bool {
        let matched = if self.by_path {
            self.matcher.is_match(path.strip_prefix(root).unwrap_or(path))
        } else {
            path.file_name().is_some_and(|name| self.matcher.is_match(name))
        };
        matched != self.negated
    }
}

/// How a walk went.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Walked {
    /// What could not be read.
    pub(crate) unreadable: usize,
    /// Whether the ignore files had to be left aside to see anything.
    pub(crate) rules_off: bool,
}

impl Walked {
    /// What a result should say about it.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.unreadable > 0 {
            notes.push(format!("{} could not be read", plural(self.unreadable as u64, "path")));
        }
        if self.rules_off {
            notes.push("All of it is ignored by git; searched all the same".to_owned());
        }
        notes
    }
}

/// Visits all below `root` that can still be among the `first`. `visitor` makes one visitor for
/// each thread. A directory that was `named` by the caller is searched even if all of it is
/// ignored.
pub(crate) fn walk<T: Send, V: FnMut(&DirEntry) + Send>(
    root: &Path,
    named: bool,
    stop: &Stop,
    first: &First<T>,
    visitor: impl Fn() -> V,
) -> Walked {
    let (seen, unreadable) = once(root, IgnoreFiles::Heeded, stop, first, &visitor);
    if seen > 0 || !named {
        return Walked { unreadable, rules_off: false };
    }
    let (seen, unreadable) = once(root, IgnoreFiles::LeftAside, stop, first, &visitor);
    Walked { unreadable, rules_off: seen > 0 }
}

/// Whether a walk goes by the rules of the ignore files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IgnoreFiles {
    Heeded,
    LeftAside,
}

fn once<T: Send, V: FnMut(&DirEntry) + Send>(
    root: &Path,
    rules: IgnoreFiles,
    stop: &Stop,
    first: &First<T>,
    visitor: &impl Fn() -> V,
) -> (usize, usize) {
    let (seen, unreadable) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (seen_in, unreadable_in) = (&seen, &unreadable);
    WalkBuilder::new(root)
        .standard_filters(rules == IgnoreFiles::Heeded)
        .hidden(false)
        // Ignore files count wherever they stand, not only in repositories.
        .require_git(false)
        .current_dir(root)
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git")
        .build_parallel()
        .run(|| {
            let mut visit = visitor();
            Box::new(move |entry| {
                if stop.is_set() {
                    return WalkState::Quit;
                }
                let Ok(entry) = entry else {
                    unreadable_in.fetch_add(1, Ordering::Relaxed);
                    return WalkState::Continue;
                };
                if entry.depth() == 0 {
                    return WalkState::Continue;
                }
                seen_in.fetch_add(1, Ordering::Relaxed);
                if first.is_beyond(entry.path()) {
                    return WalkState::Skip;
                }
                visit(&entry);
                WalkState::Continue
            })
        });
    (seen.into_inner(), unreadable.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_by_path_are_kept_whatever_comes_first() {
        let first = First::new(3);
        for (path, count) in [("d", 2), ("b/x", 1), ("z", 5), ("a", 1), ("c", 2)] {
            first.add(PathBuf::from(path), count, count);
        }
        assert!(first.is_beyond(Path::new("d")));
        assert!(!first.is_beyond(Path::new("b")));
        let (kept, more) = first.into_sorted();
        let paths: Vec<_> = kept.iter().map(|(path, _)| path.to_str().unwrap()).collect();
        assert_eq!(paths, ["a", "b/x", "c"]);
        assert!(more);
    }

    #[test]
    fn a_glob_judges_names_or_paths() {
        let root = Path::new("/r");
        let judge = |glob: &str, path: &str| {
            Glob::new(glob, root).unwrap().is_match(root, &root.join(path))
        };
        assert!(judge("*.rs", "a/b.rs"));
        assert!(judge("*.{rs,toml}", "a/b.toml"));
        assert!(judge("src/**/x.rs", "src/a/b/x.rs"));
        assert!(judge("src/**/x.rs", "src/x.rs"));
        assert!(!judge("src/*.rs", "src/a/x.rs"));
        assert!(!judge("src/*.rs", "a/src/x.rs"));
        assert!(judge("/r/src/*.rs", "src/x.rs"));
        assert!(judge("./*.rs", "x.rs") && !judge("./*.rs", "a/x.rs"));
        assert!(judge("!*.rs", "a.txt") && !judge("!*.rs", "a.rs"));
        assert!(Glob::new("a[", root).is_err());
        assert!(Glob::new("", root).is_err());
    }
}
