//! What all extensions have contributed, by kind and name.
//!
//! It validates on entry, decides who owns a name, and hands out immutable snapshots. It never runs
//! a contribution.

use fen_contract::api::{RegistrationId, Source};
use fen_contract::kinds::{Contribution, Kind, NameScope};
use fen_contract::names::Owner;
use fen_contract::validate::{ContractError, UnknownField, check_contribution};
use std::sync::{Arc, Mutex, PoisonError};

/// Who makes a contribution.
#[derive(Debug, Clone)]
pub struct Contributor {
    /// The extension.
    pub owner: Owner,
    /// Where it comes from.
    pub source: Source,
    /// How often it has been loaded; a reload counts up.
    pub generation: u64,
    /// The names of lower sources that it may take over, as `kind/name`.
    pub overrides: Vec<String>,
}

/// One contribution in its place.
#[derive(Debug, Clone)]
pub struct Registered {
    /// Its handle.
    pub id: RegistrationId,
    /// Who made it.
    pub by: Contributor,
    /// The contribution.
    pub contribution: Contribution,
    /// Fields that nothing will read.
    pub warnings: Vec<UnknownField>,
}

/// The registry at one moment.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Counts up with every change.
    pub revision: u64,
    entries: Vec<Arc<Registered>>,
}

impl Snapshot {
    /// The contribution that answers to this name: of several, the one of the highest source.
    pub fn find(&self, kind: Kind, name: &str) -> Option<&Arc<Registered>> {
        self.entries
            .iter()
            .filter(|entry| entry.contribution.kind() == kind && entry.contribution.name() == name)
            .max_by_key(|entry| entry.by.source)
    }

    /// The contributions of a kind that are in force, in order of registration.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Arc<Registered>> {
        self.entries.iter().filter(move |entry| {
            entry.contribution.kind() == kind
                && (kind.scope() != NameScope::Global
                    || self
                        .find(kind, entry.contribution.name())
                        .is_some_and(|winner| winner.id == entry.id))
        })
    }

    /// All contributions, those that another one hides included.
    pub fn all(&self) -> &[Arc<Registered>] {
        &self.entries
    }
}

/// The registry itself.
#[derive(Debug, Default)]
pub struct Registry {
    current: Mutex<Arc<Snapshot>>,
}

impl Registry {
    /// The present state. It stays as it is whatever changes later.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change<T>(&self, edit: impl FnOnce(&mut Vec<Arc<Registered>>) -> T) -> T {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = current.entries.clone();
        let outcome = edit(&mut entries);
        *current = Arc::new(Snapshot { revision: current.revision + 1, entries });
        outcome
    }

    /// Adds a contribution under a handle that the caller made up.
    pub fn register(
        &self,
        id: RegistrationId,
        by: &Contributor,
        contribution: Contribution,
    ) -> Result<(), ContractError> {
        let warnings = check_contribution(&by.owner, &contribution)?;
        let snapshot = self.snapshot();
        if let Some(taken) = conflict(&snapshot, by, &contribution) {
            return Err(taken);
        }
        let entry = Registered { id, by: by.clone(), contribution, warnings };
        self.change(|entries| entries.push(Arc::new(entry)));
        Ok(())
    }

    /// Takes one contribution back; false if it is gone already.
    pub fn unregister(&self, id: RegistrationId) -> bool {
        self.change(|entries| {
            let before = entries.len();
            entries.retain(|entry| entry.id != id);
            entries.len() != before
        })
    }

    /// Takes everything of an extension back and tells how much that was.
    pub fn remove_owner(&self, owner: &Owner) -> usize {
        self.change(|entries| {
            let before = entries.len();
            entries.retain(|entry| entry.by.owner != *owner);
            before - entries.len()
        })
    }
}

/// Why this contribution cannot have its name or its key.
fn conflict(
    snapshot: &Snapshot,
    by: &Contributor,
    contribution: &Contribution,
) -> Option<ContractError> {
    let kind = contribution.kind();
    let name = contribution.name();
    let refuse = |field: &str, expected: String, got: String| {
        Some(ContractError {
            kind: kind.name().to_owned(),
            owner: Some(by.owner.clone()),
            field: field.to_owned(),
            expected,
            got,
        })
    };
    if let Contribution::Control(spec) = contribution
        && let Some(key) = &spec.key
    {
        for other in snapshot.of_kind(Kind::Control) {
            if let Contribution::Control(taken) = &other.contribution
                && taken.key.as_ref() == Some(key)
            {
                return refuse(
                    "key",
                    "a key that is free".to_owned(),
                    format!("`{key}`, which extension `{}` has", other.by.owner),
                );
            }
        }
    }
    let other = match kind.scope() {
        NameScope::None => return None,
        NameScope::PerOwner => snapshot
            .of_kind(kind)
            .find(|entry| entry.contribution.name() == name && entry.by.owner == by.owner)?,
        NameScope::Global => snapshot.find(kind, name)?,
    };
    let declared = by.overrides.iter().any(|entry| *entry == format!("{kind}/{name}"));
    if other.by.source < by.source && declared {
        return None;
    }
    let hint = if other.by.source < by.source {
        format!("; to replace it, list `{kind}/{name}` under `overrides` in the manifest")
    } else {
        String::new()
    };
    refuse(
        "name",
        "a name that is free".to_owned(),
        format!("`{name}`, which extension `{}` has{hint}", other.by.owner),
    )
}
