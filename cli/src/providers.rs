//! The providers: those that come with fen, changed and joined by the user's own.
//!
//! It owns which word counts: the command line's over `models.json`, and that over what is known of
//! a service. The key and the departures of a known service do not follow an entry of `models.json`
//! to another address. The wiring calls it.

use crate::models_auth;
use crate::models_file::{Custom, Key, ORIGIN};
use fen_auth_env::Lookup;
use fen_contract::api::Extension;
use fen_contract::failure::Failure;
use fen_provider_anthropic as anthropic;
use fen_provider_kit::config::{Config, HeaderText, changed_by};
use fen_provider_openai as openai;
use fen_transport::http::Client;
use serde_json::{Map, Value};

/// One provider before it is an extension.
type Provider = Config<Family>;

/// A protocol family, with how one service departs from it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Family {
    Chat(openai::Compat),
    Messages(anthropic::Compat),
}

impl Default for Family {
    /// What most services speak.
    fn default() -> Self {
        Family::Chat(openai::Compat::default())
    }
}

impl Family {
    /// The family of this name, without departures.
    fn named(api: &str) -> Option<Self> {
        match api {
            openai::API => Some(Family::Chat(openai::Compat::default())),
            anthropic::API => Some(Family::Messages(anthropic::Compat::default())),
            _ => None,
        }
    }

    /// The same family without departures.
    fn plain(&self) -> Self {
        match self {
            Family::Chat(_) => Family::Chat(openai::Compat::default()),
            Family::Messages(_) => Family::Messages(anthropic::Compat::default()),
        }
    }

    fn changed_by(&self, changes: &Map<String, Value>) -> serde_json::Result<Self> {
        match self {
            Family::Chat(compat) => changed_by(compat, changes).map(Family::Chat),
            Family::Messages(compat) => changed_by(compat, changes).map(Family::Messages),
        }
    }
}

fn known(client: &Client) -> Vec<Provider> {
    let chat = openai::presets().into_iter();
    let chat = chat.map(|preset| preset.config(client.clone()).map_compat(Family::Chat));
    let anthropic = anthropic::preset(client.clone()).map_compat(Family::Messages);
    std::iter::once(anthropic).chain(chat).collect()
}

/// Which environment variable holds which provider's key.
pub fn key_variables() -> Vec<(String, String)> {
    let client = Client::new(fen_transport::http::Config::default());
    known(&client)
        .into_iter()
        .filter_map(|provider| Some((provider.name, provider.key_variable?)))
        .collect()
}

/// All providers. `base_url` moves one of them elsewhere, by its name.
pub fn extensions(
    client: &Client,
    lookup: &Lookup,
    custom: Vec<Custom>,
    base_url: Option<(String, String)>,
) -> Result<Vec<Box<dyn Extension>>, Failure> {
    let all = configured(client, lookup, custom, base_url)?;
    Ok(all.into_iter().map(extension).collect())
}

fn extension(provider: Provider) -> Box<dyn Extension> {
    match provider.compat.clone() {
        Family::Chat(compat) => Box::new(openai::extension(provider.map_compat(|_| compat))),
        Family::Messages(compat) => Box::new(anthropic::extension(provider.map_compat(|_| compat))),
    }
}

fn configured(
    client: &Client,
    lookup: &Lookup,
    custom: Vec<Custom>,
    base_url: Option<(String, String)>,
) -> Result<Vec<Provider>, Failure> {
    let mut all = known(client);
    let has_own_key = |name: &str| {
        custom.iter().any(|entry| entry.name == name && matches!(entry.key, Key::Known(_)))
    };
    let moved_has_own_key = base_url.as_ref().is_some_and(|(name, _)| has_own_key(name));
    if let Some((name, url)) = &base_url
        && let Some(provider) = all.iter_mut().find(|provider| provider.name == *name)
        && is_elsewhere(provider, url)
    {
        // Before the user's own word on the departures, which holds wherever the service is.
        provider.compat = provider.compat.plain();
    }
    for entry in custom {
        let position = all.iter().position(|provider| provider.name == entry.name);
        let base = position.map(|position| all.remove(position));
        let provider = customised(base, entry, client)?;
        all.insert(position.unwrap_or(all.len()), provider);
    }
    if let Some((name, url)) = base_url {
        match all.iter_mut().find(|provider| provider.name == name) {
            Some(provider) => {
                let has_key = moved_has_own_key || has_key(provider, lookup);
                if is_elsewhere(provider, &url) && !has_key {
                    // A server of one's own may well want none; if it does, it says so.
                    provider.auth = None;
                }
                provider.base_url = url;
            }
            None => all.push(Provider::new(name, url, client.clone())),
        }
    }
    Ok(all)
}

