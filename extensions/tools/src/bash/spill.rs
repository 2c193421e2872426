//! The file with the full text of output that was too long to show.
//!
//! It is made only when it is needed, private to the user, and bounded. Spills stay after the
//! program's end, because a stored conversation names them; making one clears away the oldest.

use std::fs::{DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tokio::io::AsyncWriteExt;

use crate::bounds::clip;

/// The most bytes that one spill holds.
pub(super) const CAP: u64 = 64 << 20;

/// How many spills are kept beside a new one.
const KEPT: usize = 15;

/// An open spill.
pub(super) struct Spill {
    file: tokio::fs::File,
    pub(super) path: PathBuf,
    written: u64,
    /// Whether output came after the spill was full.
    pub(super) full: bool,
}

impl Spill {
    /// Makes a spill in `dir`, or where the system keeps temporary files.
    pub(super) async fn make(dir: Option<PathBuf>) -> io::Result<Self> {
        let made = tokio::task::spawn_blocking(move || {
            let dir = match dir {
                Some(dir) => private_dir(&dir)?,
                None => shared_dir()?,
            };
            sweep(&dir);
            tempfile::Builder::new()
                .prefix("bash-")
                .suffix(".log")
                .permissions(Permissions::from_mode(0o600))
                .tempfile_in(dir)?
                .keep()
                .map_err(|error| error.error)
        });
        let (file, path): (File, PathBuf) = made.await.map_err(io::Error::other)??;
        Ok(Spill { file: tokio::fs::File::from_std(file), path, written: 0, full: false })
    }

    /// Adds text, up to the cap.
    pub(super) async fn write(&mut self, text: &str) -> io::Result<()> {
        let room = usize::try_from(CAP - self.written).unwrap_or(usize::MAX);
        let fitting = clip(text, room);
        self.full |= fitting.len() < text.len();
        if self.full && fitting.is_empty() {
            return Ok(());
        }
        self.written = if self.full { CAP } else { self.written + fitting.len() as u64 };
        self.file.write_all(fitting.as_bytes()).await
    }

    /// Hands what is buffered to the system.
    pub(super) async fn finish(&mut self) -> io::Result<()> {
        self.file.flush().await
    }
}

/// A directory under the system's temporary one, which others may write to: a name that can be
/// guessed is used only if it is ours alone.
fn shared_dir() -> io::Result<PathBuf> {
    let uid = rustix::process::geteuid().as_raw();
    match private_dir(&std::env::temp_dir().join(format!("fen-{uid}"))) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            tempfile::Builder::new().prefix("fen-").tempdir().map(tempfile::TempDir::keep)
        }
        dir => dir,
    }
}

fn private_dir(dir: &Path) -> io::Result<PathBuf> {
    match DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = std::fs::symlink_metadata(dir)?;
    let ours = found.uid() == rustix::process::geteuid().as_raw();
    if found.is_dir() && ours && found.permissions().mode() & 0o077 == 0 {
        Ok(dir.to_path_buf())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

/// Removes the oldest spills. What cannot be removed stays.
fn sweep(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut spills: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"bash-"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    spills.sort();
    let spare = spills.len().saturating_sub(KEPT);
    for (_, path) in &spills[..spare] {
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_private_directory_is_used() {
        let dir = tempfile::tempdir().unwrap();
        let made = private_dir(&dir.path().join("made")).unwrap();
        assert_eq!(std::fs::metadata(&made).unwrap().permissions().mode() & 0o777, 0o700);
        std::os::unix::fs::symlink(&made, dir.path().join("link")).unwrap();
        assert!(private_dir(&dir.path().join("link")).is_err());
        std::fs::set_permissions(&made, Permissions::from_mode(0o755)).unwrap();
        assert!(private_dir(&made).is_err());
    }

    #[test]
    fn the_number_of_spills_and_the_size_of_each_are_bounded() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join("own");
        crate::testing::runtime().block_on(async {
            let mut paths = Vec::new();
            for _ in 0..KEPT + 3 {
                paths.push(Spill::make(Some(own.clone())).await.unwrap().path);
            }
            assert_eq!(std::fs::read_dir(&own).unwrap().count(), KEPT + 1);
            assert!(paths.last().unwrap().exists());
            let mut spill = Spill::make(Some(own.clone())).await.unwrap();
            let piece = "─".repeat(1 << 20);
            for _ in 0..30 {
                spill.write(&piece).await.unwrap();
            }
            spill.finish().await.unwrap();
            assert!(spill.full);
            let length = std::fs::metadata(&spill.path).unwrap().len();
            assert!(length <= CAP && length > CAP - 4, "{length}");
            let mode = std::fs::metadata(&spill.path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        });
    }
}
