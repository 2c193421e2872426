//! Providers.

use crate::kit::{World, say};
use fen_contract::cancel::CancelToken;
use fen_contract::events::Event;
use fen_contract::kinds::{Contribution, Kind, ProviderSpec};
use fen_contract::provider::{CallOptions, StreamSink, ThinkingLevel};
use fen_contract::types::{AgentContext, Message, StopReason, Tool, UserMessage};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// The functions that a provider has beside `complete`.
pub const OTHERS: &str = r#"
  ["build-body"] = function(model, ctx, options)
    return { model = model, n = #ctx.messages, system = ctx["system-prompt"], max = ctx.max_tokens,
             key = options.api_key, thinking = options.thinking, tools = #ctx.tools }
  end,
  ["convert-messages"] = function(messages)
    local wire = {}
    for _, message in ipairs(messages) do table.insert(wire, { r = message.role, c = message.content }) end
    return wire
  end,
  convert_tools = function(tools)
    local wire = {}
    for i, tool in ipairs(tools) do wire[i] = { n = tool.name, p = tool.parameters } end
    return wire
  end,
  ["map-stop-reason"] = function(reason) return reason == "max" and "length" or "stop" end,
  ["parse-response"] = function(response)
    return { content = { { type = "text", text = response.said } }, stop_reason = "length", usage = { input = 3 } }
  end,
"#;

/// A provider `own` whose `complete` has this body.
pub fn provider(complete: &str) -> String {
    format!(
        r#"api.register("provider", {{ name = "own", api = "own-api", {OTHERS}
             complete = function(model, ctx, options, on_event, yield) {complete} end }})"#
    )
}

/// The registered provider of this name.
fn spec(world: &World, name: &str) -> ProviderSpec {
    let registry = world.kernel.registry();
    match registry.find(Kind::Provider, name).map(|entry| &entry.contribution) {
        Some(Contribution::Provider(spec)) => spec.clone(),
        _ => panic!("no provider {name}: {:?}", world.errors()),
    }
}

fn context() -> AgentContext {
    AgentContext {
        max_tokens: 99_u64.into(),
        messages: Arc::new(vec![Message::from(UserMessage::new("hi"))]),
        tools: Arc::new(vec![Tool {
            name: "act".into(),
            description: "Acts".into(),
            parameters: json!({"type": "object", "properties": {}}),
            extra: Default::default(),
        }]),
        system_prompt: Some("Be brief.".into()),
        extra: Default::default(),
    }
}

#[derive(Default)]
struct Heard(Mutex<Vec<Value>>);

impl StreamSink for Heard {
    fn emit(&self, event: Event) {
        self.0.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }
}

/// A conversation with the provider `own`, in which this is said.
pub async fn converse(world: &World, text: &'static str) {
    let mut setup = world.setup();
    setup.provider = "own".into();
    world.run_with(setup, move |context| async move { say(&context, text).await }).await;
}

#[tokio::test]
async fn complete_gets_the_request_and_its_answer_is_the_message() {
    let world = World::new();
    world
        .watches(
            "service",
            &provider(
                r#"seen.request = { model, ctx["max-tokens"], ctx.max_tokens, ctx["system-prompt"] or "none",
                     #ctx.tools, ctx.messages[1].content, options.thinking, type(on_event), type(yield) }
                   return { role = "assistant", stop_reason = "stop", usage = { input = 1, output = 2, ["total-tokens"] = 3 },
                     content = { { type = "thinking", thinking = "hm", thinking_signature = "sig" }, { type = "text", text = "hello" } } }"#,
            ),
        )
        .await;
    converse(&world, "hi").await;
    let seen = world.seen("service").await;
    let request = &seen["request"];
    assert_eq!(
        *request,
        json!(["m", request[1], request[1], "none", 0, "hi", "off", "function", "function"]),
        "{:?}",
        world.errors()
    );
    assert!(request[1].as_u64().is_some_and(|max| max > 0));
    let message = &world.told("llm-end")[0]["message"];
    assert_eq!(
        json!([
            message["content"],
            message["provider"],
            message["api"],
            message["model"],
            message["stop-reason"],
            message["usage"]
        ]),
        json!([[{"type": "thinking", "thinking": "hm", "thinking-signature": "sig"},
                {"type": "text", "text": "hello"}],
               "own", "own-api", "m", "stop", {"input": 1, "output": 2, "total-tokens": 3}])
    );
}

