//! A conversation of plain lines in a terminal.

use crate::support::{Input, Place, Terminal, appears, ends, load};
use fen_testing::{ModelServer, Reply, StreamScript as _, chat};
use rustix::process::Signal;
use serde_json::{Value, json};

fn chatting(place: &Place, server: &ModelServer, columns: u16) -> Terminal {
    let terminal = Terminal::open(&place.chatting(server, ["--presenter", "stdio"]), columns);
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    terminal
}

fn leave(mut terminal: Terminal) {
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    terminal.type_keys("/quit\r");
    assert_eq!(terminal.code(), 0, "{}", terminal.screen().text());
}

fn prompts(request: &fen_testing::RecordedRequest) -> Vec<String> {
    let request = request.json();
    let messages = request["messages"].as_array().unwrap().iter();
    let text = |message: &Value| match &message["content"] {
        Value::String(text) => text.clone(),
        other => other[0]["text"].as_str().unwrap().to_owned(),
    };
    messages.filter(|message| message["role"] == "user").map(text).collect()
}

#[test]
fn prompts_are_answered_in_one_conversation() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        chat().text("first ").text("answer").reply(),
        chat().text("second answer").reply(),
    ]);
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("one\r");
    terminal.wait("the answer", |screen| screen.text().ends_with("\n> one\nfirst answer\n> "));
    terminal.type_keys("two\r");
    terminal.wait("the answer", |screen| screen.text().ends_with("\n> two\nsecond answer\n> "));
    assert_eq!(prompts(&server.last_request()), ["one", "two"]);
    assert!(!terminal.written().contains('\u{1b}'), "it never moves the cursor");
    leave(terminal);
    assert_eq!(load(&place.session()).len(), 4);
}

#[test]
fn it_says_how_to_begin_and_needs_no_flag() {
    let place = Place::new();
    let terminal = Terminal::open(&place.fen(["--provider", "mock"]), 80);
    terminal.wait_for("/help");
    terminal.wait_for("/quit");
    leave(terminal);
    // Without a provider it says what to do instead.
    let mut terminal = Terminal::open(&place.fen::<&str>([]), 80);
    terminal.wait_for("fen demo");
    assert_eq!(terminal.code(), 2);
}

#[test]
fn a_line_steers_a_busy_turn_and_one_with_a_mark_follows_it() {
    let place = Place::new();
    let server = ModelServer::start();
    let command = "echo $$ > shell.pid; while [ ! -e go ]; do sleep 0.02; done";
    server.script(vec![
        chat().text("working").tool_call("c1", "bash", json!({"command": command})).reply(),
        chat().text("steered").reply(),
        chat().text("followed").reply(),
    ]);
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("begin\r");
    appears(&place.project("shell.pid"));
    terminal.type_keys("> afterwards\r");
    terminal.wait_for("(queued: follow-up)");
    terminal.type_keys("to the left\r");
    terminal.wait_for("(queued: steering)");
    terminal.type_keys("/queue\r");
    terminal.wait_for("steering   to the left");
    terminal.wait_for("follow-up  afterwards");
    place.write("go", "");
    terminal.wait_for("followed");
    leave(terminal);
    let requests = server.requests();
    assert_eq!(prompts(&requests[0]), ["begin"]);
    assert_eq!(prompts(&requests[1]), ["begin", "to the left"]);
    assert_eq!(prompts(&requests[2]), ["begin", "to the left", "afterwards"]);
}

#[test]
fn ctrl_c_cancels_the_turn_and_the_next_one_leaves() {
    let place = Place::new();
    let server = ModelServer::start();
    let command = "echo $$ > shell.pid; exec sleep 1000";
    server.script(vec![
        chat().text("partial words").hang().reply(),
        chat().tool_call("c1", "bash", json!({"command": command})).reply(),
        chat().text("all well").reply(),
    ]);
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("one\r");
    terminal.wait_for("partial words");
    terminal.type_keys("\x03");
    terminal.wait("an end", |screen| screen.text().ends_with("cancelled\n> "));
    terminal.type_keys("two\r");
    let shell = appears(&place.project("shell.pid"));
    terminal.type_keys("\x03");
    ends(shell);
    terminal.wait("an end", |screen| screen.text().matches("cancelled\n> ").count() == 2);
    terminal.type_keys("three\r");
    terminal.wait("the answer", |screen| screen.text().ends_with("all well\n> "));
    let sent = server.last_request().text();
    assert!(sent.contains("partial words"), "{sent}");
    terminal.type_keys("\x03");
    assert_eq!(terminal.code(), 130);
}

