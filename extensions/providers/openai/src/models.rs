//! What is known of OpenAI's models without asking, and how much each can be asked to think.
//!
//! Source: the model pages of the OpenAI API reference.

use fen_contract::names::{Count, ModelId};
use fen_contract::provider::{ModelInfo, ThinkingLevel};

/// Id, window, most output tokens, whether it can be asked to think. From 5.2 on the models do not
/// think in this protocol when there are tools.
const OPENAI: &[(&str, u64, u64, bool)] = &[
    ("gpt-5.6-sol", 1_050_000, 128_000, false),
    ("gpt-5.6-terra", 1_050_000, 128_000, false),
    ("gpt-5.6-luna", 1_050_000, 128_000, false),
    ("gpt-5.5", 1_050_000, 128_000, false),
    ("gpt-5.4", 1_050_000, 128_000, false),
    ("gpt-5.2", 400_000, 128_000, false),
    ("gpt-5.1", 400_000, 128_000, true),
    ("gpt-5", 400_000, 128_000, true),
    ("gpt-5-mini", 400_000, 128_000, true),
    ("gpt-5-nano", 400_000, 128_000, true),
    ("gpt-4.1", 1_047_576, 32_768, false),
    ("gpt-4.1-mini", 1_047_576, 32_768, false),
    ("gpt-4.1-nano", 1_047_576, 32_768, false),
    ("o3", 200_000, 100_000, true),
    ("o3-mini", 200_000, 100_000, true),
    ("o4-mini", 200_000, 100_000, true),
];

/// OpenAI's models that answer in this protocol.
pub(crate) fn openai_models() -> Vec<ModelInfo> {
    let known = OPENAI.iter().map(|(id, window, output, reasoning)| ModelInfo {
        context_window: Some(Count(*window)),
        max_tokens: Some(Count(*output)),
        reasoning: Some(*reasoning),
        ..ModelInfo::named(ModelId::from(*id))
    });
    known.collect()
}

/// The level as an effort that the model takes; `None` where nothing is to be said.
///
/// Every service takes low, medium and high. Some of OpenAI's models take more, and from 5.2 on
/// they refuse tools unless the effort is `none`.
pub(crate) fn effort(model: &str, level: ThinkingLevel, tools: Tools) -> Option<&'static str> {
    let family = family(model);
    if tools == Tools::Offered && family.is_some_and(|minor| minor >= 2) {
        return Some("none");
    }
    match level {
        ThinkingLevel::Off => None,
        ThinkingLevel::Minimal if family == Some(0) => Some("minimal"),
        ThinkingLevel::Minimal | ThinkingLevel::Low => Some("low"),
        ThinkingLevel::Medium => Some("medium"),
        ThinkingLevel::Xhigh if family.is_some_and(|minor| minor >= 2) => Some("xhigh"),
        ThinkingLevel::High | ThinkingLevel::Xhigh => Some("high"),
    }
}

/// Whether a request offers tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tools {
    /// At least one.
    Offered,
    /// None.
    Absent,
}

/// The minor version of a model of the fifth family.
fn family(model: &str) -> Option<u32> {
    let rest = model.strip_prefix("gpt-5")?;
    let Some(minor) = rest.strip_prefix('.') else {
        return (rest.is_empty() || rest.starts_with('-')).then_some(0);
    };
    let digits = minor.find(|c: char| !c.is_ascii_digit()).unwrap_or(minor.len());
    minor[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_told_as_far_as_the_model_knows_them() {
        use ThinkingLevel as L;
        let cases = [
            ("gpt-5.1", L::Off, None),
            ("gpt-5", L::Minimal, Some("minimal")),
            ("gpt-5-mini-2025-08-07", L::Minimal, Some("minimal")),
            ("gpt-5.1", L::Minimal, Some("low")),
            ("gpt-5.1", L::Xhigh, Some("high")),
            ("gpt-5.2", L::Xhigh, Some("xhigh")),
            ("gpt-5.10-mini", L::Xhigh, Some("xhigh")),
            ("openai/gpt-oss-120b", L::Xhigh, Some("high")),
            ("o3", L::Medium, Some("medium")),
        ];
        for (model, level, want) in cases {
            assert_eq!(effort(model, level, Tools::Absent), want, "{model} {level:?}");
        }
    }

    #[test]
    fn models_that_refuse_to_think_beside_tools_are_told_not_to() {
        for level in ThinkingLevel::ALL {
            assert_eq!(effort("gpt-5.6-sol", level, Tools::Offered), Some("none"));
        }
        assert_eq!(effort("gpt-5.1", ThinkingLevel::Low, Tools::Offered), Some("low"));
    }
}
