//! The answer to one prompt, as text.

use crate::support::{Place, Terminal};
use fen_testing::{ModelServer, StreamScript as _, chat};
use serde_json::json;

#[test]
fn piped_output_is_the_final_text_and_progress_goes_to_standard_error() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    let turns = json!([
        {"thinking": "Hm, files.", "text": "I look first.", "tool-calls": [
            {"name": "ls", "arguments": {"path": "."}}, {"name": "read", "arguments": {"path": "no"}}]},
        {"text": "There is one file."},
    ]);
    let outcome = place.mocked(turns, ["-p", "what is here?"]).run().expect(0);
    assert_eq!(outcome.stdout, "There is one file.\n");
    let outcome =
        outcome.complains(&["I look first.\n", "→ ls .", "✓ ls: ", "→ read no", "✗ read"]);
    assert!(!outcome.stderr.contains("There is one file."), "{}", outcome.report());
    assert!(!outcome.stderr.contains("Hm, files."), "{}", outcome.report());
}

#[test]
fn a_terminal_gets_the_text_as_it_streams_in() {
    let place = Place::new();
    let server = ModelServer::start();
    server.push(chat().text("alpha ").border().text("beta").hang().reply());
    let mut terminal = Terminal::open(&place.chatting(&server, ["-p", "go"]), 80);
    // The answer is not over, and never will be.
    terminal.wait_for("alpha beta");
    terminal.type_keys("\x03");
    assert_eq!(terminal.code(), 130);
}

#[test]
fn a_terminal_sees_every_text_once_and_each_on_lines_of_its_own() {
    let place = Place::new();
    let turns = json!([
        {"text": "First.", "tool-calls": [{"name": "ls"}]},
        {"text": "Second.\nThird."},
    ]);
    let mut terminal = Terminal::open(&place.mocked(turns, ["-p", "go"]), 80);
    assert_eq!(terminal.code(), 0);
    terminal.wait_for("Third.");
    let text = terminal.screen().text();
    let rows: Vec<&str> = text.lines().collect();
    let (result, others) = (rows[2], [rows[0], rows[1], rows[3], rows[4]]);
    assert!(result.starts_with("✓ ls: 1 line, "), "{text}");
    assert_eq!(others, ["First.", "→ ls", "Second.", "Third."], "{text}");
    assert_eq!(rows.len(), 5, "{text}");
}

#[test]
fn nothing_is_coloured_whatever_the_environment_says() {
    let place = Place::new();
    for (name, value) in [
        ("TERM", "dumb"),
        ("TERM", "xterm-256color"),
        ("FORCE_COLOR", "1"),
        ("CLICOLOR_FORCE", "1"),
    ] {
        for arguments in [vec!["--help"], vec!["list", "tools"], vec!["--bogus"], vec!["docs"]] {
            // The harness refuses control characters in any output.
            place.fen(arguments).env(name, value).run();
        }
        let turns = json!([{"text": "a", "tool-calls": [{"name": "ls"}]}, {"text": "**b**"}]);
        place.mocked(turns, ["-p", "x"]).env(name, value).run().expect(0);
    }
}

#[test]
fn commands_work_as_a_prompt() {
    let place = Place::new();
    place.mocked(json!([]), ["-p", "/help"]).run().expect(0).complains(&["/model", "/quit"]);
    let unknown = place.mocked(json!([]), ["-p", "/hlep"]).run().expect(2);
    assert_eq!(unknown.stderr.matches("did you mean /help?").count(), 1, "{}", unknown.report());
    // A doubled slash and a path are prompts; `mock` without a script repeats them.
    for (prompt, answer) in [("//help", "/help\n"), ("/usr/bin is full", "/usr/bin is full\n")] {
        let outcome = place.fen(["--provider", "mock", "-p", prompt]).run().expect(0);
        assert_eq!(outcome.stdout, answer);
    }
}
