//! A folder of files that lives as long as the test.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// A temporary folder with helpers that fail the test with the path in the message.
#[derive(Debug)]
pub struct TempProject {
    dir: TempDir,
    root: PathBuf,
}

impl Default for TempProject {
    fn default() -> Self {
        Self::new()
    }
}

impl TempProject {
    /// An empty folder.
    pub fn new() -> Self {
        let dir = TempDir::with_prefix("fen-test-").expect("a temporary folder");
        // Programs print resolved paths, and on some systems the temporary folder is a link.
        let root = dir.path().canonicalize().expect("the folder was just made");
        Self { dir, root }
    }

    /// Adds a file, for chaining.
    pub fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        self.write(path, content);
        self
    }

    /// Writes a file and the folders above it.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        let parent = path.parent().expect("a file has a folder");
        fs::create_dir_all(parent).unwrap_or_else(|e| panic!("{}: {e}", parent.display()));
        fs::write(&path, content).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    /// The text of a file.
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// The bytes of a file.
    pub fn read_bytes(&self, path: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(path);
        fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Whether something exists at this path; a dangling link does.
    pub fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// The absolute form of a path inside the project.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// The folder itself, with links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Leaves the folder on disk after the test, for looking at a failure.
    pub fn keep(self) -> PathBuf {
        self.dir.keep()
    }
}
