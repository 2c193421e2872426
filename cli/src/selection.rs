//! Which provider and model a run uses, and what to say when there is none.
//!
//! It asks a service only where the provider names no model of its own, and knocks at local servers
//! only where nothing is set up. `run` calls it.

use crate::exit;
use crate::models_file::ORIGIN;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind, ProviderSpec};
use fen_contract::names::{ModelId, ProviderName};
use fen_contract::provider::CallOptions;
use fen_contract::secret::Secret;
use fen_core::Kernel;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// The providers that are tried in this order where none is named.
const PREFERENCE: [&str; 3] = ["anthropic", "openai", "openrouter"];
/// Where local model servers usually listen, and under which name fen knows them.
const LOCAL_SERVERS: [(&str, u16); 4] =
    [("ollama", 11434), ("lmstudio", 1234), ("llama-cpp", 8080), ("vllm", 8000)];
/// How long a local server may take to take a connection.
const LOCAL_PATIENCE: Duration = Duration::from_millis(150);

/// What was asked for, by flag, session or setting.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The provider, and who says so.
    pub provider: Option<(String, Origin)>,
    /// The model.
    pub model: Option<Model>,
}

/// Who named a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flag,
    /// The session that is resumed.
    Session,
    /// `settings.json`.
    Settings,
}

/// A model as it was named.
#[derive(Debug, Clone)]
pub enum Model {
    /// One of the wanted provider's, slashes included.
    Bare(String),
    /// `provider/model` if there is such a provider, which then goes before the wanted one; else
    /// one of the wanted provider's.
    MayNameProvider(String),
}

/// The choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The provider.
    pub provider: ProviderName,
    /// The model.
    pub model: ModelId,
}

fn providers(kernel: &Kernel) -> Vec<ProviderSpec> {
    let registry = kernel.registry();
    registry
        .of_kind(Kind::Provider)
        .filter_map(|entry| match &entry.contribution {
            Contribution::Provider(spec) => Some(spec.clone()),
            _ => None,
        })
        .collect()
}

/// The key that the provider's auth backend has.
pub async fn find_key(kernel: &Kernel, spec: &ProviderSpec) -> Result<Option<Secret>, Failure> {
    let Some(name) = &spec.auth else { return Ok(None) };
    let registry = kernel.registry();
    match registry.find(Kind::AuthBackend, name).map(|entry| &entry.contribution) {
        Some(Contribution::AuthBackend(auth)) => {
            auth.backend.api_key(&ProviderName::from(spec.name.as_str())).await
        }
        _ => Ok(None),
    }
}

/// Chooses provider and model. A missing credential is told here, before anything is waited for.
pub async fn choose(
    kernel: &Kernel,
    wanted: Wanted,
    api_key: Option<&Secret>,
) -> Result<Chosen, Failure> {
    let all = providers(kernel);
    let (provider, model) = split(&all, wanted);
    let spec = match provider {
        Some((name, origin)) => named(&all, &name, origin)?,
        None => with_credentials(kernel, &all).await?,
    };
    let key = match api_key {
        Some(key) => Some(key.clone()),
        None => find_key(kernel, &spec).await?,
    };
    if spec.auth.is_some() && key.is_none() {
        let setup = spec.setup.clone().unwrap_or_default();
        return Err(Failure::caller(format!(
            "there is no key for the provider `{}`: {setup}",
            spec.name
        )));
    }
    let model = match model.map(ModelId::from).or_else(|| spec.default_model.clone()) {
        Some(model) => model,
        None => first_listed(&spec, key).await?,
    };
    Ok(Chosen { provider: spec.name.as_str().into(), model })
}

/// The provider and its model, once it is known which providers there are.
fn split(all: &[ProviderSpec], wanted: Wanted) -> (Option<(String, Origin)>, Option<String>) {
    let text = match wanted.model {
        None => return (wanted.provider, None),
        Some(Model::Bare(text)) => return (wanted.provider, Some(text)),
        Some(Model::MayNameProvider(text)) => text,
    };
    match text.split_once('/') {
        Some((name, rest)) if all.iter().any(|spec| spec.name == name) => {
            (Some((name.to_owned(), Origin::Flag)), Some(rest.to_owned()))
        }
        _ => (wanted.provider, Some(text)),
    }
}

