//! What goes out.

use crate::support::{
    MODEL, answer, ask_with, call, config, context, error, keyed, provider, result, text, tool,
    user,
};
use fen_contract::names::{Count, ModelId, SessionId};
use fen_contract::provider::{CallOptions, ModelInfo, OutputLimit, ThinkingLevel};
use fen_contract::secret::Secret;
use fen_contract::types::{AgentContext, AssistantBlock, ErrorKind, Message, ThinkingContent};
use fen_provider_kit::config::HeaderText;
use fen_provider_openai::{
    Compat, Config, EmptyContent, MaxTokensField, ThinkingFormat, ToolCallIdFormat, presets,
};
use fen_testing::{ModelServer, chat};
use fen_transport::http::Client;
use serde_json::{Value, json};
use std::sync::Arc;

fn plain() -> Config {
    Config::new("acme", "http://acme.test/v1", Client::new(Default::default()))
}

fn with(compat: Compat) -> Config {
    Config { compat, ..plain() }
}

fn body_text(config: Config, context: &AgentContext, options: &CallOptions) -> String {
    let model = ModelId::from(MODEL);
    provider(config).provider.build_body(&model, context, options).unwrap().get().to_owned()
}

fn body(config: Config, messages: Vec<Message>) -> Value {
    let text = body_text(config, &context(messages), &CallOptions::default());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_conversation_that_grows_keeps_the_requests_beginning() {
    let mut messages = vec![user("go")];
    let mut bodies = Vec::new();
    for round in 0..4 {
        let mut grown = context(messages.clone());
        grown.tools = Arc::new(vec![tool("read"), tool("write")]);
        grown.system_prompt = Some("Be brief.".into());
        bodies.push(body_text(plain(), &grown, &CallOptions::default()));
        let id = format!("c{round}");
        messages.push(answer(vec![text("so \n"), call(&id, json!({ "path": "a", "n": 1.5 }))]));
        messages.push(result(&id, "out"));
        messages.push(user("more"));
    }
    for pair in bodies.windows(2) {
        let beginning = pair[0].strip_suffix("]}").unwrap();
        assert!(pair[1].starts_with(beginning), "{}\n{}", pair[0], pair[1]);
    }
    let keys: Vec<String> = serde_json::from_str::<serde_json::Map<String, Value>>(&bodies[0])
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys, ["model", "stream", "stream_options", "tools", "messages"]);
}

#[test]
fn messages_and_tools_have_the_shapes_of_the_protocol() {
    let mut asked = context(vec![
        user("go"),
        answer(vec![text("on it"), call("c1", json!({ "path": "a" }))]),
        result("c1", "out"),
    ]);
    asked.system_prompt = Some("Be brief.".into());
    let mut bare = tool("now");
    bare.parameters = json!({ "type": "object" });
    asked.tools = Arc::new(vec![tool("read"), bare]);
    let text = body_text(plain(), &asked, &CallOptions::default());
    let sent: Value = serde_json::from_str(&text).unwrap();
    let tools = json!([
        { "type": "function", "function": {
            "name": "read",
            "description": "The tool read.",
            "parameters": { "type": "object", "properties": { "path": { "type": "string" } } },
        } },
        { "type": "function", "function": {
            "name": "now",
            "description": "The tool now.",
            "parameters": { "type": "object", "properties": {} },
        } },
    ]);
    let messages = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "go" },
        { "role": "assistant", "content": "on it", "tool_calls": [{
            "id": "c1", "type": "function",
            "function": { "name": "read", "arguments": "{\"path\":\"a\"}" },
        }] },
        { "role": "tool", "tool_call_id": "c1", "content": "out" },
    ]);
    assert_eq!(sent["messages"], messages);
    assert_eq!(sent["tools"], tools);
    let spec = provider(plain());
    assert_eq!(spec.provider.convert_tools(&asked.tools), *tools.as_array().unwrap());
    let converted = spec.provider.convert_messages(&asked.messages);
    assert_eq!(converted, messages.as_array().unwrap()[1..]);
    assert_eq!(spec.api, "openai-completions");
}

