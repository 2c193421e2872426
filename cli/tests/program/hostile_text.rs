//! Text of models, tools and servers never reaches the terminal as a command.

use crate::support::{Input, Place, Screen, Terminal};
use fen_testing::{ModelServer, Reply, StreamScript as _, chat};
use serde_json::json;

/// Sequences that terminals obey, without an end where that is the trick.
const HOSTILE: [&str; 10] = [
    "\u{1b}]52;c;cm0gLXJm\u{7}",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]8;;http://e\u{1b}\\",
    "\u{1b}Pq\u{1b}\\",
    "\u{1b}_G\u{1b}\\",
    "\u{1b}[2J\u{1b}[6n",
    "\u{1b}c",
    "\u{9b}2J",
    "a\rb\u{8}\u{7f}",
    "\u{1b}]unterminated",
];

fn is_clean(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
}

/// Says it all in the answer, in the call, in the tool's output and in the tool's name.
fn hostile_turn(server: &ModelServer) {
    let all = HOSTILE.concat();
    let escaped: String = all
        .chars()
        .map(|c| c.to_string())
        .map(|c| c.bytes().map(|byte| format!("\\{byte:03o}")).collect::<String>())
        .collect();
    let command = format!("printf '{escaped}'; exit 3 # {all}");
    let call = chat()
        .text(&all)
        .reasoning(&all)
        .tool_call("c1", "bash", json!({ "command": command }))
        .tool_call("c2", &format!("no{all}"), json!({ &all: &all }));
    // Byte by byte, so that every sequence is split.
    server.script(vec![
        call.reply(),
        chat()
            .text("x\u{1b}")
            .border()
            .text("]52;c;")
            .border()
            .text("cm0\u{7}y")
            .border()
            .text("\u{1b}")
            .border()
            .text("[2Jthe end")
            .reply(),
    ]);
}

#[test]
fn nothing_gets_out_of_a_run_for_one_prompt() {
    let place = Place::new();
    for presenter in ["print", "json", "json-stream", "stdio"] {
        let server = ModelServer::start();
        hostile_turn(&server);
        let fen = place.chatting(&server, ["--presenter", presenter]);
        // The harness refuses control characters in both streams.
        let outcome = match presenter {
            "stdio" => fen.input(Input::Text("go\n".to_owned())).run().expect(0),
            _ => fen.arguments(["-p", "go"]).run().expect(0),
        };
        assert!(outcome.stdout.contains("the end"), "{}", outcome.report());
    }
}

#[test]
fn nothing_gets_to_a_terminal() {
    let place = Place::new();
    for presenter in ["print", "stdio"] {
        let server = ModelServer::start();
        hostile_turn(&server);
        let fen = place.chatting(&server, ["--presenter", presenter]).arguments(["--", "go"]);
        let mut terminal = Terminal::open(&fen, 80);
        terminal.wait_for("the end");
        if presenter == "stdio" {
            terminal.wait("an invitation", |screen| screen.last_row() == "> ");
            terminal.type_keys("/quit\r");
        }
        assert_eq!(terminal.code(), 0);
        let written = terminal.written();
        assert!(is_clean(&written), "{written:?}");
        // Nor does a carriage return of theirs hide what came before it.
        assert!(!written.replace("\r\n", "\n").contains('\r'), "{written:?}");
        assert!(written.contains("␛]52;c;cm0␇y␛[2Jthe end"), "{written:?}");
    }
}

#[test]
fn nothing_gets_to_a_full_screen() {
    let place = Place::new();
    let server = ModelServer::start();
    hostile_turn(&server);
    let fen = place.chatting(&server, ["--", "go"]);
    let mut screen = Screen::open(&fen, (120, 60));
    screen.wait_for("the end");
    screen.wait_idle();
    // All that was put out is unfolded, and looked at again from the start.
    screen.type_keys("\x0f");
    screen.type_keys("\x0c");
    screen.enter("/expand");
    screen.enter("/quit");
    screen.ends_with(0);
    let written = screen.written();
    // The screen's own sequences are modes, places, colours and erasing, and no more.
    for sequence in written.split('\u{1b}').skip(1) {
        let own = match sequence.strip_prefix('[') {
            Some(rest) => {
                let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                let (parameters, kind) = (&rest[..end], &rest[end..=end]);
                "hlumHJKABCD".contains(kind)
                    && parameters.chars().all(|c| c.is_ascii_digit() || "?;:<>".contains(c))
            }
            None => sequence.starts_with('\\'),
        };
        assert!(own, "{sequence:?}");
    }
    let text: String = written.chars().filter(|c| !matches!(c, '\u{1b}' | '\r' | '\n')).collect();
    assert!(is_clean(&text), "{written:?}");
}

#[test]
fn nothing_gets_out_of_errors_names_and_titles() {
    let place = Place::new();
    let all = HOSTILE.concat();
    let server = ModelServer::start();
    server.push(Reply::status(400).json_body(&json!({"error": {"message": all}})));
    place.chatting(&server, ["-p", "x"]).run().expect(1);
    server.push(Reply::status(400).body(all.clone()));
    place.chatting(&server, ["-p", "x"]).run().expect(1);
    server.on_path("/v1/models", Reply::json(&json!({"data": [{"id": all}, {"id": "b"}]})));
    server.push(chat().text("ok").reply());
    let url = format!("{}/v1", server.base_url());
    place.fen(["--provider", "ollama", "--base-url", &url, "-p", "x"]).run().expect(0);

    let title = json!({"role": "user", "content": all, "timestamp": 1});
    place.store_session("aaaa-1", "mock", std::slice::from_ref(&title));
    place.store_session("aaaa-2", &format!("gone{all}"), &[title]);
    place.fen(["--resume", "aaaa", "-p", "x"]).run().refused(&["fits 2 sessions"]);
    place.fen(["--resume", "aaaa-2", "-p", "x"]).run().refused(&["there is no provider"]);

    for arguments in [["--provider", &all], ["--presenter", &all], ["--resume", &all]] {
        place.fen(arguments).arguments(["-p", "x"]).run().expect(2);
    }
    place.fen([format!("--{all}")]).run().expect(2);
    place.fen([&all]).run().expect(2);
    place.configure("models.json", &json!({"providers": {&all: {"baseUrl": &all}}}).to_string());
    place.fen(["list", "providers"]).run().refused(&["name"]);
    let models = json!([{"id": all, "name": all}]);
    let provider = json!({"baseUrl": all, "models": models, "headers": {"x": all}});
    place.configure("models.json", &json!({"providers": {"mine": provider}}).to_string());
    for arguments in [
        &["list", "providers"][..],
        &["list", "models"],
        &["list", "models", "--json"],
        &["show", "providers", "mine"],
        &["show", "models", "mine"],
        &["providers"],
        &["providers", "mine"],
        &["--provider", "mine", "-p", "x"],
    ] {
        place.fen(arguments).run();
    }
}
