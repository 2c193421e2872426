//! The contract's entries as annotations.

use super::annotations::{Annotations, FieldLine};
use super::api::Presence;
use super::callbacks;
use super::notation;
use super::shapes::Spelling;
use super::spell::{class, written_class};
use super::words::precise;
use crate::value::spelling;
use fen_contract::doc::{Entry, Field, Member, MemberKind, Section, find};
use fen_contract::type_expr::TypeExpr;

/// One entry: a class, or an alias for a union or a set of words.
pub(super) fn entry(page: &mut Annotations, entry: &Entry) {
    let of = |kind: MemberKind| entry.members.iter().filter(move |member| member.kind == kind);
    if of(MemberKind::Variant).next().is_some() {
        let types = of(MemberKind::Variant).map(|member| format!("fen.{}", member.name));
        page.union(entry.name, entry.summary, types);
    } else if of(MemberKind::Enum).next().is_some() {
        let words = of(MemberKind::Enum).map(|member| (member.name, member.summary));
        page.literals(entry.name, entry.summary, words);
    } else {
        page.class(&class(entry), None, entry.summary);
        let use_of = match entry.section {
            Section::RegisterKinds => Use::Written,
            _ if entry.name == "AgentTool" => Use::Written,
            _ => Use::Read,
        };
        for field in entry.fields {
            contract_field(page, entry, field, use_of);
        }
        for member in entry.members {
            method(page, entry, member);
        }
    }
}

/// An event as a script writes it.
pub(super) fn written(page: &mut Annotations, entry: &Entry) {
    let summary = format!("The event `{}` as a provider tells it.", entry.name);
    page.class(&written_class(entry.name), None, &summary);
    for field in entry.fields {
        contract_field(page, entry, field, Use::Written);
    }
}

/// What scripts mostly do with the values of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// They read its fields, which are there in both spellings.
    Read,
    /// They write its fields, each in one of its spellings. No annotation can demand one of two, so
    /// neither is demanded, and a remark says so.
    Written,
}

fn contract_field(page: &mut Annotations, entry: &Entry, field: &Field, use_of: Use) {
    let ty = field_type(entry, field);
    let (presence, remark) = match (field.required, use_of) {
        (false, _) => (Presence::Optional, ""),
        (true, Use::Written) if spelling(field.name).is_some() => {
            (Presence::Optional, " Required, in one spelling.")
        }
        (true, _) => (Presence::Required, ""),
    };
    let summary = format!("{}{remark}", field.summary);
    let line = FieldLine { name: field.name, ty: &ty, presence, summary: &summary };
    page.field(&line, Spelling::Aliased);
}

fn field_type(entry: &Entry, field: &Field) -> String {
    if let Some(precise) = precise(entry.section, entry.name, field.name) {
        return precise.to_owned();
    }
    if TypeExpr::parse(field.ty) == TypeExpr::Function
        && let Some(callback) = callbacks::find(entry.name, field.name)
    {
        return callback.ty();
    }
    notation::translated(field.ty)
}

/// A method has the type of the callback of its name in the register kind.
fn method(page: &mut Annotations, entry: &Entry, member: &Member) {
    let presence = match member.kind {
        MemberKind::OptionalMethod => Presence::Optional,
        _ => Presence::Required,
    };
    let field = find(Section::RegisterKinds, entry.name).and_then(|kind| {
        let field = kind.field(member.name)?;
        Some(field_type(kind, field))
    });
    let ty = field.unwrap_or_else(|| "function".to_owned());
    let line = FieldLine { name: member.name, ty: &ty, presence, summary: member.summary };
    page.field(&line, Spelling::Aliased);
}
