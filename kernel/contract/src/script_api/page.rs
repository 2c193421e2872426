//! The pages of the `api` table as plain text.
//!
//! Lines are short enough for 80 columns, and a screen of 40 columns shows each of them on two rows
//! at the most. Calls are written as Lua writes them, with the exact name where it differs.

use super::listed::Listed;
use super::lookup::full_name;
use super::named::{Named, used_by};
use super::shapes::{self, Shape, ShapeField, Spelling};
use super::words::{Range, WORDS, Words};
use super::{GROUPS, Group, Member, MemberShape, Presence, READING, key, path, signature};
use crate::names::underscored;
use crate::reference::entry_page;
use std::fmt::Write as _;

/// Columns of a line.
const WIDTH: usize = 68;

const PAGES: &str = "Pages: `api turn` shows a group, `api turn.submit!` a call with all that it \
                     takes and gives, `api Outcome` a type, `api values` the names of the types.";

/// The table itself: how to read all this, its own members, its groups.
pub(super) fn table() -> String {
    let mut page = String::from("api\n\n");
    put(&mut page, "The table that an extension in Lua or Fennel is given.", 0, 0);
    put(&mut page, &READING.replace(" = ", "\u{a0}=\u{a0}"), 0, 0);
    put(&mut page, PAGES, 0, 0);
    for group in GROUPS {
        if group.name.is_empty() {
            for member in group.members {
                page.push('\n');
                call(&mut page, group, member);
            }
            page.push_str("\nGroups\n");
        } else {
            let capability = capability(group);
            put(&mut page, &format!("{}: {}{capability}", group.name, group.summary), 2, 6);
        }
    }
    page
}

/// A group: each call with its signature and meaning.
pub(super) fn group(group: &Group) -> String {
    let mut page = format!("{}  (api)\n\n", group.name);
    put(&mut page, &format!("{}{}", group.summary, capability(group)), 0, 0);
    for member in group.members {
        page.push('\n');
        call(&mut page, group, member);
    }
    page
}

/// One call, and the types that it names.
pub(super) fn member(group: &Group, member: &Member) -> String {
    let mut page = format!("{}  (api)\n\n", full_name(group, member));
    signed(&mut page, group, member);
    if member.alias().is_some() {
        put(&mut page, &format!("The same as {}.", path(group, member.name)), 0, 0);
    }
    page.push('\n');
    put(&mut page, &format!("{}{}", member.summary, capability(group)), 0, 0);
    for used in used_by(member) {
        page.push('\n');
        match used {
            Named::Entry(entry) => {
                let _ = writeln!(page, "fen.{}", entry.name);
                put(&mut page, entry.summary, 2, 2);
                put(
                    &mut page,
                    &format!("Its fields: `{} {}`.", entry.section.name(), entry.name),
                    2,
                    2,
                );
            }
            _ => page.push_str(&named(used)),
        }
    }
    page
}

/// All types by name.
pub(super) fn values() -> String {
    let mut page = String::from("The tables that calls and callbacks take and give\n");
    let line = |page: &mut String, name: &str, summary: &str| {
        put(page, &format!("{name}: {summary}"), 2, 6);
    };
    for shape in shapes::all() {
        line(&mut page, shape.name, shape.summary);
    }
    page.push_str("\nWords\n");
    for words in WORDS {
        line(&mut page, words.name, words.summary);
    }
    page.push_str("\nNames\n");
    for listed in super::listed::LISTED {
        line(&mut page, listed.name, listed.summary);
    }
    page
}

/// One type.
pub(super) fn named(named: Named) -> String {
    let mut page = format!("fen.{}\n", named.name());
    match named {
        Named::Entry(entry) => return entry_page(entry),
        Named::Shape(shape) => shape_fields(&mut page, shape),
        Named::Words(words) => meanings(&mut page, words),
        Named::Listed(listed) => names(&mut page, listed),
    }
    page
}

fn call(page: &mut String, group: &Group, member: &Member) {
    signed(page, group, member);
    let exact = match member.alias() {
        Some(_) => format!(" Exactly: `{}`.", member.name),
        None => String::new(),
    };
    put(page, &format!("{}{exact}", member.summary), 2, 2);
}

/// The call as Lua writes it. It is broken between arguments and before the result.
fn signed(page: &mut String, group: &Group, member: &Member) {
    let plain = member.alias().unwrap_or_else(|| member.name.to_owned());
    let path = path(group, &plain);
    let text = match member.shape {
        MemberShape::Value(ty) => format!("{path}: {ty}"),
        MemberShape::Function { parameters, result, .. } => {
            format!("{path}{}", signature(parameters, result))
        }
    };
    put(page, &text.replace(": ", ":\u{a0}").replace("):\u{a0}", "): "), 0, 4);
}

fn capability(group: &Group) -> String {
    group
        .capability
        .map(|capability| format!(" Needs the capability `{capability}` in the manifest."))
        .unwrap_or_default()
}

fn shape_fields(page: &mut String, shape: &Shape) {
    put(page, shape.summary, 2, 2);
    if let Some(parent) = shape.parent {
        put(page, &format!("It has the fields of fen.{parent} as well."), 2, 2);
    }
    if let Some(called) = shape.called {
        put(page, &format!("It is called as {called}."), 2, 2);
    }
    for field in shape.fields {
        shape_field(page, shape, field);
    }
    if shape.others.is_some() {
        put(page, "It may have further fields.", 2, 2);
    }
}

/// Names in the spelling that Lua takes most easily.
fn shape_field(page: &mut String, shape: &Shape, field: &ShapeField) {
    let name = match (shape.spelling, underscored(field.name)) {
        (Spelling::Aliased, Some(alias)) => format!("{alias} ({})", field.name),
        _ => key(field.name),
    };
    let mark = match field.presence {
        Presence::Required => "",
        Presence::Optional => ", optional",
    };
    put(page, &format!("{name}: {}{mark}", field.ty), 2, 6);
    put(page, field.summary, 6, 6);
}

fn meanings(page: &mut String, words: &Words) {
    put(page, words.summary, 2, 2);
    for (word, meaning) in words.words {
        put(page, &format!("\"{word}\": {meaning}"), 2, 6);
    }
    if words.range == Range::Open {
        put(page, "Any other word is taken as well.", 2, 2);
    }
}

fn names(page: &mut String, listed: &Listed) {
    put(page, listed.summary, 2, 2);
    let names: Vec<String> =
        (listed.names)().into_iter().map(|name| format!("\"{name}\"")).collect();
    put(page, &names.join(", "), 2, 2);
    put(page, listed.more, 2, 2);
}

/// Puts a text on lines of [`WIDTH`] columns, the first and the others with these indents. A
/// non-breaking space is written as a space.
fn put(page: &mut String, text: &str, first: usize, others: usize) {
    let mut column = 0;
    for word in text.split_ascii_whitespace() {
        let width = word.chars().count();
        if column == 0 {
            let _ = write!(page, "{:first$}", "");
            column = first;
        } else if column + 1 + width > WIDTH {
            let _ = write!(page, "\n{:others$}", "");
            column = others;
        } else {
            page.push(' ');
            column += 1;
        }
        page.push_str(&word.replace('\u{a0}', " "));
        column += width;
    }
    page.push('\n');
}
