//! Which service is asked, with which key.

use crate::support::Place;
use fen_testing::{ModelServer, Reply, chat, messages};
use serde_json::json;

#[test]
fn a_provider_without_its_key_is_refused_and_the_variable_named() {
    let place = Place::new();
    for (provider, variable) in
        [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("groq", "GROQ_API_KEY")]
    {
        for value in ["", " \n"] {
            let fen = place.fen(["--provider", provider, "-p", "x"]).env(variable, value);
            fen.run().refused(&[provider, variable]);
        }
    }
}

#[test]
fn another_address_needs_no_key_and_gets_none_that_is_not_there() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![
        chat().text("one").reply(),
        messages().text("two").reply(),
        chat().text("three").reply(),
        chat().text("four").reply(),
    ]);
    let url = server.base_url();
    let run = |provider: &str| {
        place.fen(["--provider", provider, "--base-url", &url, "--model", "m", "-p", "x"])
    };
    assert_eq!(run("openai").run().expect(0).stdout, "one\n");
    assert_eq!(run("anthropic").run().expect(0).stdout, "two\n");
    // A name that is not known is a server that speaks Chat Completions.
    assert_eq!(run("mine").run().expect(0).stdout, "three\n");
    let without_name = place.fen(["--base-url", &url, "--model", "m", "-p", "x"]);
    assert_eq!(without_name.run().expect(0).stdout, "four\n");
    for request in server.requests() {
        assert_eq!(request.header("authorization"), None);
        assert_eq!(request.header("x-api-key"), None);
    }
}

#[test]
fn keys_come_from_the_flag_or_the_environment_without_white_space() {
    let place = Place::new();
    let server = ModelServer::start();
    server.fallback(chat().text("ok").reply());
    let url = server.base_url();
    let fen = || place.fen(["--provider", "openai", "--base-url", &url, "--model", "m", "-p", "x"]);
    fen().env("OPENAI_API_KEY", " sk-env\n").run().expect(0);
    fen().env("OPENAI_API_KEY", "sk-env").arguments(["--api-key", "sk-flag"]).run().expect(0);
    let sent: Vec<Option<String>> = server
        .requests()
        .iter()
        .map(|request| request.header("authorization").map(str::to_owned))
        .collect();
    assert_eq!(sent, [Some("Bearer sk-env".to_owned()), Some("Bearer sk-flag".to_owned())]);
    server.respond_with(|_| messages().text("ok").reply());
    let fen = place.messaging(&server, ["-p", "x"]).env("ANTHROPIC_API_KEY", "sk-ant\n");
    fen.run().expect(0);
    assert_eq!(server.last_request().header("x-api-key"), Some("sk-ant"));
}

#[test]
fn a_key_is_never_repeated() {
    let place = Place::new();
    let server = ModelServer::start();
    let echo = json!({"error": {"message": "Incorrect API key provided: sk-canary-1234567890"}});
    server.fallback(Reply::status(401).json_body(&echo));
    let url = server.base_url();
    for presenter in ["print", "json-stream"] {
        let arguments = ["--provider", "openai", "--base-url", &url, "--model", "m"];
        let outcome = place
            .fen(arguments)
            .arguments(["--presenter", presenter, "-p", "x"])
            .env("OPENAI_API_KEY", "sk-canary-1234567890")
            .run()
            .expect(1);
        let all = outcome.stdout.clone() + &outcome.stderr;
        assert!(!all.contains("sk-canary-1234567890"), "{}", outcome.report());
    }
    for session in place.sessions() {
        assert!(!std::fs::read_to_string(session).unwrap().contains("sk-canary-1234567890"));
    }
}

#[test]
fn without_a_word_the_first_provider_with_a_key_is_taken() {
    let place = Place::new();
    for (keys, host) in [
        (&["OPENAI_API_KEY", "ANTHROPIC_API_KEY"][..], "api.anthropic.com:443"),
        (&["GROQ_API_KEY", "OPENAI_API_KEY"], "api.openai.com:443"),
        (&["GROQ_API_KEY"], "api.groq.com:443"),
    ] {
        // A proxy sees where the way would lead.
        let proxy = ModelServer::start();
        proxy.fallback(Reply::status(502));
        let fen = place.fen(["--no-session", "-p", "x"]).env("HTTPS_PROXY", &proxy.base_url());
        let _running = keys.iter().fold(fen, |fen, key| fen.env(key, "sk-1")).start();
        let request = proxy.blocking_wait_for_requests(1).remove(0);
        assert_eq!((request.method.as_str(), request.path.as_str()), ("CONNECT", host));
    }
}

#[test]
fn a_server_without_a_default_model_is_asked_for_its_list() {
    let place = Place::new();
    let server = ModelServer::start();
    server.on_path("/v1/models", Reply::json(&json!({"data": [{"id": "first"}, {"id": "other"}]})));
    server.push(chat().text("ok").reply());
    let url = format!("{}/v1", server.base_url());
    let outcome = place.fen(["--provider", "ollama", "--base-url", &url, "-p", "x"]).run();
    outcome.expect(0).complains(&["using first, the first of 2 models"]);
    assert_eq!(server.last_request().json()["model"], "first");
}

#[test]
fn a_model_with_a_slash_stays_with_the_provider_that_the_person_settled_on() {
    let place = Place::new();
    let (chosen, other) = (ModelServer::start(), ModelServer::start());
    chosen.fallback(chat().text("ok").reply());
    other.fallback(messages().text("no").reply());
    place.configure(
        "models.json",
        &json!({"providers": {
            "mine": {"baseUrl": chosen.base_url(), "models": ["m1"]},
            "anthropic": {"baseUrl": other.base_url(), "apiKey": "sk-literal"},
        }})
        .to_string(),
    );
    // Anthropic would be taken by its key, were nothing said.
    place.configure("settings.json", r#"{"provider": "mine"}"#);
    let fen = |arguments: &[&str]| {
        place.fen(arguments).env("ANTHROPIC_API_KEY", "sk-a").arguments(["-p", "x"])
    };
    fen(&["--model", "vendor/large"]).run().expect(0);
    assert_eq!(chosen.last_request().json()["model"], "vendor/large");
    std::fs::remove_file(place.home(".config/fen/settings.json")).unwrap();
    fen(&["--continue", "--model", "vendor/small"]).run().expect(0);
    assert_eq!(chosen.last_request().json()["model"], "vendor/small");
    assert!(other.requests().is_empty());
    // With a known provider before the slash it is that one.
    fen(&["--model", "anthropic/claude-x"]).run().expect(0);
    assert_eq!(other.last_request().json()["model"], "claude-x");
}
