//! Finds what a person or a model asks for by name: a page of the reference, or what is registered
//! at this moment.
//!
//! It renders plain text and draws nothing; control characters in it are the presenter's affair.
//! `fen docs`, `/docs` and the tools for models all answer with it.

use crate::api::SURFACES;
use crate::doc::{Entry, Section, entries, find};
use crate::failure::Failure;
use crate::reference::{entry_page, overview, section_page};
use crate::script_api::GROUPS;
use crate::script_api::lookup::{self as api, TOPIC};
use crate::validate::did_you_mean;
use serde_json::Value;
use std::fmt::Write as _;

/// Gives the rows of a surface, as [`Api::list`](crate::api::Api::list) does.
pub type Rows<'a> = &'a dyn Fn(&str) -> Result<Vec<Value>, Failure>;

/// The page for a topic and a name within it: a section or an entry of the reference, an entry named
/// alone, what there is of the `api` table of scripts, or a surface and one of its rows. `rows` is asked only where a surface is meant.
pub fn page(topic: Option<&str>, name: Option<&str>, rows: Rows<'_>) -> Result<String, Failure> {
    let Some(topic) = topic else { return Ok(everything()) };
    if let Some(section) = Section::from_name(topic) {
        return Ok(match name {
            None => section_page(section),
            Some(name) => entry_page(entry_named(section, name)?),
        });
    }
    if topic == TOPIC {
        return api::page(name);
    }
    match name {
        None if api::is_path(topic) => api::page(Some(topic)),
        None => alone(topic, rows),
        Some(name) if SURFACES.contains(&topic) => row_pages(topic, name, &rows(topic)?),
        Some(_) => Err(no_topic(topic)),
    }
}

/// All topics that [`page`] knows without a name, for completions.
pub fn topics() -> impl Iterator<Item = &'static str> {
    Section::ALL.into_iter().map(Section::name).chain([TOPIC]).chain(SURFACES)
}

/// What a line that begins like this may go on to: a topic, or a topic and a name of the reference
/// within it.
pub fn completions(line: &str) -> Vec<String> {
    let Some((topic, prefix)) = line.split_once(' ') else {
        return topics().filter(|name| name.starts_with(line)).map(str::to_owned).collect();
    };
    let names = match Section::from_name(topic) {
        _ if topic == TOPIC => api::offers(prefix),
        Some(section) => entries()
            .filter(|entry| entry.section == section && entry.name.starts_with(prefix))
            .map(|entry| entry.name.to_owned())
            .collect(),
        None => Vec::new(),
    };
    names.into_iter().map(|name| format!("{topic} {name}")).collect()
}

/// The section of this name; the failure lists what there is.
pub fn section_named(name: &str) -> Result<Section, Failure> {
    Section::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Section::ALL.iter().map(|section| section.name()).collect();
        Failure::caller(format!("there is no section `{name}`; there are {}", names.join(", ")))
    })
}

/// The entry of this name in a section; the failure says which one may have been meant.
pub fn entry_named(section: Section, name: &str) -> Result<&'static Entry, Failure> {
    find(section, name).ok_or_else(|| {
        let names = entries().filter(|entry| entry.section == section).map(|entry| entry.name);
        let section = section.name();
        let hint = did_you_mean(name, names);
        Failure::caller(format!("there is no `{name}` among the {section}{hint}"))
    })
}

/// The rows of a surface for a person: a line with the name, its state and where it comes from, and
/// one with what it is for.
pub fn rows_page(rows: &[Value]) -> String {
    let mut page = String::new();
    for row in rows {
        let word = |field: &str| row[field].as_str().unwrap_or_default();
        let owner = if word("owner") == word("name") { "" } else { word("owner") };
        let about: Vec<&str> = [word("state"), word("offer"), word("level"), word("source"), owner]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        let head = format!("{}  {}", word("name"), about.join(", "));
        let _ = writeln!(page, "{}", head.trim());
        let texts = ["reason", "description", "title", "message", "status", "base-url", "api"];
        let text = texts.iter().map(|field| word(field)).find(|text| !text.is_empty());
        if let Some(line) = text.and_then(|text| text.lines().next()) {
            let _ = writeln!(page, "    {line}");
        }
    }
    page
}

/// Every field of a row, under its name.
pub fn row_page(row: &Value) -> String {
    let mut page = String::new();
    if let Some(name) = row["name"].as_str().filter(|name| !name.is_empty()) {
        let _ = writeln!(page, "{name}");
    }
    for (field, value) in row.as_object().into_iter().flatten() {
        match value {
            _ if field == "name" => {}
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => {
                let _ = writeln!(page, "  {field}: {}", text.replace('\n', "\n    "));
            }
            other => {
                let _ = writeln!(page, "  {field}: {other}");
            }
        }
    }
    page
}

fn everything() -> String {
    let mut page = overview();
    let _ = writeln!(page, "{TOPIC}\n  the table that extensions in Lua and Fennel are given");
    for group in GROUPS.iter().filter(|group| !group.name.is_empty()) {
        let _ = writeln!(page, "  {:<26} {}", group.name, group.summary);
    }
    page.push('\n');
    page.push_str("what is registered now\n");
    for surface in SURFACES {
        let _ = writeln!(page, "  {surface}");
    }
    page
}

fn entries_named(name: &str) -> Vec<&'static Entry> {
    entries().filter(|entry| entry.name == name).collect()
}

