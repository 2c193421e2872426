//! What a turn costs on the wire.

use crate::support::Place;
use fen_testing::{ModelServer, chat, messages};
use serde_json::json;

/// A short prompt with all tools.
const FIRST_REQUEST_BYTES: usize = 6_144;

/// Runs a turn of three requests and gives their bodies, in either protocol.
fn bodies() -> [Vec<String>; 2] {
    let place = Place::new();
    let (chat_server, messages_server) = (ModelServer::start(), ModelServer::start());
    let calls = [("c1", "ls", json!({})), ("c2", "read", json!({"path": "a.txt"}))];
    place.write("a.txt", "one \u{1f980}\n");
    for (id, name, arguments) in calls {
        chat_server.push(chat().text("Look.").tool_call(id, name, arguments.clone()).reply());
        messages_server.push(messages().text("Look.").tool_use(id, name, arguments).reply());
    }
    chat_server.push(chat().text("Done.").reply());
    messages_server.push(messages().text("Done.").reply());
    place.chatting(&chat_server, ["-p", "What is here?"]).run().expect(0);
    place.messaging(&messages_server, ["-p", "What is here?"]).run().expect(0);
    [chat_server, messages_server]
        .map(|server| server.requests().iter().map(|request| request.text()).collect())
}

#[test]
fn the_first_request_is_small() {
    for bodies in bodies() {
        let size = bodies[0].len();
        assert!(size <= FIRST_REQUEST_BYTES, "{size} bytes: {}", bodies[0]);
    }
}

#[test]
fn every_request_begins_with_the_bytes_of_the_one_before() {
    for bodies in bodies() {
        assert_eq!(bodies.len(), 3);
        for pair in bodies.windows(2) {
            let [before, after] = pair else { unreachable!() };
            // Up to the end of its last message, wherever the fields stand behind that.
            let prompt = before.rfind("What is here?").unwrap();
            let results = before.rfind("one ").or(before.rfind("a.txt")).unwrap_or(prompt);
            let last = prompt.max(results);
            let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
            assert!(same > last, "{same} bytes are the same:\n{before}\n{after}");
        }
    }
}
