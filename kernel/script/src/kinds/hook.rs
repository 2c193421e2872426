//! Hooks: looks at tool calls with the power to veto.

use super::spec::Spec;
use crate::host::{Callback, Limit};
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::wire::names_aliased;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::hook::{Hook, HookContext, Verdict};
use fen_contract::kinds::HookSpec;
use mlua::{IntoLuaMulti as _, Value};
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::Duration;

/// How long a hook may wait where nobody can be asked.
const PATIENCE: Duration = Duration::from_secs(30);

struct ScriptHook(Callback);

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<HookSpec, String> {
    Ok(HookSpec { hook: Arc::new(ScriptHook(spec.required_callback("before-tool")?)) })
}

impl Hook for ScriptHook {
    fn before_tool<'a>(
        &'a self,
        tool: &'a str,
        arguments: &'a Json,
        context: HookContext<'a>,
    ) -> BoxFuture<'a, Result<Verdict, Failure>> {
        Box::pin(async move {
            // A copy: what the hook does to it changes nothing of the call.
            let (tool, arguments) = (tool.to_owned(), arguments.clone());
            let cwd = context.cwd.display().to_string();
            let source = context.source.to_owned();
            let call_id = context.call_id.as_str().to_owned();
            let called = self.0.call(
                Limit::Look,
                None,
                move |instance| {
                    let lua = instance.lua();
                    let arguments = to_lua(lua, &arguments, ToLua::default())?;
                    let table = lua.create_table_with_capacity(0, 4)?;
                    table.raw_set("cwd", cwd)?;
                    table.raw_set("tool", tool.as_str())?;
                    table.raw_set("source", source)?;
                    table.raw_set("call-id", call_id)?;
                    (tool, arguments, names_aliased(lua, table)?).into_lua_multi(lua)
                },
                |_, value| verdict(&value),
            );
            let can_ask = self.0.link.kernel.api().conversation().is_some_and(|c| c.ui().is_some());
            if can_ask {
                // It may wait for the person, who can cancel.
                return Ok(called.await?);
            }
            match tokio::time::timeout(PATIENCE, called).await {
                Ok(answered) => Ok(answered?),
                Err(_) => Err(Failure::new(format!("it gave no answer within {PATIENCE:?}"))),
            }
        })
    }
}

/// Nothing and `{allow = true}` let the call pass; any other answer blocks it.
fn verdict(value: &Value) -> Result<Verdict, String> {
    if value.is_nil() {
        return Ok(Verdict::Allow);
    }
    let answer = to_json(value, &ToJson::default())?;
    let reason = answer.get("reason").and_then(Json::as_str).map(str::to_owned);
    match (answer.get("block"), answer.get("allow")) {
        (None | Some(Json::Bool(false)), Some(Json::Bool(true))) => Ok(Verdict::Allow),
        (Some(Json::Bool(true)), _) => Ok(Verdict::Block {
            reason: reason.unwrap_or_else(|| "no reason was given".to_owned()),
        }),
        _ => Err(format!(
            "a hook gives nothing, {{allow = true}} or {{block = true, reason = …}}; got {answer}"
        )),
    }
}