/// A topic without a name: entries of any section, and the rows of a surface of the same name.
fn alone(topic: &str, rows: Rows<'_>) -> Result<String, Failure> {
    let mut pages: Vec<String> = entries_named(topic).into_iter().map(entry_page).collect();
    if SURFACES.contains(&topic) {
        pages.push(match rows(topic)?.as_slice() {
            [] => format!("there are no {topic} now\n"),
            rows => rows_page(rows),
        });
    }
    if pages.is_empty() { Err(no_topic(topic)) } else { Ok(pages.join("\n")) }
}

fn row_pages(surface: &str, name: &str, rows: &[Value]) -> Result<String, Failure> {
    let pages: Vec<String> = rows.iter().filter(|row| row["name"] == name).map(row_page).collect();
    if pages.is_empty() {
        let hint = did_you_mean(name, rows.iter().filter_map(|row| row["name"].as_str()));
        return Err(Failure::caller(format!("there is no `{name}` among the {surface}{hint}")));
    }
    Ok(pages.join("\n"))
}

fn no_topic(topic: &str) -> Failure {
    let entries = entries().map(|entry| entry.name).filter(|name| *name != topic);
    let hint = did_you_mean(topic, topics().chain(entries));
    let topics: Vec<&str> = topics().collect();
    Failure::caller(format!("there is no topic `{topic}`{hint}; there are {}", topics.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn look(topic: &str, name: Option<&str>) -> Result<String, String> {
        let rows = |surface: &str| {
            Ok(match surface {
                "tools" => vec![
                    json!({"name": "bash", "owner": "bash", "source": "bundled",
                        "description": "Run it\nat once", "parameters": {"type": "object"}}),
                    json!({"name": "hop", "owner": "rabbit", "source": "user", "offer": "hidden"}),
                ],
                _ => Vec::new(),
            })
        };
        page(Some(topic).filter(|topic| !topic.is_empty()), name, &rows)
            .map_err(|failure| failure.message)
    }

    #[test]
    fn sections_entries_and_what_is_registered_have_pages() {
        assert!(look("", None).unwrap().contains("what is registered now"));
        assert!(look("events", None).unwrap().contains("agent-started"));
        assert!(look("events", Some("user")).unwrap().starts_with("user  (events)"));
        assert!(look("kind", Some("tool")).unwrap().starts_with("tool  (register-kinds)"));
        let tools = "bash  bundled\n    Run it\nhop  hidden, user, rabbit\n";
        assert_eq!(look("tools", None).unwrap(), tools);
        let bash = "bash\n  owner: bash\n  source: bundled\n  description: Run it\n    at once\n  \
                    parameters: {\"type\":\"object\"}\n";
        assert_eq!(look("tools", Some("bash")).unwrap(), bash);
    }

    #[test]
    fn the_table_of_scripts_is_a_topic_and_its_paths_need_none() {
        assert!(look("", None).unwrap().contains("\napi\n  the table that"));
        assert!(look("api", None).unwrap().starts_with("api\n"));
        let submit = look("api", Some("turn.submit!")).unwrap();
        assert!(submit.starts_with("turn.submit!  (api)\n"), "{submit}");
        for path in ["turn.submit!", "api.turn.submit", "api.turn[\"submit!\"]"] {
            assert_eq!(look(path, None).unwrap(), submit, "{path}");
        }
        assert!(look("fen.Outcome", None).unwrap().starts_with("fen.Outcome\n"));
        assert!(look("turn.sumbit", None).unwrap_err().contains("`turn.submit!`"));
        assert!(look("settings.json", None).unwrap_err().contains("`api.settings`"));
        assert!(look("notes.txt", None).unwrap_err().contains("there is no topic"));
        assert!(look("apy", None).unwrap_err().contains("did you mean `api`?"));
        assert!(topics().any(|topic| topic == "api"));
    }

    #[test]
    fn a_line_is_completed_to_topics_and_then_to_their_names() {
        assert_eq!(completions("ap"), ["api"]);
        assert!(completions("").contains(&"tools".to_owned()));
        assert_eq!(completions("api tur"), ["api turn"]);
        assert_eq!(completions("api turn.s"), ["api turn.submit!"]);
        assert_eq!(completions("events use"), ["events user"]);
        assert!(completions("tools b").is_empty() && completions("nothing x").is_empty());
    }

    #[test]
    fn every_entry_can_be_named_alone() {
        for entry in entries() {
            let page = look(entry.name, None).unwrap();
            assert!(page.contains(&format!("{}  ({})", entry.name, entry.section.name())));
        }
        let provider = look("provider", None).unwrap();
        assert!(provider.contains("(register-kinds)") && provider.contains("(interfaces)"));
        let status = look("status", None).unwrap();
        assert!(
            status.contains("(register-kinds)") && status.contains("no status now"),
            "{status}"
        );
    }

    #[test]
    fn what_does_not_exist_is_told_with_what_was_meant() {
        for (topic, name, near) in [
            ("tols", None, "`tools`"),
            ("message-apended", None, "`message-appended`"),
            ("tools", Some("bush"), "`bash`"),
            ("events", Some("usr"), "`user`"),
        ] {
            let error = look(topic, name).unwrap_err();
            assert!(error.contains(near), "{error}");
        }
        assert!(look("tool", Some("bash")).unwrap_err().contains("tools"));
    }
}
