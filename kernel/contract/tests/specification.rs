//! The declarations against a fixture that was written from the specification.

use fen_contract::doc::{self, Origin};
use std::collections::BTreeMap;

type Listing = BTreeMap<String, Vec<String>>;

fn specified() -> Listing {
    let mut listing = Listing::new();
    let mut current = String::new();
    for line in include_str!("contract.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.strip_prefix("  ") {
            Some(detail) => listing.entry(current.clone()).or_default().push(detail.to_owned()),
            None => {
                current = line.to_owned();
                listing.entry(current.clone()).or_default();
            }
        }
    }
    for details in listing.values_mut() {
        details.sort();
    }
    listing
}

fn declared() -> Listing {
    doc::entries()
        .map(|entry| {
            let fields =
                entry.fields.iter().filter(|f| f.origin == Origin::Contract).map(|field| {
                    let required = if field.required { "required" } else { "optional" };
                    format!(":{} | {} | {required}", field.name, field.ty)
                });
            let members = entry.members.iter().map(|m| format!("{} | {}", m.name, m.kind.name()));
            let mut details: Vec<String> = fields.chain(members).collect();
            details.sort();
            (format!("{} {}", entry.section.name(), entry.name), details)
        })
        .collect()
}

#[test]
fn every_name_type_and_required_flag_is_as_specified() {
    let specified = specified();
    assert_eq!(specified.len(), 64);
    let details: Vec<&String> = specified.values().flatten().collect();
    assert_eq!(details.iter().filter(|d| d.starts_with(':')).count(), 195);
    assert_eq!(details.iter().filter(|d| !d.starts_with(':')).count(), 25);
    let declared = declared();
    for (entry, details) in &specified {
        assert_eq!(declared.get(entry), Some(details), "{entry}");
    }
    assert_eq!(declared.len(), specified.len());
}

#[test]
fn everything_is_documented_in_words() {
    for entry in doc::entries() {
        assert!(entry.summary.len() > 8, "{}", entry.name);
        assert!(!entry.summary.contains("  "), "{}: {}", entry.name, entry.summary);
        for field in entry.fields {
            assert!(field.summary.len() > 5, "{} {}", entry.name, field.name);
        }
    }
}

#[test]
fn the_json_reference_lists_what_the_specification_lists() {
    let json = fen_contract::reference::to_json();
    let mut listing = Listing::new();
    for entry in json.as_array().unwrap() {
        let text = |value: &serde_json::Value, key: &str| value[key].as_str().unwrap().to_owned();
        let fields = entry["fields"].as_array().unwrap().iter().map(|field| {
            let required =
                if field["required"].as_bool().unwrap() { "required" } else { "optional" };
            format!(":{} | {} | {required}", text(field, "name"), text(field, "type"))
        });
        let members = entry["members"]
            .as_array()
            .unwrap()
            .iter()
            .map(|member| format!("{} | {}", text(member, "name"), text(member, "kind")));
        let mut details: Vec<String> = fields.chain(members).collect();
        details.sort();
        listing.insert(format!("{} {}", text(entry, "section"), text(entry, "name")), details);
    }
    assert_eq!(listing, specified());
}
