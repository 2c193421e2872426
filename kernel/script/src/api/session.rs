//! `session`: the stored conversation, and state that belongs to it; and the module that chooses
//! the backend.

use super::{Group, failed, outcome};
use crate::host::Instance;
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::vm::HostError;
use crate::wire::table_of;
use fen_contract::failure::Fault;
use fen_contract::names::SessionId;
use mlua::{Table, Value};
use serde_json::{Value as Json, json};
use std::rc::Rc;

const NO_SESSION: &str = "this conversation is not stored";

/// The largest state of one entry, in bytes of text.
const STATE_BYTES: usize = 1 << 20;

/// The kind of a session entry that holds an extension's state.
fn entry_kind(instance: &Instance) -> String {
    format!("{}/state", instance.owner)
}

fn session_id(instance: &Instance) -> Option<SessionId> {
    Some(instance.api.conversation()?.session()?.id)
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    // The last state of a session, so that it is read from the store once.
    let latest: Rc<std::cell::RefCell<Option<(SessionId, Json)>>> = Rc::default();
    let appended = latest.clone();
    Group::new(instance)?
        .now("info", |instance, ()| {
            let info = instance.api.conversation().and_then(|conversation| conversation.session());
            match info {
                Some(info) => Ok(table_of(instance.lua(), &info)?),
                None => Ok(Value::Nil),
            }
        })?
        .waits("set-info!", |instance, info: Table| async move {
            let title: Option<String> = info.raw_get("title")?;
            let title = title.ok_or("set-info! takes {title = …}")?;
            let Some(conversation) = instance.api.conversation() else {
                return failed(instance.lua(), NO_SESSION);
            };
            let renamed =
                instance.on_kernel(async move { conversation.rename_session(title).await }).await;
            outcome(instance.lua(), renamed.flatten(), |_, ()| Ok(()))
        })?
        .now("active-backend", |instance, ()| Ok(instance.kernel.session_backend()))?
        .waits("append-state!", move |instance, state: Value| {
            let latest = appended.clone();
            async move {
                let rules = ToJson { max_bytes: STATE_BYTES, ..ToJson::default() };
                let state = to_json(&state, &rules)
                    .map_err(|error| HostError::new(format!("append-state!: {error}")))?;
                let (Some(conversation), Some(id)) =
                    (instance.api.conversation(), session_id(&instance))
                else {
                    return failed(instance.lua(), NO_SESSION);
                };
                let (kind, fields) = (entry_kind(&instance), json!({"state": state}));
                let stored = instance
                    .on_kernel(async move { conversation.append_entry(kind, fields).await })
                    .await
                    .flatten();
                if stored.is_ok() {
                    *latest.borrow_mut() = Some((id, state));
                }
                outcome(instance.lua(), stored, |_, ()| Ok(()))
            }
        })?
        .waits("latest-state", move |instance, ()| {
            let latest = latest.clone();
            async move {
                let (Some(conversation), Some(id)) =
                    (instance.api.conversation(), session_id(&instance))
                else {
                    return Ok(Value::Nil);
                };
                let known = latest.borrow().clone().filter(|(known, _)| *known == id);
                let state = match known {
                    Some((_, state)) => state,
                    None => {
                        let kind = entry_kind(&instance);
                        let loaded = instance
                            .on_kernel(async move { conversation.load_entries(kind).await })
                            .await
                            .flatten();
                        let loaded = match loaded {
                            Ok(loaded) => loaded,
                            // The backend keeps no entries, so there is no state.
                            Err(failure) if failure.fault == Fault::Caller => Vec::new(),
                            Err(failure) => return Err(HostError::Message(failure.message)),
                        };
                        let last = loaded.into_iter().next_back();
                        let state = last
                            .and_then(|mut entry| entry.get_mut("state").map(Json::take))
                            .unwrap_or(Json::Null);
                        *latest.borrow_mut() = Some((id, state.clone()));
                        state
                    }
                };
                if state.is_null() {
                    return Ok(Value::Nil);
                }
                Ok(to_lua(instance.lua(), &state, ToLua::default())?)
            }
        })?
        .finish()
}

/// The module that chooses the backend, as `require` knows it.
pub(crate) const BACKEND_MODULE: &str = "fen.core.extensions.register.session_backend";

/// What `require` gives for [`BACKEND_MODULE`].
pub(super) fn backend_module(instance: &Rc<Instance>) -> mlua::Result<Table> {
    let weak = Rc::downgrade(instance);
    instance.vm.lazy_table(move |_, table| {
        let Some(instance) = weak.upgrade() else { return Ok(()) };
        let set_active = instance.function(|instance, name: String| {
            let own = instance.staged_backends.borrow().contains(&name);
            if own && !instance.has_run() {
                // It is in force, and can be chosen, once its extension is.
                *instance.active_backend.borrow_mut() = Some(name);
                return outcome(instance.lua(), Ok::<_, HostError>(()), |_, ()| Ok(()));
            }
            let set = instance.kernel.set_active_session_backend(&name);
            outcome(instance.lua(), set, |_, ()| Ok(()))
        })?;
        table.raw_set("set-active!", &set_active)?;
        table.raw_set("set_active", set_active)
    })
}
