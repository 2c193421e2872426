//! An extension on its way in: what it contributes is collected and judged beside what is there,
//! and then takes over whole, or not at all.
//!
//! First loads and reloads go the same way. The kernel makes one for each load; whoever loads runs
//! the extension's code against its api and then commits.

use crate::api::OwnedApi;
use crate::bus::StagedHandler;
use crate::registry::Registered;
use crate::shared::{Loaded, Shared, lock};
use fen_contract::api::{Api, Manifest, PromptFragment, RegistrationId, Source};
use fen_contract::events::{self, Event};
use fen_contract::failure::Failure;
use fen_contract::names::Owner;
use fen_contract::record::Extra;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What an extension has contributed before it is in force.
#[derive(Default)]
pub(crate) struct Staged {
    pub entries: Vec<Arc<Registered>>,
    pub handlers: Vec<StagedHandler>,
    pub fragments: Vec<(RegistrationId, PromptFragment)>,
    /// Emitted while it was loaded; told once it is.
    pub events: Vec<Event>,
}

impl Staged {
    /// Takes something back; false if it is not there.
    pub fn remove(&mut self, id: RegistrationId) -> bool {
        let before = (self.entries.len(), self.handlers.len(), self.fragments.len());
        self.entries.retain(|entry| entry.id != id);
        self.handlers.retain(|handler| handler.id != id);
        self.fragments.retain(|(fragment, _)| *fragment != id);
        before != (self.entries.len(), self.handlers.len(), self.fragments.len())
    }
}

/// One load that is under way. Dropped without a commit, it leaves everything as it was.
pub struct Staging {
    shared: Arc<Shared>,
    manifest: Manifest,
    api: Arc<OwnedApi>,
}

impl Staging {
    pub(crate) fn new(shared: Arc<Shared>, manifest: Manifest, api: Arc<OwnedApi>) -> Self {
        Staging { shared, manifest, api }
    }

    /// The surface for the extension's code. It goes on to work once the load is committed.
    pub fn api(&self) -> Arc<dyn Api> {
        self.api.clone()
    }

    /// How often the extension has been loaded, this time included.
    pub fn generation(&self) -> u64 {
        self.api.by.generation
    }

    /// Puts what was contributed in the place of all that the extension had before.
    ///
    /// # Errors
    /// A name was taken meanwhile; nothing has changed then.
    pub fn commit(self) -> Result<(), Failure> {
        let Staging { shared, manifest, api } = &self;
        let owner = &api.by.owner;
        let staged = api.take_staged();
        if let Err(taken) = shared.registry.replace_owner(owner, &staged.entries) {
            api.retire();
            return Err(taken.into());
        }
        shared.bus.replace_owner(owner, staged.handlers);
        shared.prompt.replace_owner(owner, staged.fragments);
        shared.enter(Loaded {
            manifest: manifest.clone(),
            source: api.by.source,
            generation: api.by.generation,
            api: Arc::downgrade(api),
        });
        shared.tell_loaded(events::ExtensionLoaded {
            name: manifest.name.clone(),
            first_party: Some(api.by.source == Source::Bundled),
            extra: Extra::new(),
        });
        for event in staged.events {
            // Judged when it was emitted.
            shared.bus.emit(event);
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        self.api.retire_unless_live();
    }
}

impl Shared {
    /// Notes that an extension is loaded; the api of its former generation does nothing any more.
    fn enter(&self, loaded: Loaded) {
        let mut extensions = lock(&self.extensions);
        let known = extensions.iter_mut().find(|known| known.manifest.name == loaded.manifest.name);
        let former = match known {
            Some(known) => Some(std::mem::replace(known, loaded)),
            None => {
                extensions.push(loaded);
                None
            }
        };
        drop(extensions);
        if let Some(former) = former.and_then(|former| former.api.upgrade()) {
            former.retire();
        }
    }

    /// Tells of a loaded extension; of one that was loaded before the run, when the run begins.
    fn tell_loaded(&self, event: events::ExtensionLoaded) {
        if self.running.load(Ordering::Acquire) {
            self.bus.emit(event);
        } else {
            lock(&self.untold_loads).push(event);
        }
    }

    /// The generation that a load of this extension would have.
    pub fn next_generation(&self, owner: &Owner) -> u64 {
        let mut generations = lock(&self.generations);
        let generation = generations.entry(owner.clone()).or_default();
        *generation += 1;
        *generation
    }
}
