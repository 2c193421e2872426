//! The services that are known by name: addresses, keys, differences. Plain data.

use crate::compat::{
    Compat, EmptyContent, MaxTokensField, SystemRole, ThinkingFormat, ToolCallIdFormat,
};
use crate::config::Config;
use crate::models::openai_models;
use fen_contract::names::ModelId;
use fen_contract::provider::ModelInfo;
use fen_transport::http::{Client, Limits};
use std::time::Duration;

/// For servers on a person's own machine, some of which answer at once and then read the prompt for
/// minutes without a byte.
const PATIENT: Limits = Limits {
    response: Duration::from_secs(1200),
    bytes: Duration::from_secs(600),
    data: Duration::from_secs(600),
};

/// A service that is known by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// The name under which it is registered.
    pub name: &'static str,
    /// Where it is.
    pub base_url: &'static str,
    /// The environment variable that holds its key; `None` if it wants none.
    pub key_variable: Option<&'static str>,
    /// The model to take where none is named; `None` where only the server knows its models.
    pub default_model: Option<&'static str>,
    /// The models that are known without asking.
    pub models: Vec<ModelInfo>,
    /// How to start the server, where people run it themselves.
    pub start: Option<&'static str>,
    /// How it departs from the protocol.
    pub compat: Compat,
}

impl Preset {
    /// How to set it up.
    pub fn setup(&self) -> String {
        match (self.key_variable, self.start) {
            (Some(variable), _) => format!("set {variable}, then fen --provider {}", self.name),
            (None, Some(start)) => format!("{start}, then fen --provider {}", self.name),
            (None, None) => format!("fen --provider {}", self.name),
        }
    }

    /// The settings of this service. Services that want a key get it from the auth backend `env`.
    pub fn config(&self, client: Client) -> Config {
        Config {
            auth: self.key_variable.map(|_| "env".to_owned()),
            key_variable: self.key_variable.map(str::to_owned),
            models: self.models.clone(),
            default_model: self.default_model.map(ModelId::from),
            compat: self.compat.clone(),
            setup: Some(self.setup()),
            start: self.start.map(str::to_owned),
            limits: self.start.map(|_| PATIENT),
            ..Config::new(self.name, self.base_url, client)
        }
    }
}

fn hosted(
    name: &'static str,
    base_url: &'static str,
    key_variable: &'static str,
    default_model: &'static str,
    compat: Compat,
) -> Preset {
    Preset {
        name,
        base_url,
        key_variable: Some(key_variable),
        default_model: Some(default_model),
        models: Vec::new(),
        start: None,
        compat,
    }
}

fn local(name: &'static str, base_url: &'static str, start: &'static str) -> Preset {
    let compat = Compat::default();
    Preset {
        name,
        base_url,
        key_variable: None,
        default_model: None,
        models: Vec::new(),
        start: Some(start),
        compat,
    }
}

/// The services that are known by name, the most used first.
pub fn presets() -> Vec<Preset> {
    let base = Compat::default;
    vec![
        Preset {
            models: openai_models(),
            ..hosted(
                "openai",
                "https://api.openai.com/v1",
                "OPENAI_API_KEY",
                "gpt-5.1",
                Compat {
                    max_tokens_field: MaxTokensField::MaxCompletionTokens,
                    tool_call_id_format: ToolCallIdFormat::OpenAi,
                    system_role: SystemRole::Developer,
                    supports_store: true,
                    supports_prompt_cache_key: true,
                    ..base()
                },
            )
        },
        hosted(
            "openrouter",
            "https://openrouter.ai/api/v1",
            "OPENROUTER_API_KEY",
            "anthropic/claude-sonnet-4.5",
            Compat {
                thinking_format: ThinkingFormat::OpenRouter,
                reasoning_details_in_history: true,
                ..base()
            },
        ),
        hosted(
            "groq",
            "https://api.groq.com/openai/v1",
            "GROQ_API_KEY",
            "openai/gpt-oss-120b",
            Compat { max_tokens_field: MaxTokensField::MaxCompletionTokens, ..base() },
        ),
        hosted(
            "deepseek",
            "https://api.deepseek.com/v1",
            "DEEPSEEK_API_KEY",
            "deepseek-v4-pro",
            Compat {
                thinking_format: ThinkingFormat::DeepSeek,
                reasoning_content_in_history: true,
                empty_content_with_tool_calls: EmptyContent::Empty,
                ..base()
            },
        ),
        hosted(
            "mistral",
            "https://api.mistral.ai/v1",
            "MISTRAL_API_KEY",
            "mistral-large-latest",
            Compat {
                // Its answers carry the usage unasked; it refuses fields that it does not know.
                supports_stream_options: false,
                thinking_format: ThinkingFormat::None,
                tool_call_id_format: ToolCallIdFormat::Mistral9,
                empty_content_with_tool_calls: EmptyContent::Empty,
                ..base()
            },
        ),
        hosted(
            "xai",
            "https://api.x.ai/v1",
            "XAI_API_KEY",
            "grok-4",
            // Its models think by themselves, and most refuse to be told how much.
            Compat { thinking_format: ThinkingFormat::None, ..base() },
        ),
        hosted(
            "together",
            "https://api.together.xyz/v1",
            "TOGETHER_API_KEY",
            "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8",
            base(),
        ),
        hosted(
            "cerebras",
            "https://api.cerebras.ai/v1",
            "CEREBRAS_API_KEY",
            "gpt-oss-120b",
            Compat { max_tokens_field: MaxTokensField::MaxCompletionTokens, ..base() },
        ),
        local("ollama", "http://127.0.0.1:11434/v1", "start the server with `ollama serve`"),
        local(
            "lmstudio",
            "http://127.0.0.1:1234/v1",
            "start the server in LM Studio's developer tab, or with `lms server start`",
        ),
        local(
            "llama-cpp",
            "http://127.0.0.1:8080/v1",
            "start the server with `llama-server --jinja -m MODEL.gguf`",
        ),
        local(
            "vllm",
            "http://127.0.0.1:8000/v1",
            "start the server with `vllm serve MODEL --enable-auto-tool-choice --tool-call-parser NAME`",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_preset_says_how_to_set_it_up() {
        let presets = presets();
        let names: HashSet<_> = presets.iter().map(|preset| preset.name).collect();
        assert_eq!(names.len(), presets.len());
        for preset in &presets {
            assert!(preset.setup().contains(&format!("fen --provider {}", preset.name)));
            assert_eq!(preset.key_variable.is_some(), preset.base_url.starts_with("https://"));
            assert_eq!(preset.key_variable.is_some(), preset.default_model.is_some());
        }
        assert_eq!(presets[0].setup(), "set OPENAI_API_KEY, then fen --provider openai");
    }
}
