//! How names, keys and texts are written in the annotations.

use fen_contract::doc::{Entry, Section};
use fen_contract::script_api::{FirstWord, Group, Member, MemberShape, signature};

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

/// The class of a group of the `api` table, such as `fen.Api.Turn`.
pub(super) fn group_class(group: &Group) -> String {
    match group.name {
        "" => "fen.Api".to_owned(),
        name => format!("fen.Api.{}", pascal(name)),
    }
}

/// The type of a member of the `api` table.
pub(super) fn member_type(member: &Member) -> String {
    match member.shape {
        MemberShape::Value(ty) => ty.to_owned(),
        MemberShape::Function { by_first_word: FirstWord::Kind, .. } => "fen.Register".to_owned(),
        MemberShape::Function { by_first_word: FirstWord::Event, .. } => "fen.On".to_owned(),
        MemberShape::Function { parameters, result, .. } => {
            format!("fun{}", signature(parameters, result))
        }
    }
}

/// A text on one line.
pub(super) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
