//! The handle on the running agent that events carry.

use crate::names::{Count, ModelId, ProviderName, SessionId};
use crate::types::Message;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// What can be read of the agent. Each call tells the state at that moment; nothing is copied
/// beforehand.
pub trait AgentView: Send + Sync {
    /// The agent's id, unique within the run.
    fn id(&self) -> String;
    /// The session that the conversation is stored in, if any.
    fn session_id(&self) -> Option<SessionId>;
    /// The provider in use.
    fn provider(&self) -> ProviderName;
    /// The model in use.
    fn model(&self) -> ModelId;
    /// The working directory.
    fn cwd(&self) -> String;
    /// How many messages the conversation has.
    fn message_count(&self) -> usize;
    /// The message at a 0-based position. Its content is shared and not copied, so that a whole
    /// conversation can be read one by one.
    fn message(&self, position: usize) -> Option<Message>;
}

/// A cheap handle on the agent. In JSON it is an [`AgentSummary`], never the messages.
#[derive(Clone)]
pub struct Agent(pub Arc<dyn AgentView>);

/// The agent as JSON shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AgentSummary {
    /// The agent's id.
    pub id: String,
    /// The session's id; absent where nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session_id: Option<SessionId>,
    /// The provider in use.
    pub provider: ProviderName,
    /// The model in use.
    pub model: ModelId,
    /// The working directory.
    pub cwd: String,
    /// How many messages the conversation has.
    pub message_count: Count,
}

impl Agent {
    /// The agent as JSON shows it.
    pub fn summary(&self) -> AgentSummary {
        AgentSummary {
            id: self.0.id(),
            session_id: self.0.session_id(),
            provider: self.0.provider(),
            model: self.0.model(),
            cwd: self.0.cwd(),
            message_count: self.0.message_count().into(),
        }
    }
}

impl From<AgentSummary> for Agent {
    fn from(summary: AgentSummary) -> Self {
        Agent(Arc::new(summary))
    }
}

impl AgentView for AgentSummary {
    fn id(&self) -> String {
        self.id.clone()
    }
    fn session_id(&self) -> Option<SessionId> {
        self.session_id.clone()
    }
    fn provider(&self) -> ProviderName {
        self.provider.clone()
    }
    fn model(&self) -> ModelId {
        self.model.clone()
    }
    fn cwd(&self) -> String {
        self.cwd.clone()
    }
    fn message_count(&self) -> usize {
        usize::try_from(self.message_count.0).unwrap_or(usize::MAX)
    }
    fn message(&self, _position: usize) -> Option<Message> {
        None
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}

impl PartialEq for Agent {
    fn eq(&self, other: &Self) -> bool {
        self.summary() == other.summary()
    }
}

impl Serialize for Agent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.summary().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Agent {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        AgentSummary::deserialize(deserializer).map(Agent::from)
    }
}
