//! What all extensions have contributed, by kind and name.
//!
//! It validates on entry, decides who owns a name, and hands out immutable snapshots. It never runs
//! a contribution.

use fen_contract::api::{RegistrationId, Source};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind, NameScope};
use fen_contract::names::Owner;
use fen_contract::validate::{ContractError, UnknownField, check_contribution};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
        highest(&self.entries, kind, name)
    }

    /// The contributions of a kind that are in force, in order of registration.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Arc<Registered>> {
        in_force(&self.entries, kind)
    }

    /// The failure that says what there is in place of a name that does not exist.
    pub fn nothing_named(&self, kind: Kind, name: &str) -> Failure {
        let names: Vec<&str> = self.of_kind(kind).map(|entry| entry.contribution.name()).collect();
        let others = match names.as_slice() {
            [] => "there is none at all, since no extension with one is loaded".to_owned(),
            names => format!("there are {}", names.join(", ")),
        };
        Failure::caller(format!("there is no {kind} `{name}`; {others}"))
    }

    /// All contributions, those that another one hides included.
    pub fn all(&self) -> &[Arc<Registered>] {
        &self.entries
    }
}

fn highest<'a>(
    entries: &'a [Arc<Registered>],
    kind: Kind,
    name: &str,
) -> Option<&'a Arc<Registered>> {
    entries
        .iter()
        .filter(|entry| entry.contribution.kind() == kind && entry.contribution.name() == name)
        .max_by_key(|entry| entry.by.source)
}

/// Of several contributions with one name only the one of the highest source counts.
fn in_force(entries: &[Arc<Registered>], kind: Kind) -> impl Iterator<Item = &Arc<Registered>> {
    entries.iter().filter(move |entry| {
        entry.contribution.kind() == kind
            && (kind.scope() != NameScope::Global
                || highest(entries, kind, entry.contribution.name())
                    .is_some_and(|winner| winner.id == entry.id))
    })
}

/// The registry itself.
#[derive(Debug, Default)]
pub struct Registry {
    current: Mutex<Arc<Snapshot>>,
}

impl Registry {
    fn current(&self) -> MutexGuard<'_, Arc<Snapshot>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The present state. It stays as it is whatever changes later.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current().clone()
    }

    /// Adds a contribution under a handle that the caller made up.
    pub fn register(
        &self,
        id: RegistrationId,
        by: &Contributor,
        contribution: Contribution,
    ) -> Result<Arc<Registered>, ContractError> {
        let warnings = check_contribution(&by.owner, &contribution)?;
        let mut current = self.current();
        if let Some(taken) = conflict(&current.entries, by, &contribution) {
            return Err(taken);
        }
        let entry = Arc::new(Registered { id, by: by.clone(), contribution, warnings });
        change(&mut current, |entries| entries.push(entry.clone()));
        Ok(entry)
    }

    /// Judges a contribution as if it were added to those that are `staged`, which are to take the
    /// place of all that the same extension has now. Nothing changes.
    pub fn stage(
        &self,
        id: RegistrationId,
        by: &Contributor,
        contribution: Contribution,
        staged: &[Arc<Registered>],
    ) -> Result<Arc<Registered>, ContractError> {
        let warnings = check_contribution(&by.owner, &contribution)?;
        let others = without_owner(&self.current().entries, &by.owner);
        let entries: Vec<_> = others.into_iter().chain(staged.iter().cloned()).collect();
        match conflict(&entries, by, &contribution) {
            Some(taken) => Err(taken),
            None => Ok(Arc::new(Registered { id, by: by.clone(), contribution, warnings })),
        }
    }

    /// Puts these contributions in the place of all that the extension has, or changes nothing.
    /// They stand where the first one of the old ones stood, so that a reload leaves the order of
    /// the others, and of requests, as it was.
    pub fn replace_owner(
        &self,
        owner: &Owner,
        staged: &[Arc<Registered>],
    ) -> Result<(), ContractError> {
        let mut current = self.current();
        let mut entries = without_owner(&current.entries, owner);
        for entry in staged {
            if let Some(taken) = conflict(&entries, &entry.by, &entry.contribution) {
                return Err(taken);
            }
            entries.push(entry.clone());
        }
        let first = current.entries.iter().position(|entry| entry.by.owner == *owner);
        let place = first.unwrap_or(entries.len() - staged.len());
        let others = entries.len() - staged.len();
        entries[place.min(others)..].rotate_right(staged.len());
        *current = Arc::new(Snapshot { revision: current.revision + 1, entries });
        Ok(())
    }

    /// Takes one contribution back; false if it is gone already.
    pub fn unregister(&self, id: RegistrationId) -> bool {
        change(&mut self.current(), |entries| {
            let before = entries.len();
            entries.retain(|entry| entry.id != id);
            entries.len() != before
        })
    }

    /// Takes everything of an extension back and tells how much that was.
    pub fn remove_owner(&self, owner: &Owner) -> usize {
        change(&mut self.current(), |entries| {
            let before = entries.len();
            entries.retain(|entry| entry.by.owner != *owner);
            before - entries.len()
        })
    }
}

