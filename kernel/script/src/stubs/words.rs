//! The words that fields of the type `keyword` take, and which field takes which.

use fen_contract::doc::Section;

/// A set of words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    /// The alias's name, after `fen.`.
    pub name: &'static str,
    /// What is said with them.
    pub summary: &'static str,
    /// The words, each with its meaning.
    pub words: &'static [(&'static str, &'static str)],
    /// Whether other words are taken as well.
    pub range: Range,
}

/// Whether a set of words is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    /// Any other word is a mistake.
    Closed,
    /// Other words are understood in some way.
    Open,
}

pub(super) const WORDS: &[Words] = &[
    Words {
        name: "ErrorKind",
        summary: "What kind of failure ended a provider call.",
        range: Range::Closed,
        words: &[
            ("auth", "The credentials are missing or refused."),
            ("rate-limit", "Too many requests."),
            ("overloaded", "The service cannot answer at the moment."),
            ("overflow", "The conversation is longer than the model's window."),
            ("network", "The connection could not be made, or it broke."),
            ("stall", "The server stayed silent for too long."),
            ("truncated-stream", "The stream ended before the answer did."),
            ("invalid-request", "The server will never accept the request."),
            ("refused", "The model or its service declined to answer."),
            ("aborted", "The person cancelled."),
        ],
    },
    Words {
        name: "Exposure",
        summary: "When a tool is offered to models.",
        range: Range::Closed,
        words: &[
            ("always", "In every request."),
            ("search", "Once a search has found it."),
            ("finder", "While there is a tool that a search has yet to find."),
        ],
    },
    Words {
        name: "LogLevel",
        summary: "How grave a log line is.",
        range: Range::Closed,
        words: &[
            ("debug", "For those who look for a fault."),
            ("info", "Worth knowing."),
            ("warn", "Something is not as it should be."),
            ("error", "Something failed."),
        ],
    },
    Words {
        name: "Placement",
        summary: "Where a panel stands.",
        range: Range::Closed,
        words: &[
            ("above-input", "Just above the input."),
            ("below-status", "Under the status row."),
        ],
    },
    Words {
        name: "QueueName",
        summary: "A queue of lines that wait for the agent.",
        range: Range::Closed,
        words: &[("steering", "For the running turn."), ("follow-up", "For a turn of their own.")],
    },
    Words {
        name: "ShutdownReason",
        summary: "How a run ended.",
        range: Range::Closed,
        words: &[("normal", "As the person wished."), ("crashed", "By a failure.")],
    },
    Words {
        name: "Side",
        summary: "Which end of the status row an item stands at.",
        range: Range::Closed,
        words: &[("left", "The beginning."), ("right", "The end.")],
    },
    Words {
        name: "Source",
        summary: "Where an extension comes from.",
        range: Range::Closed,
        words: &[
            ("bundled", "It comes with fen."),
            ("user", "The person installed it."),
            ("project", "The project carries it."),
            ("explicit", "It was named on the command line."),
        ],
    },
    Words {
        name: "Style",
        summary: "What a text is, which decides how it looks. An unknown word looks like plain text.",
        range: Range::Open,
        words: &[
            ("user", "Said by the person."),
            ("assistant", "Said by the model."),
            ("tool", "Said by a tool."),
            ("error", "A failure."),
            ("warning", "Something to beware of."),
            ("success", "Something that went well."),
            ("dim", "Of less weight."),
            ("accent", "Of more weight."),
            ("status", "Like the status row."),
        ],
    },
    Words {
        name: "ThinkingLevel",
        summary: "How much a model is asked to think before it answers.",
        range: Range::Closed,
        words: &[
            ("off", "Not at all."),
            ("minimal", "As little as the model can."),
            ("low", "A little."),
            ("medium", "Moderately."),
            ("high", "Much."),
            ("xhigh", "As much as the model can."),
        ],
    },
    Words {
        name: "TurnStatus",
        summary: "How a turn ended.",
        range: Range::Closed,
        words: &[
            ("ok", "The model said everything."),
            ("cancelled", "The person cancelled."),
            ("error", "The turn failed."),
        ],
    },
    Words {
        name: "WhenBusy",
        summary: "What becomes of a text that comes while a turn is under way.",
        range: Range::Closed,
        words: &[
            ("reject", "It is refused."),
            ("steering", "It goes to the running turn."),
            ("follow-up", "It gets a turn of its own afterwards."),
        ],
    },
];

/// Fields of which more is known than the contract's notation says.
pub(super) const PRECISE: &[(Section, &str, &str, &str)] = &[
    (Section::Events, "agent-shutdown", "reason", "fen.ShutdownReason"),
    (Section::Events, "agent-turn-complete", "status", "fen.TurnStatus"),
    (Section::RegisterKinds, "panel", "placement", "fen.Placement"),
    (Section::RegisterKinds, "presenter", "ui", "fen.PresenterUi"),
    (Section::RegisterKinds, "provider", "models", "fen.ModelInfo[]"),
    (Section::RegisterKinds, "status", "side", "fen.Side"),
    (Section::RegisterKinds, "tool", "exposure", "fen.Exposure"),
    (Section::Types, "AssistantMessage", "error-kind", "fen.ErrorKind"),
];

/// The precise type of a field, where there is one.
pub(super) fn precise(section: Section, entry: &str, field: &str) -> Option<&'static str> {
    PRECISE
        .iter()
        .find(|(of, name, at, _)| *of == section && *name == entry && *at == field)
        .map(|(.., ty)| *ty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::api::{LogLevel, Source};
    use fen_contract::conversation::{QueueName, WhenBusy};
    use fen_contract::doc::find;
    use fen_contract::events::{ShutdownReason, TurnStatus};
    use fen_contract::kinds::{Exposure, Placement, Side};
    use fen_contract::provider::ThinkingLevel;
    use fen_contract::types::ErrorKind;
    use serde_json::{from_value, json};

    /// The words that a Rust type takes, as its reader lists them when it gets another.
    macro_rules! expected {
        ($ty:ident) => {{
            let error = from_value::<$ty>(json!("-")).unwrap_err().to_string();
            let words: Vec<String> =
                error.split('`').skip(3).step_by(2).map(str::to_owned).collect();
            (stringify!($ty), words)
        }};
    }

    #[test]
    fn closed_sets_have_the_words_of_their_rust_types() {
        let types = [
            expected!(ErrorKind),
            expected!(Exposure),
            expected!(LogLevel),
            expected!(Placement),
            expected!(QueueName),
            expected!(ShutdownReason),
            expected!(Side),
            expected!(Source),
            expected!(ThinkingLevel),
            expected!(TurnStatus),
            expected!(WhenBusy),
        ];
        let closed: Vec<&Words> =
            WORDS.iter().filter(|words| words.range == Range::Closed).collect();
        assert_eq!(closed.len(), types.len());
        for (words, (name, expected)) in closed.iter().zip(types) {
            assert_eq!(words.name, name);
            let given: Vec<&str> = words.words.iter().map(|(word, _)| *word).collect();
            assert_eq!(given, expected, "{name}");
        }
    }

    #[test]
    fn precise_types_belong_to_fields_that_exist() {
        for (section, entry, field, _) in PRECISE {
            let entry = find(*section, entry).unwrap();
            assert!(entry.field(field).is_some(), "{}.{field}", entry.name);
        }
    }
}
