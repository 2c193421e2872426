//! `models.json`: the user's own providers, as data.
//!
//! It reads the file and finds the keys that it names; what becomes of the entries is decided in
//! `providers`.

use crate::files::{Folders, broken, read_config, warn_unknown};
use fen_auth_env::Lookup;
use fen_contract::failure::Failure;
use fen_contract::names::{Count, ModelId};
use fen_contract::price::{Dollars, Price};
use fen_contract::provider::ModelInfo;
use fen_contract::secret::{CredentialVariables, Secret};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// How the set-up of the user's own providers begins.
pub const ORIGIN: &str = "from models.json";

/// The key of a custom provider.
#[derive(Debug, Clone)]
pub enum Key {
    /// It needs none.
    None,
    /// This one.
    Known(Secret),
    /// It should be there and is not; the words say why.
    Missing(String),
}

/// A provider of the user's.
#[derive(Debug, Clone)]
pub struct Custom {
    /// Its name.
    pub name: String,
    /// The protocol family, such as `openai-completions`; absent for that of a known provider.
    pub api: Option<String>,
    /// Where its service is; absent for that of a known provider.
    pub base_url: Option<String>,
    /// Its key.
    pub key: Key,
    /// Its models.
    pub models: Vec<ModelInfo>,
    /// How it departs from the protocol, as far as that is not what is known of it.
    pub compat: Map<String, Value>,
    /// Headers for each request.
    pub headers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Document {
    providers: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    base_url: Option<String>,
    api: Option<String>,
    api_key: Option<String>,
    #[serde(default)]
    models: Vec<Model>,
    #[serde(default)]
    compat: Map<String, Value>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

const FIELDS: [&str; 6] = ["baseUrl", "api", "apiKey", "models", "compat", "headers"];

#[derive(Deserialize)]
#[serde(untagged)]
enum Model {
    Id(String),
    Full(FullModel),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FullModel {
    id: String,
    name: Option<String>,
    context_window: Option<u64>,
    max_tokens: Option<u64>,
    reasoning: Option<bool>,
    price: Option<StatedPrice>,
}

/// US dollars for a million tokens of each sort.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatedPrice {
    input: Dollars,
    output: Dollars,
    cache_read: Option<Dollars>,
    cache_write: Option<Dollars>,
}

/// Reads the file; nothing where there is none.
pub fn read(
    folders: &Folders,
    lookup: &Lookup,
    credentials: &CredentialVariables,
) -> Result<Vec<Custom>, Failure> {
    let path = folders.config.join("models.json");
    let Some(text) = read_config(&path)? else { return Ok(Vec::new()) };
    let text = text.trim_start_matches('\u{feff}');
    let document: Document = serde_json::from_str(text).map_err(|error| broken(&path, &error))?;
    document
        .providers
        .into_iter()
        .map(|(name, value)| {
            let entry: Entry = serde_json::from_value(value).map_err(|error| {
                Failure::caller(format!("{}: provider `{name}`: {error}", path.display()))
            })?;
            for field in entry.unknown.keys() {
                warn_unknown(&format!("models.json: provider `{name}`"), field, FIELDS);
            }
            Ok(custom(name, entry, lookup, credentials))
        })
        .collect()
}

fn custom(
    name: String,
    entry: Entry,
    lookup: &Lookup,
    credentials: &CredentialVariables,
) -> Custom {
    let key = match entry.api_key.as_deref() {
        None => Key::None,
        Some(text) => key(&name, text, lookup, credentials),
    };
    Custom {
        api: entry.api,
        base_url: entry.base_url,
        key,
        models: entry.models.into_iter().map(model_info).collect(),
        compat: entry.compat,
        headers: entry.headers,
        name,
    }
}

/// `[A-Z_][A-Z0-9_]*` names a variable; anything else is the key itself.
fn key(provider: &str, text: &str, lookup: &Lookup, credentials: &CredentialVariables) -> Key {
    let first = text.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    let rest = text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if first && rest {
        credentials.note(text);
        return match lookup(text).and_then(|value| Secret::new(&value)) {
            Some(secret) => Key::Known(secret),
            None => Key::Missing(format!(
                "`apiKey` of provider `{provider}` in models.json names the environment variable \
                 {text}, which is not set"
            )),
        };
    }
    match Secret::new(text) {
        Some(secret) => Key::Known(secret),
        None => Key::Missing(format!("`apiKey` of provider `{provider}` in models.json is empty")),
    }
}

fn price(stated: StatedPrice) -> Price {
    let StatedPrice { input, output, cache_read, cache_write } = stated;
    Price { input, output, cache_read, cache_write }
}

fn model_info(model: Model) -> ModelInfo {
    match model {
        Model::Id(id) => ModelInfo::named(id),
        Model::Full(model) => ModelInfo {
            id: ModelId::from(model.id),
            name: model.name,
            context_window: model.context_window.map(Count),
            max_tokens: model.max_tokens.map(Count),
            reasoning: model.reasoning,
            price: model.price.map(price),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn key_of(text: &str) -> Key {
        let lookup: Lookup =
            Arc::new(|name| (name == "SET_KEY").then(|| "sk-from-env\n".to_owned()));
        key("mine", text, &lookup, &CredentialVariables::default())
    }

    #[test]
    fn a_model_may_state_what_its_tokens_cost() {
        let read = |text: &str| serde_json::from_str::<Model>(text).map(model_info);
        let priced = r#"{"id": "m", "price": {"input": 3, "output": 15.5, "cacheRead": 0.3}}"#;
        let price = read(priced).unwrap().price.unwrap();
        let micro = [price.input, price.output].map(Dollars::micro);
        assert_eq!(micro, [3_000_000, 15_500_000]);
        assert_eq!(price.cache_read.map(Dollars::micro), Some(300_000));
        assert_eq!(price.cache_write, None);
        assert_eq!(read("\"m\"").unwrap().price, None);
        for wrong in [r#"{"input": -1, "output": 1}"#, r#"{"input": 1}"#, "3"] {
            assert!(read(&format!(r#"{{"id": "m", "price": {wrong}}}"#)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_key_in_capitals_names_a_variable_and_anything_else_is_literal() {
        assert!(matches!(key_of("SET_KEY"), Key::Known(s) if s.reveal() == "sk-from-env"));
        let Key::Missing(words) = key_of("UNSET_KEY") else { panic!("missing") };
        assert!(words.contains("apiKey") && words.contains("UNSET_KEY"), "{words}");
        for literal in ["$5ecret", "a$b", "${env:X}", "${UNSET:-d}", "Sk-1", "sk_1"] {
            assert!(matches!(key_of(literal), Key::Known(s) if s.reveal() == literal));
        }
        assert!(matches!(key_of(" \n"), Key::Missing(_)));
    }
}