fn is_elsewhere(provider: &Provider, url: &str) -> bool {
    provider.base_url.trim_end_matches('/') != url.trim_end_matches('/')
}

fn has_key(provider: &Provider, lookup: &Lookup) -> bool {
    let key = provider.key_variable.as_deref().and_then(|variable| lookup(variable));
    key.is_some_and(|key| !key.trim().is_empty())
}

/// A provider of the user's: a known one with some fields changed, or a new one.
fn customised(base: Option<Provider>, entry: Custom, client: &Client) -> Result<Provider, Failure> {
    let mistake =
        |what: &str| Failure::caller(format!("models.json: provider `{}`: {what}", entry.name));
    let family = match (entry.api.as_deref(), &base) {
        (Some(api), _) => Family::named(api).ok_or_else(|| {
            let expected = format!("expected `{}` or `{}`", openai::API, anthropic::API);
            mistake(&format!("`api` is `{api}`; {expected}"))
        })?,
        (None, Some(base)) => base.compat.plain(),
        (None, None) => Family::default(),
    };
    let mut provider = match base {
        Some(base) if base.compat.plain() == family => base,
        _ => {
            let url = entry.base_url.clone().ok_or_else(|| mistake("`baseUrl` is missing"))?;
            let new = Provider::new(entry.name.clone(), url, client.clone());
            Provider { compat: family, ..new }
        }
    };
    if let Some(url) = &entry.base_url {
        if is_elsewhere(&provider, url) {
            // The key and the departures of the known service are not for another address.
            provider.auth = None;
            provider.compat = provider.compat.plain();
        }
        provider.base_url.clone_from(url);
    }
    provider.setup = Some(match &entry.key {
        Key::None => format!("{ORIGIN}; fen --provider {}", entry.name),
        Key::Known(_) => format!("{ORIGIN}, with its key; fen --provider {}", entry.name),
        Key::Missing(problem) => format!("{ORIGIN}; {problem}"),
    });
    provider.compat = provider
        .compat
        .changed_by(&entry.compat)
        .map_err(|error| mistake(&format!("`compat`: {error}")))?;
    let headers = entry.headers.into_iter();
    provider.headers.extend(headers.map(|(name, value)| (name, HeaderText::Plain(value))));
    if !entry.models.is_empty() {
        provider.default_model = entry.models.first().map(|model| model.id.clone());
        provider.models = entry.models;
    }
    match entry.key {
        Key::None => {}
        Key::Known(_) | Key::Missing(_) => {
            provider.auth = Some(models_auth::NAME.to_owned());
            provider.key_variable = None;
        }
    }
    Ok(provider)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::provider::ModelInfo;
    use fen_contract::secret::Secret;
    use serde_json::json;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    const ELSEWHERE: &str = "http://127.0.0.1:9000/v1";

    fn client() -> Client {
        Client::new(Default::default())
    }

    fn entry(name: &str) -> Custom {
        Custom {
            name: name.to_owned(),
            api: None,
            base_url: None,
            key: Key::None,
            models: Vec::new(),
            compat: Map::new(),
            headers: BTreeMap::new(),
        }
    }

    fn at(name: &str, url: &str) -> Custom {
        Custom { base_url: Some(url.to_owned()), ..entry(name) }
    }

    fn compat(changes: Value) -> Map<String, Value> {
        changes.as_object().cloned().unwrap()
    }

    fn preset(name: &str) -> Provider {
        known(&client()).into_iter().find(|provider| provider.name == name).unwrap()
    }

    fn customised_preset(entry: Custom) -> Result<Provider, String> {
        let base = preset(&entry.name);
        customised(Some(base), entry, &client()).map_err(|failure| failure.message)
    }

    fn new(entry: Custom) -> Result<Provider, String> {
        customised(None, entry, &client()).map_err(|failure| failure.message)
    }

    /// The provider of this name where the flag `--base-url` gives it `url`. Only OpenAI's key is
    /// in the environment.
    fn moved(name: &str, url: &str, custom: Vec<Custom>) -> Provider {
        let lookup: Lookup = Arc::new(|name| (name == "OPENAI_API_KEY").then(|| "sk-1".to_owned()));
        let flag = Some((name.to_owned(), url.to_owned()));
        let all = configured(&client(), &lookup, custom, flag).unwrap();
        all.into_iter().find(|provider| provider.name == name).unwrap()
    }

    #[test]
    fn a_known_provider_is_changed_field_by_field() {
        let changes = compat(json!({ "supportsStore": false }));
        let provider = customised_preset(Custom { compat: changes, ..entry("openai") }).unwrap();
        let Family::Chat(known) = preset("openai").compat else { panic!("chat") };
        assert!(known.supports_store && known.supports_prompt_cache_key);
        let want = openai::Compat { supports_store: false, ..known };
        assert_eq!(provider.compat, Family::Chat(want));
        assert_eq!(provider.auth.as_deref(), Some("env"));
        assert_eq!(provider.models, preset("openai").models);

        let changes = compat(json!({ "thinkingFormat": "adaptive" }));
        let provider = customised_preset(Custom { compat: changes, ..entry("anthropic") }).unwrap();
        let want = anthropic::Compat {
            thinking_format: Some(anthropic::ThinkingFormat::Adaptive),
            ..anthropic::Compat::default()
        };
        assert_eq!(provider.compat, Family::Messages(want));
    }

    #[test]
    fn a_mistake_in_a_compat_names_provider_and_field() {
        for (name, known) in [("openai", "`supportsStore`"), ("anthropic", "`thinkingFormat`")] {
            let changes = compat(json!({ "supportStore": true }));
            let error = customised_preset(Custom { compat: changes, ..entry(name) }).unwrap_err();
            assert!(error.contains(&format!("provider `{name}`: `compat`")), "{error}");
            assert!(error.contains("`supportStore`") && error.contains(known), "{error}");
        }
    }

    #[test]
    fn what_the_user_says_replaces_what_is_known() {
        let provider = customised_preset(Custom {
            key: Key::Known(Secret::new("sk-own").unwrap()),
            models: vec![ModelInfo::named("first"), ModelInfo::named("second")],
            headers: BTreeMap::from([("x-title".to_owned(), "fen".to_owned())]),
            ..entry("groq")
        })
        .unwrap();
        assert_eq!(provider.auth.as_deref(), Some(models_auth::NAME));
        assert_eq!(provider.default_model, Some("first".into()));
        assert_eq!(provider.models.len(), 2);
        let header = ("x-title".to_owned(), HeaderText::Plain("fen".to_owned()));
        assert_eq!(provider.headers, [header]);
        assert_eq!(provider.base_url, preset("groq").base_url);

        let lost = Custom { key: Key::Missing("no KEY".to_owned()), ..entry("groq") };
        let provider = customised_preset(lost).unwrap();
        assert_eq!(provider.auth.as_deref(), Some(models_auth::NAME));
    }

    #[test]
    fn a_new_provider_needs_an_address_and_a_known_protocol() {
        let provider = new(at("mine", ELSEWHERE)).unwrap();
        assert_eq!(provider.compat, Family::default());
        assert_eq!((provider.auth, provider.base_url.as_str()), (None, ELSEWHERE));
        let messages = Custom { api: Some(anthropic::API.to_owned()), ..at("mine", ELSEWHERE) };
        assert!(matches!(new(messages).unwrap().compat, Family::Messages(_)));
        assert!(new(entry("mine")).unwrap_err().contains("`baseUrl` is missing"));
        let odd = Custom { api: Some("smoke".to_owned()), ..at("mine", ELSEWHERE) };
        let error = new(odd).unwrap_err();
        assert!(error.contains("`smoke`") && error.contains("`openai-completions`"), "{error}");
    }

    #[test]
    fn a_known_name_with_another_protocol_is_a_new_provider() {
        let api = Some(anthropic::API.to_owned());
        let provider = customised_preset(Custom { api, ..at("openai", ELSEWHERE) }).unwrap();
        assert!(matches!(provider.compat, Family::Messages(_)));
        assert_eq!((provider.key_variable, provider.models), (None, Vec::new()));
    }

    #[test]
    fn another_address_in_models_json_takes_key_and_departures_away() {
        let provider = customised_preset(at("openai", ELSEWHERE)).unwrap();
        assert_eq!(provider.compat, Family::default());
        assert_eq!((provider.auth, provider.base_url.as_str()), (None, ELSEWHERE));

        let changes = compat(json!({ "supportsStore": true }));
        let entry = Custom { compat: changes, ..at("openai", ELSEWHERE) };
        let want = openai::Compat { supports_store: true, ..openai::Compat::default() };
        assert_eq!(customised_preset(entry).unwrap().compat, Family::Chat(want));
    }

    #[test]
    fn the_known_address_written_out_changes_nothing() {
        let known = preset("openai");
        let provider = customised_preset(at("openai", "https://api.openai.com/v1/")).unwrap();
        assert_eq!((provider.auth, provider.compat), (known.auth, known.compat));
    }

    #[test]
    fn the_flag_takes_departures_away_but_not_those_of_models_json() {
        let provider = moved("openai", ELSEWHERE, Vec::new());
        assert_eq!(provider.base_url, ELSEWHERE);
        assert_eq!(provider.compat, Family::default());

        let changes = compat(json!({ "systemRole": "developer" }));
        let custom = Custom { compat: changes, ..entry("openai") };
        let want = openai::Compat {
            system_role: openai::SystemRole::Developer,
            ..openai::Compat::default()
        };
        let provider = moved("openai", ELSEWHERE, vec![custom]);
        assert_eq!(provider.compat, Family::Chat(want.clone()));

        let changes = compat(json!({ "systemRole": "developer" }));
        let own = Custom { compat: changes, ..at("mine", "http://127.0.0.1:1/v1") };
        let provider = moved("mine", ELSEWHERE, vec![own]);
        assert_eq!((provider.base_url.as_str(), provider.compat), (ELSEWHERE, Family::Chat(want)));
    }

    #[test]
    fn the_flag_keeps_asking_for_a_key_only_where_there_is_one() {
        assert_eq!(moved("openai", ELSEWHERE, Vec::new()).auth.as_deref(), Some("env"));
        assert_eq!(moved("groq", ELSEWHERE, Vec::new()).auth, None);
        assert_eq!(moved("anthropic", ELSEWHERE, Vec::new()).auth, None);
        let unheard_of = moved("unheard-of", ELSEWHERE, Vec::new());
        assert_eq!((unheard_of.auth, unheard_of.compat), (None, Family::default()));
    }

    #[test]
    fn the_documentation_lists_every_field_with_its_default() {
        let page = include_str!("../../docs/configuration.md");
        let (_, page) = page.split_once("### compat for `openai-completions`").unwrap();
        let (chat, messages) = page.split_once("### compat for `anthropic-messages`").unwrap();
        let defaults = [
            (chat, serde_json::to_value(openai::Compat::default()).unwrap()),
            (messages, serde_json::to_value(anthropic::Compat::default()).unwrap()),
        ];
        for (section, compat) in defaults {
            for (field, default) in compat.as_object().unwrap() {
                let mut rows = section.lines().map(|row| row.split(" | ").collect::<Vec<_>>());
                let row = rows.find(|row| row[0] == format!("| `{field}`"));
                assert_eq!(row.unwrap()[2], format!("`{default}`"), "{field}");
            }
        }
    }
}
