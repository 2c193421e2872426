//! Which events a script may emit and a provider tells, and the events of the kernel beyond the
//! contract.

use super::shapes::{ShapeField, field};

/// Events of the kernel beyond the contract: the name, what it tells, its fields.
pub const KERNEL_EVENTS: &[(&str, &str, &[ShapeField])] = &[
    (
        "fen/conversation-resumed",
        "The conversation is now one that was stored before. `reset-conversation` came just before.",
        &[
            field("session-id", "string", "The session that is open now."),
            field("message-count", "integer", "How many messages it has."),
        ],
    ),
    (
        "fen/queue-changed",
        "The lines that wait for the agent are others than before.",
        &[
            field("steering", "string[]", "Those for the running turn."),
            field("follow-up", "string[]", "Those for turns of their own."),
        ],
    ),
    (
        "fen/retry",
        "A provider call failed and is tried again after a pause.",
        &[
            field("error-kind", "fen.ErrorKind", "What kind of failure it was."),
            field("error", "string", "What went wrong, in words for a person."),
            field("attempt", "integer", "The number of the next try."),
            field("delay-ms", "integer", "How long the pause is, in milliseconds."),
        ],
    ),
    ("fen/runtime-tick", "Time goes by while nothing else happens.", &[]),
    (
        "fen/tool-output",
        "A running tool has put something out; its result comes later.",
        &[field("tool-call-id", "string", "The call."), field("delta", "string", "The new piece.")],
    ),
];

/// The events that anyone may emit.
pub const REQUESTS: &[&str] = &[
    "assistant-text",
    "dismiss",
    "error",
    "info",
    "redraw",
    "reinit-presenter",
    "reset-conversation",
    "set-status-info",
];

/// What a provider tells while it answers.
pub const STREAM_EVENTS: &[&str] = &[
    "start",
    "text-start",
    "text-delta",
    "text-end",
    "thinking-start",
    "thinking-delta",
    "thinking-end",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "done",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::{Section, entries, find};
    use crate::events::Event;
    use serde_json::{from_value, json};

    #[test]
    fn requests_are_the_events_that_the_contract_lets_anyone_emit() {
        let mut read = 0;
        for entry in entries().filter(|entry| entry.section == Section::Events) {
            let sample = json!({
                "type": entry.name, "text": "t", "error": "e", "line": "l", "delta": "d",
                "content": "c", "content-index": 1, "name": "n", "summary": "s",
            });
            let Ok(event) = from_value::<Event>(sample) else { continue };
            read += 1;
            assert_eq!(event.is_request(), REQUESTS.contains(&entry.name), "{}", entry.name);
        }
        assert!(read >= 20, "{read}");
        assert!(STREAM_EVENTS.iter().all(|name| find(Section::Events, name).is_some()));
    }
}
