//! How a thinking level becomes part of a request: a budget of tokens, or an effort.
//!
//! The service counts thoughts against `max_tokens`, so a budget and the limit of the answer are
//! fitted to each other here.

use crate::compat::ThinkingFormat;
use crate::models::{self, Effort, PLAIN_EFFORT, Thinks};
use fen_contract::provider::{OutputLimit, ThinkingLevel};
use serde::Serialize;

/// The smallest budget that the service accepts.
const LEAST_BUDGET: u64 = 1024;
/// What is left for the answer beside the thoughts, where the limit allows it.
const ROOM: u64 = 4096;

/// What a request says about thinking, and its limit of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub max_tokens: u64,
    pub thinking: Option<Thinking>,
    pub effort: Option<&'static str>,
}

/// The field `thinking` of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Thinking {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<&'static str>,
}

impl Thinking {
    fn of(kind: &'static str) -> Self {
        Thinking { kind, budget_tokens: None, display: None }
    }
}

/// The limits of one answer, in tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// What the caller allows.
    pub wanted: u64,
    /// Whether that is the person's choice, which is never exceeded.
    pub origin: OutputLimit,
    /// What the model allows, where it is known.
    pub model: Option<u64>,
}

/// What to send to `model` for `level`.
pub(crate) fn plan(
    model: &str,
    format: Option<ThinkingFormat>,
    level: ThinkingLevel,
    limits: Limits,
) -> Plan {
    let known = models::thinks(model);
    let thinks = match (format, known) {
        (None, known) => known,
        (Some(ThinkingFormat::None), _) => Thinks::Never,
        (Some(ThinkingFormat::Budget), _) => Thinks::ByBudget,
        (Some(ThinkingFormat::Adaptive), Thinks::ByEffort(effort)) => Thinks::ByEffort(effort),
        (Some(ThinkingFormat::Adaptive), _) => Thinks::ByEffort(PLAIN_EFFORT),
    };
    let unthinking = Plan { max_tokens: limits.wanted, thinking: None, effort: None };
    match (thinks, budget(level)) {
        (Thinks::Never, _) | (Thinks::ByBudget, None) => unthinking,
        (Thinks::ByBudget, Some(budget)) => by_budget(budget, limits).unwrap_or(unthinking),
        (Thinks::ByEffort(effort), None) => {
            Plan { thinking: effort.off.map(Thinking::of), ..unthinking }
        }
        (Thinks::ByEffort(effort), Some(_)) => {
            let display = effort.hides_thoughts.then_some("summarized");
            let thinking = Thinking { display, ..Thinking::of("adaptive") };
            Plan { thinking: Some(thinking), effort: Some(name(level, effort)), ..unthinking }
        }
    }
}

/// How many tokens a level may think; `None` for none.
fn budget(level: ThinkingLevel) -> Option<u64> {
    match level {
        ThinkingLevel::Off => None,
        ThinkingLevel::Minimal => Some(LEAST_BUDGET),
        ThinkingLevel::Low => Some(2048),
        ThinkingLevel::Medium => Some(8192),
        ThinkingLevel::High => Some(16_384),
        ThinkingLevel::Xhigh => Some(32_768),
    }
}

fn name(level: ThinkingLevel, effort: Effort) -> &'static str {
    match level {
        ThinkingLevel::Off | ThinkingLevel::Minimal | ThinkingLevel::Low => "low",
        ThinkingLevel::Medium => "medium",
        ThinkingLevel::High => "high",
        ThinkingLevel::Xhigh => effort.highest,
    }
}

