//! Signals to a run for one prompt: a tidy end, and a code that tells.

use crate::support::{Place, appears, ends, load};
use fen_testing::{ModelServer, StreamScript as _, chat};
use rustix::process::Signal;
use serde_json::{Value, json};

const SIGNALS: [(Signal, i32); 3] = [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)];

fn roles(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["role"].as_str().unwrap()).collect()
}

#[test]
fn a_signal_while_the_answer_streams_keeps_what_was_said() {
    for (signal, code) in SIGNALS {
        let place = Place::new();
        let server = ModelServer::start();
        server.push(chat().text("partial words").hang().reply());
        let mut running = place.chatting(&server, ["--json-stream", "-p", "go"]).start();
        running.wait_event("text-delta", |_| true);
        running.signal(signal);
        let outcome = running.finish().expect(code);
        server.blocking_wait_for_disconnect();
        let turn = outcome.events().into_iter().find(|e| e["type"] == "agent-turn-complete");
        assert_eq!(turn.unwrap()["status"], "cancelled");
        let messages = load(&place.session());
        assert_eq!(roles(&messages), ["user", "assistant"]);
        assert_eq!(messages[1]["stop-reason"], "aborted");
        assert_eq!(messages[1]["content"][0]["text"], "partial words");
    }
}

#[test]
fn a_signal_during_a_command_ends_the_command_and_pairs_the_results() {
    for (signal, code) in SIGNALS {
        let place = Place::new();
        let command = "sleep 1000 & echo $! > child.pid; echo $$ > shell.pid; wait";
        let turns = json!([{"text": "I run it.", "tool-calls": [
            {"name": "bash", "arguments": {"command": command}},
            {"name": "bash", "arguments": {"command": "echo never"}},
        ]}]);
        let running = place.mocked(turns, ["-p", "go"]).start();
        let (shell, child) =
            (appears(&place.project("shell.pid")), appears(&place.project("child.pid")));
        running.signal(signal);
        let outcome = running.finish().expect(code);
        assert_eq!(outcome.stdout, "", "{}", outcome.report());
        ends(shell);
        ends(child);
        let messages = load(&place.session());
        assert_eq!(
            roles(&messages),
            ["user", "assistant", "tool-result", "tool-result", "assistant"]
        );
        let call = |at: usize| messages[1]["content"][at]["id"].clone();
        assert_eq!(messages[2]["tool-call-id"], call(1));
        assert_eq!(messages[3]["tool-call-id"], call(2));
        assert_eq!(messages[3]["details"]["synthetic?"], true);
        assert_eq!(messages[4]["stop-reason"], "aborted");
    }
}

#[test]
fn a_signal_while_the_server_is_silent_ends_the_run() {
    for (signal, code) in SIGNALS {
        let place = Place::new();
        let server = ModelServer::start();
        server.push(fen_testing::Reply::silence());
        let running = place.chatting(&server, ["-p", "go"]).start();
        server.blocking_wait_for_requests(1);
        running.signal(signal);
        running.finish().expect(code);
        assert_eq!(roles(&load(&place.session()))[0], "user");
    }
}

#[test]
fn a_signal_while_a_retry_is_waited_for_ends_the_run() {
    let place = Place::new();
    let server = ModelServer::start();
    server.push(fen_testing::Reply::status(503).header("retry-after", "100"));
    let mut running = place.chatting(&server, ["-p", "go"]).start();
    running.wait_stderr("the note", |text| text.contains("trying again in 100"));
    running.signal(Signal::TERM);
    running.finish().expect(143);
}

#[test]
fn the_conversation_can_go_on_after_a_signal() {
    let place = Place::new();
    let server = ModelServer::start();
    server.push(chat().text("partial words").hang().reply());
    let mut running = place.chatting(&server, ["--json-stream", "-p", "go"]).start();
    running.wait_event("text-delta", |_| true);
    running.signal(Signal::INT);
    running.finish().expect(130);
    server.push(chat().text("going on").reply());
    let outcome = place.chatting(&server, ["--continue", "-p", "go on"]).run().expect(0);
    assert_eq!(outcome.stdout, "going on\n");
    let sent = server.last_request().text();
    assert!(sent.contains("partial words") && sent.contains("go on"), "{sent}");
}

#[test]
fn a_reader_that_does_not_read_cannot_keep_it_from_ending() {
    for (signal, code) in SIGNALS {
        let place = Place::new();
        let turns = json!([{"text": "x".repeat(1 << 20), "chunk": 1 << 16}]);
        let running = place.mocked(turns, ["--json-stream", "-p", "go"]).start();
        running.wait_until_stuck();
        running.signal(signal);
        assert_eq!(running.finish_unread(), Some(code));
        assert_eq!(roles(&load(&place.session())), ["user", "assistant"]);
    }
}
