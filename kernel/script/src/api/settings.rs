//! `settings`: reading the person's settings, and changing a few defaults.

use super::{Group, outcome};
use crate::host::Instance;
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::vm::HostError;
use fen_contract::failure::Failure;
use fen_contract::kinds::Kind;
use fen_contract::provider::ThinkingLevel;
use mlua::{Table, Value};
use serde_json::{Map, Value as Json};
use std::rc::Rc;

/// What an extension may change. The rest decides what may run and what may be seen; a person
/// changes that.
const CHANGEABLE: [&str; 4] = ["provider", "model", "thinking", "presenter"];

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .now("load!", |instance, ()| {
            Ok(to_lua(instance.lua(), &instance.api.settings(), ToLua::default())?)
        })?
        .waits("set-defaults!", |instance, defaults: Value| async move {
            let json = to_json(&defaults, &ToJson::default())
                .map_err(|error| HostError::new(format!("set-defaults!: {error}")))?;
            let Json::Object(defaults) = json else {
                return Err("set-defaults! takes a table of settings".into());
            };
            change(&instance, defaults).await
        })?
        .waits("set-thinking-default!", |instance, level: String| async move {
            if ThinkingLevel::from_name(&level).is_none() {
                let names: Vec<&str> = ThinkingLevel::ALL.iter().map(|l| l.as_str()).collect();
                return Err(HostError::new(format!(
                    "there is no thinking level `{level}`; there are {}",
                    names.join(", ")
                )));
            }
            let mut defaults = Map::new();
            defaults.insert("thinking".to_owned(), level.into());
            change(&instance, defaults).await
        })?
        .finish()
}

async fn change(instance: &Rc<Instance>, defaults: Map<String, Json>) -> Result<Table, HostError> {
    let refused = defaults.keys().find(|name| !CHANGEABLE.contains(&name.as_str()));
    let refused = refused.map(|name| {
        let changeable = CHANGEABLE.join(", ");
        format!("an extension cannot change the setting `{name}`; it can change {changeable}")
    });
    let refused = refused.or_else(|| unknown(instance, &defaults));
    let changed = match (refused, instance.around.settings.clone()) {
        (Some(words), _) => Err(Failure::caller(words)),
        (None, None) => Err(Failure::caller("there is no settings file here")),
        (None, Some(file)) => {
            instance.on_kernel(async move { file.set(defaults).await }).await.flatten()
        }
    };
    outcome(instance.lua(), changed, |_, ()| Ok(()))
}

/// What is wrong with a setting that names something: it would keep the next run from starting.
fn unknown(instance: &Instance, defaults: &Map<String, Json>) -> Option<String> {
    let registry = instance.kernel.registry();
    [("provider", Kind::Provider), ("presenter", Kind::Presenter)].into_iter().find_map(
        |(setting, kind)| match defaults.get(setting)? {
            Json::String(name) if registry.find(kind, name).is_some() => None,
            Json::String(name) => Some(registry.nothing_named(kind, name).message),
            Json::Null => None,
            other => Some(format!("the setting `{setting}` is a name, got {other}")),
        },
    )
}
