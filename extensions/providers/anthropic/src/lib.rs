//! The Anthropic Messages API as a provider: Claude models, and services that speak alike.
//!
//! The only place where this protocol is known. It translates a conversation into a request and
//! the streamed answer into stream events and a canonical message; it keeps no state between
//! calls, never retries, and never runs a tool. What it shares with other providers lies in
//! `fen-provider-kit`.
//!
//! Invariants:
//!
//! * A request begins with the bytes of the one before, but for the marks that say how far the
//!   prompt is to be cached.
//! * Reasoning goes back exactly as the service sent it, or not at all.
//! * A failure is a message with a kind that callers act on; no text of the service is matched
//!   anywhere else.

mod answer;
mod call;
mod compat;
mod config;
mod conversation;
mod event;
mod listing;
mod models;
mod provider;
mod request;
mod stop;
mod thinking;

pub use compat::{Compat, ThinkingFormat};
pub use config::{BASE_URL, Config, HeaderText};
pub use models::{DEFAULT_MODEL, known_models};

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::failure::Failure;
use fen_contract::kinds::ProviderSpec;
use std::sync::Arc;

/// The name of the protocol family.
pub const API: &str = "anthropic-messages";

/// The extension that registers one provider.
pub fn extension(config: Config) -> impl Extension {
    Anthropic { config }
}

struct Anthropic {
    config: Config,
}

impl Extension for Anthropic {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: self.config.name.clone(),
            description: "Models behind the Anthropic Messages API.".to_owned(),
            overrides: Vec::new(),
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let config = &self.config;
        let spec = ProviderSpec {
            api: API.to_owned(),
            name: config.name.clone(),
            auth: config.auth.clone(),
            base_url: Some(config.base_url.clone()),
            default_model: config.default_model.clone(),
            models: Some(config.models.clone()),
            setup: config.setup.clone(),
            provider: Arc::new(provider::Messages::new(config.clone(), api.clone())),
        };
        api.register(spec.into()).map_err(|error| Failure::new(error.to_string()))?;
        Ok(())
    }
}