fn named(all: &[ProviderSpec], name: &str, origin: Origin) -> Result<ProviderSpec, Failure> {
    if let Some(spec) = all.iter().find(|spec| spec.name == name) {
        return Ok(spec.clone());
    }
    let names: Vec<&str> = all.iter().map(|spec| spec.name.as_str()).collect();
    let near = fen_contract::validate::did_you_mean(name, names.iter().copied());
    let origin = match origin {
        Origin::Flag => "",
        Origin::Session => " (the session was last used with it)",
        Origin::Settings => " (from settings.json)",
    };
    Err(Failure::caller(format!(
        "there is no provider `{name}`{origin}{near}\nThere are {}; --provider chooses one.",
        names.join(", ")
    )))
}

/// The first provider whose key is there.
async fn with_credentials(kernel: &Kernel, all: &[ProviderSpec]) -> Result<ProviderSpec, Failure> {
    let rank = |spec: &ProviderSpec| {
        PREFERENCE.iter().position(|name| *name == spec.name).unwrap_or(PREFERENCE.len())
    };
    let mut candidates: Vec<&ProviderSpec> =
        all.iter().filter(|spec| spec.auth.is_some()).collect();
    candidates.sort_by_key(|spec| rank(spec));
    for spec in candidates {
        // A key that cannot be had is told of where its provider is asked for by name.
        if matches!(find_key(kernel, spec).await, Ok(Some(_))) {
            return Ok(spec.clone());
        }
    }
    Err(Failure::caller(nothing_found(all)))
}

/// What was looked for, what was found, and what to type next.
fn nothing_found(all: &[ProviderSpec]) -> String {
    let local: Vec<&str> = LOCAL_SERVERS
        .iter()
        .filter(|(_, port)| {
            let address = SocketAddr::from(([127, 0, 0, 1], *port));
            TcpStream::connect_timeout(&address, LOCAL_PATIENCE).is_ok()
        })
        .map(|(name, _)| *name)
        .collect();
    let mut text = String::from("no provider is set up: no API key was found in the environment");
    match local.as_slice() {
        [] => text.push_str(", and no local model server answers."),
        [first, ..] => {
            text.push_str(&format!(
                ", but a local model server seems to run ({}). Try it:\n  fen --provider {first}",
                local.join(", ")
            ));
        }
    }
    let own: Vec<&str> = all
        .iter()
        .filter(|spec| spec.setup.as_deref().is_some_and(|setup| setup.starts_with(ORIGIN)))
        .map(|spec| spec.name.as_str())
        .collect();
    if let [first, ..] = own.as_slice() {
        text.push_str(&format!(
            "\nmodels.json has {}. Try: fen --provider {first}; to make it the default, put \
             {{\"provider\": \"{first}\"}} into settings.json beside it.",
            own.join(", ")
        ));
    }
    text.push_str(
        "\nTo use a service, set its key, for example:\n  export ANTHROPIC_API_KEY=…\n  export \
         OPENAI_API_KEY=…\nFor all providers: fen providers. To see fen work without any: fen demo",
    );
    text
}

/// The first model that the service lists, for providers without a default.
async fn first_listed(spec: &ProviderSpec, api_key: Option<Secret>) -> Result<ModelId, Failure> {
    if let Some(first) = spec.models.iter().flatten().next() {
        return Ok(first.id.clone());
    }
    let options = CallOptions { api_key, ..CallOptions::default() };
    let models = spec.provider.list_models(&options).await?;
    let Some(first) = models.first() else {
        return Err(Failure::new(format!(
            "the provider `{}` has no model; load one there, or name one with --model",
            spec.name
        )));
    };
    if models.len() > 1 {
        exit::note(&format!("fen: using {}, the first of {} models", first.id, models.len()));
    }
    Ok(first.id.clone())
}
