//! How names, keys and texts are written in the annotations.

use fen_contract::doc::{Entry, Section};

/// `auth-backend` as `AuthBackend`; words are parted by `-` and `/`.
pub(super) fn pascal(name: &str) -> String {
    let mut pascal = String::new();
    for word in name.split(['-', '/']) {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            pascal.extend(first.to_uppercase());
            pascal.push_str(letters.as_str());
        }
    }
    pascal
}

/// The class of an entry of the contract.
pub(super) fn class(entry: &Entry) -> String {
    match entry.section {
        Section::Types => format!("fen.{}", entry.name),
        Section::Events => event_class(entry.name),
        Section::RegisterKinds => format!("fen.{}Spec", pascal(entry.name)),
        Section::Interfaces => format!("fen.Interface.{}", pascal(entry.name)),
    }
}

/// The class of an event.
pub(super) fn event_class(name: &str) -> String {
    format!("fen.Event.{}", pascal(name))
}

/// The class of an event as the one who emits it writes it.
pub(super) fn written_class(name: &str) -> String {
    format!("fen.StreamEvent.{}", pascal(name))
}

/// A field's name as a key: names that are no identifiers of Lua stand in brackets.
pub(super) fn key(name: &str) -> String {
    let is_identifier = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_identifier { name.to_owned() } else { format!("[\"{name}\"]") }
}

/// A text on one line.
pub(super) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
