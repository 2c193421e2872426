//! Providers that fail or are cancelled.

use super::provider::{OTHERS, converse, provider};
use crate::kit::{World, program, until, watching};
use fen_contract::conversation::WhenBusy;
use fen_script::host::Granted;
use serde_json::json;

#[tokio::test]
async fn a_thrown_kind_and_message_become_an_error_message_of_that_kind() {
    for (thrown, kind, words) in [
        (r#"{ kind = "auth", message = "no key" }"#, "auth", "no key"),
        (r#"{ kind = "overflow", error = "too long" }"#, "overflow", "too long"),
        (r#"{ kind = "invalid", message = "bad" }"#, "invalid-request", "bad"),
        (r#"{ kind = "nonsense", message = "odd" }"#, "refused", "odd"),
    ] {
        let world = World::new();
        let body = format!(
            r#"on_event({{ type = "start" }})
               on_event({{ type = "text-start", content_index = 1 }})
               on_event({{ type = "text-delta", content_index = 1, delta = "par" }})
               error({thrown})"#
        );
        world.watches("service", &provider(&body)).await;
        converse(&world, "hi").await;
        let message = &world.told("llm-end")[0]["message"];
        assert_eq!(
            json!([
                message["stop-reason"],
                message["error-kind"],
                message["error-message"],
                message["content"]
            ]),
            json!(["error", kind, words, [{"type": "text", "text": "par"}]]),
            "{message}"
        );
        assert_eq!(world.errors(), [""; 0], "a failure of the service is none of the extension");
        assert_eq!(world.told("agent-turn-complete")[0]["status"], "error");
    }
}

#[tokio::test]
async fn a_failure_that_passes_is_tried_again_after_the_time_that_was_thrown() {
    let world = World::new();
    world
        .watches(
            "service",
            &provider(
                r#"seen.calls = (seen.calls or 0) + 1
                   if seen.calls == 1 then error({ kind = "rate-limit", message = "slowly", ["retry-after-ms"] = 130 }) end
                   return { content = { { type = "text", text = "here" } } }"#,
            ),
        )
        .await;
    converse(&world, "hi").await;
    assert_eq!(world.seen("service").await, json!({"calls": 2}));
    let retry = &world.told("fen/retry")[0];
    assert_eq!(retry["error-kind"], "rate-limit");
    assert!(retry["delay-ms"].as_u64() >= Some(130), "{retry}");
    assert_eq!(world.told("assistant-text")[0]["text"], "here");
}

#[tokio::test]
async fn a_key_that_a_backend_gave_is_in_no_log() {
    let world = World::new();
    let register = VAULT.trim_start_matches("return function(api)").trim_end_matches("end");
    let logging = provider("api.log('info', 'key ' .. options.api_key) return { content = {} }")
        .replace("api = \"own-api\"", "api = \"own-api\", auth = \"vault\"");
    world.watches("service", &format!("{register}\n{logging}")).await;
    converse(&world, "hi").await;
    let logs = world.kernel.list("logs").unwrap();
    assert!(logs.iter().any(|line| line["message"] == "key [secret]"), "{logs:?}");
}

#[tokio::test]
async fn a_thrown_text_and_a_wrong_answer_are_failures_of_the_extension_and_named() {
    for (body, words) in [
        (r#"error("short circuit")"#, "short circuit"),
        ("return nil", "AssistantMessage"),
        (r#"return "hello""#, "AssistantMessage"),
        ("return {}", "`content`"),
        (r#"return { content = { { type = "video" } } }"#, "`content[1]"),
        (r#"return { content = {}, stop_reason = "bored" }"#, "`stop-reason`"),
        (r#"return { content = { { type = "text", text = print } } }"#, "content[1].text"),
    ] {
        let world = World::new();
        world.watches("service", &provider(body)).await;
        converse(&world, "hi").await;
        let message = &world.told("llm-end")[0]["message"];
        assert_eq!(message["stop-reason"], "error", "{body}");
        let said = message["error-message"].as_str().unwrap();
        assert!(said.contains(words) && said.contains("`service`"), "{body}: {said}");
        let errors = world.errors();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(
            errors[0].starts_with("service: complete: ") && errors[0].contains(words),
            "{errors:?}"
        );
    }
}

#[tokio::test]
async fn a_cancelled_call_keeps_what_has_come_and_yield_fn_raises_in_it() {
    let world = World::new();
    world
        .watches(
            "service",
            &provider(
                r#"on_event({ type = "start" })
                   on_event({ type = "thinking-start", content_index = 1 })
                   on_event({ type = "thinking-delta", content_index = 1, delta = "hm" })
                   on_event({ type = "text-start", content_index = 2 })
                   on_event({ type = "text-delta", content_index = 2, delta = "par" })
                   local ok, why = pcall(function()
                     on_event({ type = "text-delta", content_index = 2, delta = "tial" })
                     while true do yield() end
                   end)
                   seen.ok, seen.why = ok, tostring(why)
                   error(why, 0)"#,
            ),
        )
        .await;
    let mut setup = world.setup();
    setup.provider = "own".into();
    world
        .run_with(setup, |context| async move {
            context.conversation.submit_line("hi".to_owned(), WhenBusy::Reject).await;
            until(&context, "text-delta").await;
            until(&context, "text-delta").await;
            assert!(context.conversation.cancel());
            until(&context, "agent-turn-complete").await;
        })
        .await;
    let seen = world.when("service", |seen| seen["ok"].is_boolean()).await;
    assert_eq!(seen["ok"], false, "{seen}");
    assert!(seen["why"].as_str().unwrap().contains("cancel"), "{seen}");
    let message = &world.told("llm-end")[0]["message"];
    assert_eq!(
        json!([message["stop-reason"], message["content"]]),
        json!(["aborted", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "partial"}]])
    );
    assert_eq!(world.told("cancelled").len(), 1);
    assert_eq!(world.errors(), [""; 0]);
}

#[tokio::test]
async fn a_conversion_that_fails_is_told_and_gives_nothing() {
    let world = World::new();
    world
        .loads(
            "service",
            r#"return function(api)
              local function no() error("cannot") end
              api.register("provider", { name = "own", api = "a", complete = no, build_body = no,
                convert_messages = no, convert_tools = function() return 7 end, map_stop_reason = function() return "x" end,
                parse_response = no })
            end"#,
        )
        .await;
    let registry = world.kernel.registry();
    let entry = registry.find(fen_contract::kinds::Kind::Provider, "own").unwrap();
    let fen_contract::kinds::Contribution::Provider(spec) = &entry.contribution else { panic!() };
    let provider = &spec.provider;
    assert_eq!(provider.convert_messages(&[]), [json!(null); 0]);
    assert_eq!(provider.convert_tools(&[]), [json!(null); 0]);
    provider.map_stop_reason("x");
    let parsed = provider.parse_response(&json!({}));
    assert!(parsed.error_message.unwrap().contains("cannot"));
    let events: Vec<String> = world.errors();
    for callback in ["convert-messages", "convert-tools", "map-stop-reason", "parse-response"] {
        let told =
            events.iter().filter(|event| event.starts_with(&format!("service: {callback}: ")));
        assert_eq!(told.count(), 1, "{callback}: {events:?}");
    }
}

const VAULT: &str = r#"return function(api)
  api.register("auth-backend", { name = "vault", api_key = function(provider) return "sk-" .. provider end })
end"#;

fn keyed() -> String {
    watching(&format!(
        r#"api.register("provider", {{ name = "own", api = "a", auth = "vault", {OTHERS}
             complete = function(model, ctx, options)
               seen.key = options["api-key"] or "none"
               return {{ content = {{}} }}
             end }})"#
    ))
}

#[tokio::test]
async fn the_key_of_a_foreign_backend_needs_the_capability() {
    let world = World::new();
    world.loads("keeper", VAULT).await;
    let refused = world.load("service", &keyed()).await.unwrap_err();
    for words in ["auth:vault", "service", "capabilities"] {
        assert!(refused.message.contains(words), "{refused}");
    }
    let granted = Granted { auth: vec!["vault".to_owned()], ..Granted::default() };
    let mut program = program("service", &keyed());
    program.granted = granted;
    world.host.load(program).await.unwrap();
    converse(&world, "hi").await;
    assert_eq!(world.seen("service").await, json!({"key": "sk-own"}), "{:?}", world.errors());
}

#[tokio::test]
async fn a_backend_that_comes_later_gives_its_key_to_nobody_without_the_capability() {
    let world = World::new();
    world.loads("service", &keyed()).await;
    world.loads("keeper", VAULT).await;
    converse(&world, "hi").await;
    assert_eq!(world.seen("service").await, json!({}));
    let message = &world.told("llm-end")[0]["message"];
    assert_eq!(message["stop-reason"], "error");
    assert!(message["error-message"].as_str().unwrap().contains("auth:vault"), "{message}");
}

#[tokio::test]
async fn an_extension_uses_its_own_backend_without_a_capability() {
    let world = World::new();
    let register = VAULT.trim_start_matches("return function(api)").trim_end_matches("end");
    let source = keyed().replacen(
        "api.register(\"provider\"",
        &format!("{register}\napi.register(\"provider\""),
        1,
    );
    world.loads("service", &source).await;
    converse(&world, "hi").await;
    assert_eq!(world.seen("service").await, json!({"key": "sk-own"}), "{:?}", world.errors());
}
