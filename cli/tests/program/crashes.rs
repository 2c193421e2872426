//! `SIGKILL` at any moment: what was shown or submitted can be loaded, and the conversation goes on.

use crate::support::{Place, Running, appears, load, stream_of};
use fen_testing::{ModelServer, Reply, StreamScript as _, chat};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::TcpListener;
use std::time::Duration;

/// Where a turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    BeforeTheRequest,
    Waiting,
    Streaming,
    RunningATool,
    BetweenCalls,
    AfterTheTurn,
}

/// Judges from what was written by then.
fn phase(events: &[Value]) -> Phase {
    let last = |kind: &str| events.iter().rposition(|event| event["type"] == kind);
    let is_after = |a: &str, b: &str| last(a).is_some() && last(a) > last(b);
    if last("agent-turn-complete").is_some() {
        Phase::AfterTheTurn
    } else if is_after("tool-call", "tool-result") {
        Phase::RunningATool
    } else if is_after("start", "llm-end") {
        Phase::Streaming
    } else if last("llm-end").is_some() {
        Phase::BetweenCalls
    } else if last("llm-start").is_some() {
        Phase::Waiting
    } else {
        Phase::BeforeTheRequest
    }
}

/// Kills the run and holds it to its word.
fn kill_and_judge(place: &Place, running: Running) -> Phase {
    let written = running.kill();
    let events = stream_of(&written);
    let reached = phase(&events);
    let of_type = |kind: &'static str| events.iter().filter(move |event| event["type"] == kind);
    let shown: Vec<&Value> = of_type("message-appended").map(|event| &event["message"]).collect();
    let submitted = of_type("user").count();
    if shown.is_empty() && submitted == 0 {
        return reached;
    }
    let sessions = place.sessions();
    assert_eq!(sessions.len(), 1, "killed {reached:?} after\n{written}");
    let stored = load(&sessions[0]);
    for message in &shown {
        assert!(stored.contains(message), "{message} is lost, killed {reached:?}");
    }
    let prompt = stored.iter().any(|message| message["role"] == "user");
    assert!(submitted == 0 || prompt, "the prompt is lost, killed {reached:?}\n{written}");
    // The conversation goes on, and every call has one result.
    let server = ModelServer::start();
    server.push(chat().text("going on").reply());
    let resumed = place.chatting(&server, ["--continue", "-p", "go on"]).run().expect(0);
    assert_eq!(resumed.stdout, "going on\n");
    let sent = server.last_request().json();
    let messages = sent["messages"].as_array().unwrap();
    let ids = |message: &Value| -> Vec<Value> {
        let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
        calls.iter().map(|call| call["id"].clone()).collect()
    };
    let calls: Vec<Value> = messages.iter().flat_map(ids).collect();
    let results: Vec<Value> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["tool_call_id"].clone())
        .collect();
    assert_eq!(calls, results, "killed {reached:?}: {sent}");
    reached
}

/// A turn with two calls, slow enough to be met at any of its moments.
fn two_calls(server: &ModelServer) {
    let pause = Duration::from_millis(15);
    server.script(vec![
        chat()
            .delay(pause)
            .text("I ")
            .delay(pause)
            .text("look.")
            .delay(pause)
            .tool_call("c1", "bash", json!({"command": "sleep 0.03; echo one; sleep 0.03"}))
            .tool_call("c2", "read", json!({"path": "none"}))
            .reply()
            .head_delay(pause),
        chat().text("That ").delay(pause).text("is all.").reply().head_delay(pause),
    ]);
}

#[test]
fn no_message_is_lost_wherever_a_turn_is_killed() {
    let total = {
        let (place, server) = (Place::new(), ModelServer::start());
        two_calls(&server);
        let outcome = place.chatting(&server, ["--json-stream", "-p", "go"]).run().expect(0);
        outcome.events().len()
    };
    assert!(total > 30);
    // After each event in turn.
    for count in 1..=total {
        let (place, server) = (Place::new(), ModelServer::start());
        two_calls(&server);
        let mut running = place.chatting(&server, ["--json-stream", "-p", "go"]).start();
        running.wait_stdout("the event", |text| {
            text.matches('\n').count() >= count || text.contains("agent-shutdown")
        });
        kill_and_judge(&place, running);
    }
}

#[test]
fn no_message_is_lost_in_any_phase_of_a_turn() {
    let mut reached = BTreeSet::new();

    // Nobody takes the connection, so the request cannot arrive.
    let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", deaf.local_addr().unwrap());
    let place = Place::new();
    let arguments = ["--provider", "vllm", "--base-url", &url, "--model", "m"];
    let mut running = place.fen(arguments).arguments(["--json-stream", "-p", "go"]).start();
    running.wait_event("message-appended", |_| true);
    let judged = kill_and_judge(&place, running);
    assert!(judged <= Phase::Waiting, "{judged:?}");
    reached.insert(Phase::BeforeTheRequest);

    // Each server holds the turn in one phase until the kill.
    let call = || chat().text("I look.").tool_call("c1", "bash", json!({"command": "echo one"}));
    let tool = "echo $$ > shell.pid; exec sleep 1000";
    let held: [(Phase, Vec<Reply>); 4] = [
        (Phase::Waiting, vec![Reply::silence()]),
        (Phase::Streaming, vec![chat().text("par").hang().reply()]),
        (
            Phase::RunningATool,
            vec![
                chat()
                    .tool_call("c0", "read", json!({"path": "none"}))
                    .tool_call("c1", "bash", json!({"command": tool}))
                    .reply(),
            ],
        ),
        (Phase::BetweenCalls, vec![call().reply(), Reply::silence()]),
    ];
    for (phase, replies) in held {
        let (place, server) = (Place::new(), ModelServer::start());
        let requests = replies.len();
        server.script(replies);
        let mut running = place.chatting(&server, ["--json-stream", "-p", "go"]).start();
        server.blocking_wait_for_requests(requests);
        match phase {
            Phase::Streaming => running.wait_event("text-delta", |_| true),
            Phase::BetweenCalls => running.wait_event("tool-result", |_| true),
            Phase::RunningATool => {
                let shell = appears(&place.project("shell.pid"));
                running.wait_event("tool-result", |_| true);
                assert_eq!(kill_and_judge(&place, running), phase);
                let _ = rustix::process::kill_process(shell, rustix::process::Signal::KILL);
                reached.insert(phase);
                continue;
            }
            _ => running.wait_event("llm-start", |_| true),
        }
        assert_eq!(kill_and_judge(&place, running), phase);
        reached.insert(phase);
    }

    let (place, server) = (Place::new(), ModelServer::start());
    server.script(vec![call().reply(), chat().text("That is all.").reply()]);
    let mut running = place.chatting(&server, ["--json-stream", "-p", "go"]).start();
    running.wait_event("agent-turn-complete", |_| true);
    reached.insert(kill_and_judge(&place, running));

    let all = [
        Phase::BeforeTheRequest,
        Phase::Waiting,
        Phase::Streaming,
        Phase::RunningATool,
        Phase::BetweenCalls,
        Phase::AfterTheTurn,
    ];
    assert_eq!(reached, BTreeSet::from(all));
}
