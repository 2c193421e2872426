//! Paths as models write them and as they are shown to models.

use std::fs::{FileType, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::refusal::Refusal;

/// How many links may follow each other; the kernel's own limit.
const MAX_LINKS: usize = 40;

/// The path that `given` means for a call in `cwd`.
pub(crate) fn resolve(cwd: &Path, given: &str) -> Result<PathBuf, Refusal> {
    if given.is_empty() {
        return Err(Refusal::new("The path is empty."));
    }
    if given.contains('\0') {
        return Err(Refusal::new("The path contains a NUL."));
    }
    let home = || std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    if let Some(rest) = given.strip_prefix("~/")
        && let Some(home) = home()
    {
        return Ok(home.join(rest));
    }
    if given == "~"
        && let Some(home) = home()
    {
        return Ok(home);
    }
    Ok(cwd.join(given))
}

/// The path in words: bad UTF-8 and control characters become U+FFFD, so that a file's name can
/// neither break a line nor reach the terminal as a command.
pub(crate) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.chars().map(|c| if c.is_control() { crate::text::REPLACEMENT } else { c }).collect()
}

/// The path relative to `cwd` if it is below it.
pub(crate) fn shown_from(cwd: &Path, path: &Path) -> String {
    match path.strip_prefix(cwd) {
        Ok(rest) if rest.as_os_str().is_empty() => ".".to_owned(),
        Ok(rest) => shown(rest),
        Err(_) => shown(path),
    }
}

/// Follows the links at the end of `path`; what it gives is no link and may not exist yet.
pub(crate) fn follow_links(path: &Path) -> Result<PathBuf, Refusal> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = std::fs::read_link(&path)
                    .map_err(|error| Refusal::io("follow", &path, &error))?;
                path = path.parent().unwrap_or(Path::new("/")).join(target);
            }
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(Refusal::io("open", &path, &error)),
        }
    }
    Err(Refusal::io("follow", &path, &rustix::io::Errno::LOOP.into()))
}

/// One name for all paths that lead to the same file, also for a file that is not made yet.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let target = follow_links(path).unwrap_or_else(|_| path.to_path_buf());
    let mut rest = Vec::new();
    for ancestor in target.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            return rest.iter().rev().fold(real, |path, part| path.join(part));
        }
        match ancestor.components().next_back() {
            Some(Component::Normal(name)) => rest.push(name.to_os_string()),
            _ => break,
        }
    }
    target
}

/// What a file is, in words.
pub(crate) fn kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else if kind.is_symlink() {
        "a symbolic link"
    } else {
        "a regular file"
    }
}

/// Looks at a file before it is opened: opening a pipe would wait for its other end.
pub(crate) fn regular(verb: &str, path: &Path) -> Result<Metadata, Refusal> {
    let metadata = std::fs::metadata(path).map_err(|error| Refusal::io(verb, path, &error))?;
    if metadata.is_file() {
        return Ok(metadata);
    }
    let hint = if metadata.is_dir() && verb == "read" { " Use ls." } else { "" };
    let kind = kind(metadata.file_type());
    Err(Refusal(format!("Cannot {verb} {}: it is {kind}, not a regular file.{hint}", shown(path))))
}

/// Opens a file to read it. Should it have become a pipe meanwhile, nothing waits.
pub(crate) fn open_regular(path: &Path) -> io::Result<std::fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
    std::fs::OpenOptions::new().read(true).custom_flags(nonblocking).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_from_the_cwd_and_from_home() {
        let cwd = Path::new("/base");
        assert_eq!(resolve(cwd, "a/b"), Ok(PathBuf::from("/base/a/b")));
        assert_eq!(resolve(cwd, "/a"), Ok(PathBuf::from("/a")));
        assert_eq!(resolve(cwd, "-rf"), Ok(PathBuf::from("/base/-rf")));
        assert_eq!(resolve(cwd, "~/x").unwrap(), std::env::home_dir().unwrap().join("x"));
        assert!(resolve(cwd, "").is_err());
        assert!(resolve(cwd, "a\0b").is_err());
    }

    #[test]
    fn names_with_control_characters_stay_on_one_line() {
        assert_eq!(shown(Path::new("a\n\u{1b}[2Jb")), "a\u{FFFD}\u{FFFD}[2Jb");
        assert_eq!(shown_from(Path::new("/w"), Path::new("/w/a")), "a");
        assert_eq!(shown_from(Path::new("/w"), Path::new("/w")), ".");
        assert_eq!(shown_from(Path::new("/w"), Path::new("/v/a")), "/v/a");
    }

    #[test]
    fn every_way_to_a_file_has_one_canonical_name() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("d")).unwrap();
        std::os::unix::fs::symlink("d", root.join("l")).unwrap();
        std::os::unix::fs::symlink("d/new", root.join("dangling")).unwrap();
        for path in ["d/new", "l/new", "dangling", "l/../d/new"] {
            assert_eq!(canonical(&root.join(path)), root.join("d/new"), "{path}");
        }
        assert_eq!(canonical(&root.join("d/x/y")), root.join("d/x/y"));
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
        assert!(follow_links(&root.join("loop")).is_err());
    }
}
