//! The file with the yeses: read whole, written whole, under a lock that dies with its process.
//!
//! A file that cannot be understood is never written over. Fields of a newer fen survive.

use super::TrustError;
use crate::package::digest::Digest;
use fen_contract::names::Millis;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

const VERSION: u32 = 1;

/// How long another fen may hold the lock; it needs milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// All yeses.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ledger {
    version: u32,
    /// By canonical place.
    pub records: BTreeMap<String, Record>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// One yes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub name: String,
    #[serde(serialize_with = "write_digest", deserialize_with = "read_digest")]
    pub digest: Digest,
    pub granted: Millis,
    #[serde(flatten)]
    other: Map<String, Value>,
}

impl Record {
    pub fn new(name: &str, digest: Digest, granted: Millis) -> Self {
        Record { name: name.to_owned(), digest, granted, other: Map::new() }
    }
}

fn write_digest<S: Serializer>(digest: &Digest, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(digest)
}

fn read_digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

impl Ledger {
    /// Reads the file; one that is not there is empty.
    pub fn read(file: &Path) -> Result<Self, TrustError> {
        let damaged = |reason| TrustError::Damaged { file: file.to_owned(), reason };
        let text = match std::fs::read(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (records, other) = (BTreeMap::new(), Map::new());
                return Ok(Ledger { version: VERSION, records, other });
            }
            Err(reason) => return Err(TrustError::Unreadable { file: file.to_owned(), reason }),
        };
        let ledger: Ledger =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if ledger.version != VERSION {
            return Err(damaged(format!("its version is {}, not {VERSION}", ledger.version)));
        }
        Ok(ledger)
    }

    /// Writes the file by a new one beside it that takes its name.
    pub fn write(&self, file: &Path) -> Result<(), TrustError> {
        let unwritable = |reason| TrustError::Unwritable { file: file.to_owned(), reason };
        let text = serde_json::to_vec_pretty(self).map_err(|error| unwritable(error.into()))?;
        replace(file, &text).map_err(unwritable)
    }

    /// What is agreed to anywhere.
    pub fn digests(&self) -> Vec<Digest> {
        self.records.values().map(|record| record.digest).collect()
    }
}

/// Holds the lock that belongs to the store's file, until it is dropped.
pub(super) fn lock(file: &Path) -> Result<File, TrustError> {
    let path = file.with_extension("lock");
    let unwritable = |reason| TrustError::Unwritable { file: path.clone(), reason };
    if let Some(folder) = file.parent() {
        make_folder(folder).map_err(unwritable)?;
    }
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&path)
        .map_err(unwritable)?;
    let begin = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(TrustError::Locked { file: path }),
            Err(TryLockError::Error(reason)) => return Err(unwritable(reason)),
        }
    }
}

/// Makes a folder, and those above it, for its owner alone.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Puts a file in place whole or not at all, for its owner alone.
pub(super) fn replace(file: &Path, text: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    // A temporary file is made with mode 0600.
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text)?;
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    // The new name is on disk only with its folder; without that the old file is still whole.
    File::open(folder)?.sync_all()
}
