//! What a project carries runs once a person has agreed, and only as it was then.

use crate::extensions::tool;
use crate::support::{Place, Terminal};
use serde_json::Value;

const FILE: &str = ".fen/extensions/words.lua";

fn place() -> Place {
    let place = Place::new();
    place.write(FILE, &tool("words", "x"));
    place
}

fn state(place: &Place) -> String {
    let rows = place.fen(["list", "extensions", "--json"]).run().expect(0).json();
    let row = rows.as_array().unwrap().iter().find(|row| row["name"] == "words").unwrap();
    row["state"].as_str().unwrap().to_owned()
}

/// A conversation that asks whether the extension may run.
fn asking(place: &Place) -> Terminal {
    let fen = place.fen(["--provider", "mock", "--presenter", "stdio"]);
    let terminal = Terminal::open(&fen, 100);
    terminal.wait_for("Run it? [y]es and remember, [o]nce, [N]o: ");
    terminal
}

fn loaded(terminal: &mut Terminal) -> bool {
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    terminal.type_keys("/extensions registry tools\r");
    terminal.wait_for("ls  ");
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    let answer = terminal.screen().text();
    let answer = answer.rsplit("/extensions registry tools").next().unwrap();
    answer.contains("words  ")
}

fn leave(mut terminal: Terminal) {
    terminal.type_keys("/quit\r");
    assert_eq!(terminal.code(), 0, "{}", terminal.screen().text());
}

#[test]
fn it_is_shown_granted_and_revoked() {
    let place = place();
    let shown = place.fen(["trust"]).run().expect(0).stdout;
    for words in ["not trusted: words", FILE, "asks for no files", "words.lua  "] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    place.fen(["trust", "grant"]).run().refused(&["nobody can be asked here", "--yes"]);
    place.fen(["trust", "grant", "wrds", "--yes"]).run().refused(&["`wrds`"]);
    assert_eq!(state(&place), "untrusted");
    place.fen(["trust", "grant", "--yes"]).run().expect(0).complains(&["words may run now"]);
    assert_eq!(state(&place), "loaded");
    place.fen(["trust", "grant", "words", "--yes"]).run().expect(0).complains(&["trusted already"]);
    let shown = place.fen(["trust", "show"]).run().expect(0).stdout;
    assert!(shown.contains("trusted: words") && shown.contains("Agreed to so far:"), "{shown}");
    place.fen(["trust", "revoke", "words"]).run().expect(0).complains(&["does not run any more"]);
    assert_eq!(state(&place), "untrusted");
    place.fen(["trust", "revoke", "words"]).run().refused(&["nobody has agreed to `words`"]);
}

#[test]
fn a_yes_holds_until_the_code_changes() {
    let place = place();
    let mut terminal = asking(&place);
    terminal.wait_for("This project brings the extension `words`, which is new here.");
    terminal.type_keys("y\r");
    assert!(loaded(&mut terminal));
    leave(terminal);
    assert_eq!(state(&place), "loaded");
    place.write(FILE, &tool("words", "something else"));
    assert_eq!(state(&place), "untrusted");
    let mut terminal = asking(&place);
    let shown = terminal.screen().text();
    for words in [
        "which has changed since you trusted it",
        "What has changed:",
        "return \"x\"",
        "something else",
    ] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    terminal.type_keys("n\r");
    assert!(!loaded(&mut terminal));
    leave(terminal);
    // A change that is taken back is the code that was agreed to.
    place.write(FILE, &tool("words", "x"));
    assert_eq!(state(&place), "loaded");
}

#[test]
fn once_is_for_this_run_and_no_is_the_default() {
    let place = place();
    let mut terminal = asking(&place);
    terminal.type_keys("what\r");
    terminal.wait_for("Please answer with one of the letters");
    terminal.type_keys("o\r");
    assert!(loaded(&mut terminal));
    leave(terminal);
    assert_eq!(state(&place), "untrusted");
    let mut terminal = asking(&place);
    terminal.type_keys("\r");
    terminal.wait_for("left out, since nobody has agreed to run them: words");
    assert!(!loaded(&mut terminal));
    leave(terminal);
    assert_eq!(state(&place), "untrusted");
}

#[test]
fn the_question_shows_what_hides_in_the_code() {
    let place = Place::new();
    let hidden = format!("-- \u{1b}[2K\u{202e}\n{}", tool("words", "x"));
    place.write(FILE, &hidden);
    place.write(
        ".fen/extensions/words2/manifest.json",
        r#"{"description": "\u001b[31mred", "capabilities": ["process"]}"#,
    );
    place.write(".fen/extensions/words2/init.lua", &tool("words2", "x"));
    let shown = place.fen(["trust", "show"]).run().expect(0).stdout;
    assert!(shown.contains("process: it may run programs in your name: full trust"), "{shown}");
    assert!(!shown.contains('\u{202e}') && !shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn agreements_are_kept_outside_of_the_project_and_closed() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = place();
    place.fen(["trust", "grant", "--yes"]).run().expect(0);
    let file = place.home(".local/state/fen/trust.json");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&file).unwrap();
    serde_json::from_str::<Value>(&text).unwrap();
    std::fs::write(&file, "{").unwrap();
    // What cannot be read is no agreement, and stays as it is.
    assert_eq!(state(&place), "untrusted");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
}
