//! A model that fails: the same exit code everywhere, and retries that are told.

use crate::support::Place;
use fen_testing::{ModelServer, Reply, StreamScript as _, chat, messages};
use serde_json::json;

/// A way to fail, as replies of either protocol, with words of the report.
fn failures() -> Vec<(Reply, Reply, &'static str)> {
    let refused =
        |kind: &str, text: &str| json!({"type": "error", "error": {"type": kind, "message": text}});
    let unauthorised = Reply::status(401).json_body(&refused("authentication_error", "bad key"));
    let too_long = Reply::status(429)
        .header("retry-after", "86400")
        .json_body(&refused("rate_limit_error", "slow down"));
    let invalid = Reply::status(400).json_body(&refused("invalid_request_error", "no such model"));
    vec![
        (unauthorised.clone(), unauthorised, "bad key"),
        (too_long.clone(), too_long, "86400"),
        (invalid.clone(), invalid, "no such model"),
        (
            chat().text("par").error(json!({"message": "it broke", "code": 400})).reply(),
            messages().text("par").error("invalid_request_error", "it broke").reply(),
            "it broke",
        ),
    ]
}

#[test]
fn every_presenter_fails_with_the_same_code_and_says_why() {
    for (chat_reply, messages_reply, words) in failures() {
        for presenter in ["print", "json", "json-stream"] {
            let place = Place::new();
            let server = ModelServer::start();
            let arguments = ["--presenter", presenter, "-p", "x"];
            for (fen, reply) in [
                (place.chatting(&server, arguments), &chat_reply),
                (place.messaging(&server, arguments), &messages_reply),
            ] {
                server.push(reply.clone());
                let outcome = fen.run().expect(1);
                server.assert_script_played();
                match presenter {
                    "print" => {
                        assert_eq!(outcome.stdout, "", "{}", outcome.report());
                        let told = outcome.stderr.matches(words).count();
                        assert_eq!(told, 1, "{}", outcome.report());
                    }
                    "json" => {
                        let document = outcome.json();
                        assert!(document["error"].to_string().contains(words), "{document}");
                        assert_eq!(document["stop-reason"], "error");
                        assert_eq!(document.get("final-text"), None);
                    }
                    _ => {
                        let events = outcome.events();
                        let turn = &events[events.len() - 2];
                        assert_eq!(turn["status"], "error");
                        assert!(turn["error"].to_string().contains(words), "{turn}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_passing_failure_is_told_and_tried_again() {
    let place = Place::new();
    let server = ModelServer::start();
    for reply in [chat().text("ok").reply(), messages().text("ok").reply()] {
        server.script(vec![
            Reply::status(503).header("retry-after", "0").body("try later"),
            Reply::status(429).header("retry-after", "0").body("slow down"),
            reply,
        ]);
    }
    for fen in [place.chatting(&server, ["-p", "x"]), place.messaging(&server, ["-p", "x"])] {
        let outcome = fen.run().expect(0);
        assert_eq!(outcome.stdout, "ok\n");
        assert_eq!(outcome.stderr.matches("trying again in").count(), 2, "{}", outcome.report());
        outcome.complains(&["overloaded: ", "rate-limit: "]);
    }
    server.assert_script_played();
}

#[test]
fn text_of_an_attempt_that_broke_off_is_not_part_of_the_answer() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        chat().text("half an ans").reset().reply(),
        chat().text("the whole answer").reply(),
    ]);
    let outcome = place.chatting(&server, ["-p", "x"]).run().expect(0);
    assert_eq!(outcome.stdout, "the whole answer\n");
    let sent = server.last_request().text();
    assert!(!sent.contains("half an ans"), "{sent}");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let place = Place::new();
    // Nothing listens on the first port.
    let url = "http://127.0.0.1:1";
    // A local server that was not started is told at once when its models are asked for.
    let outcome = place.fen(["--provider", "ollama", "--base-url", url, "-p", "x"]).run();
    let outcome = outcome.expect(1);
    assert_eq!(outcome.stdout, "");
    outcome.complains(&["127.0.0.1:1", "ollama"]);
}
