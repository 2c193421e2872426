//! Why the service says that a model stopped, in the contract's terms.

use fen_contract::types::{ErrorKind, StopReason};

/// What a stop reason of the wire means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The answer is whole.
    Whole(StopReason),
    /// The answer is whole, and the person should know this of it.
    Remarkable(String),
    /// It is no answer.
    Failed(ErrorKind, &'static str),
}

/// Reads a stop reason.
pub(crate) fn read(reason: &str) -> Stop {
    match reason {
        "end_turn" | "stop_sequence" => Stop::Whole(StopReason::Stop),
        "max_tokens" => Stop::Whole(StopReason::Length),
        "tool_use" => Stop::Whole(StopReason::ToolUse),
        "pause_turn" => Stop::Remarkable(
            "the service paused this turn; say `continue` to let it go on".to_owned(),
        ),
        "refusal" => Stop::Failed(
            ErrorKind::Refused,
            "the model declined to answer; change the request, or go back to before it",
        ),
        "model_context_window_exceeded" => Stop::Failed(
            ErrorKind::Overflow,
            "the conversation has filled the model's context window",
        ),
        other => {
            let shown: String = other.chars().filter(|c| !c.is_control()).take(60).collect();
            Stop::Remarkable(format!("the model stopped for an unknown reason: {shown}"))
        }
    }
}

impl Stop {
    /// The contract's stop reason.
    pub fn reason(&self) -> StopReason {
        match self {
            Stop::Whole(reason) => *reason,
            Stop::Remarkable(_) => StopReason::Stop,
            Stop::Failed(..) => StopReason::Error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stop_reason_has_its_counterpart() {
        let cases = [
            ("end_turn", StopReason::Stop),
            ("stop_sequence", StopReason::Stop),
            ("max_tokens", StopReason::Length),
            ("tool_use", StopReason::ToolUse),
            ("pause_turn", StopReason::Stop),
            ("refusal", StopReason::Error),
            ("model_context_window_exceeded", StopReason::Error),
            ("xyz", StopReason::Stop),
        ];
        for (wire, want) in cases {
            assert_eq!(read(wire).reason(), want, "{wire}");
        }
    }
}
