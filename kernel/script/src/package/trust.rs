//! What a person agreed to let run, and the question by which they are asked.
//!
//! A yes is bound to the canonical place of a package and to the hash of all its bytes, and it is
//! kept outside the project. It never reads a package's files: it judges, shows and remembers the
//! bytes that [`Package`] holds. Called before each load and reload.

mod changes;
mod ledger;
mod question;
mod snapshot;
mod visible;

pub use question::question;

use self::ledger::{Ledger, Record};
use self::snapshot::{Snapshot, Snapshots};
use super::digest::Digest;
use super::files::Package;
use fen_contract::api::Source;
use fen_contract::names::Millis;
use std::io;
use std::path::{Path, PathBuf};

/// Where the yeses are kept: a file, and a folder beside it with what was agreed to.
#[derive(Debug, Clone)]
pub struct TrustStore {
    file: PathBuf,
}

/// What is known of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// It may run: these very bytes were agreed to, or its source needs no yes.
    Trusted,
    /// Nobody was asked about this place.
    New,
    /// Other bytes were agreed to at this place.
    Changed {
        /// When.
        granted: Millis,
        /// What is different, for a person: bounded, with nothing in it that hides.
        diff: String,
    },
}

/// One yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The canonical path of the folder or file.
    pub place: PathBuf,
    /// The name that the extension had.
    pub name: String,
    /// The hash of what was agreed to.
    pub digest: Digest,
    /// When.
    pub granted: Millis,
}

/// Why trust cannot be known or kept. Whoever meets one treats the package as not trusted.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The file cannot be read.
    #[error("{} cannot be read: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file is not what fen writes. It is left as it is.
    #[error(
        "{} is damaged ({reason}); nothing in it is trusted and it was not changed: repair it or \
         move it away",
        file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong in it.
        reason: String,
    },
    /// Something cannot be written.
    #[error("{} cannot be written: {reason}; nothing was remembered", file.display())]
    Unwritable {
        /// The file or folder.
        file: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// Another fen holds the file for too long.
    #[error("{} is held by another fen; try again", file.display())]
    Locked {
        /// The lock's file.
        file: PathBuf,
    },
    /// The place cannot be written down.
    #[error("{} is not UTF-8, so that its trust cannot be kept; rename it", place.display())]
    PlaceNotUtf8 {
        /// The place.
        place: PathBuf,
    },
}

/// Whether a package may run only after a person's yes: what a project carries came with it.
pub fn needs_trust(package: &Package) -> bool {
    package.source() == Source::Project
}

impl TrustStore {
    /// The store in this file; neither it nor its folder has to be there.
    pub fn at(file: impl Into<PathBuf>) -> Self {
        TrustStore { file: file.into() }
    }

    /// What is known of a package.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn check(&self, package: &Package) -> Result<Check, TrustError> {
        if !needs_trust(package) {
            return Ok(Check::Trusted);
        }
        let ledger = Ledger::read(&self.file)?;
        let Some(record) = package.place().to_str().and_then(|key| ledger.records.get(key)) else {
            return Ok(Check::New);
        };
        if record.digest == package.digest() {
            return Ok(Check::Trusted);
        }
        let before = self.snapshots().read(record.digest);
        let diff = changes::show(before.as_ref(), package);
        Ok(Check::Changed { granted: record.granted, diff })
    }

    /// Remembers a yes to exactly these bytes.
    ///
    /// # Errors
    /// The store cannot be read or written; then nothing is remembered.
    pub fn grant(&self, package: &Package) -> Result<(), TrustError> {
        let place = package.place();
        let key =
            place.to_str().ok_or_else(|| TrustError::PlaceNotUtf8 { place: place.to_owned() })?;
        let _lock = ledger::lock(&self.file)?;
        let mut ledger = Ledger::read(&self.file)?;
        let digest = package.digest();
        self.snapshots().write(digest, &Snapshot::of(package))?;
        let record = Record::new(package.name(), digest, Millis::now());
        ledger.records.insert(key.to_owned(), record);
        ledger.write(&self.file)?;
        self.snapshots().keep_only(&ledger.digests());
        Ok(())
    }

    /// Takes a yes back; false if there was none. Which code runs already is not its affair.
    ///
    /// # Errors
    /// The store cannot be read or written; then nothing has changed.
    pub fn revoke(&self, place: &Path) -> Result<bool, TrustError> {
        let Some(key) = place.to_str() else {
            return Ok(false);
        };
        let _lock = ledger::lock(&self.file)?;
        let mut ledger = Ledger::read(&self.file)?;
        if ledger.records.remove(key).is_none() {
            return Ok(false);
        }
        ledger.write(&self.file)?;
        self.snapshots().keep_only(&ledger.digests());
        Ok(true)
    }

    /// Every yes, by place.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn list(&self) -> Result<Vec<Grant>, TrustError> {
        let ledger = Ledger::read(&self.file)?;
        let grant = |(place, record): (String, Record)| Grant {
            place: place.into(),
            name: record.name,
            digest: record.digest,
            granted: record.granted,
        };
        Ok(ledger.records.into_iter().map(grant).collect())
    }

    fn snapshots(&self) -> Snapshots {
        Snapshots::beside(&self.file)
    }
}

#[cfg(test)]
mod tests;
