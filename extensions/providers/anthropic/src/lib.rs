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
pub use config::{Config, preset};

use fen_contract::api::Extension;
use fen_provider_kit::registration;
use provider::Messages;

/// The name of the protocol family.
pub const API: &str = "anthropic-messages";

/// The extension that registers one provider.
pub fn extension(config: Config) -> impl Extension {
    registration::extension(API, config, Messages::new)
}
