//! The `api` table that extensions in Lua are given, as data: its groups and their members, the
//! values and words that these take and give, and pages for people and models made of all that.
//!
//! Types are written in the notation of the annotations for editors: `fen.Outcome`, `string?`,
//! `fun(text: string): boolean`. Nothing here knows a script engine; that the live table has these
//! members is tested where it is made.

pub mod events;
mod groups;
pub mod listed;
pub mod lookup;
pub mod named;
mod page;
pub mod shapes;
pub mod words;

pub use self::groups::GROUPS;

use crate::names::underscored;

/// How the reference is read, for the pages that are made of it.
pub const READING: &str = "Names with `-`, `?` or `!` are written in brackets, such as \
    `api.turn[\"submit!\"]`, or with underscores and without the mark, such as \
    `api.turn.submit`; both are the same. A call that can fail gives `{ok = true, …}` or \
    `{ok = false, error = …}`; a mistake in the program itself, such as an argument of the wrong \
    type, raises an error. Types are written as in the annotations for editors: `?` marks what \
    may be left out or nil.";

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
    /// How the group is reached in Lua: `api.turn`, or `api` for the table itself.
    pub fn path(&self) -> String {
        if self.name.is_empty() { "api".to_owned() } else { format!("api.{}", self.name) }
    }
}

impl Member {
    /// The spelling with underscores, where it differs: `submit` for `submit!`.
    pub fn alias(&self) -> Option<String> {
        underscored(self.name)
    }
}

/// What a function takes and gives: `(text: string, options?: table): string`.
pub fn signature(parameters: &[Parameter], result: &str) -> String {
    let parameters: Vec<String> = parameters
        .iter()
        .map(|parameter| {
            format!("{}{}: {}", parameter.name, parameter.presence.mark(), parameter.ty)
        })
        .collect();
    let result = if result.is_empty() { String::new() } else { format!(": {result}") };
    format!("({}){result}", parameters.join(", "))
}

/// A name as a key of a Lua table: names that are no identifiers stand in brackets.
pub fn key(name: &str) -> String {
    let is_identifier = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_identifier { name.to_owned() } else { format!("[\"{name}\"]") }
}

/// How a member is reached in Lua under this spelling: `api.turn["submit!"]`, `api.turn.submit`.
pub fn path(group: &Group, spelling: &str) -> String {
    let key = key(spelling);
    let dot = if key.starts_with('[') { "" } else { "." };
    format!("{}{dot}{key}", group.path())
}

/// Every member with its group.
pub fn members() -> impl Iterator<Item = (&'static Group, &'static Member)> {
    GROUPS.iter().flat_map(|group| group.members.iter().map(move |member| (group, member)))
}
