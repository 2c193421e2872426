//! What is known of each extension: its state, with the reason, and the row that lists it.
//!
//! The host writes it; the kernel reads the rows for `fen list extensions` and the like.

use super::link::Link;
use super::program::Program;
use super::scripts::InstanceId;
use fen_contract::api::Source;
use fen_contract::kinds::Kind;
use fen_contract::names::Owner;
use fen_core::Kernel;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Why an extension is or is not in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is in force.
    Loaded,
    /// It is switched off.
    Disabled,
    /// The project carries it and nobody has said that it may run.
    Untrusted,
    /// A program or module that it needs is not there.
    MissingDependency,
    /// It is made for another version of fen.
    Incompatible,
    /// It could not be read or loaded.
    Error,
    /// It took more than it was given, too often; nothing of it is called until it is reloaded.
    Quarantined,
    /// Another one of its name goes before it.
    Shadowed,
}

impl State {
    /// The state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Loaded => "loaded",
            State::Disabled => "disabled",
            State::Untrusted => "untrusted",
            State::MissingDependency => "missing-dependency",
            State::Incompatible => "incompatible",
            State::Error => "error",
            State::Quarantined => "quarantined",
            State::Shadowed => "shadowed",
        }
    }
}

/// One extension that was found.
#[derive(Clone)]
pub(crate) struct Record {
    pub name: String,
    pub source: Source,
    pub place: PathBuf,
    pub description: String,
    pub state: State,
    pub reason: Option<String>,
    pub capabilities: Vec<String>,
    pub generation: u64,
    /// How long its code took to load.
    pub load_time: Option<Duration>,
    pub has_hooks: bool,
    /// The code that runs, or ran before it was quarantined.
    pub program: Option<Arc<Program>>,
    pub link: Option<Arc<Link>>,
}

impl Record {
    fn row(&self) -> Value {
        let mut row = json!({
            "name": self.name,
            "owner": self.name,
            "source": self.source.as_str(),
            "description": self.description,
            "state": self.state.as_str(),
            "path": self.place.to_string_lossy(),
        });
        if let Some(reason) = &self.reason {
            row["reason"] = reason.as_str().into();
        }
        if !self.capabilities.is_empty() {
            row["capabilities"] = json!(self.capabilities);
        }
        if self.generation > 0 {
            row["generation"] = self.generation.into();
        }
        if let Some(time) = self.load_time {
            let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            row["load-us"] = micros.into();
        }
        row
    }
}

/// All records, in the order in which the extensions were found.
#[derive(Default)]
pub(crate) struct Records(Mutex<Vec<Record>>);

impl Records {
    pub fn list(&self) -> MutexGuard<'_, Vec<Record>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn rows(&self) -> Vec<Value> {
        self.list().iter().map(Record::row).collect()
    }

    /// The record of the extension that goes by this name. One that nobody has agreed to is it only
    /// while there is no other.
    pub fn find(&self, name: &str) -> Option<Record> {
        let list = self.list();
        let named =
            list.iter().filter(|record| record.name == name && record.state != State::Shadowed);
        named.min_by_key(|record| record.state == State::Untrusted).cloned()
    }

    /// Puts a record in the place of the one of the same extension. One that is not taken, since it
    /// is shadowed or nobody has agreed to it, has a row beside the one that runs in its place.
    pub fn put(&self, record: Record) {
        let mut list = self.list();
        let stands_aside = |state| matches!(state, State::Shadowed | State::Untrusted);
        let is_same = |known: &Record| known.name == record.name && known.place == record.place;
        if stands_aside(record.state) {
            let runs = |state| matches!(state, State::Loaded | State::Quarantined);
            match list.iter_mut().find(|known| is_same(known) && !runs(known.state)) {
                Some(known) => *known = record,
                None => list.push(record),
            }
            return;
        }
        list.retain(|known| !(stands_aside(known.state) && is_same(known)));
        let mut running = list.iter_mut().filter(|known| !stands_aside(known.state));
        match running.find(|known| known.name == record.name) {
            Some(known) => *known = record,
            None => list.push(record),
        }
    }

    /// Takes an extension out of force that is still there; while it has hooks no tool may run.
    pub fn quarantine(&self, kernel: &Kernel, id: InstanceId, reason: String) {
        let is_it = |record: &&mut Record| {
            record.state != State::Quarantined
                && record.link.as_ref().is_some_and(|link| link.id == id)
        };
        let (owner, has_hooks) = {
            let mut list = self.list();
            let Some(record) = list.iter_mut().find(is_it) else { return };
            let owner = Owner::from(record.name.as_str());
            // One that it registered after it was loaded counts as well.
            record.has_hooks |= has_hooks(kernel, &owner);
            record.state = State::Quarantined;
            record.reason = Some(reason.clone());
            (owner, record.has_hooks)
        };
        kernel.unload(&owner);
        if has_hooks {
            block(kernel, &owner, "is quarantined", &reason);
        }
        kernel.report_callback(&owner, "quarantine", &reason);
        kernel.tell_error(format!(
            "extension `{owner}` is quarantined: {reason}; mend it and type /reload {owner}"
        ));
    }
}

/// Whether hooks of this extension are in force.
pub(crate) fn has_hooks(kernel: &Kernel, owner: &Owner) -> bool {
    kernel.registry().of_kind(Kind::Hook).any(|entry| entry.by.owner == *owner)
}

/// Blocks all tools, since an extension with hooks cannot look at their calls.
pub(crate) fn block(kernel: &Kernel, owner: &Owner, state: &str, reason: &str) {
    kernel.block_tools(
        owner.clone(),
        format!(
            "extension `{owner}` has hooks and {state} ({reason}); mend it and type /reload \
             {owner}, or remove it and type /reload"
        ),
    );
}
