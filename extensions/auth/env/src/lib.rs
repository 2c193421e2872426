//! The auth backend `env`: keys from the usual environment variables.
//!
//! Whatever it may read is noted as a credential, so that the commands which the agent runs do not
//! inherit it.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::auth::AuthBackend;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::AuthBackendSpec;
use fen_contract::names::ProviderName;
use fen_contract::secret::{CredentialVariables, Secret};
use std::sync::Arc;

/// Reads a variable of the environment.
pub type Lookup = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Which variable holds which provider's key; earlier ones go before later ones.
pub struct Config {
    /// Provider and variable.
    pub variables: Vec<(String, String)>,
    /// How variables are read.
    pub lookup: Lookup,
    /// Where they are noted.
    pub credentials: CredentialVariables,
}

/// The extension that registers the backend.
pub fn extension(config: Config) -> impl Extension {
    for (_, variable) in &config.variables {
        config.credentials.note(variable);
    }
    Env { backend: Arc::new(EnvBackend { config }) }
}

struct Env {
    backend: Arc<EnvBackend>,
}

impl Extension for Env {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "env".to_owned(),
            description: "API keys from environment variables".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let spec = AuthBackendSpec { name: "env".to_owned(), backend: self.backend.clone() };
        api.register(spec.into())?;
        Ok(())
    }
}

struct EnvBackend {
    config: Config,
}

impl EnvBackend {
    fn key(&self, provider: &str) -> Option<Secret> {
        self.config
            .variables
            .iter()
            .filter(|(name, _)| name == provider)
            .find_map(|(_, variable)| Secret::new(&(self.config.lookup)(variable)?))
    }
}

impl AuthBackend for EnvBackend {
    fn api_key<'a>(
        &'a self,
        provider: &'a ProviderName,
    ) -> BoxFuture<'a, Result<Option<Secret>, Failure>> {
        Box::pin(std::future::ready(Ok(self.key(provider.as_str()))))
    }

    fn status(&self) -> String {
        let is_set = |variable: &&(String, String)| {
            (self.config.lookup)(&variable.1).is_some_and(|value| !value.trim().is_empty())
        };
        let found: Vec<&str> =
            self.config.variables.iter().filter(is_set).map(|(_, name)| name.as_str()).collect();
        if found.is_empty() {
            "no key is set".to_owned()
        } else {
            format!("set: {}", found.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backend(values: &'static [(&'static str, &'static str)]) -> EnvBackend {
        let pair = |provider: &str, variable: &str| (provider.to_owned(), variable.to_owned());
        let variables =
            vec![pair("one", "ONE_KEY"), pair("two", "TWO_KEY"), pair("two", "OTHER_KEY")];
        let lookup: Lookup = Arc::new(|name| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        });
        EnvBackend {
            config: Config { variables, lookup, credentials: CredentialVariables::default() },
        }
    }

    #[test]
    fn a_provider_gets_its_own_key_trimmed_and_no_other() {
        let backend = backend(&[("ONE_KEY", "sk-1\n"), ("TWO_KEY", " "), ("OTHER_KEY", "sk-2")]);
        assert_eq!(backend.key("one").unwrap().reveal(), "sk-1");
        assert_eq!(backend.key("two").unwrap().reveal(), "sk-2");
        assert!(backend.key("three").is_none());
    }

    #[test]
    fn the_status_names_variables_and_never_keys() {
        let status = backend(&[("ONE_KEY", "sk-1")]).status();
        assert_eq!(status, "set: ONE_KEY");
    }
}
