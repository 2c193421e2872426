//! The person's settings for the screen: the field `tui` of settings.json.

use serde::Deserialize;
use serde_json::Value;

/// The settings; what is left out has its custom.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Settings {
    /// The theme's name; `auto` or nothing follows the terminal.
    pub theme: Option<String>,
    /// Whether the input is edited as in vi.
    pub vi: bool,
    /// Whether fen has the mouse, as it is the custom; `false` leaves it to the terminal.
    pub mouse: Option<bool>,
    /// Whether reasoning is folded from the start.
    pub fold_thinking: bool,
}

impl Settings {
    /// Reads them from all settings; a mistake is told and the customs hold.
    pub fn read(all: &Value) -> (Settings, Option<String>) {
        match all.get("tui") {
            None => (Settings::default(), None),
            Some(own) => match Settings::deserialize(own) {
                Ok(settings) => (settings, None),
                Err(error) => (Settings::default(), Some(format!("settings.json: tui: {error}"))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mistake_is_told_and_the_customs_hold() {
        let (settings, problem) = Settings::read(&json!({"tui": {"vi": true, "theme": "light"}}));
        assert!(settings.vi && problem.is_none());
        assert_eq!(settings.theme.as_deref(), Some("light"));
        let (settings, problem) = Settings::read(&json!({"tui": {"vi": "yes"}}));
        assert_eq!(settings, Settings::default());
        assert!(problem.unwrap().contains("tui"));
    }
}
