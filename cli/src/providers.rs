//! The providers: those that come with fen, changed and joined by the user's own.

use crate::models_file::{Custom, Key};
use fen_auth_env::Lookup;
use fen_contract::api::Extension;
use fen_contract::failure::Failure;
use fen_provider_anthropic as anthropic;
use fen_provider_openai as openai;
use fen_transport::http::Client;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One provider before it is an extension.
enum Provider {
    Chat(openai::Config),
    Messages(anthropic::Config),
}

/// The same change to either kind of settings, whose fields have the same names.
macro_rules! each {
    ($provider:expr, $config:ident => $change:expr) => {
        match $provider {
            Provider::Chat($config) => $change,
            Provider::Messages($config) => $change,
        }
    };
}

fn known(client: &Client) -> Vec<Provider> {
    let chat = openai::presets().into_iter();
    let chat = chat.map(|preset| Provider::Chat(preset.config(client.clone())));
    std::iter::once(Provider::Messages(anthropic::Config::anthropic(client.clone())))
        .chain(chat)
        .collect()
}

/// Which environment variable holds which provider's key.
pub fn key_variables() -> Vec<(String, String)> {
    let client = Client::new(fen_transport::http::Config::default());
    known(&client)
        .iter()
        .filter_map(|provider| {
            each!(provider, config => Some((config.name.clone(), config.key_variable.clone()?)))
        })
        .collect()
}

/// All providers. `base_url` moves one of them elsewhere, by its name.
pub fn extensions(
    client: &Client,
    lookup: &Lookup,
    custom: Vec<Custom>,
    base_url: Option<(String, String)>,
) -> Result<Vec<Box<dyn Extension>>, Failure> {
    let mut all = known(client);
    for entry in custom {
        let position =
            all.iter().position(|provider| each!(provider, config => config.name == entry.name));
        let base = position.map(|position| all.remove(position));
        let provider = customised(base, entry, client)?;
        all.insert(position.unwrap_or(all.len()), provider);
    }
    if let Some((name, url)) = base_url {
        match all.iter_mut().find(|provider| each!(provider, config => config.name == name)) {
            Some(provider) => each!(provider, config => {
                config.base_url = url;
                let has_key = config
                    .key_variable
                    .as_deref()
                    .and_then(|variable| lookup(variable))
                    .is_some_and(|key| !key.trim().is_empty());
                if !has_key {
                    // A server of one's own may well want none; if it does, it says so.
                    config.auth = None;
                }
            }),
            None => all.push(Provider::Chat(openai::Config::new(name, url, client.clone()))),
        }
    }
    Ok(all
        .into_iter()
        .map(|provider| match provider {
            Provider::Chat(config) => Box::new(openai::extension(config)) as Box<dyn Extension>,
            Provider::Messages(config) => Box::new(anthropic::extension(config)),
        })
        .collect())
}

/// A provider of the user's: a known one with some fields changed, or a new one.
fn customised(base: Option<Provider>, entry: Custom, client: &Client) -> Result<Provider, Failure> {
    let mistake =
        |what: &str| Failure::caller(format!("models.json: provider `{}`: {what}", entry.name));
    let is_messages = match (entry.api.as_deref(), &base) {
        (Some("openai-completions"), _) | (None, Some(Provider::Chat(_)) | None) => false,
        (Some("anthropic-messages"), _) | (None, Some(Provider::Messages(_))) => true,
        (Some(other), _) => {
            return Err(mistake(&format!(
                "`api` is `{other}`; expected `openai-completions` or `anthropic-messages`"
            )));
        }
    };
    let address = || entry.base_url.clone().ok_or_else(|| mistake("`baseUrl` is missing"));
    let mut provider = match (base, is_messages) {
        (Some(base @ Provider::Chat(_)), false) | (Some(base @ Provider::Messages(_)), true) => {
            base
        }
        (_, false) => {
            Provider::Chat(openai::Config::new(entry.name.clone(), address()?, client.clone()))
        }
        (_, true) => Provider::Messages(anthropic::Config::new(
            entry.name.clone(),
            address()?,
            client.clone(),
        )),
    };
    match &mut provider {
        Provider::Chat(config) => {
            if let Some(compat) = compat(&entry)? {
                config.compat = compat;
            }
            config.headers.extend(
                entry
                    .headers
                    .iter()
                    .map(|(name, value)| (name.clone(), openai::HeaderText::Plain(value.clone()))),
            );
        }
        Provider::Messages(config) => {
            if let Some(compat) = compat(&entry)? {
                config.compat = compat;
            }
            config.headers.extend(
                entry.headers.iter().map(|(name, value)| {
                    (name.clone(), anthropic::HeaderText::Plain(value.clone()))
                }),
            );
        }
    }
    each!(&mut provider, config => {
        if let Some(url) = entry.base_url {
            config.base_url = url;
            // A key of the known service is not for another address.
            config.auth = None;
        }
        if !entry.models.is_empty() {
            config.default_model = entry.models.first().map(|model| model.id.clone());
            config.models = entry.models;
        }
        match entry.key {
            Key::None => {}
            Key::Known(secret) => {
                config.auth = None;
                config.api_key = Some(secret);
            }
            Key::Missing(problem) => {
                config.auth = None;
                config.api_key_problem = Some(problem);
            }
        }
    });
    Ok(provider)
}

/// The `compat` object in its provider's terms; `None` if it is empty.
fn compat<T: DeserializeOwned>(entry: &Custom) -> Result<Option<T>, Failure> {
    if entry.compat.as_object().is_none_or(serde_json::Map::is_empty) {
        return Ok(None);
    }
    let parsed: Result<T, _> = serde_json::from_value(Value::clone(&entry.compat));
    parsed.map(Some).map_err(|error| {
        Failure::caller(format!("models.json: provider `{}`: `compat`: {error}", entry.name))
    })
}
