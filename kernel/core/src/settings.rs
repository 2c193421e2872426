//! A person's settings, as they come out of a file: known fields with their types, the rest kept.
//!
//! Reading and writing the file is the program's affair.

use crate::tools::ToolFilter;
use fen_contract::names::Count;
use fen_contract::provider::ThinkingLevel;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Which extensions run, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct ExtensionChoice {
    /// Those that run although their manifest says that they are off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub enabled: Vec<String>,
    /// Those that do not run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disabled: Vec<String>,
}

impl ExtensionChoice {
    /// Whether it chooses nothing.
    pub fn is_empty(&self) -> bool {
        *self == ExtensionChoice::default()
    }
}

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
    /// Tools of a search that are offered without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pinned_tools: Vec<String>,
    /// Credential variables that commands may see nevertheless.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep_env: Vec<String>,
    /// Which extensions run.
    #[serde(skip_serializing_if = "ExtensionChoice::is_empty")]
    pub extensions: ExtensionChoice,
    /// Fields that fen does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The names of the known settings.
pub const FIELDS: [&str; 10] = [
    "provider",
    "model",
    "thinking",
    "max-tokens",
    "presenter",
    "session",
    "tools",
    "pinned-tools",
    "keep-env",
    "extensions",
];

/// What the names of secret fields have in them, in lower case.
const SECRET_WORDS: [&str; 8] =
    ["key", "token", "secret", "password", "passphrase", "credential", "authorization", "cookie"];

/// Takes out the fields whose names speak of secrets, at every depth. Rather one field too many than
/// one secret too few.
fn remove_secrets(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                let name = name.to_lowercase();
                !SECRET_WORDS.iter().any(|word| name.contains(word))
            });
            fields.values_mut().for_each(remove_secrets);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_secrets),
        _ => {}
    }
}

impl Settings {
    /// Reads settings from JSON text. The error names line and column.
    pub fn parse(text: &str) -> Result<Settings, serde_json::Error> {
        serde_json::from_str(text.trim_start_matches('\u{feff}'))
    }

    /// The settings as extensions and models may see them: what looks like a secret is left out. The
    /// fields of [`FIELDS`] hold none, whatever their names.
    pub fn public(&self) -> Value {
        let known = Settings { extra: Map::new(), ..self.clone() };
        let mut extra = Value::Object(self.extra.clone());
        remove_secrets(&mut extra);
        let mut shown = serde_json::to_value(known).unwrap_or_default();
        if let (Value::Object(shown), Value::Object(extra)) = (&mut shown, extra) {
            shown.extend(extra);
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_names_has_every_setting() {
        let text = r#"{"provider":"p","model":"m","thinking":"low","max-tokens":1,"presenter":"x",
                       "session":"s","tools":{},"pinned-tools":["t"],"keep-env":["K"],
                       "extensions":{"enabled":["a"],"disabled":["b"]}}"#;
        let settings = Settings::parse(text).unwrap();
        assert!(settings.extra.is_empty());
        let written = serde_json::to_value(&settings).unwrap();
        let names: Vec<&String> = written.as_object().unwrap().keys().collect();
        assert_eq!(names, FIELDS);
    }

    #[test]
    fn what_looks_like_a_secret_is_not_shown_and_the_known_fields_are() {
        let text = r#"{"max-tokens":9,"keep-env":["MY_KEY"],"mine":{"apiKey":"sk-1","url":"u",
            "deep":[{"Auth-Token":"sk-2","a":1}]},"passWORD":"sk-3","github_token":{"x":"sk-4"}}"#;
        let shown = Settings::parse(text).unwrap().public();
        let expected = serde_json::json!({"max-tokens": 9, "keep-env": ["MY_KEY"],
            "mine": {"url": "u", "deep": [{"a": 1}]}});
        assert_eq!(shown, expected);
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