#[test]
fn a_stored_conversation_is_listed_and_goes_on_within_another() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        chat().text("first answer").reply(),
        chat().text("an answer between").reply(),
        chat().text("second answer").reply(),
    ]);
    place.chatting(&server, ["-p", "first prompt"]).run().expect(0);
    let session = place.session();
    let name = session.file_stem().unwrap().to_str().unwrap().to_owned();
    let (_, id) = name.split_once('_').unwrap();
    let mut terminal = chatting(&place, &server, 200);
    terminal.type_keys("between\r");
    // The turn has to be over: the command waits for nothing.
    terminal.wait("its end", |screen| screen.text().ends_with("\nan answer between\n> "));
    terminal.type_keys("/resume\r");
    terminal.wait("the row", |screen| {
        let text = screen.text();
        text.lines().any(|row| row.contains(id) && row.ends_with("first prompt"))
    });
    terminal.type_keys(&format!("/resume {id}\r"));
    terminal.wait_for("going on with “first prompt”, 2 messages");
    terminal.type_keys("/name Taken up\r");
    terminal.wait_for("title Taken up");
    terminal.type_keys("second prompt\r");
    terminal.wait_for("second answer");
    assert_eq!(prompts(&server.last_request()), ["first prompt", "second prompt"]);
    leave(terminal);
    assert_eq!(load(&session).len(), 4);
    let listed = place.fen(["list", "sessions"]).run().expect(0).stdout;
    assert!(listed.contains("Taken up") && listed.contains("between"), "{listed}");
}

#[test]
fn commands_are_helped_with() {
    let place = Place::new();
    let server = ModelServer::start();
    server.push(chat().text("as a prompt").reply());
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("/help\r");
    terminal.wait_for("/model [provider/model]");
    terminal.type_keys("/hlep\r");
    terminal.wait_for("there is no command /hlep; did you mean /help?");
    terminal.type_keys("/model help\r");
    terminal.wait_for("/model [provider/model] — ");
    terminal.type_keys("/status\r");
    terminal.wait_for("m of vllm");
    terminal.type_keys("/thinking high\r");
    terminal.wait_for("thinking high, from the next call on");
    terminal.type_keys("\r");
    assert!(server.requests().is_empty(), "none of these was a prompt");
    terminal.type_keys("/etc/hosts\r");
    terminal.wait_for("as a prompt");
    leave(terminal);
}

#[test]
fn a_new_conversation_begins_a_new_session() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![chat().text("one.").reply(), chat().text("two.").reply()]);
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("first\r");
    terminal.wait_for("one.");
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    terminal.type_keys("/new\r");
    terminal.wait_for("a new conversation");
    terminal.type_keys("second\r");
    terminal.wait_for("two.");
    assert_eq!(prompts(&server.last_request()), ["second"]);
    leave(terminal);
    assert_eq!(place.sessions().len(), 2);
}

#[test]
fn the_model_can_be_changed_between_two_prompts() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![chat().text("one.").reply(), chat().text("two.").reply()]);
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("first\r");
    terminal.wait_for("one.");
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    terminal.type_keys("/model vllm/other\r");
    terminal.wait_for("model other of vllm");
    terminal.type_keys("second\r");
    terminal.wait_for("two.");
    assert_eq!(server.last_request().json()["model"], "other");
    leave(terminal);
}

