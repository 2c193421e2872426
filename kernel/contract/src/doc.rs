//! The shape of the contract's own documentation: sections, entries, fields and members.
//!
//! Every type, event, register kind and interface of fen is described by one [`Entry`], produced by
//! the same declaration that produces its Rust type. Serialisation, validation, the reference pages
//! and the JSON Schemas all read these entries; nothing else may state a field's name or type.

/// The four parts of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Section {
    /// What can be given to `register(kind, spec)`.
    RegisterKinds,
    /// What travels on the bus.
    Events,
    /// Values that cross every boundary.
    Types,
    /// Method sets that a contribution must offer.
    Interfaces,
}

impl Section {
    /// All sections, in the order of the reference.
    pub const ALL: [Section; 4] =
        [Section::RegisterKinds, Section::Events, Section::Types, Section::Interfaces];

    /// The section's name on the command line and in `fen docs --json`.
    pub fn name(self) -> &'static str {
        match self {
            Section::RegisterKinds => "register-kinds",
            Section::Events => "events",
            Section::Types => "types",
            Section::Interfaces => "interfaces",
        }
    }

    /// The section with this name; the singular form is understood as well.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "register-kinds" | "register-kind" | "kinds" | "kind" => Some(Section::RegisterKinds),
            "events" | "event" => Some(Section::Events),
            "types" | "type" => Some(Section::Types),
            "interfaces" | "interface" => Some(Section::Interfaces),
            _ => None,
        }
    }
}

/// One documented thing of the contract.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The part of the contract that it belongs to.
    pub section: Section,
    /// Its name, unique within the section.
    pub name: &'static str,
    /// What it is for, in a sentence or two.
    pub summary: &'static str,
    /// Its fields; additive ones are last.
    pub fields: &'static [Field],
    /// Its methods, variants or values.
    pub members: &'static [Member],
}

impl Entry {
    /// The field of this name, additive ones included.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Whether a field belongs to the contract itself or was added beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Fixed by the contract.
    Contract,
    /// Declared with the entry, beyond the contract: extensions may rely on it in fen only.
    Additive,
}

/// One named value of an entry.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in its exact spelling, such as `is-error?`.
    pub name: &'static str,
    /// The type in the contract's notation, such as `[Message]` or `keyword|string`.
    pub ty: &'static str,
    /// Whether it must be present.
    pub required: bool,
    /// Contract or additive.
    pub origin: Origin,
    /// What it means.
    pub summary: &'static str,
}

/// What a [`Member`] is to its entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    /// A method that every implementation has.
    Method,
    /// A method that an implementation may leave out.
    OptionalMethod,
    /// One type of a union.
    Variant,
    /// One value of an enumeration.
    Enum,
}

impl MemberKind {
    /// The kind's name in the reference.
    pub fn name(self) -> &'static str {
        match self {
            MemberKind::Method => "method",
            MemberKind::OptionalMethod => "optional-method",
            MemberKind::Variant => "variant",
            MemberKind::Enum => "enum",
        }
    }
}

/// A method, variant or value.
#[derive(Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name without a leading colon.
    pub name: &'static str,
    /// What it is.
    pub kind: MemberKind,
    /// What it means.
    pub summary: &'static str,
}

/// All entries of the contract, section by section, in alphabetical order within each.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    crate::kinds::ENTRIES
        .iter()
        .chain(crate::events::ENTRIES)
        .chain(crate::types::ENTRIES)
        .chain(crate::interfaces::ENTRIES)
        .copied()
}

/// The entry of this name in this section.
pub fn find(section: Section, name: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.section == section && entry.name == name)
}