#[test]
fn content_is_there_always_and_null_only_beside_calls() {
    let messages = || {
        vec![
            user("go"),
            answer(vec![call("c1", json!({}))]),
            result("c1", " "),
            answer(vec![text("")]),
            answer(vec![]),
            user(""),
            answer(vec![text("done \n")]),
        ]
    };
    let sent = body(plain(), messages());
    let roles: Vec<&str> =
        sent["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
    assert_eq!(sent["messages"][1].get("content"), Some(&Value::Null));
    assert_eq!(sent["messages"][2]["content"], "(no output)");
    assert_eq!(sent["messages"][3]["content"], "done");
    let compat = Compat { empty_content_with_tool_calls: EmptyContent::Empty, ..Compat::default() };
    assert_eq!(body(with(compat), messages())["messages"][1]["content"], "");
}

#[test]
fn an_interrupted_conversation_is_sent_in_pairs() {
    let ids = ["t1", "t2", "t3"];
    let sent = body(
        plain(),
        vec![
            user("go"),
            answer(ids.map(|id| call(id, json!({}))).to_vec()),
            result("t1", "one"),
            result("tx", "stray"),
            user("go on"),
        ],
    );
    let messages = sent["messages"].as_array().unwrap();
    let found: Vec<&str> =
        messages.iter().filter_map(|message| message["tool_call_id"].as_str()).collect();
    assert_eq!(found, ids);
    assert_eq!(messages[5]["role"], "user");
    assert!(messages[3]["content"].as_str().unwrap().contains("interrupted"));
}

#[test]
fn ids_are_fitted_to_what_the_service_takes() {
    let long = "x".repeat(70);
    let mine = ["functions.Bash:0", "call_x|fc_y", long.as_str(), "abcdefghi"];
    let sent_ids = |format, own: bool| -> Vec<String> {
        let mut messages = Vec::new();
        for id in mine {
            let mut message = answer(vec![call(id, json!({}))]);
            if let (false, Message::Assistant(answer)) = (own, &mut message) {
                Arc::make_mut(answer).provider = Some("other".into());
            }
            messages.extend([message, result(id, "x")]);
        }
        let compat = Compat { tool_call_id_format: format, ..Compat::default() };
        let sent = body(with(compat), messages);
        let messages = sent["messages"].as_array().unwrap().chunks(2);
        let pairs = messages.map(|pair| {
            let id = pair[0]["tool_calls"][0]["id"].as_str().unwrap();
            assert_eq!(pair[1]["tool_call_id"], id);
            id.to_owned()
        });
        pairs.collect()
    };
    assert_eq!(sent_ids(ToolCallIdFormat::Any, true), mine);
    let plain = |id: &String| {
        id.len() <= 40 && id.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    };
    assert!(sent_ids(ToolCallIdFormat::Any, false).iter().all(plain));
    assert!(sent_ids(ToolCallIdFormat::OpenAi, true).iter().all(plain));
    let nine = sent_ids(ToolCallIdFormat::Mistral9, true);
    assert!(nine.iter().all(|id| id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric())));
    assert_eq!(nine[3], "abcdefghi");
    assert_eq!(nine, sent_ids(ToolCallIdFormat::Mistral9, true));
}

#[tokio::test]
async fn reasoning_goes_back_where_the_service_wants_it_and_nowhere_else() {
    let compat = Compat { reasoning_content_in_history: true, ..Compat::default() };
    for (compat, want) in [(compat, Some("r")), (Compat::default(), None)] {
        let server = ModelServer::start();
        server.script(vec![
            chat().reasoning("r").tool_call("c1", "read", json!({})).reply(),
            chat().text("done").reply(),
        ]);
        let config = Config { compat, ..config(&server) };
        let options = CallOptions::default();
        let first = ask_with(config.clone(), vec![user("go")], &options).await;
        let messages = vec![user("go"), first.into(), result("c1", "out")];
        ask_with(config.clone(), messages.clone(), &options).await;
        let sent = server.last_request().json();
        assert_eq!(sent["messages"][1]["reasoning_content"].as_str(), want);
        assert_eq!(sent["messages"][1]["role"], "assistant");
        // Another model's reasoning stays out.
        let other = ModelId::from("other");
        let text = provider(config)
            .provider
            .build_body(&other, &context(messages), &options)
            .unwrap()
            .get()
            .to_owned();
        let sent: Value = serde_json::from_str(&text).unwrap();
        let empty = want.map(|_| "");
        assert_eq!(sent["messages"][1]["reasoning_content"].as_str(), empty);
    }
}

