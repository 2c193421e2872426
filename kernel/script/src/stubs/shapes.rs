//! The shapes of values that the contract leaves open: what callbacks get and may give, and what
//! the functions of the `api` table take and give.

mod answers;
mod callbacks;

use super::api::Presence;

/// A table with named fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// The class's name, after `fen.`.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// The class whose fields it has as well, after `fen.`.
    pub parent: Option<&'static str>,
    /// Which spellings its fields have.
    pub spelling: Spelling,
    /// Its fields.
    pub fields: &'static [ShapeField],
    /// The type of a call of the table itself, if it can be called.
    pub called: Option<&'static str>,
    /// The type of fields with other names, if it may have such.
    pub others: Option<&'static str>,
}

/// Which spellings the fields of a shape have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// The exact one only.
    Exact,
    /// The exact one, and the one with underscores.
    Aliased,
}

/// A field of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapeField {
    /// The name in its exact spelling.
    pub name: &'static str,
    /// The type in the notation of the annotations.
    pub ty: &'static str,
    /// Whether it is always there.
    pub presence: Presence,
    /// What it means.
    pub summary: &'static str,
}

const fn field(name: &'static str, ty: &'static str, summary: &'static str) -> ShapeField {
    ShapeField { name, ty, presence: Presence::Required, summary }
}

const fn optional(name: &'static str, ty: &'static str, summary: &'static str) -> ShapeField {
    ShapeField { name, ty, presence: Presence::Optional, summary }
}

impl Shape {
    const fn exact(
        name: &'static str,
        summary: &'static str,
        fields: &'static [ShapeField],
    ) -> Shape {
        let (parent, called, others) = (None, None, None);
        Shape { name, summary, parent, spelling: Spelling::Exact, fields, called, others }
    }

    const fn aliased(
        name: &'static str,
        summary: &'static str,
        fields: &'static [ShapeField],
    ) -> Shape {
        Shape { spelling: Spelling::Aliased, ..Shape::exact(name, summary, fields) }
    }

    const fn of(self, parent: &'static str) -> Shape {
        Shape { parent: Some(parent), ..self }
    }

    const fn called(self, ty: &'static str) -> Shape {
        Shape { called: Some(ty), ..self }
    }

    const fn open(self) -> Shape {
        Shape { others: Some("any"), ..self }
    }
}

/// All shapes: those of callbacks, then those of the `api` table.
pub(super) fn all() -> impl Iterator<Item = &'static Shape> {
    callbacks::SHAPES.iter().chain(answers::SHAPES)
}

/// Events of the kernel beyond the contract: the name, what it tells, its fields.
pub(super) const KERNEL_EVENTS: &[(&str, &str, &[ShapeField])] = &[
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
pub(super) const REQUESTS: &[&str] = &[
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
pub(super) const STREAM_EVENTS: &[&str] = &[
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
    use fen_contract::doc::{Section, entries, find};
    use fen_contract::events::Event;
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
