//! Going on with a stored conversation.

use crate::support::{Input, Place, load};
use fen_testing::{ModelServer, chat};
use serde_json::{Value, json};
use std::path::Path;

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text, "timestamp": 1})
}

fn answer(text: &str) -> Value {
    json!({
        "role": "assistant", "content": [{"type": "text", "text": text}], "timestamp": 1,
        "stop-reason": "stop",
    })
}

/// The id in a session's file name.
fn id(session: &Path) -> String {
    session.file_stem().unwrap().to_str().unwrap().split_once('_').unwrap().1.to_owned()
}

#[test]
fn a_conversation_goes_on_with_its_history() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        chat().text("first answer").reply(),
        chat().text("second answer").reply(),
        chat().text("third answer").reply(),
    ]);
    place.chatting(&server, ["-p", "first prompt"]).run().expect(0);
    let session = place.session();
    place.chatting(&server, ["--continue", "-p", "second prompt"]).run().expect(0);
    let prefix = &id(&session)[..13];
    place.chatting(&server, ["--resume", prefix, "-p", "third prompt"]).run().expect(0);
    assert_eq!(place.session(), session, "no other session was begun");
    let sent = server.last_request().text();
    let mut rest = sent.as_str();
    for text in ["first prompt", "first answer", "second prompt", "second answer", "third prompt"] {
        rest = rest.split_once(text).unwrap_or_else(|| panic!("{text:?} in {sent}")).1;
    }
    assert_eq!(load(&session).len(), 6);
}

#[test]
fn the_newest_session_of_this_directory_is_continued() {
    let place = Place::new();
    place.fen(["--provider", "mock", "-p", "x", "--continue"]).run().refused(&["no session of"]);
    std::fs::create_dir(place.home("foo-bar")).unwrap();
    std::fs::create_dir_all(place.home("foo/bar")).unwrap();
    for folder in ["foo-bar", "foo/bar"] {
        let fen = place.fen(["--provider", "mock", "-p", folder]).within(&place.home(folder));
        fen.run().expect(0);
    }
    let fen = place.fen(["--provider", "mock", "-p", "more", "--continue", "--presenter", "json"]);
    let outcome = fen.within(&place.home("foo-bar")).run().expect(0);
    let session = outcome.json()["session"].clone();
    assert_eq!(session["cwd"], place.home("foo-bar").to_str().unwrap());
    let messages = load(Path::new(session["path"].as_str().unwrap()));
    assert_eq!(messages[0]["content"], "foo-bar");
    assert_eq!(messages.len(), 4);
    assert_eq!(place.sessions().len(), 2);
}

#[test]
fn a_session_is_found_by_its_id_from_anywhere_and_a_moved_folder_is_told() {
    let place = Place::new();
    let begun = place.home("begun");
    std::fs::create_dir(&begun).unwrap();
    place.fen(["--provider", "mock", "-p", "one"]).within(&begun).run().expect(0);
    let id = id(&place.session());
    let resume = || place.fen(["-p", "two", "--resume", &id]).run().expect(0);
    resume().complains(&["this session was begun in", begun.to_str().unwrap()]);
    std::fs::rename(&begun, place.home("moved")).unwrap();
    resume().complains(&[begun.to_str().unwrap(), "is gone or has moved"]);
    assert_eq!(load(&place.session()).len(), 6);
}

#[test]
fn an_id_that_fits_none_or_several_is_refused() {
    let place = Place::new();
    place.store_session("aaaa-1", "mock", &[user("the first title")]);
    place.store_session("aaaa-2", "mock", &[user("the second title")]);
    let resume = |id: &str| place.fen(["--provider", "mock", "-p", "x", "--resume", id]);
    resume("zz").run().refused(&["no session whose id begins with `zz`"]);
    resume("aaaa").run().refused(&["fits 2 sessions", "aaaa-1", "aaaa-2", "title"]);
    resume("aaaa-2").run().expect(0);
}

#[test]
fn without_a_session_nothing_is_written() {
    let place = Place::new();
    let outcome = place.fen(["--provider", "mock", "--no-session", "-p", "x"]).run().expect(0);
    assert_eq!(outcome.stdout, "x\n");
    assert!(!place.home(".local").exists() && !place.home(".config").exists());
}

#[test]
fn looking_at_fen_writes_nothing() {
    let place = Place::new();
    for arguments in [&["list"][..], &["providers"], &["docs"], &["-p", "x"]] {
        place.fen(arguments).run();
    }
    assert_eq!(std::fs::read_dir(place.home("")).unwrap().count(), 0);
}

