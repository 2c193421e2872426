//! The commands that look at fen itself.

use crate::support::Place;
use fen_contract::api::SURFACES;
use serde_json::Value;
use std::fmt::Write as _;

/// `docs --json` in the form of the fixture that holds the contract.
fn as_fixture(entries: &Value) -> String {
    let mut text = String::new();
    for entry in entries.as_array().unwrap() {
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let _ = writeln!(text, "{} {}", word(&entry["section"]), word(&entry["name"]));
        for field in entry["fields"].as_array().unwrap() {
            let required = if field["required"] == true { "required" } else { "optional" };
            let (name, kind) = (word(&field["name"]), word(&field["type"]));
            let _ = writeln!(text, "  :{name} | {kind} | {required}");
        }
        for member in entry["members"].as_array().unwrap() {
            let _ = writeln!(text, "  {} | {}", word(&member["name"]), word(&member["kind"]));
        }
    }
    text
}

/// Sections of lines, in an order of their own.
fn sorted(text: &str) -> Vec<Vec<&str>> {
    let mut sections: Vec<Vec<&str>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match sections.last_mut() {
            Some(section) if line.starts_with(' ') => section.push(line),
            _ => sections.push(vec![line]),
        }
    }
    for section in &mut sections {
        section[1..].sort_unstable();
    }
    sections.sort();
    sections
}

#[test]
fn the_reference_is_the_contract() {
    let place = Place::new();
    let reference = as_fixture(&place.fen(["docs", "--json"]).run().expect(0).json());
    let fixture = include_str!("../../../kernel/contract/tests/contract.txt");
    let (told, specified) = (sorted(&reference), sorted(fixture));
    assert_eq!(specified.len(), 64);
    for (told, specified) in told.iter().zip(&specified) {
        assert_eq!(told, specified);
    }
    assert_eq!(told.len(), specified.len());
}

#[test]
fn every_entry_has_a_page_and_a_schema() {
    let place = Place::new();
    let overview = place.fen(["docs"]).run().expect(0).stdout;
    for section in ["register-kinds", "events", "types", "interfaces"] {
        assert!(overview.contains(section));
        let page = place.fen(["docs", section]).run().expect(0).stdout;
        let name = page.split_whitespace().next().unwrap();
        let entry = place.fen(["docs", section, name]).run().expect(0).stdout;
        assert!(entry.starts_with(name), "{entry}");
        let schema = place.fen(["docs", section, name, "--schema"]).run().expect(0).json();
        assert!(schema.is_object(), "{schema}");
    }
}

#[test]
fn an_entry_alone_and_what_is_registered_have_pages() {
    let place = Place::new();
    let docs = |words: &[&str]| place.fen([&["docs"], words].concat()).run().expect(0).stdout;
    assert!(docs(&["tool"]).starts_with("tool  (register-kinds)"));
    assert!(docs(&["tools"]).contains("bash  bundled\n"));
    assert!(docs(&["tools", "bash"]).contains("  owner: bash\n"));
    place.fen(["docs", "tols"]).run().refused(&["`tols`", "did you mean `tools`?"]);
    place.fen(["docs", "tools", "bush"]).run().refused(&["`bush`", "did you mean `bash`?"]);
}

#[test]
fn the_table_of_scripts_has_pages() {
    let place = Place::new();
    let docs = |words: &[&str]| place.fen([&["docs"], words].concat()).run().expect(0).stdout;
    assert!(docs(&[]).contains("\napi\n"));
    assert!(docs(&["api"]).contains("api.register("));
    assert!(docs(&["api", "turn"]).contains("api.turn.submit("));
    assert!(docs(&["api", "turn.submit!"]).contains("\nfen.SubmitOptions\n"));
    place.fen(["docs", "api", "trun"]).run().refused(&["`trun`", "did you mean `turn`?"]);
}

#[test]
fn everything_that_is_registered_can_be_listed_and_shown() {
    let place = Place::new();
    let overview = place.fen(["list"]).run().expect(0).stdout;
    for surface in SURFACES {
        assert!(overview.contains(surface), "{overview}");
        let rows = place.fen(["list", surface, "--json"]).run().expect(0).json();
        let rows = rows.as_array().unwrap();
        let text = place.fen(["list", surface]).run().expect(0).stdout;
        assert_eq!(text.lines().count(), rows.len(), "{text}");
        let Some(name) = rows.first().and_then(|row| row["name"].as_str()) else { continue };
        let shown = place.fen(["show", surface, name, "--json"]).run().expect(0).json();
        assert_eq!(shown["name"], name);
        assert!(place.fen(["show", surface, name]).run().expect(0).stdout.contains(name));
    }
    let names = |surface: &str| -> Vec<String> {
        let rows = place.fen(["list", surface, "--json"]).run().expect(0).json();
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let meta = ["tool_search", "agent_state", "fen_docs", "reload"];
    let tools = ["bash", "read", "write", "edit", "grep", "find", "ls"];
    assert_eq!(names("tools"), [&tools[..], &meta].concat());
    assert_eq!(names("presenters"), ["print", "json", "json-stream", "stdio", "tui"]);
    for command in ["help", "model", "quit"] {
        assert!(names("commands").contains(&command.to_owned()));
    }
}

#[test]
fn providers_tell_their_state_and_their_setup_and_no_key() {
    let place = Place::new();
    let fen = |arguments: &[&str]| {
        place.fen(arguments).env("OPENAI_API_KEY", "sk-canary").run().expect(0).stdout
    };
    let all = fen(&["providers"]);
    let row = |name: &str| all.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(row("openai ").contains("key found"), "{all}");
    assert!(row("anthropic ").contains("no key "), "{all}");
    assert!(row("ollama ").contains("no key needed"), "{all}");
    let one = fen(&["providers", "anthropic"]);
    assert!(one.contains("ANTHROPIC_API_KEY") && one.contains("https://"), "{one}");
    for text in [all, one, fen(&["show", "providers", "openai", "--json"])] {
        assert!(!text.contains("sk-canary"), "{text}");
    }
}

#[test]
fn completions_exist_for_each_shell() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.fen(["completions", shell]).run().expect(0).stdout;
        assert!(script.contains("deny-tools") && script.contains("demo"), "{shell}: {script}");
    }
    place.fen(["completions", "tcsh"]).run().refused(&["tcsh", "bash"]);
}
