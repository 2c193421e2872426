//! `turn`, `enqueue` and `commands`: what scripts ask of the conversation.

use super::{Group, failed, outcome};
use crate::host::Instance;
use crate::value::{ToJson, to_json};
use crate::vm::HostError;
use fen_contract::conversation::{QueueName, Submitted, Telling, WhenBusy, WhenIdle};
use fen_contract::kinds::{Contribution, Kind};
use mlua::{Function, Lua, MultiValue, Table, Value};
use serde_json::Value as Json;
use std::rc::Rc;

const NO_CONVERSATION: &str = "no conversation is running";

/// An option of a table under its name or its underscore spelling.
fn option(options: Option<&Table>, name: &str) -> Result<Json, HostError> {
    let Some(options) = options else { return Ok(Json::Null) };
    let alias = name.trim_end_matches(['?', '!']).replace('-', "_");
    let mut value: Value = options.raw_get(name)?;
    if value.is_nil() {
        value = options.raw_get(alias)?;
    }
    to_json(&value, &ToJson::default()).map_err(|error| HostError::new(format!("{name}: {error}")))
}

/// What became of a submitted text, as scripts are told.
pub(crate) fn submitted(lua: &Lua, submitted: Submitted) -> Result<Table, HostError> {
    let table = lua.create_table_with_capacity(0, 3)?;
    match submitted {
        Submitted::Started => {
            table.raw_set("ok", true)?;
            table.raw_set("started", true)?;
        }
        Submitted::Queued(queue) => {
            table.raw_set("ok", true)?;
            table.raw_set("queued", true)?;
            table.raw_set("queue", queue.as_str())?;
        }
        Submitted::Command(Ok(())) => table.raw_set("ok", true)?,
        Submitted::Command(Err(failure)) | Submitted::Rejected(failure) => {
            return failed(lua, failure);
        }
    }
    Ok(table)
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .now("submit!", |instance, arguments: MultiValue| {
            // The context that comes first may be left out.
            let mut rest = arguments.into_iter().skip_while(|value| !value.is_string());
            let text = match rest.next() {
                Some(Value::String(text)) => text.to_string_lossy(),
                _ => return Err("submit! takes a context, a text and options".into()),
            };
            let options = match rest.next() {
                None | Some(Value::Nil) => None,
                Some(Value::Table(options)) => Some(options),
                Some(other) => {
                    return Err(HostError::new(format!(
                        "the options of submit! are a table, got {}",
                        other.type_name()
                    )));
                }
            };
            let when_busy = match option(options.as_ref(), "when-busy")? {
                Json::Null => WhenBusy::Reject,
                given => serde_json::from_value(given.clone()).map_err(|_| {
                    HostError::new(format!(
                        "when-busy: expected reject, steering or follow-up, got {given}"
                    ))
                })?,
            };
            let telling = match option(options.as_ref(), "emit-user?")? {
                Json::Bool(false) => Telling::Silent,
                _ => Telling::AsUser,
            };
            match instance.api.conversation() {
                Some(conversation) => {
                    submitted(instance.lua(), conversation.submit_as(text, when_busy, telling))
                }
                None => failed(instance.lua(), NO_CONVERSATION),
            }
        })?
        .now("cancel!", |instance, ()| {
            Ok(instance.api.conversation().is_some_and(|conversation| conversation.cancel()))
        })?
        .now("busy?", |instance, ()| {
            Ok(instance.api.conversation().is_some_and(|conversation| conversation.is_busy()))
        })?
        .finish()
}

pub(super) fn enqueue(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, (queue, text, options): (String, String, Option<Table>)| {
        let queue = match queue.as_str() {
            "steering" => QueueName::Steering,
            "follow-up" | "follow_up" => QueueName::FollowUp,
            other => {
                return Err(HostError::new(format!(
                    "there is no queue `{other}`; there are steering and follow-up"
                )));
            }
        };
        let when_idle = match option(options.as_ref(), "start-if-idle?")? {
            Json::Null => match option(options.as_ref(), "start-if-idle")? {
                Json::Bool(true) => WhenIdle::Start,
                _ => WhenIdle::Wait,
            },
            Json::Bool(true) => WhenIdle::Start,
            _ => WhenIdle::Wait,
        };
        match instance.api.conversation() {
            Some(conversation) => {
                submitted(instance.lua(), conversation.enqueue(queue, text, when_idle))
            }
            None => failed(instance.lua(), NO_CONVERSATION),
        }
    })
}

/// Whether a line is a command that extensions must not run in a person's place.
fn is_for_persons(instance: &Instance, line: &str) -> bool {
    let name = line.strip_prefix('/').and_then(|rest| rest.split_whitespace().next());
    let registry = instance.kernel.registry();
    let entry = name.and_then(|name| registry.find(Kind::Command, name));
    entry.is_some_and(|entry| match &entry.contribution {
        Contribution::Command(spec) => spec.person_only == Some(true),
        _ => false,
    })
}

pub(super) fn commands(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .waits("dispatch", |instance, line: String| async move {
            let Some(conversation) = instance.api.conversation() else {
                return failed(instance.lua(), NO_CONVERSATION);
            };
            if is_for_persons(&instance, &line) {
                let words = "this command is for a person to type, not for extensions";
                return failed(instance.lua(), words);
            }
            let dispatched =
                instance.on_kernel(async move { conversation.dispatch(line).await }).await;
            let result = dispatched.flatten();
            outcome(instance.lua(), result, |_, ()| Ok(()))
        })?
        .finish()
}
