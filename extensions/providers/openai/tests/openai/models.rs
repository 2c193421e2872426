//! What a service says of its models.

use crate::support::{config, keyed, provider};
use fen_contract::names::Count;
use fen_contract::provider::{CallOptions, ModelInfo};
use fen_provider_openai::Config;
use fen_testing::{ModelServer, Reply};
use serde_json::{Value, json};

async fn list(reply: Reply) -> Result<Vec<ModelInfo>, String> {
    let server = ModelServer::start();
    server.push(reply);
    let mut config = config(&server);
    config.models = vec![ModelInfo { context_window: Some(Count(7)), ..ModelInfo::named("known") }];
    let listed = provider(config).provider.list_models(&keyed("k")).await;
    let request = server.last_request();
    assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/v1/models"));
    assert_eq!(request.header("authorization"), Some("Bearer k"));
    listed.map_err(|failure| failure.message)
}

async fn names(body: Value) -> Vec<String> {
    let found = list(Reply::json(&body)).await.unwrap();
    found.into_iter().map(|model| model.id.to_string()).collect()
}

#[tokio::test]
async fn lists_of_every_form_are_read_and_other_purposes_left_out() {
    let data = json!({ "data": [
        { "id": "b" }, { "id": "text-embedding-3" }, { "id": "a" }, { "id": "whisper-1" }, {},
    ] });
    assert_eq!(names(data).await, ["b", "a"]);
    assert_eq!(names(json!({ "models": [{ "id": "a" }] })).await, ["a"]);
    assert_eq!(
        names(json!([{ "id": "a", "type": "chat" }, { "id": "e", "type": "embedding" }])).await,
        ["a"]
    );
}

#[tokio::test]
async fn what_a_service_says_of_a_model_is_kept_after_what_is_known() {
    let body = json!({ "data": [
        { "id": "router", "name": "R", "context_length": 9, "top_provider": { "max_completion_tokens": 3 },
          "supported_parameters": ["tools", "reasoning"] },
        { "id": "vllm", "max_model_len": 5 },
        { "id": "known", "context_length": 9 },
    ] });
    let found = list(Reply::json(&body)).await.unwrap();
    assert_eq!(found[0].name.as_deref(), Some("R"));
    assert_eq!(found[0].context_window, Some(Count(9)));
    assert_eq!(found[0].max_tokens, Some(Count(3)));
    assert_eq!(found[0].reasoning, Some(true));
    assert_eq!(found[1].context_window, Some(Count(5)));
    assert_eq!(found[2].context_window, Some(Count(7)));
}

#[tokio::test]
async fn what_is_no_list_says_so() {
    let html = Reply::status(200).content_type("text/html").body("<html>");
    assert!(list(html).await.unwrap_err().contains("did not answer with a list"));
    let empty = Reply::json(&json!({ "data": [] }));
    assert!(list(empty).await.unwrap_err().contains("has no model"));
    let server = ModelServer::start();
    server.push(Reply::status(404));
    let config = Config { start: Some("start it with `x`".to_owned()), ..config(&server) };
    let failure = provider(config).provider.list_models(&CallOptions::default()).await.unwrap_err();
    assert!(failure.message.contains("404") && failure.message.contains("start it with `x`"));
}
