//! What a type's name in a signature stands for.

use super::listed::{LISTED, Listed};
use super::shapes::{self, Shape};
use super::words::{WORDS, Words};
use super::{Member, MemberShape};
use crate::doc::{Entry, Section, find};
use crate::kinds::Kind;

/// What stands behind a type's name.
#[derive(Debug, Clone, Copy)]
pub enum Named {
    /// A table with named fields.
    Shape(&'static Shape),
    /// One of several words.
    Words(&'static Words),
    /// A name that the contract lists elsewhere.
    Listed(&'static Listed),
    /// A type of the contract, or the spec of a register kind.
    Entry(&'static Entry),
}

impl Named {
    /// What this name stands for; `fen.` before it may be left out.
    pub fn find(name: &str) -> Option<Named> {
        let name = name.strip_prefix("fen.").unwrap_or(name);
        let own = Named::all().find(|named| named.name() == name);
        let entry = || find(Section::Types, name).or_else(|| spec(name));
        own.or_else(|| entry().map(Named::Entry))
    }

    /// All that the table has beside the types of the contract.
    pub fn all() -> impl Iterator<Item = Named> {
        let shapes = shapes::all().map(Named::Shape);
        shapes.chain(WORDS.iter().map(Named::Words)).chain(LISTED.map(Named::Listed))
    }

    /// The name, without `fen.`.
    pub fn name(self) -> &'static str {
        match self {
            Named::Shape(shape) => shape.name,
            Named::Words(words) => words.name,
            Named::Listed(listed) => listed.name,
            Named::Entry(entry) => entry.name,
        }
    }

    /// What it is for.
    pub fn summary(self) -> &'static str {
        match self {
            Named::Shape(shape) => shape.summary,
            Named::Words(words) => words.summary,
            Named::Listed(listed) => listed.summary,
            Named::Entry(entry) => entry.summary,
        }
    }

    /// What is named in its own description.
    fn uses(self) -> Vec<Named> {
        let Named::Shape(shape) = self else { return Vec::new() };
        let parent = shape.parent.and_then(Named::find);
        let types = shape.fields.iter().map(|field| field.ty).chain(shape.called);
        parent.into_iter().chain(types.flat_map(mentioned)).collect()
    }
}

/// The register kind that a name such as `AuthBackendSpec` means.
fn spec(name: &str) -> Option<&'static Entry> {
    let kind = name.strip_suffix("Spec")?;
    let is_meant = |entry: &&Entry| entry.name.replace('-', "").eq_ignore_ascii_case(kind);
    Kind::ALL.iter().map(|kind| kind.entry()).find(is_meant)
}

/// All that a member's signature names, and all that is named by that in turn, each once.
pub fn used_by(member: &Member) -> Vec<Named> {
    let mut found: Vec<Named> = match member.shape {
        MemberShape::Value(ty) => mentioned(ty),
        MemberShape::Function { parameters, result, .. } => {
            let types = parameters.iter().map(|parameter| parameter.ty).chain([result]);
            types.flat_map(mentioned).collect()
        }
    };
    let mut once: Vec<Named> = Vec::new();
    while !found.is_empty() {
        let next: Vec<Named> = found.iter().flat_map(|named| named.uses()).collect();
        for named in found {
            if once.iter().all(|there| there.name() != named.name()) {
                once.push(named);
            }
        }
        // What was there before leads nowhere new; without this, types that name each other
        // would be followed for ever.
        found = next;
        found.retain(|named| once.iter().all(|there| there.name() != named.name()));
    }
    once
}

/// What a type names, in its order.
fn mentioned(ty: &str) -> Vec<Named> {
    ty.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.')
        .filter(|word| word.starts_with("fen."))
        .filter_map(Named::find)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script_api::members;

    fn names(member: &str) -> Vec<&'static str> {
        let (_, member) = members().find(|(_, there)| there.name == member).unwrap();
        used_by(member).into_iter().map(Named::name).collect()
    }

    #[test]
    fn what_a_call_takes_and_gives_is_followed_to_its_end() {
        assert_eq!(names("spawn"), ["SpawnOptions", "Spawned", "Outcome", "Process", "ProcessEnd"]);
        assert_eq!(
            names("submit!"),
            ["SubmitOptions", "Submitted", "WhenBusy", "Outcome", "QueueName"]
        );
        assert!(names("cancel!").is_empty());
    }

    #[test]
    fn every_type_that_is_named_is_known() {
        let shapes = shapes::all().flat_map(|shape| {
            let parent = shape.parent.map(|parent| format!("fen.{parent}"));
            let types = shape.fields.iter().map(|field| field.ty).chain(shape.called);
            types.map(str::to_owned).chain(parent).collect::<Vec<_>>()
        });
        let calls = members().flat_map(|(_, member)| match member.shape {
            MemberShape::Value(ty) => vec![ty.to_owned()],
            MemberShape::Function { parameters, result, .. } => {
                let types = parameters.iter().map(|parameter| parameter.ty).chain([result]);
                types.map(str::to_owned).collect()
            }
        });
        for ty in shapes.chain(calls) {
            assert_eq!(ty.matches("fen.").count(), mentioned(&ty).len(), "{ty}");
        }
    }

    #[test]
    fn a_name_stands_for_one_thing() {
        let mut names: Vec<&str> = Named::all().map(Named::name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
