//! What one provider of this family is told once.

use crate::compat::Compat;
use fen_contract::names::ModelId;
use fen_contract::provider::ModelInfo;
use fen_contract::secret::Secret;
use fen_transport::http::{Client, Limits};
use std::fmt;

/// The settings of one provider.
#[derive(Debug, Clone)]
pub struct Config {
    /// The name under which it is registered.
    pub name: String,
    /// Where the service is, up to and without `/chat/completions`. A query is kept.
    pub base_url: String,
    /// The auth backend that has its key. `Some` also says that the service wants a key.
    pub auth: Option<String>,
    /// The environment variable for its key, as messages name it.
    pub key_variable: Option<String>,
    /// A key from a file of settings; one that comes with the call goes first.
    pub api_key: Option<Secret>,
    /// Why there is no key though the settings name one. Calls then fail without being sent, unless
    /// they bring a key of their own.
    pub api_key_problem: Option<String>,
    /// Headers beside those of the protocol; they replace one of the same name.
    pub headers: Vec<(String, HeaderText)>,
    /// The models that are known without asking.
    pub models: Vec<ModelInfo>,
    /// The model to take where none is named.
    pub default_model: Option<ModelId>,
    /// How the service departs from the protocol.
    pub compat: Compat,
    /// How to set it up, for people who lack what it needs.
    pub setup: Option<String>,
    /// How to start the server, where it is one that people run themselves.
    pub start: Option<String>,
    /// How long the service may be silent; the client's limits where it is `None`.
    pub limits: Option<Limits>,
    /// What sends the requests.
    pub client: Client,
}

impl Config {
    /// A service of which only name and address are known; it wants no key.
    pub fn new(name: impl Into<String>, base_url: impl Into<String>, client: Client) -> Self {
        Config {
            name: name.into(),
            base_url: base_url.into(),
            auth: None,
            key_variable: None,
            api_key: None,
            api_key_problem: None,
            headers: Vec::new(),
            models: Vec::new(),
            default_model: None,
            compat: Compat::default(),
            setup: None,
            start: None,
            limits: None,
            client,
        }
    }

    /// What is known of a model.
    pub(crate) fn model(&self, id: &ModelId) -> Option<&ModelInfo> {
        self.models.iter().find(|model| model.id == *id)
    }

    /// The address of `path` (such as `models`) at the service.
    pub(crate) fn address(&self, path: &str) -> String {
        let (base, query) = match self.base_url.split_once('?') {
            Some((base, query)) => (base, format!("?{query}")),
            None => (self.base_url.as_str(), String::new()),
        };
        let base = base.trim_end_matches('/');
        // Some people write the whole address.
        let base = base.strip_suffix("/chat/completions").unwrap_or(base);
        format!("{base}/{path}{query}")
    }

    /// What to do where the key is missing or refused.
    pub(crate) fn credentials_advice(&self) -> String {
        let set = match &self.key_variable {
            Some(variable) => format!("set {variable} or pass --api-key"),
            None => "pass --api-key or set `apiKey` for it in models.json".to_owned(),
        };
        format!("{set}; `fen providers {}` explains", self.name)
    }

    /// Whether a header of the settings holds the credentials.
    pub(crate) fn has_own_credentials(&self) -> bool {
        let names = ["authorization", "api-key", "x-api-key"];
        self.headers.iter().any(|(name, _)| names.contains(&name.to_ascii_lowercase().as_str()))
    }
}

/// The value of a header.
#[derive(Clone, PartialEq, Eq)]
pub enum HeaderText {
    /// One that may be shown.
    Plain(String),
    /// One that may not.
    Secret(Secret),
}

impl fmt::Debug for HeaderText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderText::Plain(text) => text.fmt(f),
            HeaderText::Secret(secret) => secret.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(config.address("models"), want);
        }
    }
}
