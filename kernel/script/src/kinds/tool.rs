//! Tools.

use super::spec::Spec;
use crate::host::{Callback, Instance, Limit};
use crate::value::{ToLua, to_lua};
use crate::vm::HostError;
use crate::wire::read_as;
use fen_contract::failure::BoxFuture;
use fen_contract::kinds::ToolSpec;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use mlua::{IntoLuaMulti as _, MultiValue, Table, Value};
use serde_json::{Value as Json, json};
use std::rc::Rc;
use std::sync::Arc;

struct ScriptTool {
    name: String,
    execute: Callback,
    concurrency: Concurrency,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<ToolSpec, String> {
    let name = spec.name()?;
    let parallel_safe: Option<bool> = spec.optional("parallel-safe?")?;
    let concurrency = match parallel_safe {
        Some(true) => Concurrency::Parallel,
        _ => Concurrency::Serial,
    };
    let execute = spec.required_callback("execute")?;
    Ok(ToolSpec {
        description: spec.required("description")?,
        parameters: schema(spec.required("parameters")?),
        label: spec.optional("label")?,
        exposure: spec.optional("exposure")?,
        parallel_cap: spec.optional("parallel-cap")?,
        parallel_safe,
        snippet: spec.optional("snippet")?,
        tool: Arc::new(ScriptTool { name: name.clone(), execute, concurrency }),
        name,
    })
}

/// An empty Lua table is an object; where JSON Schema has a list, it is meant as one.
fn schema(mut json: Json) -> Json {
    fn walk(json: &mut Json) {
        match json {
            Json::Object(fields) => {
                for (name, value) in fields.iter_mut() {
                    let is_list = matches!(name.as_str(), "required" | "enum" | "examples");
                    if is_list && value.as_object().is_some_and(serde_json::Map::is_empty) {
                        *value = json!([]);
                    }
                    walk(value);
                }
            }
            Json::Array(elements) => elements.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut json);
    json
}

impl Tool for ScriptTool {
    fn execute<'a>(
        &'a self,
        arguments: Json,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            let context = call.clone();
            let called = self.execute.call(
                Limit::Work,
                Some(&call.cancel),
                move |instance| arguments_of(instance, &arguments, &context),
                |_, value| result(&value),
            );
            called.await.unwrap_or_else(|failure| {
                if !call.cancel.is_cancelled() {
                    self.execute.report("execute", &failure.message);
                }
                let owner = &self.execute.link.owner;
                AgentToolResult::error(format!(
                    "The tool `{}` of extension `{owner}` failed: {}",
                    self.name, failure.message
                ))
            })
        })
    }

    fn concurrency(&self, _: &Json, _: &ToolCallContext) -> Concurrency {
        self.concurrency.clone()
    }
}

fn arguments_of(
    instance: &Rc<Instance>,
    arguments: &Json,
    call: &ToolCallContext,
) -> mlua::Result<MultiValue> {
    let lua = instance.lua();
    let arguments = to_lua(lua, arguments, ToLua::default())?;
    (arguments, yielder(instance, call)?).into_lua_multi(lua)
}

/// `yield`: callable, and what a tool knows of its call. Called with a text it shows that as live
/// output.
fn yielder(instance: &Rc<Instance>, call: &ToolCallContext) -> mlua::Result<Table> {
    let lua = instance.lua();
    let table = lua.create_table_with_capacity(0, 3)?;
    table.raw_set("cwd", call.cwd.display().to_string())?;
    table.raw_set("call-id", call.call_id.as_str())?;
    if let Some(session) = &call.session_id {
        table.raw_set("session-id", session.as_str())?;
    }
    let metatable = lua.create_table_with_capacity(0, 2)?;
    let (cancel, output) = (call.cancel.clone(), call.output.clone());
    let give_way = instance.async_function(move |_, (_, text): (Value, Option<String>)| {
        let (cancel, output) = (cancel.clone(), output.clone());
        async move {
            if let Some(text) = text {
                output(&text);
            }
            tokio::task::yield_now().await;
            if cancel.is_cancelled() { Err(HostError::Cancelled) } else { Ok(()) }
        }
    })?;
    metatable.raw_set("__call", give_way)?;
    let aliases = lua.create_table_with_capacity(0, 2)?;
    for (alias, name) in [("call_id", "call-id"), ("session_id", "session-id")] {
        aliases.raw_set(alias, table.raw_get::<Value>(name)?)?;
    }
    metatable.raw_set("__index", aliases)?;
    metatable.raw_set("__metatable", false)?;
    table.set_metatable(Some(metatable))?;
    Ok(table)
}

/// A text is one block; a table has the contract's form.
fn result(value: &Value) -> Result<AgentToolResult, String> {
    let wrong = |what: &str| {
        format!(
            "a tool gives a text, or {{content = {{{{type = \"text\", text = …}}}}}}; got {what}"
        )
    };
    match value {
        Value::String(text) => Ok(AgentToolResult::text(text.to_string_lossy())),
        Value::Table(table) => {
            let content: Value = table.raw_get("content").map_err(|error| error.to_string())?;
            if content.is_nil() {
                return Err(wrong("a table without `content`"));
            }
            let has_flag = ["is-error?", "is_error"]
                .iter()
                .any(|name| table.raw_get::<Value>(*name).is_ok_and(|flag| !flag.is_nil()));
            let value = if has_flag { value.clone() } else { with_flag(table)? };
            read_as(&value, "AgentToolResult").map_err(|error| wrong(&error))
        }
        Value::Nil => Err(wrong("nil")),
        Value::Integer(_) => Err(wrong("a number")),
        other => Err(wrong(&format!("a {}", other.type_name()))),
    }
}

/// A result that does not say is no error.
fn with_flag(table: &Table) -> Result<Value, String> {
    let copy = || {
        let lua = table.weak_lua().upgrade();
        let copy = lua.create_table()?;
        table.for_each(|key: Value, value: Value| copy.raw_set(key, value))?;
        copy.raw_set("is-error?", false)?;
        Ok(Value::Table(copy))
    };
    copy().map_err(|error: mlua::Error| error.to_string())
}
