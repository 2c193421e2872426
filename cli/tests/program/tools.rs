//! Which tools the model gets.

use crate::support::{Fen, Place, load};
use fen_testing::{ModelServer, chat};
use serde_json::{Value, json};

const ALL: [&str; 8] = ["bash", "read", "write", "edit", "grep", "find", "ls", "tool_search"];

/// The names of the tools in the only request of this run.
fn offered(place: &Place, flags: &[&str]) -> Vec<String> {
    let server = ModelServer::start();
    server.push(chat().text("ok").reply());
    place.chatting(&server, flags).arguments(["-p", "x"]).run().expect(0);
    let request = server.last_request().json();
    let tools = request.get("tools").cloned().unwrap_or(json!([]));
    let name = |tool: &Value| tool["function"]["name"].as_str().unwrap().to_owned();
    tools.as_array().unwrap().iter().map(name).collect()
}

#[test]
fn flags_choose_the_tools_that_are_offered() {
    let place = Place::new();
    assert_eq!(offered(&place, &[]), ALL);
    assert_eq!(offered(&place, &["--tools", "ls,read"]), ["read", "ls"]);
    assert_eq!(
        offered(&place, &["--deny-tools", "bash,write", "--deny-tools", "edit"]),
        ["read", "grep", "find", "ls", "tool_search"]
    );
    assert_eq!(offered(&place, &["--tools", "agent_state"]), ["agent_state"]);
    assert_eq!(offered(&place, &["--tools", "read,bash", "--deny-tools", "bash"]), ["read"]);
    assert!(offered(&place, &["--no-tools"]).is_empty());
}

#[test]
fn settings_choose_the_tools_and_flags_go_before_them() {
    let place = Place::new();
    place.configure("settings.json", r#"{"tools": {"allow": ["read", "bash"], "deny": ["bash"]}}"#);
    assert_eq!(offered(&place, &[]), ["read"]);
    // What the settings deny stays denied.
    assert_eq!(offered(&place, &["--tools", "ls,bash"]), ["ls"]);
}

#[test]
fn a_tool_that_was_found_is_offered_from_the_next_request_on() {
    let place = Place::new();
    let server = ModelServer::start();
    server.push(chat().tool_call("c1", "tool_search", json!({"query": "state"})).reply());
    server.push(chat().tool_call("c2", "agent_state", json!({"query": "tools.#"})).reply());
    server.push(chat().text("ok").reply());
    place.chatting(&server, ["-p", "x"]).run().expect(0);
    let offers = |nth: usize| server.requests()[nth].text().contains("\"name\":\"agent_state\"");
    assert!(!offers(0) && offers(1) && offers(2));
    let last = server.last_request().json();
    let results: Vec<&Value> =
        last["messages"].as_array().unwrap().iter().filter(|m| m["role"] == "tool").collect();
    assert!(results[0]["content"].to_string().contains("agent_state(query)"), "{results:?}");
    assert!(results[1]["content"].to_string().contains("11"), "{results:?}");
}

#[test]
fn pinned_tools_are_always_offered_and_unknown_ones_are_told() {
    let place = Place::new();
    place.configure("settings.json", r#"{"pinned-tools": ["fen_docs"]}"#);
    assert_eq!(offered(&place, &[]), [&ALL[..], &["fen_docs"]].concat());
    place.configure("settings.json", r#"{"provider": "mock", "pinned-tools": ["fen_dcs"]}"#);
    let told = place.fen(["-p", "hi"]).run().expect(0);
    told.complains(&["pinned-tools", "`fen_dcs`", "did you mean `fen_docs`?"]);
}

fn result_of(place: &Place, fen: Fen) -> Value {
    fen.run().expect(0);
    let messages = load(&place.session());
    messages.into_iter().find(|message| message["role"] == "tool-result").unwrap()
}

#[test]
fn a_call_of_a_tool_that_was_not_offered_is_refused() {
    for flags in [&["--deny-tools", "bash"][..], &["--tools", "read"], &["--no-tools"]] {
        let place = Place::new();
        let turns = json!([
            {"tool-calls": [{"name": "bash", "arguments": {"command": "touch MARK"}}]},
            {"text": "ok"},
        ]);
        let result = result_of(&place, place.mocked(turns, flags).arguments(["-p", "x"]));
        assert_eq!(result["is-error?"], true, "{result}");
        assert!(!place.project("MARK").exists());
    }
}

#[test]
fn tools_work_in_the_directory_that_fen_was_started_in() {
    let place = Place::new();
    let turns = json!([
        {"tool-calls": [
            {"name": "write", "arguments": {"path": "notes/a.txt", "content": "alpha\n"}},
            {"name": "bash", "arguments": {"command": "pwd; cat notes/a.txt"}},
        ]},
        {"tool-calls": [{"name": "edit", "arguments": {"path": "notes/a.txt", "edits": [
            {"old_string": "alpha", "new_string": "beta"}]}}]},
        {"text": "done"},
    ]);
    place.mocked(turns, ["-p", "x"]).run().expect(0);
    assert_eq!(std::fs::read_to_string(place.project("notes/a.txt")).unwrap(), "beta\n");
    let stored = std::fs::read_to_string(place.session()).unwrap();
    assert!(stored.contains(place.project("").to_str().unwrap().trim_end_matches('/')));
}

#[test]
fn an_answer_with_very_many_calls_is_carried_out_to_its_end() {
    let place = Place::new();
    let calls: Vec<_> = (0..1500).map(|_| json!({"name": "nosuch", "arguments": {}})).collect();
    let script = json!([{"text": "before", "tool-calls": calls}, {"text": "THE END"}]);
    let outcome = place.mocked(script, ["-p", "go"]).run().expect(0);
    assert_eq!(outcome.stdout, "THE END\n");
}
