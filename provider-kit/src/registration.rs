//! The extension that puts one provider into the registry. It never calls the provider; each
//! provider crate offers its own through it.

use crate::config::Config;
use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::failure::Failure;
use fen_contract::kinds::ProviderSpec;
use fen_contract::provider::Provider;
use std::sync::Arc;

/// An extension that registers one provider of the protocol family `api`; `provider` makes it.
pub fn extension<C, P>(
    api: &'static str,
    config: Config<C>,
    provider: fn(Arc<Config<C>>, Arc<dyn Api>) -> P,
) -> impl Extension
where
    C: Send + Sync + 'static,
    P: Provider + 'static,
{
    Registration { api, config: Arc::new(config), provider }
}

struct Registration<C, P> {
    api: &'static str,
    config: Arc<Config<C>>,
    provider: fn(Arc<Config<C>>, Arc<dyn Api>) -> P,
}

impl<C, P> Extension for Registration<C, P>
where
    C: Send + Sync + 'static,
    P: Provider + 'static,
{
    fn manifest(&self) -> Manifest {
        Manifest {
            name: self.config.name.clone(),
            description: format!("The provider `{}`.", self.config.name),
            overrides: Vec::new(),
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let config = &self.config;
        let spec = ProviderSpec {
            api: self.api.to_owned(),
            name: config.name.clone(),
            auth: config.auth.clone(),
            base_url: Some(config.base_url.clone()),
            default_model: config.default_model.clone(),
            models: (!config.models.is_empty()).then(|| config.models.clone()),
            setup: config.setup.clone(),
            provider: Arc::new((self.provider)(config.clone(), api.clone())),
        };
        api.register(spec.into())?;
        Ok(())
    }
}
