//! A person's settings, as they come out of a file: known fields with their types, the rest kept.
//!
//! Reading and writing the file is the program's affair.

use crate::tools::ToolFilter;
use fen_contract::names::Count;
use fen_contract::provider::ThinkingLevel;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The provider to use where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model to use where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How much to think where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<ThinkingLevel>,
    /// How many tokens an answer may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<Count>,
    /// The presenter to use where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presenter: Option<String>,
    /// The session backend to use where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Which tools may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolFilter>,
    /// Credential variables that commands may see nevertheless.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep_env: Vec<String>,
    /// Fields that fen does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The names of the known settings.
pub const FIELDS: [&str; 8] =
    ["provider", "model", "thinking", "max-tokens", "presenter", "session", "tools", "keep-env"];

impl Settings {
    /// Reads settings from JSON text. The error names line and column.
    pub fn parse(text: &str) -> Result<Settings, serde_json::Error> {
        serde_json::from_str(text.trim_start_matches('\u{feff}'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_names_has_every_setting() {
        let text = r#"{"provider":"p","model":"m","thinking":"low","max-tokens":1,"presenter":"x",
                       "session":"s","tools":{},"keep-env":["K"]}"#;
        let settings = Settings::parse(text).unwrap();
        assert!(settings.extra.is_empty());
        let written = serde_json::to_value(&settings).unwrap();
        let names: Vec<&String> = written.as_object().unwrap().keys().collect();
        assert_eq!(names, FIELDS);
    }

    #[test]
    fn unknown_settings_survive_and_wrong_ones_are_named_with_their_line() {
        let settings =
            Settings::parse("\u{feff}{\"model\":\"m\",\"thinking\":\"high\",\"mine\":[1]}")
                .unwrap();
        assert_eq!(settings.thinking, Some(ThinkingLevel::High));
        assert_eq!(serde_json::to_value(&settings).unwrap()["mine"], serde_json::json!([1]));
        let error = Settings::parse("{\n  \"model\": \"m\",\n}").unwrap_err();
        assert_eq!(error.line(), 3);
    }
}
