//! What may be typed, and what is said about mistakes.

use crate::support::{Place, Terminal};
use fen_testing::{ModelServer, chat};

#[test]
fn a_prompt_may_begin_with_dashes() {
    let place = Place::new();
    let cases: [(&[&str], &str); 7] = [
        (&["-p", "- summarize"], "- summarize"),
        (&["-p", "--answer me briefly"], "--answer me briefly"),
        (&["-p", "---\na: 1\n---\nhi"], "---\na: 1\n---\nhi"),
        (&["-p", "--", "-x"], "-x"),
        (&["--", "-x"], "-x"),
        (&["-p", "-"], "-"),
        (&["-p", "--no-session", "hi"], "hi"),
    ];
    for (arguments, prompt) in cases {
        let outcome = place.fen(["--provider", "mock"]).arguments(arguments).run().expect(0);
        assert_eq!(outcome.stdout, format!("{prompt}\n"));
    }
}

#[test]
fn a_prompt_with_dashes_reaches_the_model_as_it_was_typed() {
    let place = Place::new();
    let server = ModelServer::start();
    server.push(chat().text("ok").reply());
    place.chatting(&server, ["-p", "--answer  me\tbriefly"]).run().expect(0);
    let messages = &server.last_request().json()["messages"];
    assert!(messages.to_string().contains(r#""--answer  me\tbriefly""#), "{messages}");
}

#[test]
fn mistakes_are_named_with_what_was_probably_meant() {
    let place = Place::new();
    let cases: [(&[&str], &[&str]); 18] = [
        (&["--bogus"], &["--bogus", "--help"]),
        (&["--provder", "mock", "-p", "x"], &["--provder", "--provider"]),
        (&["lst"], &["`lst`", "fen list", "fen -p 'lst'"]),
        (&["--provider", "openia", "-p", "x"], &["`openia`", "did you mean `openai`?"]),
        (&["--provider", "mock", "--presenter", "jsn", "-p", "x"], &["`jsn`", "json"]),
        (&["--provider", "mock", "--session", "sql", "-p", "x"], &["`sql`", "jsonl"]),
        (&["--provider", "mock", "--tools", "raed", "-p", "x"], &["`raed`", "read"]),
        (&["--provider", "mock", "--deny-tools", "bsh", "-p", "x"], &["`bsh`", "bash"]),
        (&["--thinking", "much", "-p", "x"], &["much", "medium"]),
        (&["--max-tokens", "0", "-p", "x"], &["--max-tokens"]),
        (&["--no-tools", "--tools", "read", "-p", "x"], &["--no-tools", "--tools"]),
        (&["--continue", "--no-session", "-p", "x"], &["--continue", "--no-session"]),
        (&["--mock-script", "none.json", "--provider", "mock", "-p", "x"], &["none.json"]),
        (&["list", "tols"], &["`tols`", "did you mean `tools`?"]),
        (&["show", "tools", "bsh"], &["`bsh`", "did you mean `bash`?"]),
        (&["docs", "types", "Mesage"], &["`Mesage`", "did you mean `Message`?"]),
        (&["docs", "typs"], &["`typs`", "types"]),
        (&["providers", "opnai"], &["`opnai`", "openai"]),
    ];
    for (arguments, words) in cases {
        place.fen(arguments).run().refused(words);
    }
    assert!(place.sessions().is_empty());
}

#[test]
fn a_script_that_cannot_be_read_names_its_mistake() {
    let place = Place::new();
    place.write("script.json", r#"[{"txt": "hi"}]"#);
    let arguments = ["--provider", "mock", "--mock-script", "script.json", "-p", "x"];
    place.fen(arguments).run().refused(&["script.json", "txt"]);
}

#[test]
fn help_can_be_read_at_forty_columns() {
    let place = Place::new();
    for arguments in [&["--help"][..], &["-h"], &["list", "--help"], &["demo", "--help"]] {
        let outcome = place.fen(arguments).run().expect(0);
        assert!(outcome.stdout.contains("Usage: fen"), "{}", outcome.report());
        assert_eq!(outcome.stderr, "");
        let mut terminal = Terminal::open(&place.fen(arguments), 40);
        assert_eq!(terminal.code(), 0);
        terminal.wait_for("Usage: fen");
        assert!(!terminal.written().contains('\u{1b}'));
    }
}

#[test]
fn the_version_is_told_without_a_home_or_a_configuration() {
    let place = Place::new();
    place.configure("settings.json", "{");
    for flag in ["--version", "-V"] {
        let outcome = place.fen([flag]).without_env("HOME").run().expect(0);
        assert_eq!(outcome.stdout, concat!("fen ", env!("CARGO_PKG_VERSION"), "\n"));
    }
}

#[test]
fn a_directory_that_is_gone_is_named() {
    let place = Place::new();
    let gone = place.project("gone");
    std::fs::create_dir(&gone).unwrap();
    let fen = place.fen(["--provider", "mock", "-p", "x"]).within(&gone).after("rmdir ../gone");
    fen.run().refused(&["the working directory is gone"]);
}
