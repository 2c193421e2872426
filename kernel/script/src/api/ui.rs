//! `ui`: remarks and questions to the person.

use super::Group;
use crate::host::Instance;
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::vm::HostError;
use fen_contract::ui::{Choice, Question, Ui};
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

/// A choice is a text, or a table with `label` and `value`.
fn choice(options: &Table) -> Result<Choice, HostError> {
    let listed: Option<Table> = options.raw_get("choices")?;
    let listed = listed.ok_or("select takes {choices = {…}}")?;
    let json = to_json(&Value::Table(listed), &ToJson::default())
        .map_err(|error| HostError::new(format!("choices: {error}")))?;
    let choices = json.as_array().cloned().unwrap_or_default();
    let choices = choices
        .into_iter()
        .map(|choice| match &choice {
            Json::String(text) => (text.clone(), choice),
            Json::Object(fields) => {
                let label = fields.get("label").and_then(Json::as_str).map(str::to_owned);
                let value = fields.get("value").cloned().unwrap_or_else(|| choice.clone());
                let label = label.unwrap_or_else(|| match &value {
                    Json::String(text) => text.clone(),
                    other => other.to_string(),
                });
                (label, value)
            }
            other => (other.to_string(), choice),
        })
        .collect();
    Ok(Choice {
        title: text_of(options, &["title", "text"])?.unwrap_or_default(),
        choices,
        initial_query: text_of(options, &["initial-query", "initial_query"])?,
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
                return Ok(Value::Nil);
            };
            let chosen = instance.on_kernel(async move { ui.select(choice).await }).await?;
            match chosen {
                None => Ok(Value::Nil),
                Some(chosen) => Ok(to_lua(instance.lua(), &chosen, ToLua::default())?),
            }
        })?
        .finish()
}
