//! `auth`: looking up credential backends, and their keys where the manifest says so.

use super::Group;
use crate::host::Instance;
use crate::vm::HostError;
use fen_contract::kinds::{AuthBackendSpec, Contribution, Kind};
use fen_contract::names::{Owner, ProviderName};
use mlua::{Table, Value};
use std::rc::Rc;

/// The backend of this name, and who has contributed it.
pub(crate) fn backend(instance: &Instance, name: &str) -> Option<(AuthBackendSpec, Owner)> {
    let registry = instance.kernel.registry();
    let entry = registry.find(Kind::AuthBackend, name)?;
    match &entry.contribution {
        Contribution::AuthBackend(spec) => Some((spec.clone(), entry.by.owner.clone())),
        _ => None,
    }
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .now("find-backend", |instance, name: String| {
            let Some((spec, owner)) = backend(instance, &name) else { return Ok(Value::Nil) };
            let status = fen_core::guard::caught(|| spec.backend.status())
                .unwrap_or_else(|failure| failure.message);
            let mut group = Group::new(instance)?
                .value("name", name.as_str())?
                .value("status", status)?
                .value("owner", owner.as_str())?;
            if instance.granted.auth.contains(&name) {
                group = group.waits("api-key", move |instance, provider: Option<String>| {
                    let backend = spec.backend.clone();
                    let provider = ProviderName::from(provider.unwrap_or_else(|| name.clone()));
                    async move {
                        let key = instance
                            .on_kernel(async move { backend.api_key(&provider).await })
                            .await
                            .flatten()
                            .map_err(|failure| HostError::Message(failure.message))?;
                        // As in the contract: a text, or nil where there is no key.
                        Ok(key.map(|key| key.reveal().to_owned()))
                    }
                })?;
            }
            Ok(Value::Table(group.finish()?))
        })?
        .finish()
}
