//! Introspection snapshots.

use super::spec::Spec;
use crate::host::{Callback, Limit};
use crate::value::{ToJson, to_json};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::introspect::Introspect;
use fen_contract::kinds::IntrospectSpec;
use mlua::IntoLuaMulti as _;
use serde_json::Value as Json;
use std::sync::Arc;

/// The most text of one snapshot, in bytes.
const MAX_BYTES: usize = 256 * 1024;
/// The most values of one snapshot.
const MAX_NODES: usize = 20_000;

struct ScriptIntrospect(Callback);

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<IntrospectSpec, String> {
    Ok(IntrospectSpec {
        name: spec.name()?,
        description: spec.optional("description")?,
        introspect: Arc::new(ScriptIntrospect(spec.required_callback("snapshot")?)),
    })
}

impl Introspect for ScriptIntrospect {
    fn snapshot(&self) -> BoxFuture<'_, Result<Json, Failure>> {
        Box::pin(async move {
            let called = self.0.call(
                Limit::Sync,
                None,
                |instance| instance.lua().create_table()?.into_lua_multi(instance.lua()),
                |_, value| {
                    let rules =
                        ToJson { max_bytes: MAX_BYTES, max_nodes: MAX_NODES, ..ToJson::default() };
                    to_json(&value, &rules).map_err(|error| format!("snapshot: {error}"))
                },
            );
            Ok(called.await?)
        })
    }
}
