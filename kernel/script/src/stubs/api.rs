//! The parts that the `api` table is described with: groups, their members, and how each is used.
//! Types are written in the notation of the annotations.

pub use super::groups::GROUPS;

use crate::value::spelling;

/// Some members of the `api` table that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// The group's name in the table, such as `turn`; empty for the table's own members.
    pub name: &'static str,
    /// What the group is for.
    pub summary: &'static str,
    /// The capability that an extension has to ask for in its manifest; `None` if all have it.
    pub capability: Option<&'static str>,
    /// The members in the order of the reference.
    pub members: &'static [Member],
}

/// One function or value of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The name in its exact spelling, such as `submit!`.
    pub name: &'static str,
    /// What it does or is.
    pub summary: &'static str,
    /// How it is used.
    pub shape: MemberShape,
}

/// How a member is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberShape {
    /// A value of this type.
    Value(&'static str),
    /// A function.
    Function {
        /// What it takes.
        parameters: &'static [Parameter],
        /// The type of what it gives; empty if it gives nothing.
        result: &'static str,
        /// Whether the types depend on the word that comes first.
        by_first_word: FirstWord,
    },
}

/// What the first argument of a function decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstWord {
    /// Nothing.
    Plain,
    /// It is a register kind, which decides the second argument's fields.
    Kind,
    /// It is an event's name, which decides what the handler gets.
    Event,
}

/// One argument of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: &'static str,
    /// Whether it must be given.
    pub presence: Presence,
}

/// Whether something must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must.
    Required,
    /// It may be left out.
    Optional,
}

impl Presence {
    /// The mark behind a name in the annotations.
    pub fn mark(self) -> &'static str {
        match self {
            Presence::Required => "",
            Presence::Optional => "?",
        }
    }
}

impl Group {
    /// The name of the group's class in the annotations, such as `fen.Api.Turn`.
    pub fn class(&self) -> String {
        match self.name {
            "" => "fen.Api".to_owned(),
            name => format!("fen.Api.{}", super::spell::pascal(name)),
        }
    }
}

impl Member {
    /// The spelling with underscores, where it differs: `submit` for `submit!`.
    pub fn alias(&self) -> Option<String> {
        spelling(self.name)
    }

    /// The member's type in the annotations.
    pub fn ty(&self) -> String {
        match self.shape {
            MemberShape::Value(ty) => ty.to_owned(),
            MemberShape::Function { by_first_word: FirstWord::Kind, .. } => {
                "fen.Register".to_owned()
            }
            MemberShape::Function { by_first_word: FirstWord::Event, .. } => "fen.On".to_owned(),
            MemberShape::Function { parameters, result, .. } => {
                format!("fun{}", signature(parameters, result))
            }
        }
    }
}

/// `(text: string, options?: table): string`.
pub(super) fn signature(parameters: &[Parameter], result: &str) -> String {
    let parameters: Vec<String> = parameters
        .iter()
        .map(|parameter| {
            format!("{}{}: {}", parameter.name, parameter.presence.mark(), parameter.ty)
        })
        .collect();
    let result = if result.is_empty() { String::new() } else { format!(": {result}") };
    format!("({}){result}", parameters.join(", "))
}

/// Every member with its group.
pub fn members() -> impl Iterator<Item = (&'static Group, &'static Member)> {
    GROUPS.iter().flat_map(|group| group.members.iter().map(move |member| (group, member)))
}
