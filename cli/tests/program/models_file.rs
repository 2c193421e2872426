//! `models.json`: the person's own providers.

use crate::support::Place;
use fen_testing::{ModelServer, Reply, chat, messages};
use serde_json::{Value, json};

fn with_provider(fields: Value) -> (Place, ModelServer) {
    let place = Place::new();
    let server = ModelServer::start();
    let mut entry = json!({"baseUrl": format!("{}/v1", server.base_url()), "models": ["small"]});
    entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    place.configure("models.json", &json!({"providers": {"work": entry}}).to_string());
    (place, server)
}

#[test]
fn a_provider_of_ones_own_is_asked_with_its_key_model_and_headers() {
    let (place, server) = with_provider(json!({
        "apiKey": "a$b-${HOME}", "headers": {"x-team": "tools"},
        "models": [{"id": "large", "maxTokens": 1234}],
    }));
    server.push(chat().text("ok").reply());
    place.fen(["--provider", "work", "-p", "x"]).run().expect(0);
    let request = server.last_request();
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), Some("Bearer a$b-${HOME}"));
    assert_eq!(request.header("x-team"), Some("tools"));
    assert_eq!(request.json()["model"], "large");
    assert!(request.text().contains("1234"), "{}", request.text());
}

#[test]
fn a_key_in_capitals_is_read_from_the_environment() {
    let (place, server) = with_provider(json!({"apiKey": "WORK_API_KEY"}));
    server.push(chat().text("ok").reply());
    place.fen(["--provider", "work", "-p", "x"]).env("WORK_API_KEY", "sk-w\n").run().expect(0);
    assert_eq!(server.last_request().header("authorization"), Some("Bearer sk-w"));
}

#[test]
fn a_variable_that_is_not_set_sends_nothing_and_only_stops_that_provider() {
    let (place, server) = with_provider(json!({"apiKey": "WORK_API_KEY"}));
    let outcome = place.fen(["--provider", "work", "-p", "x"]).run();
    let outcome = outcome.expect(2).complains(&["apiKey", "work", "WORK_API_KEY"]);
    assert_eq!(outcome.stdout, "");
    assert!(server.requests().is_empty());
    place.fen(["--provider", "mock", "-p", "x"]).run().expect(0);
}

#[test]
fn the_other_protocol_can_be_named() {
    let (place, server) = with_provider(json!({"api": "anthropic-messages", "apiKey": "sk-1"}));
    server.push(messages().text("ok").reply());
    let outcome = place.fen(["--provider", "work", "-p", "x"]).run().expect(0);
    assert_eq!(outcome.stdout, "ok\n");
    assert_eq!(server.last_request().path, "/v1/messages");
    assert_eq!(server.last_request().header("x-api-key"), Some("sk-1"));
}

#[test]
fn a_file_with_a_mistake_is_refused_with_the_place_and_stays_as_it_is() {
    let place = Place::new();
    let cases: [(&str, &[&str]); 6] = [
        ("{\n  \"providers\": {\n}", &["line 3"]),
        ("{\n  // mine\n  \"providers\": {}\n}", &["line 2"]),
        ("{\"providers\": {\"w\": {\"baseUrl\": 5}}}", &["`w`"]),
        ("{\"providers\": {\"w\": {\"models\": [\"m\"]}}}", &["`w`", "baseUrl"]),
        ("{\"providers\": {\"w\": {\"baseUrl\": \"http://h\", \"api\": \"soap\"}}}", &["`soap`"]),
        (
            "{\"providers\": {\"w\": {\"baseUrl\": \"http://h\", \"compat\": {\"x-y\": 1}}}}",
            &["`w`", "compat", "x-y"],
        ),
    ];
    for (text, words) in cases {
        place.configure("models.json", text);
        for arguments in [&["--provider", "mock", "-p", "x"][..], &["list"], &["providers"]] {
            place.fen(arguments).run().refused(words).complains(&["models.json"]);
        }
        assert_eq!(place.configuration("models.json"), text);
    }
}

#[test]
fn a_known_service_that_moved_does_not_get_the_key_of_the_known_one() {
    let place = Place::new();
    let server = ModelServer::start();
    server.push(chat().text("ok").reply());
    let url = server.base_url();
    place.configure("models.json", &json!({"providers": {"openai": {"baseUrl": url}}}).to_string());
    let fen = place.fen(["--provider", "openai", "-p", "x"]).env("OPENAI_API_KEY", "sk-canary");
    fen.run().expect(0);
    assert_eq!(server.last_request().header("authorization"), None);
}

#[test]
fn a_provider_of_ones_own_with_a_key_is_chosen_and_one_without_is_named() {
    let place = Place::new();
    let server = ModelServer::start();
    server.script(vec![chat().text("from the own one").reply()]);
    let url = format!("{}/v1", server.base_url());
    let entry = json!({"baseUrl": url, "apiKey": "sk-own", "models": ["m"]});
    place.configure("models.json", &json!({"providers": {"work": entry}}).to_string());
    let outcome = place.fen(["-p", "hi"]).run().expect(0);
    assert_eq!(outcome.stdout, "from the own one\n");
    assert_eq!(server.last_request().header("authorization"), Some("Bearer sk-own"));
    place.fen(["providers"]).run().expect(0);
    let entry = json!({"baseUrl": url, "baseURL": "x", "models": ["m"]});
    place.configure("models.json", &json!({"providers": {"work": entry}}).to_string());
    place.fen(["-p", "hi"]).run().refused(&["fen --provider work", "did you mean `baseUrl`?"]);
}

#[test]
fn a_provider_of_ones_own_is_asked_for_its_models_with_its_key() {
    let place = Place::new();
    let server = ModelServer::start();
    server.on_path("/v1/models", Reply::json(&json!({"data": [{"id": "listed"}]})));
    server.script(vec![chat().text("ok").reply()]);
    let entry = json!({"baseUrl": format!("{}/v1", server.base_url()), "apiKey": "sk-own"});
    place.configure("models.json", &json!({"providers": {"work": entry}}).to_string());
    place.fen(["--provider", "work", "-p", "hi"]).run().expect(0);
    let requests = server.requests();
    assert_eq!(requests[0].path, "/v1/models");
    for request in &requests {
        assert_eq!(request.header("authorization"), Some("Bearer sk-own"));
    }
    assert_eq!(requests[1].json()["model"], "listed");
}
