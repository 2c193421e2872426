//! `ui`: remarks and questions to the person.

use super::Group;
use crate::host::Instance;
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::vm::HostError;
use fen_contract::ui::{Choice, Offer, OfferAction, Picked, Question, Ui};
use mlua::{Table, Value};
use serde_json::Value as Json;
use std::rc::Rc;
use std::sync::Arc;

fn ui(instance: &Instance) -> Option<Arc<dyn Ui>> {
    match instance.api.conversation() {
        Some(conversation) => conversation.ui(),
        None => instance.around.console.ui(),
    }
}

/// Says that nobody can be asked, where the person may see it.
fn nobody(instance: &Instance, what: &str) {
    let owner = &instance.owner;
    instance
        .around
        .console
        .note(&format!("fen: extension {owner} asks, and nobody can answer: {what}"));
}

fn text_of(options: &Table, names: &[&str]) -> Result<Option<String>, HostError> {
    for name in names {
        if let Some(text) = options.raw_get::<Option<String>>(*name)? {
            return Ok(Some(text));
        }
    }
    Ok(None)
}

fn question(options: Value) -> Result<Question, HostError> {
    match options {
        Value::String(text) => Ok(Question { text: text.to_string_lossy(), ..Question::default() }),
        Value::Table(options) => Ok(Question {
            text: text_of(&options, &["text", "title", "label"])?.unwrap_or_default(),
            initial: text_of(&options, &["initial", "default"])?,
            secret: options.raw_get::<Option<bool>>("secret")?.unwrap_or(false)
                || options.raw_get::<Option<bool>>("secret?")?.unwrap_or(false),
        }),
        other => {
            Err(HostError::new(format!("prompt takes {{text = …}}, got {}", other.type_name())))
        }
    }
}

/// An offer is a text, or a table with `label`, `value` and `detail`.
fn offer(offered: Json) -> Offer {
    match &offered {
        Json::String(text) => Offer::from((text.clone(), offered)),
        Json::Object(fields) => {
            let words = |name: &str| fields.get(name).and_then(Json::as_str).map(str::to_owned);
            let value = fields.get("value").cloned().unwrap_or_else(|| offered.clone());
            let label = words("label").unwrap_or_else(|| match &value {
                Json::String(text) => text.clone(),
                other => other.to_string(),
            });
            Offer { label, value, detail: words("detail") }
        }
        other => Offer::from((other.to_string(), offered)),
    }
}

/// What else may be done with an offer: a table with `key`, `name` and `label`.
fn action(given: &Json) -> Result<OfferAction, HostError> {
    let words = |name: &str| given.get(name).and_then(Json::as_str).map(str::to_owned);
    let (Some(key), Some(name)) = (words("key"), words("name")) else {
        return Err(HostError::new("an action of select is {key = …, name = …, label = …}"));
    };
    let label = words("label").unwrap_or_else(|| name.clone());
    Ok(OfferAction { key, name, label })
}

/// A list of the options, as data.
fn list(options: &Table, name: &str) -> Result<Option<Vec<Json>>, HostError> {
    let Some(listed) = options.raw_get::<Option<Table>>(name)? else { return Ok(None) };
    let json = to_json(&Value::Table(listed), &ToJson::default())
        .map_err(|error| HostError::new(format!("{name}: {error}")))?;
    Ok(Some(json.as_array().cloned().unwrap_or_default()))
}

fn choice(options: &Table) -> Result<Choice, HostError> {
    let choices = list(options, "choices")?.ok_or("select takes {choices = {…}}")?;
    let actions = list(options, "actions")?.unwrap_or_default();
    Ok(Choice {
        title: text_of(options, &["title", "text"])?.unwrap_or_default(),
        choices: choices.into_iter().map(offer).collect(),
        initial_query: text_of(options, &["initial-query", "initial_query"])?,
        actions: actions.iter().map(action).collect::<Result<_, _>>()?,
        ..Choice::default()
    })
}

pub(super) fn group(instance: &Rc<Instance>) -> mlua::Result<Table> {
    Group::new(instance)?
        .now("has-ui?", |instance, ()| Ok(ui(instance).is_some()))?
        .now("notify", |instance, (text, _): (String, Option<Table>)| {
            match ui(instance) {
                Some(ui) => ui.notify(&text),
                None => {
                    let owner = &instance.owner;
                    instance.around.console.note(&format!("{owner}: {text}"));
                }
            }
            Ok(())
        })?
        .waits("prompt", |instance, options: Value| async move {
            let question = question(options)?;
            let Some(ui) = ui(&instance) else {
                nobody(&instance, &question.text);
                return Ok(None);
            };
            Ok(instance.on_kernel(async move { ui.prompt(question).await }).await?)
        })?
        .waits("select", |instance, options: Table| async move {
            let choice = choice(&options)?;
            let Some(ui) = ui(&instance) else {
                nobody(&instance, &choice.title);
                return Ok((Value::Nil, None));
            };
            let picked = instance.on_kernel(async move { ui.pick(choice).await }).await?;
            match picked {
                None => Ok((Value::Nil, None)),
                Some(Picked { value, action }) => {
                    Ok((to_lua(instance.lua(), &value, ToLua::default())?, action))
                }
            }
        })?
        .finish()
}
