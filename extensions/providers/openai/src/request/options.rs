//! How the thinking level is told, in the form that the service wants.

use crate::compat::ThinkingFormat;
use crate::config::Config;
use crate::models::{Tools, effort};
use fen_contract::names::ModelId;
use fen_contract::provider::ThinkingLevel;
use serde::Serialize;

/// The fields of a request that speak of thinking.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Thinking {
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Switch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_thinking: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_template_kwargs: Option<TemplateOptions>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Reasoning {
    effort: &'static str,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Switch {
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct TemplateOptions {
    enable_thinking: bool,
}

impl Thinking {
    pub(super) fn new(
        config: &Config,
        model: &ModelId,
        level: ThinkingLevel,
        tools: Tools,
    ) -> Self {
        let able = config.model(model.as_str()).and_then(|info| info.reasoning) != Some(false);
        let level = if able { level } else { ThinkingLevel::Off };
        let on = level != ThinkingLevel::Off;
        let nothing = Thinking::default();
        match config.compat.thinking_format {
            ThinkingFormat::None => nothing,
            ThinkingFormat::OpenAi => {
                Thinking { reasoning_effort: effort(model.as_str(), level, tools), ..nothing }
            }
            ThinkingFormat::OpenRouter => {
                let effort = on.then(|| level.as_str());
                Thinking { reasoning: effort.map(|effort| Reasoning { effort }), ..nothing }
            }
            _ if !able => nothing,
            ThinkingFormat::DeepSeek => Thinking {
                thinking: Some(Switch { kind: if on { "enabled" } else { "disabled" } }),
                reasoning_effort: on.then_some(match level {
                    ThinkingLevel::Xhigh => "max",
                    _ => "high",
                }),
                ..nothing
            },
            ThinkingFormat::Qwen => Thinking { enable_thinking: Some(on), ..nothing },
            ThinkingFormat::QwenTemplate => Thinking {
                chat_template_kwargs: Some(TemplateOptions { enable_thinking: on }),
                ..nothing
            },
        }
    }
}