#[test]
fn sealed_and_foreign_reasoning_is_no_text_in_the_request() {
    let sealed = ThinkingContent { redacted: Some(true), ..ThinkingContent::new("") };
    let messages = vec![
        answer(vec![AssistantBlock::Thinking(sealed), text("a")]),
        answer(vec![AssistantBlock::Thinking(ThinkingContent::new("hm")), text("b")]),
        user("c"),
    ];
    let sent = body(plain(), messages);
    assert_eq!(sent["messages"][0], json!({ "role": "assistant", "content": "a" }));
    assert_eq!(sent["messages"][1], json!({ "role": "assistant", "content": "b" }));
}

#[tokio::test]
async fn what_a_service_seals_goes_back_to_it_unchanged() {
    let server = ModelServer::start();
    let details = json!([{ "type": "reasoning.encrypted", "data": "zz", "id": "c1", "index": 0 }]);
    let extra = json!({ "google": { "thought_signature": "sig" } });
    server.push(
        chat()
            .delta(json!({ "reasoning": "hm", "reasoning_details": details }))
            .delta(json!({ "tool_calls": [{ "index": 0, "id": "c1", "extra_content": extra,
                "function": { "name": "read", "arguments": "{}" } }] }))
            .finish("tool_calls")
            .reply(),
    );
    let compat = Compat { reasoning_details_in_history: true, ..Compat::default() };
    let config = Config { compat, ..config(&server) };
    let first = ask_with(config.clone(), vec![user("go")], &CallOptions::default()).await;
    // As it is after a session was stored and resumed.
    let stored = serde_json::to_string(&Message::from(first)).unwrap();
    let messages = vec![user("go"), serde_json::from_str(&stored).unwrap(), result("c1", "x")];
    let sent = body(config, messages.clone());
    assert_eq!(sent["messages"][1]["reasoning_details"], details);
    assert_eq!(sent["messages"][1]["tool_calls"][0]["extra_content"], extra);
    let sent = body(Config { name: "other".to_owned(), ..plain() }, messages);
    assert!(sent["messages"][1]["tool_calls"][0].get("extra_content").is_none());
}

