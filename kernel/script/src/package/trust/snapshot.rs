//! What was agreed to, kept so that a change of it can be shown.
//!
//! One file for each digest, in a folder beside the store. Nothing in them is run; one that does
//! not hash to its name any more is as good as none.

use super::TrustError;
use super::ledger::{make_folder, replace};
use crate::package::digest::Digest;
use crate::package::files::{self, Files, Link, Package};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is read back: the bound of a package, with room for JSON's escapes.
const MAX_SIZE: u64 = 64 * 1024 * 1024;

/// A package as it was agreed to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Snapshot {
    name: String,
    entry: String,
    /// The links that lead out of the package, with their targets.
    pub links: BTreeMap<String, PathBuf>,
    pub files: Files,
}

impl Snapshot {
    pub fn of(package: &Package) -> Self {
        let link = |link: &Link| (link.file.clone(), link.target.clone());
        Snapshot {
            name: package.name().to_owned(),
            entry: package.entry().to_owned(),
            links: package.links().iter().map(link).collect(),
            files: package.files().iter().map(|(p, text)| (p.clone(), Arc::clone(text))).collect(),
        }
    }

    fn digest(&self) -> Digest {
        let link = |(file, target): (&String, &PathBuf)| Link {
            file: file.clone(),
            target: target.clone(),
        };
        let links: Vec<Link> = self.links.iter().map(link).collect();
        files::digest(&self.name, &self.entry, &links, &self.files)
    }
}

/// The folder with the snapshots.
pub(super) struct Snapshots {
    folder: PathBuf,
}

impl Snapshots {
    pub fn beside(file: &Path) -> Self {
        Snapshots { folder: file.with_extension("") }
    }

    fn path(&self, digest: Digest) -> PathBuf {
        self.folder.join(format!("{digest}.json"))
    }

    /// What was agreed to, if it is kept whole.
    pub fn read(&self, digest: Digest) -> Option<Snapshot> {
        let mut text = Vec::new();
        File::open(self.path(digest)).ok()?.take(MAX_SIZE).read_to_end(&mut text).ok()?;
        let snapshot: Snapshot = serde_json::from_slice(&text).ok()?;
        (snapshot.digest() == digest).then_some(snapshot)
    }

    pub fn write(&self, digest: Digest, snapshot: &Snapshot) -> Result<(), TrustError> {
        let file = self.path(digest);
        let unwritable = |reason| TrustError::Unwritable { file: file.clone(), reason };
        // A link's target that is not UTF-8 cannot be written; the change will be shown whole then.
        let Ok(text) = serde_json::to_vec(snapshot) else {
            return Ok(());
        };
        make_folder(&self.folder).map_err(unwritable)?;
        replace(&file, &text).map_err(unwritable)
    }

    /// Removes what nobody agrees to any more. What stays behind by mistake does no harm.
    pub fn keep_only(&self, digests: &[Digest]) {
        let Ok(entries) = self.folder.read_dir() else {
            return;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let digest = path.file_stem().and_then(|stem| stem.to_str()?.parse::<Digest>().ok());
            if digest.is_some_and(|digest| !digests.contains(&digest)) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}
