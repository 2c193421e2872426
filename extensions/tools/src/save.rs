//! Puts a file's new content on disk: whole, or not at all.
//!
//! The content goes to a temporary file beside the target, is synced and renamed over it, so that
//! a crash or a full disk leaves the old file as it was. Links stay links, mode and owner stay.
//! Where a rename would break what the file is (it has several names, or an owner that cannot be
//! given to the new file, or its directory takes no new files) it is written in place, after the
//! space for it is reserved.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::paths::{follow_links, kind, shown};
use crate::refusal::Refusal;

/// A place that can be written: a regular file, or a name that is still free.
#[derive(Debug)]
pub(crate) struct Target {
    /// The file itself; links are followed.
    pub(crate) path: PathBuf,
    /// The file that is there already.
    existing: Option<Metadata>,
}

impl Target {
    /// Finds what a path leads to.
    pub(crate) fn find(path: &Path) -> Result<Self, Refusal> {
        let path = follow_links(path)?;
        let existing = match std::fs::symlink_metadata(&path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Refusal::io("write", &path, &error)),
        };
        if let Some(metadata) = &existing {
            if !metadata.is_file() {
                let kind = kind(metadata.file_type());
                return Err(Refusal(format!(
                    "Cannot write {}: it is {kind}, not a regular file.",
                    shown(&path)
                )));
            }
            // A rename would pass over the file's own protection.
            rustix::fs::access(&path, rustix::fs::Access::WRITE_OK)
                .map_err(|error| Refusal::io("write", &path, &error.into()))?;
        }
        Ok(Target { path, existing })
    }

    /// Whether a file is there already.
    pub(crate) fn exists(&self) -> bool {
        self.existing.is_some()
    }

    /// Saves `content`, making the directories that are missing.
    pub(crate) fn save(&self, content: &[u8]) -> Result<(), Refusal> {
        let failed = |error: io::Error| Refusal::io("write", &self.path, &error);
        let Some(existing) = &self.existing else {
            let parent = self.parent();
            std::fs::create_dir_all(parent)
                .map_err(|error| Refusal::io("make the directory", parent, &error))?;
            return self.replace(content, None).map_err(failed);
        };
        if existing.nlink() > 1 {
            return overwrite(&self.path, content).map_err(failed);
        }
        match self.replace(content, Some(existing)) {
            // The directory takes no new file, or the owner cannot be kept; the file itself may.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                overwrite(&self.path, content).map_err(failed)
            }
            outcome => outcome.map_err(failed),
        }
    }

    fn parent(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// Renames a new file over the old one.
    fn replace(&self, content: &[u8], existing: Option<&Metadata>) -> io::Result<()> {
        let mut new = tempfile::Builder::new()
            .prefix(".fen-")
            .suffix(".tmp")
            // Less what the umask takes, as for any new file.
            .permissions(std::fs::Permissions::from_mode(if existing.is_some() {
                0o600
            } else {
                0o666
            }))
            .tempfile_in(self.parent())?;
        if let Some(existing) = existing {
            let fresh = new.as_file().metadata()?;
            if (fresh.uid(), fresh.gid()) != (existing.uid(), existing.gid()) {
                let uid = rustix::fs::Uid::from_raw(existing.uid());
                let gid = rustix::fs::Gid::from_raw(existing.gid());
                rustix::fs::fchown(new.as_file(), Some(uid), Some(gid))?;
            }
            let mode = existing.permissions().mode() & 0o7777;
            new.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
        }
        new.write_all(content)?;
        new.as_file().sync_all()?;
        new.persist(&self.path).map_err(|error| error.error)?;
        // The name lasts once the directory is synced; some file systems cannot do that.
        let _ = File::open(self.parent()).and_then(|directory| directory.sync_all());
        Ok(())
    }
}

