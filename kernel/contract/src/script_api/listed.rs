//! Types of the `api` table that stand for names which the contract lists elsewhere.

use super::events::{KERNEL_EVENTS, REQUESTS, STREAM_EVENTS};
use crate::api::SURFACES;
use crate::doc::{Section, entries};
use crate::kinds::Kind;

/// A name for what is listed elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// The type's name, after `fen.`.
    pub name: &'static str,
    /// What it stands for.
    pub summary: &'static str,
    /// Where more is said of each, for a person who looks things up.
    pub more: &'static str,
    /// What is listed.
    pub names: fn() -> Vec<&'static str>,
}

/// What can be registered.
pub const KIND: Listed = Listed {
    name: "Kind",
    summary: "What can be registered.",
    more: "The fields of their specs: `kind tool`.",
    names: || Kind::ALL.iter().map(|kind| kind.name()).collect(),
};

/// What can be listed.
pub const SURFACE: Listed = Listed {
    name: "Surface",
    summary: "What can be listed.",
    more: "The rows of one at this moment: `tools`.",
    names: || SURFACES.to_vec(),
};

/// The events of the bus.
pub const EVENT: Listed = Listed {
    name: "Event",
    summary: "An event of the bus, told apart by its `type`.",
    more: "The fields of one: `event tool-result`.",
    names: || {
        let contract = entries().filter(|entry| entry.section == Section::Events);
        let kernel = KERNEL_EVENTS.iter().map(|(name, ..)| *name);
        contract.map(|entry| entry.name).chain(kernel).collect()
    },
};

/// What a provider tells.
pub const STREAM_EVENT: Listed = Listed {
    name: "StreamEvent",
    summary: "What a provider tells while it answers.",
    more: "The fields of one: `event text-delta`.",
    names: || STREAM_EVENTS.to_vec(),
};

/// What may be emitted.
pub const EMITTED: Listed = Listed {
    name: "Emitted",
    summary: "An event that an extension may emit.",
    more: "The fields of one: `event info`. Beside these, events of the extension's own named \
           `owner/what`.",
    names: || REQUESTS.to_vec(),
};

/// All of them.
pub const LISTED: [&Listed; 5] = [&KIND, &SURFACE, &EVENT, &STREAM_EVENT, &EMITTED];
