//! How things are, as the screen shows it: a copy, taken when something may have changed.

use fen_contract::conversation::{Conversation, QueueContents};
use fen_contract::price::Dollars;
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
    /// What the calls cost.
    pub cost: Cost,
}

/// What calls cost together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Cost {
    /// There was no call yet.
    #[default]
    Nothing,
    /// All of them had a known price.
    Known(Dollars),
    /// One of them had none, so that no sum is true.
    Unknown,
}

impl Cost {
    /// With one more call.
    fn and(self, call: Option<Dollars>) -> Cost {
        match (self, call) {
            (Cost::Unknown, _) | (_, None) => Cost::Unknown,
            (Cost::Nothing, Some(cost)) => Cost::Known(cost),
            (Cost::Known(before), Some(cost)) => Cost::Known([before, cost].into_iter().sum()),
        }
    }
}

impl Meter {
    /// Adds a call.
    pub fn add(&mut self, usage: &Usage, info: Option<&ModelInfo>) {
        let count = |tokens: Option<fen_contract::names::Count>| tokens.map_or(0, |count| count.0);
        let (input, output) = (count(usage.input), count(usage.output));
        let (read, write) = (count(usage.cache_read), count(usage.cache_write));
        let sum = [input, output, read, write].into_iter().fold(0, u64::saturating_add);
        let total = usage.total_tokens.map_or(sum, |count| count.0);
        if total == 0 {
            return;
        }
        self.context = Some(total);
        let shown = total.saturating_sub(output);
        self.cached = (shown > 0 && usage.cache_read.is_some())
            .then(|| (read as f64 / shown as f64).clamp(0.0, 1.0));
        let price = info.and_then(|info| info.price.as_ref());
        self.cost = self.cost.and(price.map(|price| price.of(usage)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::price::Price;

    fn priced() -> ModelInfo {
        let dollars = |micro| Dollars::from_micro(micro);
        let price = Price {
            input: dollars(1_000_000),
            output: dollars(3_000_000),
            cache_read: None,
            cache_write: None,
        };
        ModelInfo { price: Some(price), ..ModelInfo::named("priced") }
    }

    fn usage(input: u64, output: u64) -> Usage {
        Usage { input: Some(input.into()), output: Some(output.into()), ..Usage::empty() }
    }

    #[test]
    fn the_cost_is_exact_while_every_call_has_a_price() {
        let mut meter = Meter::default();
        for _ in 0..10 {
            meter.add(&usage(1, 3), Some(&priced()));
        }
        assert_eq!(meter.cost, Cost::Known(Dollars::from_micro(100)));
    }

    #[test]
    fn a_call_without_a_price_leaves_no_cost_to_tell() {
        let mut meter = Meter::default();
        meter.add(&usage(1, 3), Some(&priced()));
        meter.add(&usage(1, 3), Some(&ModelInfo::named("priceless")));
        meter.add(&usage(1, 3), Some(&priced()));
        assert_eq!(meter.cost, Cost::Unknown);
    }

    #[test]
    fn figures_of_any_size_are_added_up() {
        let mut meter = Meter::default();
        for _ in 0..2 {
            meter.add(&usage(u64::MAX, u64::MAX), Some(&priced()));
        }
        assert_eq!(meter.context, Some(u64::MAX));
        assert_eq!(meter.cost, Cost::Known(Dollars::from_micro(u64::MAX)));
    }
}
