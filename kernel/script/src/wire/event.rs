//! Events as tables. Deltas, of which a stream has thousands, are made field by field.

use super::agent::agent_handle;
use super::table::{names_aliased, table_of};
use fen_contract::agent::Agent;
use fen_contract::events::Event;
use fen_contract::names::Count;
use mlua::{Lua, Table, Value};

/// The table that handlers get: a fresh one each time, theirs to keep.
pub(crate) fn event_table(lua: &Lua, event: &Event) -> mlua::Result<Table> {
    match event {
        Event::TextDelta(delta) => block(lua, event, delta.content_index, &delta.delta),
        Event::ThinkingDelta(delta) => block(lua, event, delta.content_index, &delta.delta),
        Event::ToolCallDelta(delta) => block(lua, event, delta.content_index, &delta.delta),
        Event::AssistantTextDelta(delta) => mirror(lua, event, &delta.delta),
        Event::AssistantThinkingDelta(delta) => mirror(lua, event, &delta.delta),
        _ => {
            let Value::Table(table) = table_of(lua, event)? else {
                return Err(mlua::Error::runtime("an event is a table"));
            };
            if let Some(agent) = agent(event) {
                table.raw_set("agent", agent_handle(lua, agent)?)?;
            }
            Ok(table)
        }
    }
}

fn block(lua: &Lua, event: &Event, index: Count, delta: &str) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 3)?;
    table.raw_set("type", event.name())?;
    table.raw_set("content-index", index.0)?;
    table.raw_set("delta", delta)?;
    names_aliased(lua, table)
}

fn mirror(lua: &Lua, event: &Event, delta: &str) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 2)?;
    table.raw_set("type", event.name())?;
    table.raw_set("delta", delta)?;
    Ok(table)
}

fn agent(event: &Event) -> Option<&Agent> {
    match event {
        Event::AgentStarted(event) => Some(&event.agent),
        Event::AgentShutdown(event) => Some(&event.agent),
        Event::AgentTurnComplete(event) => Some(&event.agent),
        Event::MessageAppended(event) => Some(&event.agent),
        _ => None,
    }
}
