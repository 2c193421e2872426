//! The auth backend for the keys of `models.json`.
//!
//! It hands each of the user's providers its own key, or says why there is none. The wiring
//! registers it; it reads no file itself.

use crate::models_file::{Custom, Key};
use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::auth::AuthBackend;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::AuthBackendSpec;
use fen_contract::names::ProviderName;
use fen_contract::secret::Secret;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name that the user's providers give for it.
pub const NAME: &str = "models.json";

/// The extension that registers the backend for these providers.
pub fn extension(custom: &[Custom]) -> impl Extension + use<> {
    let keys = custom.iter().map(|entry| (entry.name.clone(), entry.key.clone())).collect();
    ModelsFile { backend: Arc::new(Keys(keys)) }
}

struct ModelsFile {
    backend: Arc<Keys>,
}

impl Extension for ModelsFile {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "models-file".to_owned(),
            description: "The keys of models.json".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let spec = AuthBackendSpec { name: NAME.to_owned(), backend: self.backend.clone() };
        api.register(spec.into())?;
        Ok(())
    }
}

struct Keys(BTreeMap<String, Key>);

impl AuthBackend for Keys {
    fn api_key<'a>(
        &'a self,
        provider: &'a ProviderName,
    ) -> BoxFuture<'a, Result<Option<Secret>, Failure>> {
        let key = match self.0.get(provider.as_str()) {
            Some(Key::Known(secret)) => Ok(Some(secret.clone())),
            Some(Key::Missing(problem)) => Err(Failure::caller(problem.clone())),
            Some(Key::None) | None => Ok(None),
        };
        Box::pin(std::future::ready(key))
    }

    fn status(&self) -> String {
        let having = |entry: &(&String, &Key)| matches!(entry.1, Key::Known(_));
        let names: Vec<&str> =
            self.0.iter().filter(having).map(|(name, _)| name.as_str()).collect();
        if names.is_empty() { "no key".to_owned() } else { format!("for {}", names.join(", ")) }
    }
}
