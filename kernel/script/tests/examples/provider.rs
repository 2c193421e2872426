//! The provider against a server on this machine.

use crate::kit::{Language, World, in_each_language};
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::provider::CallOptions;
use fen_contract::secret::Secret;
use fen_core::RunSetup;
use fen_testing::{ModelServer, Reply, StreamScript as _, TempProject, chat};
use fen_transport::retry::Policy;
use serde_json::{Value, json};
use std::time::Duration;

in_each_language! {
    a_turn_that_uses_a_tool_is_streamed_in_both_directions
    a_stream_that_breaks_off_is_an_error_that_keeps_what_came
    failures_have_the_kind_that_their_status_means
    a_busy_server_is_asked_again_when_it_says_so
    a_cancelled_turn_lets_the_server_go
    models_are_listed_and_whole_answers_read
}

/// The example with the server's address in its configuration.
async fn load(world: &World, language: Language, server: &ModelServer) {
    let copy = TempProject::new();
    for file in language.example("providers/openai-like").read_dir().unwrap() {
        let file = file.unwrap();
        let text = std::fs::read(file.path()).unwrap();
        copy.write(format!("openai-like/{}", file.file_name().to_str().unwrap()), text);
    }
    let config = json!({"base-url": format!("{}/v1/", server.base_url()), "model": "default"});
    copy.write("openai-like/config.json", config.to_string());
    world.load(&copy.path("openai-like")).await;
}

fn setup(world: &World) -> RunSetup {
    RunSetup { provider: "openai-like".into(), model: "test-model".into(), ..world.setup() }
}

/// Runs a conversation of so many prompts.
async fn prompts(world: &World, setup: RunSetup, count: usize) {
    world
        .on_screen_with(setup, |screen| async move {
            for _ in 0..count {
                screen.say("go").await;
                screen.wait_idle().await;
            }
        })
        .await;
}

fn answers(world: &World) -> Vec<Value> {
    world.told("llm-end").iter().map(|event| event["message"].clone()).collect()
}

async fn a_turn_that_uses_a_tool_is_streamed_in_both_directions(language: Language) {
    let server = ModelServer::start();
    server.script(vec![
        chat()
            .reasoning("hm, ")
            .reasoning("count")
            .text("I ")
            .text("count.")
            .tool_call("call_a", "word_count", json!({"text": "a b c"}))
            .tool_call("call_b", "word_count", json!({}))
            .usage_object(json!({"prompt_tokens": 12, "completion_tokens": 7, "total_tokens": 19,
                                 "prompt_tokens_details": {"cached_tokens": 4}}))
            .reply()
            .split_every(7),
        chat().text("three").reply(),
    ]);
    let world = World::answering(Vec::new());
    load(&world, language, &server).await;
    world.load_example(language, "tool/word_count").await;
    let key = Secret::new("k-1");
    prompts(&world, RunSetup { api_key: key, ..setup(&world) }, 1).await;

    assert_eq!(world.results(), ["3 words, 0 lines, 5 bytes", "!Give `text` or `path`."]);
    let answers = answers(&world);
    let kinds: Vec<&str> = answers[0]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["thinking", "text", "tool-call", "tool-call"]);
    assert_eq!(answers[0]["stop-reason"], "tool-use");
    assert_eq!(
        answers[0]["usage"],
        json!({"input": 8, "output": 7, "cache-read": 4, "total-tokens": 19})
    );
    assert_eq!(answers[1]["content"][0]["text"], "three");
    assert_eq!(answers[1]["stop-reason"], "stop");
    for (name, count) in
        [("start", 2), ("text-end", 2), ("thinking-end", 1), ("tool-call-end", 2), ("done", 2)]
    {
        assert_eq!(world.told(name).len(), count, "{name}");
    }
    let deltas: String =
        world.told("text-delta").iter().map(|event| event["delta"].as_str().unwrap()).collect();
    assert_eq!(deltas, "I count.three");

    let requests = server.requests();
    assert_eq!(requests[0].path, "/v1/chat/completions");
    assert_eq!(requests[0].header("authorization"), Some("Bearer k-1"));
    let body = requests[1].json();
    assert_eq!(body["model"], "test-model");
    assert_eq!(body["tools"][0]["function"]["name"], "word_count");
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(
        roles.iter().rev().take(4).rev().collect::<Vec<_>>(),
        [&"user", &"assistant", &"tool", &"tool"]
    );
    let call = &messages[messages.len() - 3]["tool_calls"][1];
    assert_eq!((&call["id"], &call["function"]["arguments"]), (&json!("call_b"), &json!("{}")));
    assert_eq!(messages.last().unwrap()["tool_call_id"], "call_b");
    world.assert_no_errors();
    server.assert_script_played();
}

