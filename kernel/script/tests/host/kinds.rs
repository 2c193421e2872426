//! Each kind of contribution, from Lua.

use crate::kit::{World, say};
use fen_provider_mock::Turn;
use serde_json::json;

const WORDS: &str = r#"
return function(api)
  api.register("tool", {
    name = "count_words",
    description = "Count the words of a text",
    parameters = { type = "object", properties = { text = { type = "string" } }, required = { "text" } },
    execute = function(args)
      local _, n = args.text:gsub("%S+", "")
      return ("%d words"):format(n)
    end,
  })
end"#;

#[tokio::test]
async fn a_tool_runs_and_its_text_is_the_result() {
    let world = World::answering(vec![
        Turn::call("count_words", json!({"text": "one two three"})),
        Turn::text("done"),
    ]);
    world.loads("words", WORDS).await;
    world.prompt("count").await;
    let result = &world.told("tool-result")[0]["result"];
    assert_eq!(result["content"][0]["text"], "3 words", "{:?}", world.errors());
    assert_eq!(result["is-error?"], false);
    assert_eq!(world.row("words")["state"], "loaded");
}

#[tokio::test]
async fn a_command_gets_its_arguments_and_offers_completions() {
    let world = World::new();
    world
        .loads(
            "hello",
            r#"return function(api)
              api.register("command", {
                name = "hello", description = "Greets",
                handler = function(args, ctx)
                  api.emit({ type = "info", info = ("hello %s from %s %s %d"):format(args, ctx.model, ctx.busy, #ctx.messages) })
                end,
                complete = function(prefix) return { { label = prefix .. "x", value = prefix .. "xy" }, "plain" } end,
              })
            end"#,
        )
        .await;
    world
        .run(|context| async move {
            context.conversation.dispatch("/hello  you ".to_owned()).await.unwrap();
            let offers = context.conversation.complete("/hello a".to_owned()).await;
            assert_eq!((offers[0].label.as_str(), offers[0].value.as_str()), ("ax", "axy"));
            assert_eq!(offers[1].label, "plain");
            say(&context, "hi").await;
        })
        .await;
    assert_eq!(world.infos(), ["hello you from m false 0"], "{:?}", world.errors());
}

#[tokio::test]
async fn a_handler_hears_events_with_their_fields_and_aliases() {
    let world = World::new();
    world
        .loads(
            "ears",
            r#"return function(api)
              api.on("message-appended", function(e)
                api.emit({ type = "info", info = e.type .. " " .. e.index .. " " .. e.message.role .. " " .. tostring(#e.agent.messages == e.agent.message_count) })
              end)
            end"#,
        )
        .await;
    world.prompt("hi").await;
    assert_eq!(
        world.infos(),
        ["message-appended 1 user true", "message-appended 2 assistant true"],
        "{:?}",
        world.errors()
    );
}
