//! Tools: what a call knows, how it ends early, and beside which others it runs.

use crate::doubles::Store;
use crate::kit::{World, say, until};
use fen_contract::conversation::WhenBusy;
use fen_provider_mock::{Script, Turn};
use serde_json::json;
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn yield_carries_the_working_directory_the_calls_id_and_the_sessions_id() {
    let world = World::answering(vec![Turn::call("look", json!({})), Turn::text("done")]);
    world
        .watches(
            "looker",
            r#"api.register("tool", {
              name = "look", description = "Looks", parameters = { type = "object" },
              execute = function(args, yield)
                yield()
                seen.contract = { yield.cwd, yield["call-id"], yield["session-id"] }
                seen.aliases = { yield.call_id, yield.session_id }
                return "looked"
              end,
            })"#,
        )
        .await;
    let mut setup = world.setup();
    setup.session = Some(Store::opened());
    world.run_with(setup, |context| async move { say(&context, "look").await }).await;
    let call = world.told("tool-call")[0]["tool-call"]["id"].clone();
    let seen = world.seen("looker").await;
    assert_eq!(seen["contract"], json!(["/", call, "s1"]), "{:?}", world.errors());
    assert_eq!(seen["aliases"], json!([call, "s1"]));
}

#[tokio::test]
async fn yield_raises_once_the_call_is_cancelled() {
    let world = World::answering(vec![Turn::call("spin", json!({})), Turn::text("done")]);
    world
        .watches(
            "spinner",
            r#"api.register("tool", {
              name = "spin", description = "Spins", parameters = { type = "object" },
              execute = function(args, yield)
                local ok, why = pcall(function() while true do yield("going") end end)
                seen.ok, seen.why = ok, tostring(why)
                error(why, 0)
              end,
            })"#,
        )
        .await;
    world
        .run(|context| async move {
            context.conversation.submit_line("spin".to_owned(), WhenBusy::Reject).await;
            until(&context, "fen/tool-output").await;
            assert!(context.conversation.cancel());
            until(&context, "agent-turn-complete").await;
        })
        .await;
    let seen = world.when("spinner", |seen| seen["ok"].is_boolean()).await;
    assert_eq!(seen["ok"], false, "{seen}");
    assert!(seen["why"].as_str().unwrap().contains("cancel"), "{seen}");
    let result = &world.told("tool-result")[0]["result"];
    assert_eq!(result["is-error?"], true);
    assert_eq!(world.told("agent-turn-complete")[0]["status"], "cancelled");
    assert_eq!(world.told("fen/tool-output")[0]["delta"], "going");
    assert_eq!(world.errors(), [""; 0], "a cancelled call is no failure of its extension");
}

/// A tool that says how many of its calls ran at once. Its calls wait until there are so many, and
/// then a while for one too many.
fn crowd(fields: &str, expected: u32) -> String {
    format!(
        r#"local running = 0
        seen.most = 0
        api.register("tool", {{
          name = "crowd", description = "Counts", parameters = {{ type = "object" }}, {fields}
          execute = function(args, yield)
            running = running + 1
            seen.most = math.max(seen.most, running)
            while seen.most < {expected} do yield() end
            for _ = 1, 50 do yield() end
            running = running - 1
            return "ok"
          end,
        }})"#
    )
}

#[tokio::test]
async fn calls_run_beside_each_other_only_if_they_are_parallel_safe_and_up_to_the_cap() {
    for (fields, most) in [
        ("", 1),
        ("[\"parallel-safe?\"] = true,", 4),
        ("parallel_safe = true,", 4),
        ("[\"parallel-safe?\"] = true, [\"parallel-cap\"] = 2,", 2),
        ("parallel_safe = true, parallel_cap = 3,", 3),
        ("parallel_safe = false,", 1),
    ] {
        let calls = Turn::call("crowd", json!({}))
            .and_call("crowd", json!({}))
            .and_call("crowd", json!({}))
            .and_call("crowd", json!({}));
        let world = World::answering(vec![calls, Turn::text("done")]);
        world.watches("counter", &crowd(fields, most)).await;
        world.prompt("count").await;
        assert_eq!(world.told("tool-result").len(), 4);
        let seen = world.seen("counter").await;
        assert_eq!(seen["most"], most, "{fields} {:?}", world.errors());
    }
}

#[tokio::test]
async fn a_tool_for_the_search_is_not_offered_and_the_others_are() {
    let offered = Arc::new(Mutex::new(Vec::new()));
    let heard = offered.clone();
    let world = World::with_script(Script::answer(move |request| {
        let names = request.context.tools.iter().map(|tool| tool.name.clone());
        heard.lock().unwrap().extend(names);
        Turn::text("done")
    }));
    world
        .loads(
            "tools",
            r#"return function(api)
              local function tool(name, exposure)
                api.register("tool", { name = name, description = name, parameters = { type = "object" },
                  label = "L", snippet = "what " .. name .. " does", exposure = exposure,
                  execute = function() return "" end })
              end
              tool("finder", "finder") tool("open") tool("rare", "search")
            end"#,
        )
        .await;
    world.prompt("hi").await;
    let offered = offered.lock().unwrap().clone();
    assert_eq!(offered, ["finder", "open"], "{:?}", world.errors());
    let rows = world.kernel.list("tools").unwrap();
    let row = rows.iter().find(|row| row["name"] == "rare").unwrap();
    assert_eq!(
        json!([row["snippet"], row["label"], row["exposure"], row["owner"], row["source"]]),
        json!(["what rare does", "L", "search", "tools", "user"])
    );
}

#[tokio::test]
async fn a_schema_has_the_same_bytes_whenever_it_is_loaded() {
    let source = r#"return function(api)
      api.register("tool", { name = "wide", description = "x", execute = print,
        parameters = { type = "object", properties = { h = {}, b = {}, f = {}, d = {}, a = {}, g = {}, c = {}, e = {} } } })
    end"#;
    let world = World::new();
    for _ in 0..8 {
        world.loads("wide", source).await;
        let schema = world.kernel.list("tools").unwrap()[0]["parameters"].to_string();
        let properties = r#"{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{},"g":{},"h":{}}"#;
        assert_eq!(schema, format!(r#"{{"properties":{properties},"type":"object"}}"#));
    }
}

#[tokio::test]
async fn an_empty_lua_table_in_a_schema_is_what_json_schema_has_there() {
    let schemas = Arc::new(Mutex::new(Vec::new()));
    let heard = schemas.clone();
    let world = World::with_script(Script::answer(move |request| {
        let tools = request.context.tools.iter();
        heard.lock().unwrap().extend(tools.map(|tool| tool.parameters.clone()));
        Turn::text("done")
    }));
    world
        .loads(
            "bare",
            r#"return function(api)
              api.register("tool", { name = "bare", description = "x",
                parameters = { type = "object", properties = {}, required = {} },
                execute = function() return "" end })
            end"#,
        )
        .await;
    world.prompt("hi").await;
    let schemas = schemas.lock().unwrap();
    assert_eq!(schemas[0], json!({"type": "object", "properties": {}, "required": []}));
}
