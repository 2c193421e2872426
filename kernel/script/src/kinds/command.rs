//! Slash commands.

use super::spec::Spec;
use crate::host::{Callback, Instance, Limit};
use crate::value::{ToJson, lazy_list, to_json};
use crate::wire::{MessageSource, names_aliased, table_of};
use fen_contract::command::{Command, CommandContext, Completion};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::CommandSpec;
use mlua::{IntoLuaMulti as _, Lua, MultiValue, Table, Value};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How many offers of a completion are taken.
const MAX_OFFERS: usize = 1000;
/// How long a completion is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

struct ScriptCommand {
    handler: Callback,
    complete: Option<Callback>,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<CommandSpec, String> {
    Ok(CommandSpec {
        name: spec.name()?,
        description: spec.optional("description")?,
        idle_only: spec.optional("idle-only?")?,
        order: spec.optional("order")?,
        person_only: spec.optional("person-only?")?,
        subcommands: spec.optional("subcommands")?,
        usage: spec.optional("usage")?,
        command: Arc::new(ScriptCommand {
            handler: spec.required_callback("handler")?,
            complete: spec.callback("complete")?,
        }),
    })
}

fn arguments(
    instance: &Rc<Instance>,
    text: &str,
    context: &CommandContext,
) -> mlua::Result<MultiValue> {
    let lua = instance.lua();
    (text, context_table(lua, context)?).into_lua_multi(lua)
}

/// What a command or a control knows of its caller.
pub(super) fn context_table(lua: &Lua, context: &CommandContext) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 6)?;
    table.raw_set("busy?", context.busy)?;
    table.raw_set("cwd", context.agent.0.cwd())?;
    table.raw_set("model", context.agent.0.model().as_str())?;
    table.raw_set("provider", context.agent.0.provider().as_str())?;
    if let Some(session) = &context.session {
        table.raw_set("session", table_of(lua, session)?)?;
    }
    let messages = Rc::new(MessageSource::Live(context.agent.clone()));
    table.raw_set("messages", lazy_list(lua, messages)?)?;
    names_aliased(lua, table)
}

impl Command for ScriptCommand {
    fn run<'a>(
        &'a self,
        text: &'a str,
        context: &'a CommandContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let (text, context) = (text.trim().to_owned(), context.clone());
            let called = self.handler.call(
                Limit::Handler,
                None,
                move |instance| arguments(instance, &text, &context),
                |_, _| Ok(()),
            );
            called.await.map_err(|failure| {
                self.handler.report("handler", &failure.message);
                let owner = &self.handler.link.owner;
                Failure::new(format!("extension `{owner}`: {}", failure.message))
            })
        })
    }

    fn complete<'a>(
        &'a self,
        prefix: &'a str,
        context: &'a CommandContext,
    ) -> BoxFuture<'a, Vec<Completion>> {
        Box::pin(async move {
            let Some(complete) = &self.complete else { return Vec::new() };
            let (prefix, context) = (prefix.to_owned(), context.clone());
            let called = complete.call(
                Limit::Handler,
                None,
                move |instance| arguments(instance, &prefix, &context),
                |_, value| offers(&value),
            );
            let failure = match tokio::time::timeout(PATIENCE, called).await {
                Ok(Ok(offers)) => return offers,
                Ok(Err(failure)) => failure.message,
                Err(_) => format!("it gave nothing within {PATIENCE:?}"),
            };
            complete.report("complete", &failure);
            Vec::new()
        })
    }
}

/// A list of texts, or of tables with `label` and perhaps `value` and `description`.
fn offers(value: &Value) -> Result<Vec<Completion>, String> {
    if value.is_nil() {
        return Ok(Vec::new());
    }
    let json = to_json(value, &ToJson::default())?;
    let Some(list) = json.as_array() else {
        return match json.as_object() {
            Some(fields) if fields.is_empty() => Ok(Vec::new()),
            _ => Err("complete gives a list of offers".to_owned()),
        };
    };
    list.iter()
        .take(MAX_OFFERS)
        .map(|offer| {
            let text = |name: &str| offer.get(name).and_then(|text| text.as_str());
            let label = offer.as_str().or(text("label")).or(text("value"));
            let label = label.ok_or_else(|| format!("an offer has a `label`; got {offer}"))?;
            Ok(Completion {
                label: label.to_owned(),
                value: text("value").unwrap_or(label).to_owned(),
                description: text("description").map(str::to_owned),
            })
        })
        .collect()
}
