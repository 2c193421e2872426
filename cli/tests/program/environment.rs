//! What commands see of the environment.

use crate::support::{Fen, Place, load};
use serde_json::json;

fn seen_by_commands(place: &Place, fen: impl Fn(Fen) -> Fen) -> String {
    let turns = json!([
        {"tool-calls": [{"name": "bash", "arguments": {"command": "printenv"}}]},
        {"text": "ok"},
    ]);
    fen(place.mocked(turns, ["-p", "x"])).run().expect(0);
    let messages = load(&place.session());
    let result = messages.iter().find(|message| message["role"] == "tool-result").unwrap();
    result["content"].to_string()
}

fn with_keys(fen: Fen) -> Fen {
    fen.env("OPENAI_API_KEY", "sk-canary-1")
        .env("ANTHROPIC_API_KEY", "sk-canary-2")
        .env("WORK_API_KEY", "sk-canary-3")
        .env("MY_SETTING", "plain")
}

#[test]
fn keys_are_kept_from_commands_and_the_rest_is_not() {
    let place = Place::new();
    place.configure(
        "models.json",
        &json!({"providers": {"work": {"baseUrl": "http://127.0.0.1:1", "apiKey": "WORK_API_KEY"}}})
            .to_string(),
    );
    let seen = seen_by_commands(&place, with_keys);
    assert!(!seen.contains("sk-canary"), "{seen}");
    for kept in ["PATH=", "MY_SETTING=plain", place.home("").to_str().unwrap()] {
        assert!(seen.contains(kept), "{kept} in {seen}");
    }
}

#[test]
fn a_variable_can_be_passed_on() {
    let place = Place::new();
    let flag = |fen| with_keys(fen).arguments(["--keep-env", "OPENAI_API_KEY"]);
    let seen = seen_by_commands(&place, flag);
    assert!(seen.contains("sk-canary-1") && !seen.contains("sk-canary-2"), "{seen}");
    let place = Place::new();
    place.configure("settings.json", r#"{"keep-env": ["ANTHROPIC_API_KEY"]}"#);
    let seen = seen_by_commands(&place, with_keys);
    assert!(seen.contains("sk-canary-2") && !seen.contains("sk-canary-1"), "{seen}");
}
