//! The outcome of one prompt for programs: one document, or every event.

use crate::support::{Outcome, Place};
use fen_contract::validate::check_event;
use fen_testing::{ModelServer, Reply, StreamScript as _, chat, messages};
use serde_json::{Value, json};

fn keys(document: &Value) -> Vec<&str> {
    document.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The types of the events, streams of deltas as one.
fn types(outcome: &Outcome) -> Vec<String> {
    let mut types: Vec<String> = outcome
        .events()
        .iter()
        .map(|event| {
            let kind = event["type"].as_str().unwrap();
            // Events of an owner's own are not declared.
            if !kind.contains('/') {
                check_event(event).unwrap_or_else(|error| panic!("{error}: {event}"));
            }
            kind.to_owned()
        })
        .collect();
    types.retain(|kind| kind != "fen/tool-output");
    types.dedup();
    types
}

#[test]
fn the_document_has_the_outcome_and_usage_summed_over_the_calls() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        chat().text("Looking.").tool_call("c1", "ls", json!({})).usage(100, 20).reply(),
        chat().text("Empty.").usage(130, 5).reply(),
    ]);
    let outcome = place.chatting(&server, ["--presenter", "json", "-p", "look"]).run().expect(0);
    let document = outcome.json();
    assert_eq!(keys(&document), ["final-text", "messages", "usage", "stop-reason", "session"]);
    assert_eq!(document["final-text"], "Empty.");
    assert_eq!(document["stop-reason"], "stop");
    assert_eq!(document["usage"]["input"], 230);
    assert_eq!(document["usage"]["output"], 25);
    let roles: Vec<&str> = document["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool-result", "assistant"]);
    assert_eq!(document["session"]["path"], place.session().to_str().unwrap());
    assert_eq!(document["session"]["message-count"], 4);
}

#[test]
fn what_is_empty_is_absent_and_a_failure_is_there() {
    let place = Place::new();
    let script = json!([{"error": {"kind": "auth", "message": "bad key"}}]);
    let arguments = ["--presenter", "json", "--no-session", "-p", "x"];
    let document = place.mocked(script, arguments).run().expect(1).json();
    assert_eq!(keys(&document), ["messages", "stop-reason", "error"]);
    assert_eq!(document["stop-reason"], "error");
    assert!(document["error"].as_str().unwrap().contains("bad key"));
    assert_eq!(document["messages"].as_array().unwrap().len(), 2);
}

#[test]
fn a_tool_turn_tells_its_events_in_order() {
    let place = Place::new();
    for (server, is_chat) in [(ModelServer::start(), true), (ModelServer::start(), false)] {
        let arguments = ["--json-stream", "-p", "go"];
        let fen = if is_chat {
            server.script(vec![
                chat().reasoning("Hm.").text("Look.").tool_call("c1", "ls", json!({})).reply(),
                chat().text("Do").text("ne.").reply(),
            ]);
            place.chatting(&server, arguments)
        } else {
            server.script(vec![
                messages()
                    .thinking("Hm.")
                    .signature("s")
                    .text("Look.")
                    .tool_use("c1", "ls", json!({}))
                    .reply(),
                messages().text("Do").text("ne.").reply(),
            ]);
            place.messaging(&server, arguments)
        };
        let outcome = fen.run().expect(0);
        let mut types = types(&outcome);
        // Deltas and their mirrors come in turns, as the network brings them.
        types.retain(|kind| !kind.ends_with("-delta"));
        assert_eq!(
            types,
            [
                "agent-started",
                "user",
                "message-appended",
                "llm-start",
                "start",
                "thinking-start",
                "thinking-end",
                "text-start",
                "text-end",
                "tool-call-start",
                "tool-call-end",
                "done",
                "llm-end",
                "message-appended",
                "assistant-stream-end",
                "assistant-thinking",
                "assistant-text",
                "tool-call",
                "message-appended",
                "tool-result",
                "llm-start",
                "start",
                "text-start",
                "text-end",
                "done",
                "llm-end",
                "message-appended",
                "assistant-stream-end",
                "assistant-text",
                "agent-turn-complete",
                "agent-shutdown",
            ],
            "{}",
            outcome.report()
        );
        let events = outcome.events();
        let indices: Vec<&Value> = events
            .iter()
            .filter(|event| event["type"] == "message-appended")
            .map(|event| &event["index"])
            .collect();
        assert_eq!(indices, [1, 2, 3, 4]);
        let deltas: String = events
            .iter()
            .filter(|event| event["type"] == "assistant-text-delta")
            .map(|event| event["delta"].as_str().unwrap())
            .collect();
        assert_eq!(deltas, "Look.Done.");
    }
}

