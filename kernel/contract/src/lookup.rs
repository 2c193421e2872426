//! Finds what a person or a model asks for by name: a page of the reference, or what is registered
//! at this moment.
//!
//! It renders plain text and draws nothing; control characters in it are the presenter's affair.
//! `fen docs`, `/docs` and the tools for models all answer with it.

use crate::api::SURFACES;
use crate::doc::{Entry, Section, entries, find};
use crate::failure::Failure;
use crate::reference::{entry_page, overview, section_page};
use crate::validate::nearest_name;
use serde_json::Value;
use std::fmt::Write as _;

/// Gives the rows of a surface, as [`Api::list`](crate::api::Api::list) does.
pub type Rows<'a> = &'a dyn Fn(&str) -> Result<Vec<Value>, Failure>;

/// The page for a topic and a name within it: a section or an entry of the reference, an entry named
/// alone, or a surface and one of its rows. `rows` is asked only where a surface is meant.
pub fn page(topic: Option<&str>, name: Option<&str>, rows: Rows<'_>) -> Result<String, Failure> {
    let Some(topic) = topic else { return Ok(everything()) };
    if let Some(section) = Section::from_name(topic) {
        return Ok(match name {
            None => section_page(section),
            Some(name) => entry_page(entry_named(section, name)?),
        });
    }
    match name {
        None => alone(topic, rows),
        Some(name) if SURFACES.contains(&topic) => row_pages(topic, name, &rows(topic)?),
        Some(_) => Err(no_topic(topic)),
    }
}

/// All topics that [`page`] knows without a name, for completions.
pub fn topics() -> impl Iterator<Item = &'static str> {
    Section::ALL.into_iter().map(Section::name).chain(SURFACES)
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
        let hint = meant(name, names);
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
        let hint = meant(name, rows.iter().filter_map(|row| row["name"].as_str()));
        return Err(Failure::caller(format!("there is no `{name}` among the {surface}{hint}")));
    }
    Ok(pages.join("\n"))
}

fn no_topic(topic: &str) -> Failure {
    let entries = entries().map(|entry| entry.name).filter(|name| *name != topic);
    let hint = meant(topic, topics().chain(entries));
    let topics: Vec<&str> = topics().collect();
    Failure::caller(format!("there is no topic `{topic}`{hint}; there are {}", topics.join(", ")))
}

fn meant<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest_name(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
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