fn without_owner(entries: &[Arc<Registered>], owner: &Owner) -> Vec<Arc<Registered>> {
    entries.iter().filter(|entry| entry.by.owner != *owner).cloned().collect()
}

/// Puts a new snapshot in the place of the present one.
fn change<T>(current: &mut Arc<Snapshot>, edit: impl FnOnce(&mut Vec<Arc<Registered>>) -> T) -> T {
    let mut entries = current.entries.clone();
    let outcome = edit(&mut entries);
    *current = Arc::new(Snapshot { revision: current.revision + 1, entries });
    outcome
}

/// Why this contribution cannot have its name or its key.
fn conflict(
    entries: &[Arc<Registered>],
    by: &Contributor,
    contribution: &Contribution,
) -> Option<ContractError> {
    let refused = |field: &str, got: String| ContractError {
        kind: contribution.kind().name().to_owned(),
        owner: Some(by.owner.clone()),
        field: field.to_owned(),
        expected: format!("a {field} that is free"),
        got,
    };
    if let Some((key, holder)) = taken_key(entries, contribution) {
        return Some(refused("key", format!("`{key}`, which extension `{holder}` has")));
    }
    let full = format!("{}/{}", contribution.kind(), contribution.name());
    let refusing = rivals(entries, by, contribution).find(|other| !may_share(by, other, &full))?;
    let hint = if refusing.by.source < by.source {
        format!("; to replace it, list `{full}` under `overrides` in the manifest")
    } else {
        String::new()
    };
    let (name, holder) = (contribution.name(), &refusing.by.owner);
    Some(refused("name", format!("`{name}`, which extension `{holder}` has{hint}")))
}

/// The key of a control that another one has. One that it replaces does not count.
fn taken_key<'a>(
    entries: &'a [Arc<Registered>],
    contribution: &'a Contribution,
) -> Option<(&'a str, &'a Owner)> {
    let Contribution::Control(spec) = contribution else { return None };
    let key = spec.key.as_deref()?;
    let holder = in_force(entries, Kind::Control).find(|other| match &other.contribution {
        Contribution::Control(taken) => {
            taken.name != spec.name && taken.key.as_deref() == Some(key)
        }
        _ => false,
    })?;
    Some((key, &holder.by.owner))
}

/// The contributions that have the same name, hidden ones included.
fn rivals<'a>(
    entries: &'a [Arc<Registered>],
    by: &'a Contributor,
    contribution: &'a Contribution,
) -> impl Iterator<Item = &'a Arc<Registered>> {
    let kind = contribution.kind();
    entries.iter().filter(move |other| {
        other.contribution.kind() == kind
            && other.contribution.name() == contribution.name()
            && match kind.scope() {
                NameScope::None => false,
                NameScope::PerOwner => other.by.owner == by.owner,
                NameScope::Global => true,
            }
    })
}

/// Two contributions share a name where the higher source has declared that it takes it over,
/// whichever of them came first: the lower one may be loaded anew beneath the other.
fn may_share(by: &Contributor, other: &Registered, full: &str) -> bool {
    let declares = |one: &Contributor| one.overrides.iter().any(|entry| entry == full);
    match by.source.cmp(&other.by.source) {
        Ordering::Greater => declares(by),
        Ordering::Less => declares(&other.by),
        Ordering::Equal => false,
    }
}
