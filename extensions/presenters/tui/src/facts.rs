//! How things are, as the screen shows it: a copy, taken when something may have changed.

use fen_contract::conversation::{Conversation, QueueContents};
use fen_contract::provider::{ModelInfo, ThinkingLevel};
use fen_contract::session::SessionInfo;
use fen_contract::types::Usage;

/// How things are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// The provider's name.
    pub provider: String,
    /// The model.
    pub model: String,
    /// What is known of it.
    pub info: Option<ModelInfo>,
    /// How much it is asked to think.
    pub thinking: ThinkingLevel,
    /// The working directory.
    pub cwd: String,
    /// The session.
    pub session: Option<SessionInfo>,
    /// The lines that wait.
    pub queue: QueueContents,
    /// Whether a turn is under way.
    pub is_busy: bool,
    /// How many messages there are.
    pub messages: u64,
}

impl Facts {
    /// Reads them.
    pub fn of(conversation: &dyn Conversation) -> Facts {
        let agent = conversation.agent().summary();
        let models = conversation.models();
        let info = models
            .into_iter()
            .find(|choice| choice.provider == agent.provider && choice.model.id == agent.model)
            .map(|choice| choice.model);
        Facts {
            provider: agent.provider.to_string(),
            model: agent.model.to_string(),
            info,
            thinking: conversation.thinking(),
            cwd: agent.cwd,
            session: conversation.session(),
            queue: conversation.queue(),
            is_busy: conversation.is_busy(),
            messages: agent.message_count.0,
        }
    }
}

/// What the conversation has used, as far as providers told.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Meter {
    /// Tokens of the last call: all that the model was shown and said.
    pub context: Option<u64>,
    /// Of the input of the last call, how much came from the provider's cache; 0 to 1.
    pub cached: Option<f64>,
    /// Dollars, where all calls so far had a known price.
    pub cost: Option<f64>,
}

impl Meter {
    /// Adds a call.
    pub fn add(&mut self, usage: &Usage, info: Option<&ModelInfo>) {
        let count = |tokens: Option<fen_contract::names::Count>| tokens.map_or(0, |count| count.0);
        let (input, output) = (count(usage.input), count(usage.output));
        let (read, write) = (count(usage.cache_read), count(usage.cache_write));
        let total = usage.total_tokens.map_or(input + output + read + write, |count| count.0);
        if total == 0 {
            return;
        }
        self.context = Some(total);
        let shown = total.saturating_sub(output);
        self.cached = (shown > 0 && usage.cache_read.is_some())
            .then(|| (read as f64 / shown as f64).clamp(0.0, 1.0));
        if let Some(price) = info.and_then(|info| info.price.as_ref()) {
            let cost = price.of(usage).decimal();
            self.cost = Some(self.cost.unwrap_or(0.0) + cost);
        }
    }
}