#[tokio::test]
async fn on_event_streams_in_order_and_takes_stream_events_only() {
    let world = World::new();
    world
        .watches(
            "service",
            &provider(
                r#"on_event({ type = "start" })
                   on_event({ type = "text-start", ["content-index"] = 1 })
                   for _, word in ipairs({ "a", "b", "c" }) do
                     on_event({ type = "text-delta", content_index = 1, delta = word })
                     yield()
                   end
                   on_event({ type = "text-end", content_index = 1, content = "abc" })
                   local ok, why = pcall(on_event, { type = "info", info = "x" })
                   seen.other = { ok, tostring(why) }
                   ok, why = pcall(on_event, { type = "text-delta", delta = 7 })
                   seen.wrong = { ok, tostring(why) }
                   local message = { content = { { type = "text", text = "abc" } } }
                   on_event({ type = "done", message = message })
                   return message"#,
            ),
        )
        .await;
    let heard = Heard::default();
    let spec = spec(&world, "own");
    let message = spec
        .provider
        .complete(&"m".into(), &context(), &CallOptions::default(), &heard, &CancelToken::new())
        .await;
    assert_eq!(message.stop_reason, Some(StopReason::Stop), "{message:?}");
    let heard = heard.0.lock().unwrap().clone();
    let names: Vec<&str> = heard.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["start", "text-start", "text-delta", "text-delta", "text-delta", "text-end", "done"]
    );
    let deltas: Vec<&Value> = heard[2..5].iter().map(|event| &event["delta"]).collect();
    assert_eq!(deltas, ["a", "b", "c"]);
    assert!(heard[1..6].iter().all(|event| event["content-index"] == 1), "{heard:?}");
    let seen = world.seen("service").await;
    assert_eq!((&seen["other"][0], &seen["wrong"][0]), (&json!(false), &json!(false)));
    assert!(seen["other"][1].as_str().unwrap().contains("`info`"), "{seen}");
    assert!(seen["wrong"][1].as_str().unwrap().contains("content-index"), "{seen}");
}

#[tokio::test]
async fn what_a_script_streams_is_told_on_the_bus_with_its_mirrors() {
    let world = World::new();
    world
        .watches(
            "service",
            &provider(
                r#"on_event({ type = "start" })
                   on_event({ type = "text-start", content_index = 1 })
                   on_event({ type = "text-delta", content_index = 1, delta = "abc" })
                   on_event({ type = "text-end", content_index = 1, content = "abc" })
                   return { content = { { type = "text", text = "abc" } } }"#,
            ),
        )
        .await;
    converse(&world, "hi").await;
    let events = world.events.lock().unwrap();
    let names: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let from = names.iter().position(|name| *name == "llm-start").unwrap();
    let to = names.iter().position(|name| *name == "agent-turn-complete").unwrap();
    assert_eq!(
        names[from..to],
        [
            "llm-start",
            "start",
            "text-start",
            "text-delta",
            "assistant-text-delta",
            "text-end",
            "llm-end",
            "message-appended",
            "assistant-stream-end",
            "assistant-text"
        ]
    );
}