#[test]
fn the_output_limit_is_sent_where_it_is_known_or_chosen() {
    let model = ModelInfo { max_tokens: Some(Count(8192)), ..ModelInfo::named(MODEL) };
    let known = |field| Config {
        models: vec![model.clone()],
        ..with(Compat { max_tokens_field: field, ..Compat::default() })
    };
    let sent = |config: Config, output_limit| {
        let options = CallOptions { output_limit, ..CallOptions::default() };
        let text = body_text(config, &context(vec![user("hi")]), &options);
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let limits =
        |sent: Value| (sent["max_tokens"].as_u64(), sent["max_completion_tokens"].as_u64());
    let default = OutputLimit::Default;
    assert_eq!(limits(sent(known(MaxTokensField::MaxTokens), default)), (Some(8192), None));
    let newer = MaxTokensField::MaxCompletionTokens;
    assert_eq!(limits(sent(known(newer), default)), (None, Some(8192)));
    assert_eq!(limits(sent(known(MaxTokensField::None), OutputLimit::Chosen)), (None, None));
    assert_eq!(limits(sent(plain(), default)), (None, None));
    assert_eq!(limits(sent(plain(), OutputLimit::Chosen)), (Some(8192), None));
}

#[test]
fn the_thinking_level_is_told_in_the_services_own_form() {
    let sent = |format, thinking, reasoning| {
        let model = ModelInfo { reasoning, ..ModelInfo::named(MODEL) };
        let config = Config {
            models: vec![model],
            ..with(Compat { thinking_format: format, ..Compat::default() })
        };
        let options = CallOptions { thinking, ..CallOptions::default() };
        let text = body_text(config, &context(vec![user("hi")]), &options);
        let mut sent: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
        for key in ["model", "stream", "stream_options", "messages"] {
            sent.remove(key);
        }
        Value::Object(sent)
    };
    use ThinkingFormat as F;
    use ThinkingLevel as L;
    let cases = [
        (F::OpenAi, L::Off, json!({})),
        (F::OpenAi, L::Medium, json!({ "reasoning_effort": "medium" })),
        (F::OpenRouter, L::Off, json!({})),
        (F::OpenRouter, L::Xhigh, json!({ "reasoning": { "effort": "xhigh" } })),
        (F::DeepSeek, L::Off, json!({ "thinking": { "type": "disabled" } })),
        (
            F::DeepSeek,
            L::High,
            json!({ "thinking": { "type": "enabled" }, "reasoning_effort": "high" }),
        ),
        (F::Qwen, L::Low, json!({ "enable_thinking": true })),
        (F::QwenTemplate, L::Off, json!({ "chat_template_kwargs": { "enable_thinking": false } })),
        (F::None, L::High, json!({})),
    ];
    for (format, level, want) in cases {
        assert_eq!(sent(format, level, None), want, "{format:?} {level:?}");
        assert_eq!(sent(format, level, Some(false)), json!({}), "{format:?} {level:?}");
    }
}

#[tokio::test]
async fn credentials_and_headers_go_where_they_belong() {
    let server = ModelServer::start();
    server.fallback(chat().text("x").reply());
    let mut config = config(&server);
    config.headers = vec![
        ("x-title".to_owned(), HeaderText::Plain("fen".to_owned())),
        ("x-gate".to_owned(), HeaderText::Secret(Secret::new("sesame").unwrap())),
    ];
    ask_with(config.clone(), vec![user("hi")], &keyed("k1")).await;
    let request = server.last_request();
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), Some("Bearer k1"));
    assert_eq!(request.header("x-title"), Some("fen"));
    assert_eq!(request.header("x-gate"), Some("sesame"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    config.api_key = Secret::new("k2");
    ask_with(config.clone(), vec![user("hi")], &CallOptions::default()).await;
    assert_eq!(server.last_request().header("authorization"), Some("Bearer k2"));
    config.api_key = None;
    ask_with(config, vec![user("hi")], &CallOptions::default()).await;
    assert_eq!(server.last_request().header("authorization"), None);
}

#[tokio::test]
async fn a_call_without_its_credentials_sends_nothing() {
    let server = ModelServer::start();
    let openai = presets().remove(0).config(Client::new(Default::default()));
    let openai = Config { base_url: config(&server).base_url, ..openai };
    let message = ask_with(openai, vec![user("hi")], &CallOptions::default()).await;
    assert_eq!(message.error_kind, Some(ErrorKind::Auth));
    assert!(error(&message).contains("set OPENAI_API_KEY or pass --api-key"), "{message:?}");

    let problem = "providers.acme.apiKey in models.json names ${UNSET}, which is not set";
    let config = Config { api_key_problem: Some(problem.to_owned()), ..config(&server) };
    let message = ask_with(config.clone(), vec![user("hi")], &CallOptions::default()).await;
    assert_eq!(message.error_kind, Some(ErrorKind::Auth));
    assert!(error(&message).contains("providers.acme.apiKey"), "{message:?}");
    let listed = provider(config).provider.list_models(&CallOptions::default()).await;
    assert!(listed.unwrap_err().message.contains("providers.acme.apiKey"));

    let config = Config { api_key: Secret::new("line\nbreak"), ..self::config(&server) };
    let message = ask_with(config, vec![user("hi")], &CallOptions::default()).await;
    assert!(error(&message).contains("line break") && !error(&message).contains("line\n"));
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn openai_itself_gets_the_fields_that_only_it_knows() {
    let config = presets().remove(0).config(Client::new(Default::default()));
    let options = CallOptions {
        session_id: Some(SessionId::from("s1")),
        thinking: ThinkingLevel::Low,
        ..CallOptions::default()
    };
    let mut asked = context(vec![user("hi")]);
    asked.system_prompt = Some("Be brief.".into());
    let model = config.default_model.clone().unwrap();
    let spec = provider(config);
    let text = spec.provider.build_body(&model, &asked, &options).unwrap().get().to_owned();
    let sent: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(sent["store"], false);
    assert_eq!(sent["prompt_cache_key"], "s1");
    assert_eq!(sent["max_completion_tokens"], 8192);
    assert_eq!(sent["reasoning_effort"], "low");
    assert_eq!(sent["messages"][0]["role"], "developer");
    assert_eq!(spec.auth.as_deref(), Some("env"));
    assert!(spec.models.unwrap().len() > 5);
}
