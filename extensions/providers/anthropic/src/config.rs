//! What one provider of this family is told once, and the addresses that follow from it.

use crate::compat::Compat;
use crate::models;
use fen_transport::http::Client;

/// Where Anthropic serves the API.
const BASE_URL: &str = "https://api.anthropic.com";

/// The settings of one provider. The base URL goes up to and without `/v1/messages`; one that ends
/// in `/v1` is taken as well.
pub type Config = fen_provider_kit::config::Config<Compat>;

/// Anthropic's own service, with the models that are known today.
pub fn preset(client: Client) -> Config {
    Config {
        auth: Some("env".to_owned()),
        key_variable: Some("ANTHROPIC_API_KEY".to_owned()),
        models: models::known_models(),
        default_model: Some(models::DEFAULT_MODEL.into()),
        setup: Some("set ANTHROPIC_API_KEY, then fen --provider anthropic".to_owned()),
        ..Config::new("anthropic", BASE_URL, client)
    }
}

/// The address of a resource such as `messages`.
pub(crate) fn address(config: &Config, resource: &str) -> String {
    // Some people write the whole address, or all but the resource.
    config.address(&["/messages", "/v1"], &format!("v1/{resource}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_made_of_what_people_write() {
        let cases = [
            ("https://a.dev", "https://a.dev/v1/messages"),
            ("https://a.dev/claude/", "https://a.dev/claude/v1/messages"),
            ("https://a.dev/v1", "https://a.dev/v1/messages"),
            ("https://a.dev/v1/", "https://a.dev/v1/messages"),
            ("https://a.dev/v1/messages", "https://a.dev/v1/messages"),
            ("https://a.dev/v1?beta=true", "https://a.dev/v1/messages?beta=true"),
        ];
        for (base, want) in cases {
            let config = Config::new("a", base, Client::new(Default::default()));
            assert_eq!(address(&config, "messages"), want);
        }
    }
}
