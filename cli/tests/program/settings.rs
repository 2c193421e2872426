//! `settings.json`.

use crate::support::Place;
use fen_testing::{ModelServer, chat};
use serde_json::json;

#[test]
fn settings_say_what_is_used_where_nothing_is_named() {
    let place = Place::new();
    let server = ModelServer::start();
    server.fallback(chat().text("ok").reply());
    place.configure(
        "models.json",
        &json!({"providers": {"mine": {"baseUrl": server.base_url()}}}).to_string(),
    );
    place.configure(
        "settings.json",
        "\u{feff}{\"provider\": \"mine\", \"model\": \"from-settings\", \"max-tokens\": 77}",
    );
    place.fen(["-p", "x"]).run().expect(0);
    let request = server.last_request();
    assert_eq!(request.json()["model"], "from-settings");
    assert!(request.text().contains("77"), "{}", request.text());
    place.fen(["-p", "x", "--model", "from-flag", "--max-tokens", "78"]).run().expect(0);
    let request = server.last_request();
    assert_eq!(request.json()["model"], "from-flag");
    assert!(request.text().contains("78"), "{}", request.text());
}

#[test]
fn a_file_that_cannot_be_parsed_is_refused_with_its_line_and_stays_as_it_is() {
    let place = Place::new();
    for (text, line) in [
        ("{\n  \"provider\": \"mock\",\n}", "line 3"),
        ("{\n  // comment\n  \"provider\": \"mock\"\n}", "line 2"),
        ("", "line 1"),
        ("{\"thinking\": \"much\"}", "line 1"),
        ("[]", "line 1"),
    ] {
        place.configure("settings.json", text);
        for arguments in [&["--provider", "mock", "-p", "x"][..], &["list"]] {
            place.fen(arguments).run().refused(&["settings.json", line]);
        }
        assert_eq!(place.configuration("settings.json"), text);
    }
    // What a person turns to then works all the same.
    for arguments in [&["--help"][..], &["--version"], &["docs"], &["completions", "zsh"]] {
        place.fen(arguments).run().expect(0);
    }
}

#[test]
fn a_name_that_the_settings_have_wrong_is_told_to_be_from_there() {
    let place = Place::new();
    let cases = [
        (r#"{"provider": "opnai"}"#, "`opnai`"),
        (r#"{"provider": "mock", "tools": {"deny": ["bsh"]}}"#, "`bsh`"),
    ];
    for (settings, name) in cases {
        place.configure("settings.json", settings);
        place.fen(["-p", "x"]).run().refused(&[name, "settings.json"]);
    }
}

#[test]
fn a_field_that_nothing_reads_is_told_with_the_one_that_was_meant() {
    let place = Place::new();
    place.configure("settings.json", r#"{"provider": "mock", "tols": {"deny": ["bash"]}}"#);
    place.fen(["-p", "hi"]).run().expect(0).complains(&[
        "settings.json",
        "`tols`",
        "did you mean `tools`?",
    ]);
}
