//! What an editor is told of the extension surface, and the reference of the `api` table.
//!
//! [`luacats`] turns the contract's declarations and the data of
//! [`fen_contract::script_api`] into annotations that
//! Lua language servers complete and check extensions by; [`api_reference`] turns the same data
//! into a page for authors. Nothing here runs scripts or looks at what is registered.

mod annotations;
mod callbacks;
mod contract;
mod notation;
mod page;
mod precise;
mod spell;

use self::annotations::Annotations;
use self::spell::{class, event_class, written_class};
use fen_contract::doc::{Entry, Section, entries, find};
use fen_contract::kinds::Kind;
use fen_contract::script_api::listed::{EMITTED, EVENT, KIND, STREAM_EVENT, SURFACE};
use fen_contract::script_api::words::WORDS;
use fen_contract::script_api::{GROUPS, events, shapes};

/// The command that writes the annotations.
pub const COMMAND: &str = "fen ext types";

/// The annotations as a Lua file. The same contract gives the same text.
pub fn luacats() -> String {
    let mut page = Annotations::new();
    page.note("Words that fields take");
    for words in WORDS {
        page.words(words);
    }
    let kinds = Kind::ALL.iter().map(|kind| (kind.name(), kind.entry().summary));
    page.literals(KIND.name, KIND.summary, kinds);
    page.literals(
        SURFACE.name,
        SURFACE.summary,
        (SURFACE.names)().into_iter().map(|name| (name, "")),
    );

    page.note("Values that cross every boundary");
    for entry in section(Section::Types) {
        contract::entry(&mut page, entry);
    }

    page.note("Events");
    for entry in section(Section::Events) {
        contract::entry(&mut page, entry);
    }
    for (name, summary, fields) in events::KERNEL_EVENTS {
        page.kernel_event(name, summary, fields);
    }
    page.union(EVENT.name, EVENT.summary, (EVENT.names)().into_iter().map(event_class));
    for name in events::STREAM_EVENTS {
        if let Some(entry) = find(Section::Events, name) {
            contract::written(&mut page, entry);
        }
    }
    page.union(
        STREAM_EVENT.name,
        STREAM_EVENT.summary,
        (STREAM_EVENT.names)().into_iter().map(written_class),
    );
    page.union(
        EMITTED.name,
        EMITTED.summary,
        (EMITTED.names)().into_iter().map(event_class).chain(["fen.OwnEvent".to_owned()]),
    );

    page.note("What callbacks get and give, and what the functions of `api` take and give");
    for shape in shapes::all() {
        page.shape(shape);
    }

    page.note("What can be registered");
    for entry in section(Section::RegisterKinds) {
        contract::entry(&mut page, entry);
    }

    page.note("Methods that contributions of some kinds offer");
    for entry in section(Section::Interfaces) {
        contract::entry(&mut page, entry);
    }

    page.note("The table that an extension is given");
    page.called(
        "Register",
        "Makes a contribution.",
        section(Section::RegisterKinds).map(|entry| {
            let spec = class(entry);
            format!("fun(kind: \"{}\", spec: {spec}): fen.Registration", entry.name)
        }),
    );
    // A language server takes the first form that fits: the open one stands last.
    let named = (EVENT.names)().into_iter().map(|name| (format!("\"{name}\""), event_class(name)));
    let open = [("\"*\"", "fen.Event"), ("string", "fen.OwnEvent")];
    let open = open.map(|(name, class)| (name.to_owned(), class.to_owned()));
    page.called(
        "On",
        "Hears an event.",
        named.chain(open).map(|(name, class)| {
            format!("fun(event: {name}, handler: fun(event: {class})): fen.Subscription")
        }),
    );
    for group in GROUPS.iter().skip(1).chain(&GROUPS[..1]) {
        page.group(group);
    }
    page.finish()
}

/// The `api` table as a page in Markdown: a table of calls for each group, then the values that
/// they take and give.
pub fn api_reference() -> String {
    page::api_reference()
}

fn section(section: Section) -> impl Iterator<Item = &'static Entry> {
    entries().filter(move |entry| entry.section == section)
}

#[cfg(test)]
mod tests;
