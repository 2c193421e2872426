//! What finish reasons mean.

use fen_contract::types::{ErrorKind, StopReason};

/// The outcome that a finish reason stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// The answer is whole, or as long as it may be.
    Ended(StopReason),
    /// It ended well as far as is known, by a reason that nobody has heard of.
    Unknown,
    /// There is no answer; the words continue "the answer ended: ".
    Failed(ErrorKind, &'static str),
}

pub(super) fn meaning(reason: &str) -> Finish {
    match reason {
        "stop" | "end_turn" | "stop_sequence" | "eos" | "eos_token" | "end" | "complete"
        | "completed" => Finish::Ended(StopReason::Stop),
        "tool_calls" | "tool_call" | "tool_use" | "function_call" => {
            Finish::Ended(StopReason::ToolUse)
        }
        "length" | "max_tokens" | "max_output_tokens" | "MAX_TOKENS" => {
            Finish::Ended(StopReason::Length)
        }
        "model_context_window_exceeded" | "model_length" | "context_length_exceeded" => {
            Finish::Failed(ErrorKind::Overflow, "the conversation fills the model's window")
        }
        "content_filter" | "safety" | "SAFETY" => {
            Finish::Failed(ErrorKind::Refused, "the service's content filter stopped it")
        }
        "refusal" => Finish::Failed(ErrorKind::Refused, "the model declined to answer"),
        "error" | "network_error" | "abort" | "insufficient_system_resource" => {
            Finish::Failed(ErrorKind::Overloaded, "the service could not go on")
        }
        _ => Finish::Unknown,
    }
}

/// The stop reason that a finish reason stands for.
pub(crate) fn map_stop_reason(reason: &str) -> StopReason {
    match meaning(reason) {
        Finish::Ended(reason) => reason,
        Finish::Unknown => StopReason::Stop,
        Finish::Failed(..) => StopReason::Error,
    }
}
