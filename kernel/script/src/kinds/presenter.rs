//! Presenters.

use super::spec::Spec;
use crate::api::{outcome, submitted};
use crate::host::{Callback, Instance, Limit};
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::vm::HostError;
use crate::wire::{event_table, names_aliased, table_of};
use fen_contract::conversation::WhenBusy;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::{Choice, Question, RenderContext, Ui};
use mlua::{IntoLuaMulti as _, Lua, MultiValue, Table, Value};
use serde_json::{Value as Json, json};
use std::rc::Rc;
use std::sync::Arc;

struct ScriptPresenter {
    init: Option<Callback>,
    run: Callback,
    shutdown: Option<Callback>,
    ui: Option<Arc<ScriptUi>>,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<PresenterSpec, String> {
    let mut ui = None;
    let mut functions = std::mem::take(&mut spec.ui);
    if !functions.is_empty() {
        let mut take =
            |name: &str| functions.remove(name).map(|function| spec.kept(function)).transpose();
        ui = Some(Arc::new(ScriptUi {
            notify: take("notify")?,
            prompt: take("prompt")?,
            select: take("select")?,
        }));
    }
    Ok(PresenterSpec {
        name: spec.name()?,
        one_shot: spec.optional("one-shot?")?,
        presenter: Arc::new(ScriptPresenter {
            init: spec.callback("init")?,
            run: spec.required_callback("run")?,
            shutdown: spec.callback("shutdown")?,
            ui,
        }),
    })
}

async fn call(
    callback: &Callback,
    limit: Limit,
    context: &PresenterContext,
) -> Result<(), Failure> {
    let context = context.clone();
    let called = callback.call(
        limit,
        None,
        move |instance| context_table(instance, &context)?.into_lua_multi(instance.lua()),
        |_, _| Ok(()),
    );
    Ok(called.await?)
}

impl Presenter for ScriptPresenter {
    fn init<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match &self.init {
                Some(init) => call(init, Limit::Handler, context).await,
                None => Ok(()),
            }
        })
    }

    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(call(&self.run, Limit::Endless, context))
    }

    fn shutdown<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match &self.shutdown {
                Some(shutdown) => call(shutdown, Limit::Handler, context).await,
                None => Ok(()),
            }
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        self.ui.clone().map(|ui| ui as Arc<dyn Ui>)
    }
}

/// What a presenter in a script works with.
fn context_table(instance: &Rc<Instance>, context: &PresenterContext) -> mlua::Result<Table> {
    let lua = instance.lua();
    let table = lua.create_table_with_capacity(0, 14)?;
    if let Some(prompt) = &context.prompt {
        table.raw_set("prompt", prompt.as_str())?;
    }
    let events = context.events.clone();
    table.raw_set(
        "next-event",
        instance.async_function(move |instance, _: MultiValue| {
            let events = events.clone();
            async move {
                match events.next_event().await {
                    Some(event) => Ok(Value::Table(event_table(instance.lua(), &event)?)),
                    None => Ok(Value::Nil),
                }
            }
        })?,
    )?;
    let conversation = context.conversation.clone();
    table.raw_set(
        "submit",
        instance.async_function(move |instance, text: String| {
            let conversation = conversation.clone();
            async move {
                let became = instance
                    .on_kernel(
                        async move { conversation.submit_line(text, WhenBusy::Steering).await },
                    )
                    .await?;
                submitted(instance.lua(), became)
            }
        })?,
    )?;
    let conversation = context.conversation.clone();
    table.raw_set(
        "dispatch",
        instance.async_function(move |instance, line: String| {
            let conversation = conversation.clone();
            async move {
                let dispatched = instance
                    .on_kernel(async move { conversation.dispatch(line).await })
                    .await
                    .and_then(|dispatched| dispatched);
                outcome(instance.lua(), dispatched, |_, ()| Ok(()))
            }
        })?,
    )?;
    let conversation = context.conversation.clone();
    table
        .raw_set("cancel", instance.function(move |_, _: MultiValue| Ok(conversation.cancel()))?)?;
    let conversation = context.conversation.clone();
    table
        .raw_set("busy?", instance.function(move |_, _: MultiValue| Ok(conversation.is_busy()))?)?;
    let conversation = context.conversation.clone();
    table.raw_set(
        "quit",
        instance.function(move |_, _: MultiValue| {
            conversation.quit();
            Ok(())
        })?,
    )?;
    table.raw_set(
        "read-line",
        instance.async_function(|instance, prompt: Option<String>| async move {
            let console = instance.around.console.clone();
            let read = instance
                .on_kernel(async move { console.read_line(prompt.unwrap_or_default()).await })
                .await??;
            Ok(read)
        })?,
    )?;
    table.raw_set(
        "write",
        instance.async_function(|instance, text: mlua::LuaString| async move {
            let console = instance.around.console.clone();
            let text = text.to_string_lossy();
            instance.on_kernel(async move { console.write(text).await }).await??;
            Ok(())
        })?,
    )?;
    drawing(instance, context, &table)?;
    names_aliased(lua, table)
}

