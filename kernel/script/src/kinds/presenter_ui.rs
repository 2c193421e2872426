//! The `ui` of a presenter in a script: remarks and questions to the person.

use crate::host::{Callback, Limit, ScriptFailure};
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::wire::names_aliased;
use fen_contract::cancel::CancelToken;
use fen_contract::failure::BoxFuture;
use fen_contract::ui::{Choice, Question, Ui};
use mlua::{IntoLuaMulti as _, Lua, Table, Value};
use serde_json::Value as Json;

/// The functions of a presenter's `ui`.
pub(super) struct ScriptUi {
    pub notify: Option<Callback>,
    pub prompt: Option<Callback>,
    pub select: Option<Callback>,
}

/// What a presenter's `prompt` gets.
fn question_table(lua: &Lua, question: &Question) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 3)?;
    table.raw_set("text", question.text.as_str())?;
    table.raw_set("initial", question.initial.as_deref())?;
    table.raw_set("secret?", question.secret)?;
    names_aliased(lua, table)
}

/// What a presenter's `select` gets. The values are the asker's own data.
fn choice_table(lua: &Lua, choice: &Choice) -> mlua::Result<Table> {
    let choices = lua.create_table_with_capacity(choice.choices.len(), 0)?;
    for offer in &choice.choices {
        let table = lua.create_table_with_capacity(0, 3)?;
        table.raw_set("label", offer.label.as_str())?;
        table.raw_set("value", to_lua(lua, &offer.value, ToLua::default())?)?;
        table.raw_set("detail", offer.detail.as_deref())?;
        choices.raw_push(table)?;
    }
    let table = lua.create_table_with_capacity(0, 3)?;
    table.raw_set("title", choice.title.as_str())?;
    table.raw_set("choices", choices)?;
    table.raw_set("initial-query", choice.initial_query.as_deref())?;
    names_aliased(lua, table)
}

impl Ui for ScriptUi {
    fn notify(&self, text: &str) {
        let Some(notify) = &self.notify else { return };
        let (text, function) = (text.to_owned(), notify.function);
        notify.link.post(move |instance| {
            let instance = instance.clone();
            tokio::task::spawn_local(async move {
                let arguments = match text.into_lua_multi(instance.lua()) {
                    Ok(arguments) => arguments,
                    Err(error) => return instance.report("notify", &error.to_string()),
                };
                let called =
                    instance.call(function, Limit::Handler, arguments, CancelToken::new()).await;
                if let Err(failure) = called {
                    instance.report("notify", &failure.message);
                }
            });
        });
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        Box::pin(async move {
            let prompt = self.prompt.as_ref()?;
            let called = prompt.call(
                Limit::Handler,
                None,
                move |instance| {
                    question_table(instance.lua(), &question)?.into_lua_multi(instance.lua())
                },
                |_, value| match value {
                    Value::Nil => Ok(None),
                    Value::String(text) => Ok(Some(text.to_string_lossy())),
                    other => Err(format!("prompt gives a text or nil, got {}", other.type_name())),
                },
            );
            reported(prompt, "prompt", called.await)
        })
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Json>> {
        Box::pin(async move {
            let select = self.select.as_ref()?;
            let asked = choice.clone();
            let called = select.call(
                Limit::Handler,
                None,
                move |instance| {
                    choice_table(instance.lua(), &asked)?.into_lua_multi(instance.lua())
                },
                |_, value| match value {
                    Value::Nil => Ok(None),
                    value => Ok(Some(to_json(&value, &ToJson::default())?)),
                },
            );
            let answer = reported(select, "select", called.await)?;
            // Only what was offered counts; a whole offer stands for its value.
            let offered = |value: &Json| {
                choice.choices.iter().map(|offer| &offer.value).find(|one| *one == value)
            };
            offered(&answer).or_else(|| offered(answer.get("value")?)).cloned()
        })
    }
}

fn reported<T>(
    callback: &Callback,
    name: &str,
    outcome: Result<Option<T>, ScriptFailure>,
) -> Option<T> {
    outcome.unwrap_or_else(|failure| {
        callback.report(name, &failure.message);
        None
    })
}
