//! What is known of Claude models without asking: the list that people choose from, and how each
//! generation wants to be asked to think.
//!
//! Source: the model overview and the pages on thinking and effort of the Claude documentation,
//! read in November 2026. A model that is not known is treated as the protocol was first
//! specified: thinking by budget, and nothing sent to turn it off.

use fen_contract::names::Count;
use fen_contract::provider::ModelInfo;

/// The model that is taken where none is named.
pub(crate) const DEFAULT_MODEL: &str = "claude-sonnet-5-5";

const KNOWN: [(&str, &str, u64, u64); 7] = [
    ("claude-sonnet-5-5", "Claude Sonnet 5.5", 1_000_000, 128_000),
    ("claude-opus-5-5", "Claude Opus 5.5", 1_000_000, 128_000),
    ("claude-haiku-5-5", "Claude Haiku 5.5", 1_000_000, 128_000),
    ("claude-fable-5-2", "Claude Fable 5.2", 1_000_000, 128_000),
    ("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000),
    ("claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000),
    ("claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000),
];

/// The models that are known without asking the service.
pub(crate) fn known_models() -> Vec<ModelInfo> {
    KNOWN
        .into_iter()
        .map(|(id, name, window, output)| ModelInfo {
            name: Some(name.to_owned()),
            context_window: Some(Count(window)),
            max_tokens: Some(Count(output)),
            reasoning: Some(true),
            ..ModelInfo::named(id)
        })
        .collect()
}

/// How a request asks a model to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thinks {
    /// It cannot be asked to.
    Never,
    /// For a number of tokens at the most.
    ByBudget,
    /// As much as it finds right, steered by an effort.
    ByEffort(Effort),
}

/// What a model that is steered by effort accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Effort {
    /// The name of its highest level.
    pub highest: &'static str,
    /// Whether thoughts come as a summary only where the request asks for one.
    pub hides_thoughts: bool,
    /// What turns thinking off, where it is on by itself and can be turned off.
    pub off: Option<&'static str>,
}

/// An effort of which only the protocol is known.
pub(crate) const PLAIN_EFFORT: Effort =
    Effort { highest: "high", hides_thoughts: false, off: None };

/// How the model of this identifier thinks.
pub(crate) fn thinks(id: &str) -> Thinks {
    let Some(model) = Claude::from_id(id) else { return Thinks::ByBudget };
    let effort = |highest, off| Thinks::ByEffort(Effort { highest, hides_thoughts: true, off });
    match (model.family, model.version) {
        ("fable" | "mythos", (0, _)) => effort("max", None),
        (_, (..=2, _) | (3, ..=6)) => Thinks::Never,
        (_, (3, _) | (4, ..=5)) => Thinks::ByBudget,
        (_, (4, 6)) => effort("max", None),
        (_, (4, _)) => effort("xhigh", None),
        ("opus" | "sonnet", (5, ..=4)) | ("haiku", (5, _)) => effort("xhigh", Some("disabled")),
        ("sonnet", (5, _)) => effort("xhigh", Some("between_tools")),
        _ => effort("xhigh", None),
    }
}

/// The parts of an identifier such as `claude-opus-4-5-20251101` or `claude-3-7-sonnet-latest`.
struct Claude<'a> {
    family: &'a str,
    version: (u32, u32),
}

impl<'a> Claude<'a> {
    fn from_id(id: &'a str) -> Option<Self> {
        // Gateways put names before it, as in `anthropic/claude-opus-4-5`.
        let (_, name) = id.split_at(id.find("claude-")?);
        let parts = || name.split(['-', '.', '@', ':']).skip(1);
        let family = parts().find(|part| {
            matches!(*part, "opus" | "sonnet" | "haiku" | "fable" | "mythos" | "instant")
        })?;
        // Longer numbers are dates.
        let mut numbers =
            parts().filter(|part| part.len() <= 2).filter_map(|part| part.parse().ok());
        let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        Some(Claude { family, version })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_every_generation_are_understood() {
        let version = |id: &str| {
            let model = Claude::from_id(id).unwrap();
            (model.family.to_owned(), model.version)
        };
        assert_eq!(version("claude-opus-4-5-20251101"), ("opus".to_owned(), (4, 5)));
        assert_eq!(version("claude-sonnet-4-20250514"), ("sonnet".to_owned(), (4, 0)));
        assert_eq!(version("claude-3-7-sonnet-20250219"), ("sonnet".to_owned(), (3, 7)));
        assert_eq!(version("claude-3-7-sonnet-latest"), ("sonnet".to_owned(), (3, 7)));
        assert_eq!(version("anthropic/claude-sonnet-4.6"), ("sonnet".to_owned(), (4, 6)));
        assert_eq!(version("anthropic.claude-opus-4-6-v1:0"), ("opus".to_owned(), (4, 6)));
        assert_eq!(version("claude-opus-5"), ("opus".to_owned(), (5, 0)));
        assert_eq!(version("claude-fable-5-2"), ("fable".to_owned(), (5, 2)));
        assert_eq!(version("claude-mythos-preview"), ("mythos".to_owned(), (0, 0)));
        assert!(Claude::from_id("deepseek-chat").is_none());
    }

    #[test]
    fn each_generation_thinks_in_its_way() {
        for id in ["claude-sonnet-4-5", "claude-haiku-4-5-20251001", "claude-3-7-sonnet-latest"] {
            assert_eq!(thinks(id), Thinks::ByBudget, "{id}");
        }
        assert_eq!(thinks("some-local-model"), Thinks::ByBudget);
        assert_eq!(thinks("claude-3-5-sonnet-20241022"), Thinks::Never);
        assert_eq!(thinks("claude-3-haiku-20240307"), Thinks::Never);
        let off = |id: &str| match thinks(id) {
            Thinks::ByEffort(effort) => effort.off,
            other => panic!("{id}: {other:?}"),
        };
        assert_eq!(off("claude-opus-4-7"), None);
        assert_eq!(off("claude-sonnet-5"), Some("disabled"));
        assert_eq!(off("claude-sonnet-5-5"), Some("between_tools"));
        assert_eq!(off("claude-haiku-5-5"), Some("disabled"));
        assert_eq!(off("claude-opus-5-5"), None);
        assert_eq!(off("claude-fable-5-2"), None);
    }

    #[test]
    fn the_default_model_is_a_known_one() {
        assert!(known_models().iter().any(|model| model.id == DEFAULT_MODEL));
    }
}
