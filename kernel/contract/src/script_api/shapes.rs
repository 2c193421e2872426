//! The shapes of values that the contract leaves open: what callbacks get and may give, and what
//! the functions of the `api` table take and give.

mod answers;
mod callbacks;

use super::Presence;

/// A table with named fields.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The class's name, after `fen.`.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// The class whose fields it has as well, after `fen.`.
    pub parent: Option<&'static str>,
    /// Which spellings its fields have.
    pub spelling: Spelling,
    /// Its fields.
    pub fields: &'static [ShapeField],
    /// The type of a call of the table itself, if it can be called.
    pub called: Option<&'static str>,
    /// The type of fields with other names, if it may have such.
    pub others: Option<&'static str>,
}

/// Which spellings the fields of a shape have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// The exact one only.
    Exact,
    /// The exact one, and the one with underscores.
    Aliased,
}

/// A field of a shape.
#[derive(Debug, Clone, Copy)]
pub struct ShapeField {
    /// The name in its exact spelling.
    pub name: &'static str,
    /// The type in the notation of the annotations.
    pub ty: &'static str,
    /// Whether it is always there.
    pub presence: Presence,
    /// What it means.
    pub summary: &'static str,
}

pub(super) const fn field(
    name: &'static str,
    ty: &'static str,
    summary: &'static str,
) -> ShapeField {
    ShapeField { name, ty, presence: Presence::Required, summary }
}

const fn optional(name: &'static str, ty: &'static str, summary: &'static str) -> ShapeField {
    ShapeField { name, ty, presence: Presence::Optional, summary }
}

impl Shape {
    const fn exact(
        name: &'static str,
        summary: &'static str,
        fields: &'static [ShapeField],
    ) -> Shape {
        let (parent, called, others) = (None, None, None);
        Shape { name, summary, parent, spelling: Spelling::Exact, fields, called, others }
    }

    const fn aliased(
        name: &'static str,
        summary: &'static str,
        fields: &'static [ShapeField],
    ) -> Shape {
        Shape { spelling: Spelling::Aliased, ..Shape::exact(name, summary, fields) }
    }

    const fn of(self, parent: &'static str) -> Shape {
        Shape { parent: Some(parent), ..self }
    }

    const fn called(self, ty: &'static str) -> Shape {
        Shape { called: Some(ty), ..self }
    }

    const fn open(self) -> Shape {
        Shape { others: Some("any"), ..self }
    }
}

/// All shapes: those of callbacks, then those of the `api` table.
pub fn all() -> impl Iterator<Item = &'static Shape> {
    callbacks::SHAPES.iter().chain(answers::SHAPES)
}
