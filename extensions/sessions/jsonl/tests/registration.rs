//! The extension registers the backend under its name.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use fen_contract::api::{
    Api, EventHandler, Extension as _, LogLevel, PromptFragment, RegistrationId,
};
use fen_contract::conversation::Conversation;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::names::Owner;
use fen_contract::validate::ContractError;
use fen_session_jsonl::{Config, JsonlBackend};
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// Notes what is registered; nothing else is expected of an extension that only contributes.
#[derive(Default)]
struct Registrations(Mutex<Vec<(Kind, String)>>);

impl Api for Registrations {
    fn owner(&self) -> Owner {
        "sessions-jsonl".into()
    }
    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError> {
        let mut all = self.0.lock().unwrap();
        all.push((contribution.kind(), contribution.name().into()));
        Ok(RegistrationId(all.len() as u64))
    }
    fn unregister(&self, _: RegistrationId) -> bool {
        unreachable!()
    }
    fn on(&self, _: &str, _: EventHandler) -> RegistrationId {
        unreachable!()
    }
    fn emit(&self, _: Event) -> Result<(), Failure> {
        unreachable!()
    }
    fn log(&self, _: LogLevel, _: &str) {}
    fn prompt(&self, _: PromptFragment) -> RegistrationId {
        unreachable!()
    }
    fn list(&self, _: &str) -> Result<Vec<Value>, Failure> {
        unreachable!()
    }
    fn snapshots(&self, _: Option<String>) -> BoxFuture<'_, Vec<Value>> {
        unreachable!()
    }
    fn conversation(&self) -> Option<Arc<dyn Conversation>> {
        None
    }
}

#[test]
fn the_extension_contributes_one_session_backend_named_jsonl() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("sessions");
    let extension = fen_session_jsonl::extension(JsonlBackend::new(Config::new(&root)));
    assert!(!extension.manifest().name.is_empty());
    let api = Arc::new(Registrations::default());
    extension.register(api.clone()).unwrap();
    assert_eq!(*api.0.lock().unwrap(), [(Kind::SessionBackend, "jsonl".to_owned())]);
    assert!(!root.exists(), "nothing is touched before it is needed");
}
