//! What one provider of this family is told once, and the addresses that follow from it.

use crate::compat::Compat;

/// The settings of one provider. The base URL goes up to and without `/chat/completions`.
pub type Config = fen_provider_kit::config::Config<Compat>;

/// The address of `path` (such as `models`) at the service.
pub(crate) fn address(config: &Config, path: &str) -> String {
    config.address(&["/chat/completions"], path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_transport::http::Client;

    #[test]
    fn addresses_are_made_of_what_people_write() {
        let cases = [
            ("https://a.dev/v1", "https://a.dev/v1/models"),
            ("https://a.dev/v1/", "https://a.dev/v1/models"),
            ("https://a.dev/v1/chat/completions", "https://a.dev/v1/models"),
            ("https://a.dev/v1?api-version=2", "https://a.dev/v1/models?api-version=2"),
        ];
        for (base, want) in cases {
            let config = Config::new("a", base, Client::new(Default::default()));
            assert_eq!(address(&config, "models"), want);
        }
    }
}