#[test]
fn every_kind_of_turn_is_told_in_events_that_fit_the_contract() {
    let place = Place::new();
    place.write("out.sh", "for i in 1 2 3; do echo $i; done; exit 3");
    let server = ModelServer::start();
    server.script(vec![
        Reply::status(503).header("retry-after", "0"),
        chat().text("par").reset().reply(),
        chat()
            .tool_call("a", "bash", json!({"command": "sh out.sh"}))
            .tool_call("b", "nothing", json!({}))
            .tool_call_text("c", "read", "{\"path\":")
            .reply(),
        chat().text("half").finish("length").reply(),
    ]);
    let outcome = place.chatting(&server, ["--json-stream", "-p", "go"]).run().expect(0);
    let types = types(&outcome);
    server.assert_script_played();
    assert_eq!(types.iter().filter(|kind| *kind == "fen/retry").count(), 2);
    let results: Vec<bool> = outcome
        .events()
        .iter()
        .filter(|event| event["type"] == "tool-result")
        .map(|event| event["result"]["is-error?"] == true)
        .collect();
    assert_eq!(results, [true, true, true], "{}", outcome.report());
}

#[test]
fn a_failed_turn_ends_the_stream_with_the_error() {
    let place = Place::new();
    let script = json!([{"text": "par", "error": {"kind": "refused", "message": "no"}}]);
    let outcome = place.mocked(script, ["--json-stream", "-p", "x"]).run().expect(1);
    let types = types(&outcome);
    assert_eq!(types[types.len() - 3..], ["error", "agent-turn-complete", "agent-shutdown"]);
    let events = outcome.events();
    let turn = &events[events.len() - 2];
    assert_eq!(turn["status"], "error");
    assert!(turn["error"].as_str().unwrap().contains("no"), "{turn}");
    assert_eq!(turn.get("result"), None);
}

#[test]
fn nothing_but_json_is_on_standard_output_of_a_json_command() {
    let place = Place::new();
    let one_document: [&[&str]; 6] = [
        &["docs", "--json"],
        &["docs", "types", "Message", "--schema"],
        &["list", "tools", "--json"],
        &["list", "prompt-fragments", "--json"],
        &["show", "providers", "mock", "--json"],
        &["--provider", "mock", "--presenter", "json", "-p", "x"],
    ];
    for arguments in one_document {
        place.fen(arguments).run().expect(0).json();
    }
    for prompt in ["x", "/help", "/nothing", "/model"] {
        let stream = ["--provider", "mock", "--json-stream", "-p", prompt];
        types(&place.fen(stream).run());
        let document = ["--provider", "mock", "--presenter", "json", "-p", prompt];
        place.fen(document).run().json();
    }
    // Where there is no outcome there is nothing.
    place.fen(["--presenter", "json", "-p", "x"]).run().refused(&["no provider is set up"]);
    place.fen(["--json-stream", "--provider", "x", "-p", "x"]).run().refused(&["`x`"]);
}

#[test]
fn a_directory_whose_name_is_no_text_is_told_as_well_as_it_can_be() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    let folder = place.project(".").join(std::ffi::OsStr::from_bytes(b"n\xff"));
    std::fs::create_dir_all(&folder).unwrap();
    let fen = place.fen(["--provider", "mock", "--presenter", "json", "-p", "x"]);
    let document = fen.within(&folder).run().expect(0).json();
    assert_eq!(document["final-text"], "x");
    assert!(document["session"]["cwd"].as_str().unwrap().ends_with("n\u{fffd}"));
}
