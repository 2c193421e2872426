//! The reference pages, rendered from the declarations: as text for a terminal and as JSON.

use crate::doc::{Entry, Field, Origin, Section, entries};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// All entries as JSON: `section`, `name`, `summary`, `fields` and `members`. Additive fields are
/// left out, because programs compare this list with the contract.
pub fn to_json() -> Value {
    entries().map(entry_json).collect()
}

fn entry_json(entry: &Entry) -> Value {
    let mut fields: Vec<&Field> =
        entry.fields.iter().filter(|field| field.origin == Origin::Contract).collect();
    fields.sort_by_key(|field| field.name);
    json!({
        "section": entry.section.name(),
        "name": entry.name,
        "summary": entry.summary,
        "fields": fields.iter().map(|field| json!({
            "name": field.name,
            "type": field.ty,
            "required": field.required,
            "summary": field.summary,
        })).collect::<Vec<_>>(),
        "members": entry.members.iter().map(|member| json!({
            "name": member.name,
            "kind": member.kind.name(),
        })).collect::<Vec<_>>(),
    })
}

/// One line for each entry, under the name of its section.
pub fn overview() -> String {
    let mut page = String::new();
    for section in Section::ALL {
        let _ = writeln!(page, "{}", section.name());
        for entry in entries().filter(|entry| entry.section == section) {
            let _ = writeln!(page, "  {:<26} {}", entry.name, entry.summary);
        }
        page.push('\n');
    }
    page
}

/// One line for each entry of a section.
pub fn section_page(section: Section) -> String {
    let mut page = String::new();
    for entry in entries().filter(|entry| entry.section == section) {
        let _ = writeln!(page, "{:<26} {}", entry.name, entry.summary);
    }
    page
}

/// The page of one entry.
pub fn entry_page(entry: &Entry) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "{}  ({})\n\n{}", entry.name, entry.section.name(), entry.summary);
    for (origin, heading) in
        [(Origin::Contract, "Fields"), (Origin::Additive, "Fields beyond the contract")]
    {
        let mut fields: Vec<&Field> =
            entry.fields.iter().filter(|field| field.origin == origin).collect();
        if fields.is_empty() {
            continue;
        }
        fields.sort_by_key(|field| field.name);
        let _ = writeln!(page, "\n{heading}");
        for field in fields {
            let required = if field.required { ", required" } else { "" };
            let _ = writeln!(page, "  :{} {}{required}", field.name, field.ty);
            let _ = writeln!(page, "      {}", field.summary);
        }
    }
    if !entry.members.is_empty() {
        let _ = writeln!(page, "\nMembers");
        for member in entry.members {
            let _ = writeln!(page, "  {} ({})", member.name, member.kind.name());
            let _ = writeln!(page, "      {}", member.summary);
        }
    }
    page
}