#[tokio::test]
async fn calls_in_an_answer_are_run_whether_or_not_it_has_a_stop_reason() {
    for reason in ["", "stop_reason = 'tool-use',"] {
        let world = World::new();
        let complete = format!(
            r#"if #ctx.messages > 1 then return {{ content = {{ {{ type = "text", text = "done" }} }} }} end
               return {{ {reason} content = {{ {{ type = "tool-call", id = "1", name = "act", arguments = {{}} }} }} }}"#
        );
        let tool = r#"api.register("tool", { name = "act", description = "x", parameters = { type = "object" },
            execute = function() seen.ran = true return "ok" end })"#;
        world.watches("service", &format!("{tool}\n{}", provider(&complete))).await;
        converse(&world, "hi").await;
        assert_eq!(world.seen("service").await, json!({"ran": true}), "{reason}");
        assert_eq!(world.told("llm-end")[0]["message"]["stop-reason"], "tool-use");
        assert_eq!(world.told("agent-turn-complete")[0]["result"], "done");
    }
}

#[tokio::test]
async fn the_five_other_functions_can_be_called() {
    let world = World::new();
    world.watches("service", &provider("")).await;
    let spec = spec(&world, "own");
    let context = context();
    let tools = spec.provider.convert_tools(&context.tools);
    assert_eq!(tools, [json!({"n": "act", "p": {"type": "object", "properties": {}}})]);
    assert_eq!(
        spec.provider.convert_messages(&context.messages),
        [json!({"r": "user", "c": "hi"})],
        "{:?}",
        world.errors()
    );
    assert_eq!(spec.provider.map_stop_reason("max"), StopReason::Length);
    assert_eq!(spec.provider.map_stop_reason("end"), StopReason::Stop);
    let message = spec.provider.parse_response(&json!({"said": "yes"}));
    assert_eq!(
        (message.text().as_deref(), message.stop_reason),
        (Some("yes"), Some(StopReason::Length))
    );
    let options = CallOptions {
        thinking: ThinkingLevel::High,
        api_key: fen_contract::secret::Secret::new("sk-1"),
        ..CallOptions::default()
    };
    let body = spec.provider.build_body(&"m".into(), &context, &options).unwrap();
    let body: Value = serde_json::from_str(body.get()).unwrap();
    assert_eq!(
        body,
        json!({"model": "m", "n": 1, "system": "Be brief.", "max": 99, "key": "sk-1",
               "thinking": "high", "tools": 1})
    );
}

#[tokio::test]
async fn models_the_default_and_the_address_are_listed_and_more_can_be_asked_for() {
    let world = World::new();
    world
        .watches(
            "service",
            &format!(
                r#"api.register("provider", {{ name = "own", api = "own-api", {OTHERS} complete = print,
                     models = {{ "small", {{ id = "big", name = "Big", context_window = 1000, ["max-tokens"] = 10, reasoning = true }} }},
                     ["default-model"] = "small", base_url = "http://localhost/v1", setup = "Set OWN_KEY.",
                     ["list-models"] = function(options) return {{ "far-" .. options.thinking, {{ id = "near" }} }} end }})"#
            ),
        )
        .await;
    let spec = spec(&world, "own");
    assert_eq!(
        json!(spec.models),
        json!([{"id": "small"}, {"id": "big", "name": "Big", "context-window": 1000, "max-tokens": 10, "reasoning": true}])
    );
    assert_eq!(spec.default_model, Some("small".into()));
    assert_eq!(spec.base_url.as_deref(), Some("http://localhost/v1"));
    assert_eq!(spec.setup.as_deref(), Some("Set OWN_KEY."));
    let asked = spec.provider.list_models(&CallOptions::default()).await.unwrap();
    assert_eq!(json!(asked), json!([{"id": "far-off"}, {"id": "near"}]));
}

#[tokio::test]
async fn a_provider_without_list_models_says_so() {
    let world = World::new();
    world.watches("service", &provider("")).await;
    let asked = spec(&world, "own").provider.list_models(&CallOptions::default()).await;
    assert!(asked.unwrap_err().message.contains("cannot list its models"));
}
