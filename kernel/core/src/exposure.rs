//! Which tools a request offers: those that are always there, and those of a search that were found.
//!
//! It owns the names that were found in this conversation. It decides nothing of what may run: the
//! tool runner does that, and a tool that is not on offer runs all the same when it is called.

use crate::registry::Snapshot;
use crate::shared::{RunState, Shared, lock};
use fen_contract::kinds::{Contribution, Exposure, Kind, ToolSpec};
use fen_contract::record::Extra;
use fen_contract::types::{Message, Tool, ToolCall};
use std::collections::HashSet;

/// The names of the tools that were found or called.
pub(crate) type Revealed = HashSet<String>;

/// How a tool stands to the requests of this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    /// In each request.
    Offered,
    /// Until a search finds it.
    Hidden,
    /// Neither offered nor run.
    SwitchedOff,
}

impl Offer {
    fn as_str(self) -> &'static str {
        match self {
            Offer::Offered => "offered",
            Offer::Hidden => "hidden",
            Offer::SwitchedOff => "switched-off",
        }
    }
}

fn tools(snapshot: &Snapshot) -> impl Iterator<Item = &ToolSpec> {
    snapshot.of_kind(Kind::Tool).filter_map(|entry| match &entry.contribution {
        Contribution::Tool(spec) => Some(spec),
        _ => None,
    })
}

/// All tools with how they stand, in order of registration.
fn offers<'a>(
    snapshot: &'a Snapshot,
    run: &RunState,
    revealed: &Revealed,
) -> Vec<(&'a ToolSpec, Offer)> {
    let exposure = |spec: &ToolSpec| spec.exposure.unwrap_or_default();
    let searchable = tools(snapshot)
        .any(|spec| exposure(spec) == Exposure::Finder && run.tools.admits(&spec.name));
    let named = |list: &[String], spec: &ToolSpec| list.contains(&spec.name);
    // Whoever names a tool and allows no search for it wants it at once: nothing else shows it.
    let chosen = |spec: &ToolSpec| {
        !searchable && run.tools.allow.as_deref().is_some_and(|list| named(list, spec))
    };
    let mut offers: Vec<(&ToolSpec, Offer)> = tools(snapshot)
        .map(|spec| {
            let offer = match exposure(spec) {
                _ if !run.tools.admits(&spec.name) => Offer::SwitchedOff,
                Exposure::Always => Offer::Offered,
                _ if named(&run.pinned_tools, spec) => Offer::Offered,
                Exposure::Search if revealed.contains(&spec.name) || chosen(spec) => Offer::Offered,
                Exposure::Search | Exposure::Finder => Offer::Hidden,
            };
            (spec, offer)
        })
        .collect();
    let something_to_find = offers
        .iter()
        .any(|(spec, offer)| *offer == Offer::Hidden && exposure(spec) == Exposure::Search);
    if something_to_find {
        for (spec, offer) in &mut offers {
            if exposure(spec) == Exposure::Finder && *offer == Offer::Hidden {
                *offer = Offer::Offered;
            }
        }
    }
    offers
}

impl Shared {
    /// The tools on offer, in order of registration, so that requests begin with the same bytes.
    pub(crate) fn offered_tools(&self, run: &RunState) -> Vec<Tool> {
        let snapshot = self.registry.snapshot();
        offers(&snapshot, run, &lock(&self.revealed))
            .into_iter()
            .filter(|(_, offer)| *offer == Offer::Offered)
            .map(|(spec, _)| Tool {
                description: spec.description.clone(),
                name: spec.name.clone(),
                parameters: spec.parameters.clone(),
                extra: Extra::new(),
            })
            .collect()
    }

    /// What the tools on offer have to say in the system prompt, in order of registration.
    pub(crate) fn snippets(&self, run: &RunState) -> Vec<String> {
        let snapshot = self.registry.snapshot();
        offers(&snapshot, run, &lock(&self.revealed))
            .into_iter()
            .filter(|(_, offer)| *offer == Offer::Offered)
            .filter_map(|(spec, _)| spec.snippet.as_deref())
            .map(|snippet| format!("- {}", snippet.trim()))
            .collect()
    }

    /// How each tool stands to the requests of this run, in order of registration; nothing before a
    /// run.
    pub(crate) fn tool_offers(&self, snapshot: &Snapshot) -> Vec<&'static str> {
        let Ok(run) = self.run_state() else { return Vec::new() };
        let revealed = lock(&self.revealed);
        offers(snapshot, &run, &revealed).into_iter().map(|(_, offer)| offer.as_str()).collect()
    }

    /// Puts a tool on offer from the next request on; false if there is none of this name that may
    /// be used.
    pub(crate) fn reveal_tool(&self, name: &str) -> bool {
        let Ok(run) = self.run_state() else { return false };
        let snapshot = self.registry.snapshot();
        let usable = run.tools.admits(name) && snapshot.find(Kind::Tool, name).is_some();
        if usable {
            lock(&self.revealed).insert(name.to_owned());
        }
        usable
    }

    /// A tool that was called counts as found, so that a conversation which is resumed goes on with
    /// the tools that it uses.
    pub(crate) fn reveal_called<'a>(&self, calls: impl IntoIterator<Item = &'a ToolCall>) {
        lock(&self.revealed).extend(calls.into_iter().map(|call| call.name.clone()));
    }

    /// Forgets what was found, and takes over what the present context calls.
    pub(crate) fn reveal_anew(&self) {
        lock(&self.revealed).clear();
        for message in self.transcript.context().iter() {
            if let Message::Assistant(answer) = message {
                self.reveal_called(answer.tool_calls().map(|call| &**call));
            }
        }
    }
}
