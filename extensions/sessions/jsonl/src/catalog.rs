//! Looks sessions up: walks the folders, sorts by time, and opens no more files than asked for.

use crate::layout;
use crate::summary;
use fen_contract::failure::Failure;
use fen_contract::session::{FindOptions, SessionInfo};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file that may be a session; it has not been opened.
struct Candidate {
    path: PathBuf,
    modified: SystemTime,
}

impl Candidate {
    /// Newest first; among equals the later id first, and then by path.
    fn sort_key(&self) -> impl Ord + '_ {
        let id = layout::id_in_name(&self.path);
        std::cmp::Reverse((self.modified, id, &self.path))
    }
}

/// The sessions that fit, newest first.
pub(crate) fn find(root: &Path, options: &FindOptions) -> Result<Vec<SessionInfo>, Failure> {
    let limit = options.limit.unwrap_or(usize::MAX);
    let cwd = options.cwd.as_deref().map(layout::canonical);
    let mut candidates = candidates(root, cwd.as_deref()).map_err(|error| {
        Failure::new(format!("cannot list the sessions in {}: {error}", root.display()))
    })?;
    candidates.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    let mut found = Vec::new();
    for candidate in candidates {
        if found.len() >= limit {
            break;
        }
        if let (Some(prefix), Some(id)) = (&options.id, layout::id_in_name(&candidate.path))
            && !begins_with(id, prefix)
        {
            continue;
        }
        // A file that vanished or cannot be read is no session that could be resumed.
        let Ok(file) = File::open(&candidate.path) else { continue };
        let Ok(Some(info)) = summary::describe(&candidate.path, &file) else { continue };
        if fits(&info, options, cwd.as_deref()) {
            found.push(info);
        }
    }
    Ok(found)
}

fn fits(info: &SessionInfo, options: &FindOptions, cwd: Option<&Path>) -> bool {
    let id_fits = options.id.as_deref().is_none_or(|prefix| begins_with(info.id.as_str(), prefix));
    // A file without a readable header is judged by its folder alone.
    let cwd_fits = cwd.is_none_or(|cwd| {
        let unknown = info.cwd.as_os_str().is_empty();
        unknown || same_text(&info.cwd, cwd) || layout::canonical(&info.cwd) == cwd
    });
    let text_fits = options.text.as_deref().is_none_or(|text| {
        let title = info.title.as_deref().unwrap_or_default().to_lowercase();
        text.to_lowercase().split_whitespace().all(|word| title.contains(word))
    });
    id_fits && cwd_fits && text_fits
}

/// Compares as the header keeps it: text, in which bytes that are no UTF-8 were replaced.
fn same_text(stored: &Path, cwd: &Path) -> bool {
    stored.to_string_lossy() == cwd.to_string_lossy()
}

fn begins_with(id: &str, prefix: &str) -> bool {
    id.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// All files in the root and its folders, or in the folder of one directory and the root.
fn candidates(root: &Path, cwd: Option<&Path>) -> io::Result<Vec<Candidate>> {
    let mut all = Vec::new();
    let folders = match cwd {
        Some(cwd) => {
            files_in(root, &mut all)?;
            vec![layout::folder(root, cwd)]
        }
        None => files_in(root, &mut all)?,
    };
    for folder in folders {
        // One folder that cannot be read must not hide the others.
        let _ = files_in(&folder, &mut all);
    }
    Ok(all)
}

/// Adds the session files of a folder and gives its subfolders. A missing folder is an empty one.
fn files_in(folder: &Path, all: &mut Vec<Candidate>) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folders),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        // Follows links: a session may have been moved to another disk.
        let Ok(metadata) = std::fs::metadata(&path) else { continue };
        if metadata.is_dir() {
            folders.push(path);
        } else if metadata.is_file() && layout::is_session_name(&path) {
            let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            all.push(Candidate { path, modified });
        }
    }
    Ok(folders)
}