/// Writes into the file itself. The space is reserved first, so that a full disk is noticed while
/// the old content is still there; should writing fail all the same, the old content is put back.
fn overwrite(path: &Path, content: &[u8]) -> io::Result<()> {
    let no_follow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or(0);
    let old = std::fs::read(path)?;
    let mut file = OpenOptions::new().write(true).custom_flags(no_follow).open(path)?;
    if !content.is_empty() {
        let length = content.len() as u64;
        match rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::KEEP_SIZE, 0, length) {
            Ok(()) => {}
            // Not every file system can reserve.
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let written = fill(&mut file, content);
    if written.is_err() {
        // Its blocks are still there. The first error is the one to tell.
        let _ = file.rewind().and_then(|()| fill(&mut file, &old));
    }
    written
}

fn fill(file: &mut File, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn save(path: &Path, content: &str) -> Result<(), Refusal> {
        Target::find(path)?.save(content.as_bytes())
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_link_stays_a_link_and_its_target_keeps_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("d")).unwrap();
        fs::write(at("d/real.sh"), "old").unwrap();
        fs::set_permissions(at("d/real.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("d/real.sh", at("one")).unwrap();
        symlink(at("one"), at("two")).unwrap();
        save(&at("two"), "new").unwrap();
        assert!(fs::symlink_metadata(at("one")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(at("two")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(at("d/real.sh")).unwrap(), "new");
        assert_eq!(mode(&at("d/real.sh")), 0o755);
        assert_eq!(fs::read_dir(at("d")).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn a_dangling_link_makes_its_target_and_a_loop_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        symlink("deep/er/new", dir.path().join("dangling")).unwrap();
        save(&dir.path().join("dangling"), "x").unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("deep/er/new")).unwrap(), "x");
        symlink("b", dir.path().join("a")).unwrap();
        symlink("a", dir.path().join("b")).unwrap();
        let Refusal(words) = save(&dir.path().join("a"), "x").unwrap_err();
        assert!(words.contains("loop"), "{words}");
    }

    #[test]
    fn a_file_with_several_names_keeps_them() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        for content in ["short", "a longer content than before", ""] {
            fs::write(&one, "old content").unwrap();
            let _ = fs::remove_file(&two);
            fs::hard_link(&one, &two).unwrap();
            save(&one, content).unwrap();
            assert_eq!(fs::read_to_string(&two).unwrap(), content);
        }
    }

    #[test]
    fn a_new_file_has_the_usual_mode() {
        let dir = tempfile::tempdir().unwrap();
        save(&dir.path().join("ours"), "x").unwrap();
        fs::write(dir.path().join("theirs"), "x").unwrap();
        assert_eq!(mode(&dir.path().join("ours")), mode(&dir.path().join("theirs")));
    }

    #[test]
    fn directories_and_special_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let Refusal(words) = save(dir.path(), "x").unwrap_err();
        assert!(words.contains("a directory"), "{words}");
        let Refusal(words) = save(Path::new("/dev/null"), "x").unwrap_err();
        assert!(words.contains("a device"), "{words}");
        fs::write(dir.path().join("file"), "x").unwrap();
        assert!(save(&dir.path().join("file/below"), "x").is_err());
    }

    #[test]
    fn rights_of_the_file_count_and_those_of_its_directory_do_not() {
        let name = "save::tests::rights_of_the_file_count_and_those_of_its_directory_do_not";
        if !crate::testing::unprivileged(name) {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let (locked, open) = (dir.path().join("locked"), dir.path().join("open"));
        fs::write(&locked, "old").unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o444)).unwrap();
        fs::write(&open, "old").unwrap();
        let Refusal(words) = save(&locked, "new").unwrap_err();
        assert!(words.contains("permission denied"), "{words}");
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
        save(&open, "new").unwrap();
        save(&dir.path().join("other"), "new").unwrap_err();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(fs::read_to_string(&locked).unwrap(), "old");
        assert_eq!(fs::read_to_string(&open).unwrap(), "new");
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_intact() {
        // A limit on the size of files stands for the full disk.
        let name = "save::tests::a_full_disk_leaves_the_old_file_intact";
        let inner = crate::testing::rerun(name, |test| {
            let mut command = std::process::Command::new("sh");
            command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]).arg(test);
            command
        });
        if !inner {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        let big = "x".repeat(1 << 20);
        fs::write(&one, "old").unwrap();
        save(&one, &big).unwrap_err();
        assert_eq!(fs::read_to_string(&one).unwrap(), "old");
        fs::hard_link(&one, &two).unwrap();
        save(&one, &big).unwrap_err();
        assert_eq!(fs::read_to_string(&one).unwrap(), "old");
        save(&dir.path().join("new"), &big).unwrap_err();
        let mut names: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["one", "two"], "nothing is left behind");
    }
}