/// A budget below the limit: the limit is raised where nobody chose it, else the budget lowered.
/// `None` where not even the smallest budget fits.
fn by_budget(wanted: u64, limits: Limits) -> Option<Plan> {
    let room = limits.wanted.min(ROOM);
    let raised = match limits.origin {
        OutputLimit::Chosen => limits.wanted,
        OutputLimit::Default => limits.wanted.max(wanted + room),
    };
    let max_tokens = raised.min(limits.model.unwrap_or(u64::MAX)).max(1);
    let budget = wanted.min(max_tokens.saturating_sub(LEAST_BUDGET)).max(LEAST_BUDGET);
    (budget < max_tokens).then(|| Plan {
        max_tokens,
        thinking: Some(Thinking { budget_tokens: Some(budget), ..Thinking::of("enabled") }),
        effort: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: &str = "claude-sonnet-4-5";

    fn plan_of(model: &str, level: ThinkingLevel, limits: Limits) -> String {
        let plan = plan(model, None, level, limits);
        let thinking = serde_json::to_string(&plan.thinking).unwrap();
        format!("{} {thinking} {}", plan.max_tokens, plan.effort.unwrap_or("-"))
    }

    fn limits(wanted: u64) -> Limits {
        Limits { wanted, origin: OutputLimit::Default, model: Some(64_000) }
    }

    fn enabled(max_tokens: u64, budget: u64) -> String {
        format!("{max_tokens} {{\"type\":\"enabled\",\"budget_tokens\":{budget}}} -")
    }

    #[test]
    fn the_limit_is_raised_above_the_budget() {
        assert_eq!(plan_of(BUDGET, ThinkingLevel::Medium, limits(8192)), enabled(12_288, 8192));
        assert_eq!(plan_of(BUDGET, ThinkingLevel::High, limits(64_000)), enabled(64_000, 16_384));
        assert_eq!(plan_of(BUDGET, ThinkingLevel::Minimal, limits(100)), enabled(1124, 1024));
        assert_eq!(plan_of(BUDGET, ThinkingLevel::Off, limits(100)), "100 null -");
    }

    #[test]
    fn the_budget_is_lowered_to_fit_the_model() {
        let small = Limits { model: Some(8192), ..limits(8192) };
        assert_eq!(plan_of(BUDGET, ThinkingLevel::Xhigh, small), enabled(8192, 7168));
    }

    #[test]
    fn a_limit_that_the_person_chose_is_never_exceeded() {
        let chosen = |wanted| Limits { origin: OutputLimit::Chosen, ..limits(wanted) };
        assert_eq!(plan_of(BUDGET, ThinkingLevel::High, chosen(4096)), enabled(4096, 3072));
        assert_eq!(plan_of(BUDGET, ThinkingLevel::High, chosen(1500)), enabled(1500, 1024));
        assert_eq!(plan_of(BUDGET, ThinkingLevel::High, chosen(1024)), "1024 null -");
    }

    #[test]
    fn a_budget_always_lies_below_the_limit() {
        for level in ThinkingLevel::ALL {
            for wanted in (1..40_000).step_by(331) {
                for model in [None, Some(1025), Some(4096), Some(64_000)] {
                    for origin in [OutputLimit::Default, OutputLimit::Chosen] {
                        let plan = plan(BUDGET, None, level, Limits { wanted, origin, model });
                        if let Some(thinking) = plan.thinking {
                            let budget = thinking.budget_tokens.unwrap();
                            assert!(budget >= LEAST_BUDGET && budget < plan.max_tokens);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn newer_models_are_steered_by_effort() {
        let adaptive = r#"{"type":"adaptive","display":"summarized"}"#;
        let of = |model, level| plan_of(model, level, limits(8192));
        assert_eq!(of("claude-opus-5-5", ThinkingLevel::Low), format!("8192 {adaptive} low"));
        assert_eq!(of("claude-opus-5-5", ThinkingLevel::Xhigh), format!("8192 {adaptive} xhigh"));
        assert_eq!(of("claude-opus-4-6", ThinkingLevel::Xhigh), format!("8192 {adaptive} max"));
        assert_eq!(of("claude-opus-5-5", ThinkingLevel::Off), "8192 null -");
        assert_eq!(
            of("claude-sonnet-5-5", ThinkingLevel::Off),
            r#"8192 {"type":"between_tools"} -"#
        );
    }

    #[test]
    fn the_format_can_be_set_for_models_that_are_not_known() {
        let of = |format| plan("some-model", Some(format), ThinkingLevel::Xhigh, limits(8192));
        assert_eq!(of(ThinkingFormat::None).thinking, None);
        assert_eq!(of(ThinkingFormat::Adaptive).thinking, Some(Thinking::of("adaptive")));
        assert_eq!(of(ThinkingFormat::Adaptive).effort, Some("high"));
        assert!(of(ThinkingFormat::Budget).thinking.unwrap().budget_tokens.is_some());
    }
}
