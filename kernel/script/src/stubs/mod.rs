//! What an editor is told of the extension surface, and the reference of the `api` table.
//!
//! [`luacats`] turns the contract's declarations and the table of [`GROUPS`] into annotations that
//! Lua language servers complete and check extensions by; [`api_reference`] turns the same table
//! into a page for authors. Nothing here runs scripts or looks at what is registered.

mod annotations;
mod api;
mod callbacks;
mod contract;
mod groups;
mod notation;
mod page;
mod shapes;
mod spell;
mod words;

pub use self::api::{FirstWord, GROUPS, Group, Member, MemberShape, Parameter, Presence, members};

use self::annotations::Annotations;
use self::spell::{class, event_class, written_class};
use fen_contract::api::SURFACES;
use fen_contract::doc::{Entry, Section, entries, find};
use fen_contract::kinds::Kind;

/// The command that writes the annotations.
pub const COMMAND: &str = "fen ext types";

/// The annotations as a Lua file. The same contract gives the same text.
pub fn luacats() -> String {
    let mut page = Annotations::new();
    page.note("Words that fields take");
    for words in words::WORDS {
        page.words(words);
    }
    let kinds = Kind::ALL.iter().map(|kind| (kind.name(), kind.entry().summary));
    page.literals("Kind", "What can be registered.", kinds);
    page.literals("Surface", "What can be listed.", SURFACES.map(|name| (name, "")));

    page.note("Values that cross every boundary");
    for entry in section(Section::Types) {
        contract::entry(&mut page, entry);
    }

    page.note("Events");
    for entry in section(Section::Events) {
        contract::entry(&mut page, entry);
    }
    for (name, summary, fields) in shapes::KERNEL_EVENTS {
        page.kernel_event(name, summary, fields);
    }
    page.union(
        "Event",
        "An event of the bus, told apart by its `type`.",
        event_names().map(event_class),
    );
    for name in shapes::STREAM_EVENTS {
        if let Some(entry) = find(Section::Events, name) {
            contract::written(&mut page, entry);
        }
    }
    page.union(
        "StreamEvent",
        "What a provider tells while it answers.",
        shapes::STREAM_EVENTS.iter().copied().map(written_class),
    );
    page.union(
        "Emitted",
        "An event that an extension may emit.",
        shapes::REQUESTS.iter().copied().map(event_class).chain(["fen.OwnEvent".to_owned()]),
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
    let named = event_names().map(|name| (format!("\"{name}\""), event_class(name)));
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

fn event_names() -> impl Iterator<Item = &'static str> {
    section(Section::Events)
        .map(|entry| entry.name)
        .chain(shapes::KERNEL_EVENTS.iter().map(|(name, ..)| *name))
}

#[cfg(test)]
mod tests;
