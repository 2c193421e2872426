//! The extension surface, bound to one extension.
//!
//! It only passes on, with the owner's name beside each request; what may be done is decided where
//! it is done. Every extension gets one when it is loaded.

use crate::conversation::Handle;
use crate::guard::guarded;
use crate::registry::Contributor;
use crate::shared::Shared;
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
use std::sync::{Arc, PoisonError};

pub(crate) struct OwnedApi {
    pub shared: Arc<Shared>,
    pub by: Contributor,
}

impl Api for OwnedApi {
    fn owner(&self) -> Owner {
        self.by.owner.clone()
    }

    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError> {
        self.shared.register(&self.by, contribution)
    }

    fn unregister(&self, id: RegistrationId) -> bool {
        self.shared.registry.unregister(id)
            || self.shared.bus.off(id)
            || self.shared.prompt.remove(id)
    }

    fn on(&self, event: &str, handler: EventHandler) -> RegistrationId {
        let id = self.shared.next_id();
        self.shared.bus.on(id, self.by.owner.clone(), event, handler);
        id
    }

    fn emit(&self, event: Event) -> Result<(), Failure> {
        self.shared.emit_for(&self.by.owner, event)
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.shared.log.write(self.by.owner.clone(), level, message);
    }

    fn prompt(&self, fragment: PromptFragment) -> RegistrationId {
        let id = self.shared.next_id();
        self.shared.prompt.add(id, self.by.owner.clone(), fragment);
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
                let snapshot = match taken.and_then(|taken| taken) {
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