/// What a presenter that draws needs besides: the contributions to the screen.
fn drawing(instance: &Rc<Instance>, context: &PresenterContext, table: &Table) -> mlua::Result<()> {
    let size = |options: Option<Table>| -> Result<RenderContext, HostError> {
        let (mut width, mut height) = (None, None);
        if let Some(options) = &options {
            width = options.raw_get("width")?;
            height = options.raw_get("height")?;
        }
        Ok(RenderContext { width: width.unwrap_or(80), height: height.unwrap_or(24), busy: false })
    };
    let api = context.api.clone();
    table.raw_set(
        "status",
        instance.async_function(move |instance, options: Option<Table>| {
            let api = api.clone();
            async move {
                let size = size(options)?;
                let items = instance.on_kernel(async move { api.status_items(size).await }).await?;
                let rows: Vec<Json> = items
                    .iter()
                    .map(|item| {
                        json!({"owner": item.owner, "name": item.name, "side": item.side,
                               "text": item.segment.text, "style": item.segment.style})
                    })
                    .collect();
                Ok(table_of(instance.lua(), &rows)?)
            }
        })?,
    )?;
    let api = context.api.clone();
    table.raw_set(
        "panels",
        instance.async_function(move |instance, options: Option<Table>| {
            let api = api.clone();
            async move {
                let size = size(options)?;
                let panels = instance.on_kernel(async move { api.panels(size).await }).await?;
                let rows: Vec<Json> = panels
                    .iter()
                    .map(|panel| {
                        json!({"owner": panel.owner, "name": panel.name, "title": panel.title,
                               "placement": panel.placement, "height": panel.height,
                               "rows": panel.rows})
                    })
                    .collect();
                Ok(table_of(instance.lua(), &rows)?)
            }
        })?,
    )?;
    let api = context.api.clone();
    table.raw_set(
        "press",
        instance.async_function(move |instance, key: String| {
            let api = api.clone();
            async move {
                let pressed = instance.on_kernel(async move { api.press(&key).await }).await?;
                match pressed {
                    None => Ok(Value::Nil),
                    Some(ran) => Ok(Value::Table(outcome(instance.lua(), ran, |_, ()| Ok(()))?)),
                }
            }
        })?,
    )
}

/// The functions of a presenter's `ui`.
struct ScriptUi {
    notify: Option<Callback>,
    prompt: Option<Callback>,
    select: Option<Callback>,
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
    for (label, value) in &choice.choices {
        let offer = lua.create_table_with_capacity(0, 2)?;
        offer.raw_set("label", label.as_str())?;
        let value = to_lua(lua, value, ToLua::default())
            .map_err(|error| mlua::Error::runtime(error.to_string()))?;
        offer.raw_set("value", value)?;
        choices.raw_push(offer)?;
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
        let (text, link, function) = (text.to_owned(), notify.link.clone(), notify.function);
        let _ = notify.link.scripts.spawn(move |world| async move {
            let Some(instance) = world.instance(link.id) else { return };
            let arguments = match text.into_lua_multi(instance.lua()) {
                Ok(arguments) => arguments,
                Err(error) => return instance.report("notify", &error.to_string()),
            };
            let called =
                instance.call(function, Limit::Handler, arguments, Default::default()).await;
            if let Err(failure) = called {
                instance.report("notify", &failure.message);
            }
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
                    value => to_json(&value, &ToJson::default())
                        .map(Some)
                        .map_err(|error| error.to_string()),
                },
            );
            let answer = reported(select, "select", called.await)?;
            // Only what was offered counts; a whole offer stands for its value.
            let offered = |value: &Json| {
                choice.choices.iter().map(|(_, offered)| offered).find(|one| *one == value)
            };
            offered(&answer).or_else(|| offered(answer.get("value")?)).cloned()
        })
    }
}

fn reported<T>(
    callback: &Callback,
    name: &str,
    outcome: Result<Option<T>, crate::host::ScriptFailure>,
) -> Option<T> {
    outcome.unwrap_or_else(|failure| {
        let link = &callback.link;
        link.kernel.report_callback(&link.owner, name, &failure.message);
        None
    })
}
