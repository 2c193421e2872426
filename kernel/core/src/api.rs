//! The extension surface, bound to one extension.
//!
//! It only passes on, with the owner's name beside each request; what may be done is decided where
//! it is done. Every extension gets one when it is loaded.

use crate::bus::StagedHandler;
use crate::conversation::Handle;
use crate::guard::guarded;
use crate::registry::Contributor;
use crate::shared::{Shared, lock};
use crate::staging::Staged;
use fen_contract::api::{Api, EventHandler, LogLevel, PromptFragment, RegistrationId};
use fen_contract::conversation::Conversation;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::names::Owner;
use fen_contract::ui::{PanelView, RenderContext, StatusView};
use fen_contract::validate::ContractError;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// Where its extension is in its life.
enum Phase {
    /// Being loaded: what it contributes is collected.
    Staged(Staged),
    /// In force.
    Live,
    /// Replaced by a later generation, unloaded, or never loaded whole.
    Retired,
}

pub(crate) struct OwnedApi {
    pub shared: Arc<Shared>,
    pub by: Contributor,
    phase: Mutex<Phase>,
}

impl OwnedApi {
    /// The surface of something that is in force.
    pub fn live(shared: Arc<Shared>, by: Contributor) -> Self {
        OwnedApi { shared, by, phase: Mutex::new(Phase::Live) }
    }

    /// The surface of an extension that is being loaded.
    pub fn staged(shared: Arc<Shared>, by: Contributor) -> Self {
        OwnedApi { shared, by, phase: Mutex::new(Phase::Staged(Staged::default())) }
    }

    /// What was collected; from now on all that it contributes is in force at once.
    pub fn take_staged(&self) -> Staged {
        match std::mem::replace(&mut *lock(&self.phase), Phase::Live) {
            Phase::Staged(staged) => staged,
            Phase::Live | Phase::Retired => Staged::default(),
        }
    }

    /// Contributes and emits nothing any more.
    pub fn retire(&self) {
        *lock(&self.phase) = Phase::Retired;
    }

    /// The same for one that was not loaded whole.
    pub fn retire_unless_live(&self) {
        let mut phase = lock(&self.phase);
        if matches!(*phase, Phase::Staged(_)) {
            *phase = Phase::Retired;
        }
    }

    fn retired(&self) -> Failure {
        Failure::new(format!(
            "extension `{}` was reloaded or unloaded; this is its former self",
            self.by.owner
        ))
    }
}

impl Api for OwnedApi {
    fn owner(&self) -> Owner {
        self.by.owner.clone()
    }

    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError> {
        let id = self.shared.next_id();
        let entry = match &mut *lock(&self.phase) {
            Phase::Staged(staged) => {
                let registry = &self.shared.registry;
                let entry = registry.stage(id, &self.by, contribution, &staged.entries)?;
                staged.entries.push(entry.clone());
                entry
            }
            Phase::Live => self.shared.registry.register(id, &self.by, contribution)?,
            Phase::Retired => {
                return Err(ContractError {
                    kind: contribution.kind().name().to_owned(),
                    owner: Some(self.by.owner.clone()),
                    field: String::new(),
                    expected: "an extension that is loaded".to_owned(),
                    got: "one that was reloaded or unloaded".to_owned(),
                });
            }
        };
        for warning in &entry.warnings {
            let text = format!("{:?}: {warning}", entry.contribution);
            self.log(LogLevel::Warn, &text);
        }
        Ok(id)
    }

    fn unregister(&self, id: RegistrationId) -> bool {
        if let Phase::Staged(staged) = &mut *lock(&self.phase) {
            return staged.remove(id);
        }
        self.shared.registry.unregister(id)
            || self.shared.bus.off(id)
            || self.shared.prompt.remove(id)
    }

    fn on(&self, event: &str, handler: EventHandler) -> RegistrationId {
        let id = self.shared.next_id();
        match &mut *lock(&self.phase) {
            Phase::Staged(staged) => {
                staged.handlers.push(StagedHandler { id, event: event.to_owned(), call: handler });
            }
            Phase::Live => self.shared.bus.on(id, self.by.owner.clone(), event, handler),
            Phase::Retired => {}
        }
        id
    }

    fn emit(&self, event: Event) -> Result<(), Failure> {
        match &mut *lock(&self.phase) {
            Phase::Staged(staged) => {
                let event = self.shared.judged(&self.by.owner, event)?;
                staged.events.push(event);
                return Ok(());
            }
            Phase::Live => {}
            Phase::Retired => return Err(self.retired()),
        }
        self.shared.emit_for(&self.by.owner, event)
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.shared.log.write(self.by.owner.clone(), level, message);
    }

    fn prompt(&self, fragment: PromptFragment) -> RegistrationId {
        let id = self.shared.next_id();
        match &mut *lock(&self.phase) {
            Phase::Staged(staged) => staged.fragments.push((id, fragment)),
            Phase::Live => self.shared.prompt.add(id, self.by.owner.clone(), fragment),
            Phase::Retired => {}
        }
        id
    }

    fn list(&self, surface: &str) -> Result<Vec<Value>, Failure> {
        self.shared.list(surface)
    }

    fn snapshots(&self, owner: Option<String>) -> BoxFuture<'_, Vec<Value>> {
        Box::pin(async move {
            let registry = self.shared.registry.snapshot();
            let mut rows = Vec::new();
            for entry in registry.of_kind(Kind::Introspect) {
                let Contribution::Introspect(spec) = &entry.contribution else { continue };
                if owner.as_deref().is_some_and(|owner| owner != entry.by.owner.as_str()) {
                    continue;
                }
                let taken = guarded(|| spec.introspect.snapshot()).await;
                let snapshot = match taken.flatten() {
                    Ok(snapshot) => snapshot,
                    Err(failure) => {
                        self.shared.report_callback(&entry.by.owner, "snapshot", &failure.message);
                        json!({"error": failure.message})
                    }
                };
                rows.push(json!({
                    "owner": entry.by.owner,
                    "name": spec.name,
                    "snapshot": snapshot,
                }));
            }
            rows
        })
    }

    fn panels(&self, context: RenderContext) -> BoxFuture<'_, Vec<PanelView>> {
        Box::pin(async move { self.shared.panels(&context).await })
    }

    fn status_items(&self, context: RenderContext) -> BoxFuture<'_, Vec<StatusView>> {
        Box::pin(async move { self.shared.status_items(&context).await })
    }

    fn press<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Option<Result<(), Failure>>> {
        Box::pin(self.shared.press(key))
    }

    fn settings(&self) -> Value {
        let settings = self.shared.settings.read().unwrap_or_else(PoisonError::into_inner);
        // Nothing was handed over where a test or another program made the kernel.
        if settings.is_null() { json!({}) } else { settings.clone() }
    }

    fn conversation(&self) -> Option<Arc<dyn Conversation>> {
        self.shared
            .running
            .load(Ordering::Acquire)
            .then(|| Arc::new(Handle(self.shared.clone())) as Arc<dyn Conversation>)
    }
}