#[test]
fn forty_columns_are_enough() {
    let place = Place::new();
    let server = ModelServer::start();
    let long = "words and words and words and words and words and words";
    server.script(vec![
        chat().text(long).tool_call("c1", "bash", json!({"command": "seq 1 100"})).reply(),
        chat().text("ぜんぶ").reply(),
    ]);
    let mut terminal = chatting(&place, &server, 40);
    terminal.type_keys("go\r");
    terminal.wait_for("ぜんぶ");
    let screen = terminal.screen();
    assert!(screen.unbroken().contains(long), "{}", screen.text());
    assert!(screen.text().contains("[bash: 100 lines"), "{}", screen.text());
    assert!(!terminal.written().contains('\u{1b}'));
    leave(terminal);
}

#[test]
fn a_failed_turn_is_told_and_the_conversation_goes_on() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        Reply::status(503).header("retry-after", "0").body("later"),
        Reply::status(401).json_body(&json!({"error": {"message": "bad key"}})),
        chat().text("well again").reply(),
    ]);
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("one\r");
    terminal.wait_for("trying again in");
    terminal.wait_for("bad key");
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    terminal.type_keys("two\r");
    terminal.wait_for("well again");
    leave(terminal);
}

#[test]
fn ctrl_d_leaves_after_the_turn_under_way() {
    let place = Place::new();
    let server = ModelServer::start();
    server
        .push(chat().text("the answer").reply().head_delay(std::time::Duration::from_millis(200)));
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("one\r\x04");
    assert_eq!(terminal.code(), 0);
    terminal.wait_for("the answer");
}

#[test]
fn a_terminal_that_hangs_up_ends_it_with_its_commands() {
    let place = Place::new();
    let server = ModelServer::start();
    let command = "echo $$ > shell.pid; exec sleep 1000";
    server.push(chat().tool_call("c1", "bash", json!({"command": command})).reply());
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("one\r");
    let shell = appears(&place.project("shell.pid"));
    terminal.hang_up();
    ends(shell);
    assert_eq!(terminal.code(), 129);
    let roles: Vec<Value> =
        load(&place.session()).iter().map(|message| message["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool-result", "assistant"]);
}

#[test]
fn lines_can_come_from_a_pipe() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![chat().text("one.").reply(), chat().text("two.").reply()]);
    let fen = place.chatting(&server, ["--presenter", "stdio"]);
    let mut running = fen.input(Input::Held).start();
    running.write("first\n");
    running.wait_stdout("the answer", |text| text.contains("one."));
    running.wait_idle();
    running.write("second\n");
    running.end_input();
    let outcome = running.finish().expect(0);
    assert!(outcome.stdout.contains("two."), "{}", outcome.report());
    assert_eq!(prompts(&server.last_request()), ["first", "second"]);
}

#[test]
fn a_signal_ends_a_conversation_that_waits() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let place = Place::new();
        let mut fen = place.fen(["--provider", "mock", "--presenter", "stdio"]);
        fen = fen.input(Input::Held);
        let mut running = fen.start();
        running.write("hello\n");
        running.wait_idle();
        running.signal(signal);
        running.finish().expect(code);
        assert_eq!(load(&place.session())[0]["content"], "hello");
    }
}

#[test]
fn a_line_that_waits_survives_the_death_of_the_program() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        chat().text("working").hang().reply(),
        chat().text("on it").reply(),
        chat().text("that too").reply(),
    ]);
    let mut terminal = chatting(&place, &server, 80);
    terminal.type_keys("begin\r");
    terminal.wait_for("working");
    terminal.type_keys("> and then this\r");
    terminal.wait_for("(queued: follow-up)");
    terminal.kill();
    let fen = place.chatting(&server, ["--presenter", "stdio", "--continue"]);
    let mut terminal = Terminal::open(&fen, 80);
    terminal.wait_for("1 line still waited");
    terminal.type_keys("go on\r");
    terminal.wait_for("that too");
    leave(terminal);
    let requests = server.requests();
    assert_eq!(prompts(&requests[1]), ["begin", "go on"]);
    assert_eq!(prompts(&requests[2]), ["begin", "go on", "and then this"]);
}
