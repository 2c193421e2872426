//! How a service departs from the protocol. Plain data, as `models.json` holds it.

use serde::{Deserialize, Serialize};

/// The differences between services, with what Anthropic's own wants as the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Compat {
    /// How models are asked to think; where it is not set, by what is known of the model, and by
    /// budget where nothing is.
    pub thinking_format: Option<ThinkingFormat>,
    /// Whether marks may be sent that say how far the prompt is to be cached.
    pub supports_cache_control: bool,
    /// Whether a stream without a stop reason is one that broke off. False for servers that never
    /// send one.
    pub requires_finish_reason: bool,
}

impl Default for Compat {
    fn default() -> Self {
        Compat { thinking_format: None, supports_cache_control: true, requires_finish_reason: true }
    }
}

/// How a model is asked to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThinkingFormat {
    /// `"thinking": {"type": "enabled", "budget_tokens": 8192}`.
    Budget,
    /// `"thinking": {"type": "adaptive"}` and `"output_config": {"effort": "low"}`.
    Adaptive,
    /// Not at all.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compat_names_only_what_differs() {
        let compat: Compat = serde_json::from_str(r#"{"thinkingFormat":"adaptive"}"#).unwrap();
        let want = Compat { thinking_format: Some(ThinkingFormat::Adaptive), ..Compat::default() };
        assert_eq!(compat, want);
        assert!(compat.supports_cache_control && compat.requires_finish_reason);
    }
}
