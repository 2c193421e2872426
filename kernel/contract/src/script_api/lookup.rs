//! Finds what is asked for of the `api` table by name, in any spelling that an author may have at
//! hand: `turn`, `turn.submit!`, `api.turn.submit`, `api.turn["submit!"]`, `fen.SubmitOptions`.

use super::named::Named;
use super::{GROUPS, Group, Member, members, page};
use crate::failure::Failure;
use crate::names::underscored;
use crate::validate::nearest_name;

/// The topic under which all this is looked up.
pub const TOPIC: &str = "api";

/// The name of the list of all types.
const VALUES: &str = "values";

/// The page of a group, a member or a type; without a name, the page of the table.
///
/// # Errors
/// There is nothing of this name. The message says what may have been meant, or what there is.
pub fn page(name: Option<&str>) -> Result<String, Failure> {
    let asked = name.unwrap_or_default();
    let name = dotted(asked);
    if name.is_empty() {
        return Ok(page::table());
    }
    if name == VALUES {
        return Ok(page::values());
    }
    if let Some(group) = group_named(&name) {
        return Ok(page::group(group));
    }
    let found = members_named(&name);
    if !found.is_empty() {
        let pages: Vec<String> =
            found.iter().map(|(group, member)| page::member(group, member)).collect();
        return Ok(pages.join("\n"));
    }
    match Named::find(&name) {
        Some(named) => Ok(page::named(named)),
        None => Err(nothing(asked, &name)),
    }
}

/// Whether a word names something of the table by its path, so that it needs no topic before it.
pub fn is_path(word: &str) -> bool {
    let word = word.replace('[', ".");
    word.split_once('.')
        .is_some_and(|(first, _)| first == TOPIC || first == "fen" || group_named(first).is_some())
}

/// The names that begin like this one. Members of a group are offered once the group is named, and
/// types once a capital has begun one.
pub fn offers(prefix: &str) -> Vec<String> {
    let groups = GROUPS.iter().map(|group| group.name).filter(|name| !name.is_empty());
    let paths = members().map(|(group, member)| full_name(group, member));
    let types = Named::all().map(|named| named.name().to_owned());
    let types = types.filter(|_| prefix.starts_with(|first: char| first.is_ascii_uppercase()));
    let is_open = |name: &str| match name.split_once('.') {
        Some((group, _)) => prefix.starts_with(group),
        None => true,
    };
    groups
        .map(str::to_owned)
        .chain([VALUES.to_owned()])
        .chain(paths)
        .chain(types)
        .filter(|name| name.starts_with(prefix) && is_open(name))
        .collect()
}

/// `turn.submit!`, or `register` for a member of the table itself.
pub(super) fn full_name(group: &Group, member: &Member) -> String {
    if group.name.is_empty() {
        member.name.to_owned()
    } else {
        format!("{}.{}", group.name, member.name)
    }
}

/// A path with nothing but dots between its names, and without the table itself.
fn dotted(name: &str) -> String {
    let name = name.trim().trim_end_matches("()");
    let path = name.replace(['[', ']'], ".").replace(['"', '\''], "").replace("..", ".");
    let path = path.trim_matches('.');
    match path.strip_prefix(TOPIC) {
        Some("") => String::new(),
        Some(rest) => rest.strip_prefix('.').unwrap_or(path).to_owned(),
        None => path.to_owned(),
    }
}

fn group_named(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| !group.name.is_empty() && group.name == name)
}

/// The member at this path, or those of all groups that are called so.
fn members_named(name: &str) -> Vec<(&'static Group, &'static Member)> {
    let asked = plain(name);
    let at_path = members().find(|(group, member)| plain(&full_name(group, member)) == asked);
    match at_path {
        Some(found) => vec![found],
        None => members().filter(|(_, member)| plain(member.name) == asked).collect(),
    }
}

/// A name in the spelling that all its spellings share.
fn plain(name: &str) -> String {
    underscored(name).unwrap_or_else(|| name.to_owned())
}

fn nothing(asked: &str, name: &str) -> Failure {
    let of_group = name.split_once('.').and_then(|(group, _)| group_named(group));
    let place = of_group.map_or_else(|| TOPIC.to_owned(), Group::path);
    let near = match of_group {
        Some(group) => near_member(name, group),
        None => near_anything(name),
    };
    let hint = match (near, of_group) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Some(group)) => {
            let names: Vec<&str> = group.members.iter().map(|member| member.name).collect();
            format!("there are {}", names.join(", "))
        }
        (None, None) => {
            let groups = GROUPS.iter().map(|group| group.name).filter(|name| !name.is_empty());
            let groups: Vec<&str> = groups.collect();
            format!("its groups are {}; `{TOPIC}` alone shows more", groups.join(", "))
        }
    };
    Failure::caller(format!("there is no `{asked}` in the table `{place}`; {hint}"))
}

fn near_member(name: &str, group: &Group) -> Option<String> {
    let (_, last) = name.split_once('.')?;
    let near = nearest_name(last, group.members.iter().map(|member| member.name))?;
    Some(format!("{}.{near}", group.name))
}

/// A group if one is like the name; otherwise a member, compared alone as well as with its group,
/// or a type.
fn near_anything(name: &str) -> Option<String> {
    let name = name.strip_prefix("fen.").unwrap_or(name);
    let groups = GROUPS.iter().map(|group| group.name).filter(|name| !name.is_empty());
    if let Some(group) = nearest_name(name, groups) {
        return Some(group.to_owned());
    }
    let paths = members().flat_map(|(group, member)| {
        let full = full_name(group, member);
        [(plain(&full), full.clone()), (plain(member.name), full)]
    });
    let types = Named::all().map(|named| (named.name().to_owned(), named.name().to_owned()));
    let known: Vec<(String, String)> = paths.chain(types).collect();
    let near = nearest_name(&plain(name), known.iter().map(|(spelled, _)| spelled.as_str()))?;
    known.iter().find(|(spelled, _)| spelled == near).map(|(_, shown)| shown.clone())
}

#[cfg(test)]
mod tests;
