//! How a service departs from the protocol. Plain data, as `models.json` holds it.

use serde::{Deserialize, Serialize};

/// The differences between services, with what most of them want as the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Compat {
    /// Under which name the limit of output tokens goes.
    pub max_tokens_field: MaxTokensField,
    /// Whether `stream_options` may be sent; it asks for the usage.
    pub supports_stream_options: bool,
    /// What the content of an answer is that has calls and no text.
    pub empty_content_with_tool_calls: EmptyContent,
    /// Whether answers go back with the reasoning that led to them, as `reasoning_content`; empty
    /// where there is none of this model. Services that want it want it everywhere.
    pub reasoning_content_in_history: bool,
    /// Whether answers go back with the `reasoning_details` that came with them.
    pub reasoning_details_in_history: bool,
    /// How the thinking level is told.
    pub thinking_format: ThinkingFormat,
    /// What ids of calls have to be like.
    pub tool_call_id_format: ToolCallIdFormat,
    /// Whether a stream without a finish reason is one that broke off. False for servers that never
    /// send one.
    pub requires_finish_reason: bool,
    /// The role of the system prompt.
    pub system_role: SystemRole,
    /// Whether `store` may be sent; it is sent as false.
    pub supports_store: bool,
    /// Whether the session's id may be sent as `prompt_cache_key`.
    pub supports_prompt_cache_key: bool,
}

impl Default for Compat {
    fn default() -> Self {
        Compat {
            max_tokens_field: MaxTokensField::MaxTokens,
            supports_stream_options: true,
            empty_content_with_tool_calls: EmptyContent::Null,
            reasoning_content_in_history: false,
            reasoning_details_in_history: false,
            thinking_format: ThinkingFormat::OpenAi,
            tool_call_id_format: ToolCallIdFormat::Any,
            requires_finish_reason: true,
            system_role: SystemRole::System,
            supports_store: false,
            supports_prompt_cache_key: false,
        }
    }
}

/// The name of the limit of output tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokensField {
    /// `max_completion_tokens`.
    MaxCompletionTokens,
    /// `max_tokens`.
    MaxTokens,
    /// The service takes none.
    None,
}

/// The content of an answer that has calls and no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyContent {
    /// `null`.
    Null,
    /// The empty string.
    Empty,
}

/// How the thinking level is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThinkingFormat {
    /// `"reasoning_effort": "low"`.
    #[serde(rename = "openai")]
    OpenAi,
    /// `"reasoning": {"effort": "low"}`.
    #[serde(rename = "openrouter")]
    OpenRouter,
    /// `"thinking": {"type": "enabled"}` and `"reasoning_effort": "high"`.
    #[serde(rename = "deepseek")]
    DeepSeek,
    /// `"enable_thinking": true`.
    Qwen,
    /// `"chat_template_kwargs": {"enable_thinking": true}`, for servers that render the template.
    QwenTemplate,
    /// Not at all.
    None,
}

/// What ids of calls have to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolCallIdFormat {
    /// As the model itself made them; those of other models are put plainly.
    Any,
    /// At the most 40 letters, digits, `_` and `-`.
    #[serde(rename = "openai")]
    OpenAi,
    /// Exactly nine letters and digits.
    Mistral9,
}

/// The role of the system prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystemRole {
    /// `system`.
    System,
    /// `developer`.
    Developer,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_compat_names_only_what_differs() {
        let compat: Compat = serde_json::from_value(json!({
            "maxTokensField": "max_completion_tokens",
            "emptyContentWithToolCalls": "empty",
            "thinkingFormat": "qwen-template",
            "toolCallIdFormat": "mistral9",
            "requiresFinishReason": false,
        }))
        .unwrap();
        let want = Compat {
            max_tokens_field: MaxTokensField::MaxCompletionTokens,
            empty_content_with_tool_calls: EmptyContent::Empty,
            thinking_format: ThinkingFormat::QwenTemplate,
            tool_call_id_format: ToolCallIdFormat::Mistral9,
            requires_finish_reason: false,
            ..Compat::default()
        };
        assert_eq!(compat, want);
        assert_eq!(serde_json::from_value::<Compat>(json!({})).unwrap(), Compat::default());
    }

    #[test]
    fn a_wrong_value_is_an_error_that_lists_the_right_ones() {
        let wrong = json!({ "thinkingFormat": "loud" });
        let error = serde_json::from_value::<Compat>(wrong).unwrap_err().to_string();
        assert!(error.contains("`openrouter`"), "{error}");
    }
}
