//! Writes files whole or not at all.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// What a new file may be to others, before the process takes its own part away.
const NEW_MODE: u32 = 0o666;

/// Puts a text in the place of a file, which keeps its permissions; what a link points to is
/// replaced, not the link. A file that is not there is made.
pub fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    // These name what is open already, such as `/dev/stdout`.
    let is_open = path.starts_with("/dev") || path.starts_with("/proc");
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let former = match real.metadata() {
        // A device or a pipe has no place of its own to put a new file into.
        Ok(found) if is_open || !found.is_file() => {
            return std::fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes());
        }
        Ok(found) => Some(found.permissions()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if former.as_ref().is_some_and(std::fs::Permissions::readonly) {
        return Err(std::io::ErrorKind::PermissionDenied.into());
    }
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut new = tempfile::Builder::new();
    let permissions = std::fs::Permissions::from_mode(NEW_MODE);
    let mut file = new.prefix(".fen-").permissions(permissions).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(former) = former {
        file.as_file().set_permissions(former)?;
    }
    file.as_file().sync_all()?;
    file.persist(&real)?;
    Ok(())
}
