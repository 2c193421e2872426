//! Slash commands.

use crate::doubles::Store;
use crate::kit::{World, say, until};
use fen_contract::conversation::WhenBusy;
use fen_provider_mock::Turn;
use serde_json::json;

const HELLO: &str = r#"api.register("command", {
  name = "hello", description = "Greets", usage = "[who]", subcommands = { "loud", "soft" }, order = 3,
  handler = function(args, ctx)
    seen.args = args
    seen.ctx = { ctx["busy?"], ctx.cwd, ctx.model, ctx.provider, ctx.session.id, #ctx.messages }
    seen.alias = ctx.busy
    seen.role = ctx.messages[1].role
    seen.written, seen.why = pcall(function() ctx.messages[1] = "x" end)
    seen.why = tostring(seen.why)
    local n = 0
    for i, message in ipairs(ctx.messages) do n = n + i end
    seen.sum = n
  end,
  complete = function(prefix, ctx)
    return { { label = prefix .. "x", value = prefix .. "xy", description = ctx.model }, "plain" }
  end,
})"#;

#[tokio::test]
async fn a_command_gets_trimmed_arguments_and_what_its_caller_knows() {
    let world = World::new();
    world.watches("greeter", HELLO).await;
    let mut setup = world.setup();
    setup.session = Some(Store::opened());
    world
        .run_with(setup, |context| async move {
            say(&context, "hi").await;
            context.conversation.dispatch("/hello   you there ".to_owned()).await.unwrap();
        })
        .await;
    let seen = world.seen("greeter").await;
    assert_eq!(seen["args"], "you there", "{:?}", world.errors());
    assert_eq!(seen["ctx"], json!([false, "/", "m", "mock", "s1", 2]));
    assert_eq!((&seen["alias"], &seen["role"]), (&json!(false), &json!("user")));
    assert_eq!((&seen["written"], &seen["sum"]), (&json!(false), &json!(3)));
    assert!(seen["why"].as_str().unwrap().contains("read-only"), "{seen}");
}

#[tokio::test]
async fn a_command_offers_completions_and_says_how_it_is_used() {
    let world = World::new();
    world.watches("greeter", HELLO).await;
    world
        .run(|context| async move {
            let offers = context.conversation.complete("/hello a".to_owned()).await;
            assert_eq!(
                json!(offers),
                json!([{"label": "ax", "value": "axy", "description": "m"},
                       {"label": "plain", "value": "plain"}])
            );
            let offers = context.conversation.complete("/hel".to_owned()).await;
            assert_eq!(
                json!(offers[0]),
                json!({"label": "/hello", "value": "/hello", "description": "Greets"})
            );
            context.conversation.dispatch("/hello help".to_owned()).await.unwrap();
        })
        .await;
    assert_eq!(world.infos(), ["/hello [who] — Greets"]);
    let row = &world.kernel.list("commands").unwrap()[0];
    assert_eq!(row["subcommands"], json!(["loud", "soft"]));
    assert_eq!((&row["usage"], &row["order"]), (&json!("[who]"), &json!(3.0)));
}

#[tokio::test]
async fn a_completion_that_fails_offers_nothing_and_is_told() {
    let world = World::new();
    for (name, answer) in
        [("one", "return 7"), ("two", "return { { value = 7 } }"), ("three", "error('no')")]
    {
        world
            .watches(
                name,
                &format!(
                    "api.register('command', {{ name = '{name}', handler = print, complete = function() {answer} end }})"
                ),
            )
            .await;
    }
    world
        .run(|context| async move {
            for line in ["/one ", "/two ", "/three "] {
                assert_eq!(context.conversation.complete(line.to_owned()).await, []);
            }
        })
        .await;
    let errors = world.errors();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors.iter().all(|error| error.contains(": complete: ")), "{errors:?}");
}

#[tokio::test]
async fn a_handler_that_throws_is_told_once_with_its_place_and_names_its_extension() {
    let world = World::new();
    world
        .loads(
            "clumsy",
            "return function(api)
               api.register('command', { name = 'fall', handler = function() error('ouch') end })
             end",
        )
        .await;
    world
        .run(|context| async move {
            let failure = context.conversation.dispatch("/fall".to_owned()).await.unwrap_err();
            assert!(failure.message.contains("clumsy.lua:2: ouch"), "{failure}");
            assert!(failure.message.contains("`clumsy`"), "{failure}");
        })
        .await;
    assert_eq!(world.errors(), ["clumsy: handler: clumsy.lua:2: ouch"]);
    assert_eq!(world.told("error").len(), 1);
}

#[tokio::test]
async fn an_idle_only_command_waits_for_idleness_and_the_others_do_not() {
    let slow = Turn { delay_ms: 3_600_000, ..Turn::text("late") };
    let world = World::answering(vec![slow]);
    world
        .watches(
            "both",
            r#"api.register("command", { name = "idle", idle_only = true, handler = function() seen.idle = true end })
               api.register("command", { name = "strict", ["idle-only?"] = true, handler = function() seen.strict = true end })
               api.register("command", { name = "any", handler = function(_, ctx) seen.any = ctx.busy end })"#,
        )
        .await;
    world
        .run(|context| async move {
            context.conversation.submit_line("hi".to_owned(), WhenBusy::Reject).await;
            until(&context, "llm-start").await;
            for line in ["/idle", "/strict"] {
                let refused = context.conversation.dispatch(line.to_owned()).await.unwrap_err();
                assert!(refused.message.contains("idle"), "{refused}");
            }
            context.conversation.dispatch("/any".to_owned()).await.unwrap();
            context.conversation.cancel();
            until(&context, "agent-turn-complete").await;
        })
        .await;
    assert_eq!(world.seen("both").await, json!({"any": true}));
}
