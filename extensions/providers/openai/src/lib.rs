//! The Chat Completions protocol as a provider: OpenAI, and the many services that speak alike.
//!
//! The only place where this protocol is known. It translates a conversation into a request and
//! the streamed answer into stream events and a canonical message; it keeps no state between calls,
//! never retries, and never runs a tool. Where services differ, a [`Compat`] says how, and no code
//! asks for a service's name. What it shares with other providers lies in `fen-provider-kit`.
//!
//! Invariants:
//!
//! * A request begins with the bytes of the one before, up to the end of its messages, so that the
//!   service's cache of prompts holds from turn to turn.
//! * A call whose credentials are missing sends nothing.
//! * Whatever arrives, the outcome is an answer or a failure of a kind that callers act on.
//!
//! The CLI makes one [`extension`] for each service: [`presets`] has the known ones.

mod answer;
mod call;
mod compat;
mod config;
mod list;
mod models;
mod preset;
mod provider;
mod request;

pub use compat::{
    Compat, EmptyContent, MaxTokensField, SystemRole, ThinkingFormat, ToolCallIdFormat,
};
pub use config::Config;
pub use preset::{Preset, presets};
pub use provider::{API, extension};
