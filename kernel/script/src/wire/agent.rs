//! The agent as scripts see it: a small table whose `messages` are converted when they are looked
//! at.

use super::table::{names_aliased, table_of};
use crate::value::{ListSource, lazy_list};
use fen_contract::agent::Agent;
use fen_contract::types::Message;
use mlua::{Lua, Table, Value};
use std::rc::Rc;
use std::sync::Arc;

/// The messages of a conversation, or of one request.
pub(crate) enum MessageSource {
    /// Those that the agent has at the moment of looking.
    Live(Agent),
    /// Those of one request.
    Fixed(Arc<Vec<Message>>),
}

impl ListSource for MessageSource {
    fn len(&self) -> usize {
        match self {
            MessageSource::Live(agent) => agent.0.message_count(),
            MessageSource::Fixed(messages) => messages.len(),
        }
    }

    fn get(&self, lua: &Lua, index: usize) -> mlua::Result<Value> {
        let message = match self {
            MessageSource::Live(agent) => agent.0.message(index - 1),
            MessageSource::Fixed(messages) => messages.get(index - 1).cloned(),
        };
        message.map_or(Ok(Value::Nil), |message| table_of(lua, &message))
    }
}

/// The table behind the field `agent`.
pub(crate) fn agent_table(lua: &Lua, agent: &Agent) -> mlua::Result<Table> {
    let summary = agent.summary();
    let table = lua.create_table_with_capacity(0, 7)?;
    table.raw_set("id", summary.id)?;
    if let Some(session) = &summary.session_id {
        table.raw_set("session-id", session.as_str())?;
    }
    table.raw_set("provider", summary.provider.as_str())?;
    table.raw_set("model", summary.model.as_str())?;
    table.raw_set("cwd", summary.cwd)?;
    table.raw_set("message-count", summary.message_count.0)?;
    table.raw_set("messages", lazy_list(lua, Rc::new(MessageSource::Live(agent.clone())))?)?;
    names_aliased(lua, table)
}
