//! What the agent is doing, as the busy row tells it.

use crate::facts::Facts;
use std::time::Instant;

/// Whether a turn is under way.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Activity {
    /// No.
    #[default]
    Idle,
    /// Yes.
    Busy {
        /// Since when.
        since: Instant,
        /// What is going on.
        phase: Phase,
        /// Tokens that the turn's finished calls put out.
        tokens: u64,
        /// Bytes that have arrived of the present answer.
        bytes: usize,
    },
}

/// What is going on in a turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// The model was asked.
    Waiting,
    /// It thinks.
    Thinking,
    /// It answers.
    Answering,
    /// It writes the arguments of a tool call.
    Calling,
    /// Tools run.
    Running,
    /// A call failed and is tried again.
    Retrying {
        /// The number of the next try.
        attempt: u64,
        /// When it comes.
        at: Instant,
        /// Why.
        why: String,
    },
    /// The person cancelled.
    Cancelling,
}

/// About how many bytes a token is.
const TOKEN_BYTES: usize = 4;

impl Activity {
    /// A turn begins, unless one is under way.
    pub fn begin(&mut self, now: Instant) {
        if !self.is_busy() {
            *self = Activity::Busy { since: now, phase: Phase::Waiting, tokens: 0, bytes: 0 };
        }
    }

    /// Something else is going on; only a cancelled turn's end ends the cancelling.
    pub fn enter(&mut self, next: Phase, now: Instant) {
        self.begin(now);
        if let Activity::Busy { phase, .. } = self
            && *phase != Phase::Cancelling
        {
            *phase = next;
        }
    }

    /// Some of the answer has arrived.
    pub fn arrived(&mut self, len: usize) {
        if let Activity::Busy { bytes, .. } = self {
            *bytes = bytes.saturating_add(len);
        }
    }

    /// A call is over and took so many tokens.
    pub fn call_over(&mut self, output: u64) {
        if let Activity::Busy { tokens, bytes, .. } = self {
            let output = if output > 0 { output } else { (*bytes / TOKEN_BYTES) as u64 };
            *tokens = tokens.saturating_add(output);
            *bytes = 0;
        }
    }

    /// Tokens so far, in part guessed from what has arrived.
    pub fn tokens(&self) -> u64 {
        match self {
            Activity::Idle => 0,
            Activity::Busy { tokens, bytes, .. } => {
                tokens.saturating_add((bytes / TOKEN_BYTES) as u64)
            }
        }
    }

    pub fn is_busy(&self) -> bool {
        matches!(self, Activity::Busy { .. })
    }

    pub fn is_cancelling(&self) -> bool {
        matches!(self, Activity::Busy { phase: Phase::Cancelling, .. })
    }

    /// The same, unless it waits for a turn that never began.
    pub fn unless_stale(self, facts: &Facts) -> Activity {
        match &self {
            Activity::Busy { phase: Phase::Waiting, .. } if !facts.is_busy => Activity::Idle,
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_any_size_are_added_up() {
        let mut activity = Activity::default();
        activity.begin(Instant::now());
        activity.call_over(u64::MAX);
        activity.call_over(u64::MAX);
        activity.arrived(usize::MAX);
        activity.arrived(usize::MAX);
        assert_eq!(activity.tokens(), u64::MAX);
    }
}