async fn a_stream_that_breaks_off_is_an_error_that_keeps_what_came(language: Language) {
    let server = ModelServer::start();
    server.script(vec![
        chat().text("half an ").cut().reply(),
        chat().text("half an ").reset().reply(),
    ]);
    let world = World::answering(Vec::new());
    load(&world, language, &server).await;
    prompts(&world, setup(&world), 2).await;
    let answers = answers(&world);
    for (answer, kind) in answers.iter().zip(["truncated-stream", "network"]) {
        assert_eq!(
            (&answer["stop-reason"], &answer["error-kind"]),
            (&json!("error"), &json!(kind))
        );
        assert_eq!(answer["content"][0]["text"], "half an ", "{answer}");
    }
    assert_eq!(answers.len(), 2);
}

async fn failures_have_the_kind_that_their_status_means(language: Language) {
    let server = ModelServer::start();
    let world = World::answering(Vec::new());
    load(&world, language, &server).await;
    let failures = [
        (401, r#"{"error": {"message": "no such key"}}"#, "auth"),
        (400, r#"{"error": "maximum context length is 8"}"#, "overflow"),
        (400, "what?", "invalid-request"),
        (503, "", "overloaded"),
    ];
    server.script(failures.map(|(status, body, _)| Reply::status(status).body(body)).into());
    prompts(&world, setup(&world), failures.len()).await;
    let answers = answers(&world);
    assert_eq!(answers.len(), failures.len());
    for (answer, (status, _, kind)) in answers.iter().zip(failures) {
        assert_eq!(answer["error-kind"], kind, "{answer}");
        assert!(answer["error-message"].as_str().unwrap().starts_with(&format!("HTTP {status}: ")));
    }
    world.assert_no_errors();
}

async fn a_busy_server_is_asked_again_when_it_says_so(language: Language) {
    let server = ModelServer::start();
    server.script(vec![
        Reply::status(429)
            .header("retry-after", "0.2")
            .body(r#"{"error": {"message": "slow down"}}"#),
        chat().text("now").reply(),
    ]);
    let world = World::answering(Vec::new());
    load(&world, language, &server).await;
    let retry = Policy { base: Duration::from_millis(1), ..Policy::default() };
    prompts(&world, RunSetup { retry, ..setup(&world) }, 1).await;
    let again = &world.told("fen/retry")[0];
    assert_eq!((&again["error-kind"], &again["delay-ms"]), (&json!("rate-limit"), &json!(200)));
    assert_eq!(world.told("agent-turn-complete")[0]["result"], "now");
}

async fn a_cancelled_turn_lets_the_server_go(language: Language) {
    let server = ModelServer::start();
    server.push(chat().text("and so ").hang().reply());
    let world = World::answering(Vec::new());
    load(&world, language, &server).await;
    let kernel = world.kernel.clone();
    world
        .on_screen_with(setup(&world), |screen| async move {
            screen.say("go").await;
            screen.wait_for(|view| view.shows("and so")).await;
            assert!(kernel.api().conversation().unwrap().cancel());
            screen.wait_event("cancelled").await;
            screen.wait_idle().await;
        })
        .await;
    server.wait_for_disconnect().await;
    let answer = answers(&world).pop().unwrap();
    assert_eq!(
        (&answer["stop-reason"], &answer["content"][0]["text"]),
        (&json!("aborted"), &json!("and so "))
    );
    world.assert_no_errors();
}

async fn models_are_listed_and_whole_answers_read(language: Language) {
    let server = ModelServer::start();
    server
        .on_path("/v1/models", Reply::status(200).body(r#"{"data": [{"id": "a"}, {"id": "b"}]}"#));
    let world = World::answering(Vec::new());
    load(&world, language, &server).await;
    let Contribution::Provider(spec) = world.contribution(Kind::Provider, "openai-like") else {
        panic!("another kind");
    };
    let models = spec.provider.list_models(&CallOptions::default()).await.unwrap();
    assert_eq!(models.iter().map(|model| model.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let provider = spec.provider.clone();
    let parsed = tokio::task::spawn_blocking(move || {
        provider.parse_response(&json!({
            "choices": [{"message": {"content": null, "tool_calls": [
                {"id": "1", "function": {"name": "x", "arguments": "{\"a\": 1}"}}]},
                "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
        }))
    });
    let answer = serde_json::to_value(parsed.await.unwrap()).unwrap();
    assert_eq!(answer["content"][0]["arguments"], json!({"a": 1}), "{answer}");
    assert_eq!(answer["usage"]["input"], 3);
    world.assert_no_errors();
}
