//! What one provider is told once, whichever protocol it speaks. Plain data.
//!
//! The program's wiring fills it in. The type `C` is the provider's own: how services depart from
//! its protocol. Nothing here knows what that says, only that it is plain data as well.

use crate::assembler::Origin;
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, ModelInfo};
use fen_contract::secret::Secret;
use fen_transport::http::{Client, Limits};
use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value};
use std::fmt;

/// The settings of one provider.
#[derive(Debug, Clone)]
pub struct Config<C> {
    /// The name under which it is registered.
    pub name: String,
    /// Where the service is, as far as all its addresses agree. A query is kept.
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
    pub compat: C,
    /// How to set it up, for people who lack what it needs.
    pub setup: Option<String>,
    /// How to start the server, where it is one that people run themselves.
    pub start: Option<String>,
    /// How long the service may be silent; the client's limits where it is `None`.
    pub limits: Option<Limits>,
    /// What sends the requests.
    pub client: Client,
}

impl<C: Default> Config<C> {
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
            compat: C::default(),
            setup: None,
            start: None,
            limits: None,
            client,
        }
    }
}

impl<C> Config<C> {
    /// The same settings with what `change` makes of the compat.
    pub fn map_compat<D>(self, change: impl FnOnce(C) -> D) -> Config<D> {
        Config {
            name: self.name,
            base_url: self.base_url,
            auth: self.auth,
            key_variable: self.key_variable,
            api_key: self.api_key,
            api_key_problem: self.api_key_problem,
            headers: self.headers,
            models: self.models,
            default_model: self.default_model,
            compat: change(self.compat),
            setup: self.setup,
            start: self.start,
            limits: self.limits,
            client: self.client,
        }
    }

    /// What is known of a model.
    pub fn model(&self, id: &str) -> Option<&ModelInfo> {
        self.models.iter().find(|model| model.id == *id)
    }

    /// The address of `path` at the service. Of the base URL each of `surplus` is left out where it
    /// ends in it, one after the other: some people write the whole address of a call.
    pub fn address(&self, surplus: &[&str], path: &str) -> String {
        let (base, query) = match self.base_url.split_once('?') {
            Some((base, query)) => (base, format!("?{query}")),
            None => (self.base_url.as_str(), String::new()),
        };
        let base = base.trim_end_matches('/');
        let base = surplus.iter().fold(base, |base, end| base.strip_suffix(end).unwrap_or(base));
        format!("{base}/{path}{query}")
    }

    /// The key of a call: its own before the configured one.
    pub fn key<'a>(&'a self, options: &'a CallOptions) -> Option<&'a Secret> {
        options.api_key.as_ref().or(self.api_key.as_ref())
    }

    /// Where an answer of `model` comes from. `api` is the protocol family.
    pub fn origin(&self, api: &str, model: &ModelId) -> Origin {
        Origin { api: api.to_owned(), provider: self.name.as_str().into(), model: model.clone() }
    }

    /// What to do where the key is missing or refused.
    pub fn credentials_advice(&self) -> String {
        let set = match &self.key_variable {
            Some(variable) => format!("set {variable} or pass --api-key"),
            None => "pass --api-key or set `apiKey` for it in models.json".to_owned(),
        };
        format!("{set}; `fen providers {}` explains", self.name)
    }

    /// Whether a header of the settings holds the credentials.
    pub fn has_own_credentials(&self) -> bool {
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

/// `current` with the fields of `changes`, an object as `models.json` holds it.
///
/// # Errors
///
/// Which field is unknown, with those that are known, or has a wrong value.
pub fn changed_by<C: Serialize + DeserializeOwned>(
    current: &C,
    changes: &Map<String, Value>,
) -> serde_json::Result<C> {
    let mut all = serde_json::to_value(current)?;
    for (name, value) in changes {
        match all.get_mut(name) {
            Some(field) => field.clone_from(value),
            None => {
                let known = all.as_object().map(|fields| fields.keys().cloned().collect());
                let known: Vec<String> = known.unwrap_or_default();
                let known = known.join("`, `");
                let words = format!("unknown field `{name}`, expected one of `{known}`");
                return Err(serde_json::Error::custom(words));
            }
        }
        // One at a time, since the error of a wrong value does not say whose it is.
        C::deserialize(&all)
            .map_err(|error| serde_json::Error::custom(format!("`{name}`: {error}")))?;
    }
    serde_json::from_value(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Compat {
        takes_store: bool,
        role: Option<Role>,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Role {
        System,
        Developer,
    }

    fn changed(current: &Compat, changes: Value) -> Result<Compat, String> {
        changed_by(current, changes.as_object().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_compat_is_changed_field_by_field() {
        let current = Compat { takes_store: true, role: Some(Role::Developer) };
        assert_eq!(changed(&current, json!({})), Ok(current.clone()));
        let changes = json!({ "role": "system" });
        let want = Compat { role: Some(Role::System), ..current.clone() };
        assert_eq!(changed(&current, changes), Ok(want));
        let want = Compat { role: None, ..current.clone() };
        assert_eq!(changed(&current, json!({ "role": null })), Ok(want));
    }

    #[test]
    fn a_mistake_in_a_compat_names_its_field() {
        let current = Compat::default();
        let error = changed(&current, json!({ "takeStore": true })).unwrap_err();
        assert!(error.contains("`takeStore`") && error.contains("`takesStore`"), "{error}");
        let error = changed(&current, json!({ "takesStore": "yes" })).unwrap_err();
        assert!(error.contains("`takesStore`") && error.contains("boolean"), "{error}");
        let error = changed(&current, json!({ "role": "loud" })).unwrap_err();
        assert!(error.contains("`role`") && error.contains("`developer`"), "{error}");
    }

    fn config(base_url: &str) -> Config<Compat> {
        Config::new("acme", base_url, Client::new(Default::default()))
    }

    #[test]
    fn addresses_keep_the_query_and_lose_what_is_surplus() {
        let address = |base: &str| config(base).address(&["/ask", "/v1"], "v1/models");
        for base in ["https://a.dev", "https://a.dev/", "https://a.dev/v1", "https://a.dev/v1/ask"]
        {
            assert_eq!(address(base), "https://a.dev/v1/models");
        }
        assert_eq!(address("https://a.dev/x/ask?k=1"), "https://a.dev/x/v1/models?k=1");
    }

    #[test]
    fn the_advice_on_credentials_names_what_can_be_set() {
        let keyless = config("https://a.dev");
        assert!(keyless.credentials_advice().contains("`apiKey`"));
        let keyed = Config { key_variable: Some("ACME_KEY".to_owned()), ..keyless };
        let advice = keyed.credentials_advice();
        assert!(advice.contains("set ACME_KEY") && advice.contains("`fen providers acme`"));
    }

    #[test]
    fn credentials_among_the_headers_are_seen_and_secrets_never_shown() {
        let mut config = config("https://a.dev");
        config.headers.push(("x-title".to_owned(), HeaderText::Plain("fen".to_owned())));
        assert!(!config.has_own_credentials());
        let secret = HeaderText::Secret(Secret::new("sesame").unwrap());
        config.headers.push(("X-API-Key".to_owned(), secret));
        assert!(config.has_own_credentials());
        let shown = format!("{:?}", config.headers);
        assert!(shown.contains("fen") && !shown.contains("sesame"), "{shown}");
    }
}