#[test]
fn a_provider_that_is_gone_stops_the_run_before_anything_is_sent() {
    let place = Place::new();
    let server = ModelServer::start();
    server.fallback(chat().text("ok").reply());
    // Another provider has a key and a model of the same name.
    place.configure(
        "models.json",
        &json!({"providers": {"mine": {"baseUrl": server.base_url(), "models": ["m1"]}}})
            .to_string(),
    );
    let session = place.store_session("dead-1", "gone", &[user("secret"), answer("yes")]);
    let before = std::fs::read(&session).unwrap();
    for model in [&[][..], &["--model", "m1"], &["--model", "other/m1"]] {
        let fen = place.fen(["--resume", "dead-1", "-p", "x"]).arguments(model);
        let outcome = fen.env("OPENAI_API_KEY", "sk-1").env("ANTHROPIC_API_KEY", "sk-2").run();
        outcome.refused(&["`gone`", "the session was last used with it", "--provider"]);
    }
    assert!(server.requests().is_empty());
    assert_eq!(std::fs::read(&session).unwrap(), before);
    // A person's word is enough.
    let arguments = ["--resume", "dead-1", "--provider", "mine", "--model", "m1", "-p", "go on"];
    place.fen(arguments).run().expect(0);
    assert!(server.last_request().text().contains("secret"));
    assert_eq!(load(&session).len(), 4);
    // From then on the session belongs to the other one.
    place.fen(["--resume", "dead-1", "-p", "and on"]).run().expect(0);
}

#[test]
fn the_model_of_a_session_is_kept_unless_another_is_named() {
    let place = Place::new();
    let server = ModelServer::start();
    server.fallback(chat().text("ok").reply());
    place.configure(
        "models.json",
        &json!({"providers": {"mine": {"baseUrl": server.base_url()}}}).to_string(),
    );
    let run = |arguments: &[&str]| {
        place.fen(arguments).arguments(["-p", "x"]).run().expect(0);
        server.last_request().json()["model"].as_str().unwrap().to_owned()
    };
    assert_eq!(run(&["--provider", "mine", "--model", "m1"]), "m1");
    assert_eq!(run(&["--continue"]), "m1");
    assert_eq!(run(&["--continue", "--model", "m2"]), "m2");
    assert_eq!(run(&["--continue"]), "m2");
}

#[test]
fn a_call_that_was_broken_off_is_answered_once_and_not_run_again() {
    let place = Place::new();
    let server = ModelServer::start();
    server.fallback(chat().text("ok").reply());
    place.configure(
        "models.json",
        &json!({"providers": {"mine": {"baseUrl": server.base_url()}}}).to_string(),
    );
    let call = json!({
        "role": "assistant", "timestamp": 1, "stop-reason": "tool-use",
        "content": [{"type": "tool-call", "id": "c1", "name": "bash",
            "arguments": {"command": "touch MARK"}}],
    });
    let session = place.store_session("torn-1", "mine", &[user("go"), call]);
    for prompt in ["what happened?", "continue"] {
        place.fen(["--resume", "torn-1", "-p", prompt]).run().expect(0);
        let sent = server.last_request().json();
        let results: Vec<&Value> = sent["messages"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|message| message["role"] == "tool")
            .collect();
        assert_eq!(results.len(), 1, "{sent}");
        assert!(results[0]["content"].to_string().contains("Interrupted"), "{sent}");
    }
    assert!(!place.project("MARK").exists());
    let roles: Vec<Value> = load(&session).iter().map(|message| message["role"].clone()).collect();
    assert_eq!(
        roles,
        ["user", "assistant", "tool-result", "user", "assistant", "user", "assistant"]
    );
}

#[test]
fn a_second_process_is_kept_out_of_a_session_in_use() {
    let place = Place::new();
    let mut first = place.fen(["--provider", "mock", "--presenter", "stdio"]);
    first = first.input(Input::Held);
    let mut first = first.start();
    first.write("hello there\n");
    first.wait_stdout("the answer", |text| text.contains("hello there"));
    first.wait_idle();
    let id = id(&place.session());
    for choice in [&["--continue"][..], &["--resume", &id]] {
        let outcome = place.fen(choice).arguments(["-p", "me too"]).run();
        // What is in the way, and two ways on.
        outcome.refused(&[&id, "open in another fen", "resume it again", "new session"]);
    }
    // Apart from that session everything goes on.
    place.fen(["--provider", "mock", "-p", "other"]).run().expect(0);
    first.end_input();
    first.finish().expect(0);
    place.fen(["--resume", &id, "-p", "now"]).run().expect(0);
    // A process that died holds nothing.
    let mut second =
        place.fen(["--resume", &id, "--presenter", "stdio"]).input(Input::Held).start();
    second.write("hello again\n");
    second.wait_stdout("the answer", |text| text.contains("hello again"));
    second.kill();
    place.fen(["--resume", &id, "-p", "still"]).run().expect(0);
}

#[test]
fn sessions_can_be_listed_by_id_and_first_words() {
    let place = Place::new();
    place.fen(["--provider", "mock", "-p", "count the words"]).run().expect(0);
    let listed = place.fen(["list", "sessions"]).run().expect(0).stdout;
    assert!(listed.contains("count the words") && listed.contains("jsonl"), "{listed}");
    let id = listed.split_whitespace().next().unwrap();
    let shown = place.fen(["show", "sessions", id]).run().expect(0).stdout;
    assert!(shown.contains(place.session().to_str().unwrap()), "{shown}");
    place.fen(["--resume", id, "--provider", "mock", "-p", "again"]).run().expect(0);
}
