//! The table that a presenter in a script works with: the conversation, the terminal, the screen.

use crate::api::{outcome, submitted};
use crate::host::Instance;
use crate::vm::HostError;
use crate::wire::{event_table, names_aliased, table_of};
use fen_contract::conversation::WhenBusy;
use fen_contract::presenter::PresenterContext;
use fen_contract::ui::RenderContext;
use mlua::{MultiValue, Table, Value};
use serde_json::{Value as Json, json};
use std::rc::Rc;

/// What a presenter in a script works with.
pub(super) fn context_table(
    instance: &Rc<Instance>,
    context: &PresenterContext,
) -> mlua::Result<Table> {
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
    let events = context.events.clone();
    table.raw_set(
        "try-next-event",
        instance.function(move |instance, _: MultiValue| match events.try_next_event() {
            Some(event) => Ok(Value::Table(event_table(instance.lua(), &event)?)),
            None => Ok(Value::Nil),
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
                    .flatten();
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
        "ending?",
        instance.function(move |_, _: MultiValue| Ok(conversation.is_ending()))?,
    )?;
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
