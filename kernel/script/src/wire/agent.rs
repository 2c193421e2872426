//! The agent as scripts see it: a handle that looks when it is looked at.

use super::table::{table_of, with_names};
use crate::value::{ListSource, RecordSource, lazy_list, lazy_record};
use fen_contract::agent::Agent;
use fen_contract::types::Message;
use mlua::{IntoLua as _, Lua, Value};
use serde_json::{Value as Json, json};
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

/// The agent behind a handle.
struct AgentSource(Agent);

impl RecordSource for AgentSource {
    fn names(&self) -> &'static [&'static str] {
        &["id", "session-id", "provider", "model", "cwd", "message-count", "messages"]
    }

    fn get(&self, lua: &Lua, name: &str) -> mlua::Result<Value> {
        let agent = &self.0.0;
        match name {
            "id" => agent.id().into_lua(lua),
            "session-id" => agent.session_id().map(|id| id.as_str().to_owned()).into_lua(lua),
            "provider" => agent.provider().as_str().into_lua(lua),
            "model" => agent.model().as_str().into_lua(lua),
            "cwd" => agent.cwd().into_lua(lua),
            "message-count" => agent.message_count().into_lua(lua),
            "messages" => lazy_list(lua, Rc::new(MessageSource::Live(self.0.clone()))),
            _ => Ok(Value::Nil),
        }
    }

    fn json(&self) -> Json {
        json!(self.0)
    }
}

/// The handle behind the field `agent`: what it tells is so at the moment of looking. In JSON it is
/// the agent's summary.
pub(crate) fn agent_handle(lua: &Lua, agent: &Agent) -> mlua::Result<Value> {
    with_names(|names| lazy_record(lua, Rc::new(AgentSource(agent.clone())), names))
}
