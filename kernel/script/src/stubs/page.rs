//! The reference of the `api` table as a page in Markdown.

use super::spell::line;
use fen_contract::script_api::shapes::{self, Shape};
use fen_contract::script_api::words::{Range, WORDS};
use fen_contract::script_api::{
    GROUPS, Group, Member, MemberShape, Presence, READING, path, signature,
};
use std::fmt::Write as _;

pub(super) fn api_reference() -> String {
    let mut page = format!(
        "# The `api` table\n\nAn extension is a function that is given this table. {READING}\n"
    );
    for group in GROUPS {
        group_table(&mut page, group);
    }
    page.push_str("\n## Values\n\nThe tables that callbacks get and give, and that the calls take and give.\n");
    for shape in shapes::all() {
        shape_table(&mut page, shape);
    }
    page.push_str("\n## Words\n\n| type | words |\n|---|---|\n");
    for words in WORDS {
        let mut list: Vec<String> =
            words.words.iter().map(|(word, _)| format!("`{word}`")).collect();
        if words.range == Range::Open {
            list.push("any other".to_owned());
        }
        let _ = writeln!(page, "| `fen.{}` | {} |", words.name, list.join(", "));
    }
    page
}

fn group_table(page: &mut String, group: &Group) {
    let _ = writeln!(page, "\n## `{}`\n\n{}", group.path(), group.summary);
    if let Some(capability) = group.capability {
        let _ = writeln!(page, "Needs the capability `{capability}` in the manifest.");
    }
    page.push_str("\n| call | meaning |\n|---|---|\n");
    for member in group.members {
        let also = member
            .alias()
            .map(|alias| format!(" Also `{}`.", path(group, &alias)))
            .unwrap_or_default();
        let call = cell(&call(group, member));
        let _ = writeln!(page, "| `{call}` | {}{also} |", cell(member.summary));
    }
}

fn call(group: &Group, member: &Member) -> String {
    let path = path(group, member.name);
    match member.shape {
        MemberShape::Value(ty) => format!("{path}: {ty}"),
        MemberShape::Function { parameters, result, .. } => {
            format!("{path}{}", signature(parameters, result))
        }
    }
}

fn shape_table(page: &mut String, shape: &Shape) {
    let _ = writeln!(page, "\n### `fen.{}`\n\n{}", shape.name, shape.summary);
    if let Some(parent) = shape.parent {
        let _ = writeln!(page, "It has the fields of `fen.{parent}` as well.");
    }
    if let Some(called) = shape.called {
        let _ = writeln!(page, "It is called as `{called}`.");
    }
    if shape.others.is_some() {
        page.push_str("It may have further fields.\n");
    }
    if shape.fields.is_empty() {
        return;
    }
    page.push_str("\n| field | type | meaning |\n|---|---|---|\n");
    for field in shape.fields {
        let mark = match field.presence {
            Presence::Required => "",
            Presence::Optional => ", optional",
        };
        let (name, ty, summary) = (field.name, cell(field.ty), cell(field.summary));
        let _ = writeln!(page, "| `{name}` | `{ty}`{mark} | {summary} |");
    }
}

/// A text in a cell of a table, where a bar would end it.
fn cell(text: &str) -> String {
    line(text).replace('|', "\\|")
}
