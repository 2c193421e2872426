//! `list`, `introspect`, `log`, `diagnostics` and `prompt`.

use crate::kit::{World, say};
use fen_contract::api::SURFACES;
use fen_provider_mock::{Script, Turn};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Contributes to every surface.
const ALL: &str = r#"return function(api)
  local function none() return nil end
  api.register("tool", { name = "t", description = "", parameters = {}, execute = none })
  api.register("command", { name = "c", handler = none })
  api.register("hook", { before_tool = none })
  api.register("status", { name = "s", render = none })
  api.register("panel", { name = "p", render = none })
  api.register("control", { name = "k", key = "f5", handler = none })
  api.register("introspect", { name = "i", snapshot = function() return {} end })
  api.register("presenter", { name = "pr", run = none })
  api.register("provider", { name = "own", api = "a", models = { "m1" }, complete = none, build_body = none,
    convert_messages = none, convert_tools = none, map_stop_reason = none, parse_response = none })
  api.register("auth-backend", { name = "a", api_key = none })
  api.register("session-backend", { name = "b", open = none, open_existing = none, append = none, close = none,
    load = none, find = none, list = none, latest = none })
  api.on("user", none)
  api.prompt("Be kind.", { id = "kind", title = "Kindness", description = "d", order = 7 })
  api.log("info", "here")
end"#;

#[tokio::test]
async fn every_surface_lists_rows_with_their_owner_and_source() {
    let world = World::new();
    world.loads("all", ALL).await;
    world
        .watches(
            "looker",
            "api.register('command', { name = 'look', handler = function(surface) seen[surface] = api.list(surface) end })",
        )
        .await;
    world
        .run(|context| async move {
            for surface in SURFACES {
                context.conversation.dispatch(format!("/look {surface}")).await.unwrap();
            }
        })
        .await;
    let seen = world.seen("looker").await;
    for surface in SURFACES {
        let rows = seen[surface].as_array().unwrap_or_else(|| panic!("{surface}: {seen}"));
        if surface == "logs" {
            // What others wrote may not be for it.
            assert!(rows.iter().all(|row| row["owner"] == "looker"), "{rows:?}");
            continue;
        }
        let own = rows.iter().find(|row| row["owner"] == "all");
        let own = own.unwrap_or_else(|| panic!("{surface} has no row of `all`: {rows:?}"));
        assert_eq!(own["source"], "user", "{surface}: {own}");
        assert!(
            rows.iter().all(|row| row["owner"].is_string() && row["source"].is_string()),
            "{surface}: {rows:?}"
        );
    }
}

#[tokio::test]
async fn rows_are_copies_and_an_unknown_surface_raises_with_the_nearest_name() {
    let world = World::new();
    world.loads("all", ALL).await;
    world
        .watches(
            "looker",
            r#"local row = api.list("commands")[1]
               row.name = "changed"
               seen.name = api.list("commands")[1].name
               seen.ok, seen.why = pcall(api.list, "tool")
               seen.why = tostring(seen.why)"#,
        )
        .await;
    let seen = world.seen("looker").await;
    assert_eq!((&seen["name"], &seen["ok"]), (&json!("c"), &json!(false)));
    assert!(seen["why"].as_str().unwrap().contains("`tools`"), "{seen}");
}

#[tokio::test]
async fn collect_gives_snapshots_and_failures_in_their_place() {
    let world = World::new();
    world
        .loads(
            "inner",
            r#"return function(api)
              api.register("introspect", { name = "good", snapshot = function() return { n = 1 } end })
              api.register("introspect", { name = "bad", snapshot = function() error("no idea") end })
            end"#,
        )
        .await;
    world
        .watches(
            "looker",
            r#"local all, own = api.introspect.collect(), api.introspect.collect("inner")
               seen.all, seen.own = #all, #own
               seen.good = { own[1].owner, own[1].name, own[1].snapshot.n }
               seen.bad = own[2].snapshot.error
               seen.none = #api.introspect.collect("nobody")"#,
        )
        .await;
    let seen = world.seen("looker").await;
    // The looker is not in force while it loads.
    assert_eq!(json!([seen["all"], seen["own"], seen["none"]]), json!([2, 2, 0]));
    assert_eq!(seen["good"], json!(["inner", "good", 1]));
    assert!(seen["bad"].as_str().unwrap().contains("no idea"), "{seen}");
}

#[tokio::test]
async fn the_log_takes_four_levels_and_texts_or_tables() {
    let world = World::new();
    world
        .watches(
            "scribe",
            r#"api.log("debug", "d") api.log("info", { a = 1, list = { 2 } }) api.log("warn", "w") api.log("error", "e")
               print("printed", 7)
               seen.level = pcall(api.log, "fatal", "x")
               seen.data = pcall(api.log, "info", print)"#,
        )
        .await;
    assert_eq!(world.seen("scribe").await, json!({"level": false, "data": false}));
    let logs = world.kernel.list("logs").unwrap();
    let lines: Vec<(&str, &str)> = logs
        .iter()
        .filter(|line| line["owner"] == "scribe")
        .map(|line| (line["level"].as_str().unwrap(), line["message"].as_str().unwrap()))
        .collect();
    assert_eq!(
        lines,
        [
            ("debug", "d"),
            ("info", r#"{"a":1,"list":[2]}"#),
            ("warn", "w"),
            ("error", "e"),
            ("info", "printed\t7")
        ]
    );
}

#[tokio::test]
async fn a_failed_callback_is_among_the_errors() {
    let world = World::new();
    world
        .watches(
            "doctor",
            r#"api.on("user", function() error("ill") end)
               api.on("agent-turn-complete", function()
                 for _, line in ipairs(api.diagnostics.list_errors()) do table.insert(seen, line.owner .. ": " .. line.message) end
               end)"#,
        )
        .await;
    world.prompt("hi").await;
    let seen = world.seen("doctor").await;
    assert_eq!(seen.as_array().map(Vec::len), Some(1), "{seen}");
    let line = seen[0].as_str().unwrap();
    assert!(line.starts_with("doctor: ") && line.contains("ill"), "{seen}");
}

#[tokio::test]
async fn diagnostics_give_the_errors_of_the_log_and_its_file() {
    let world = World::new();
    world.watches("scribe", "api.log('error', 'bad') api.log('warn', 'odd')").await;
    world
        .watches(
            "doctor",
            r#"local errors = api.diagnostics["list-errors"]()
               seen.errors = { #errors, errors[1].message, errors[1].owner, errors[1].level }
               seen.path = api.diagnostics.error_log_path()"#,
        )
        .await;
    assert_eq!(
        world.seen("doctor").await,
        json!({"errors": [1, "bad", "scribe", "error"], "path": "/state/errors.log"})
    );
}

/// A world whose model notes the system prompts it gets.
fn noting() -> (World, Arc<Mutex<Vec<Option<String>>>>) {
    let prompts = Arc::new(Mutex::new(Vec::new()));
    let heard = prompts.clone();
    let world = World::with_script(Script::answer(move |request| {
        let prompt = request.context.system_prompt.as_ref().map(|prompt| prompt.to_string());
        heard.lock().unwrap().push(prompt);
        Turn::text("done")
    }));
    (world, prompts)
}

#[tokio::test]
async fn prompt_fragments_are_texts_or_functions_in_their_order() {
    let (world, prompts) = noting();
    world
        .loads(
            "teacher",
            r#"return function(api)
              local n = 0
              api.prompt(function() n = n + 1 return "turn " .. n end, { id = "count", order = 900 })
              api.prompt("Be kind.", { id = "kind", title = "Kindness", order = 10 })
              api.prompt("no order")
              api.prompt(function() return nil end, { id = "silent" })
              local gone = api.prompt("never", { id = "gone" })
              gone.unregister()
            end"#,
        )
        .await;
    world
        .run(|context| async move {
            say(&context, "a").await;
            say(&context, "b").await;
        })
        .await;
    let prompts = prompts.lock().unwrap();
    let first = prompts[0].as_deref().unwrap();
    let place =
        |word: &str| first.find(word).unwrap_or_else(|| panic!("`{word}` is not in {first}"));
    assert!(place("Kindness") < place("Be kind."));
    assert!(place("Be kind.") < place("no order") && place("no order") < place("turn 1"));
    assert!(!first.contains("never") && !first.contains("silent"));
    assert!(prompts[1].as_deref().unwrap().contains("turn 2"));
    assert_eq!(world.errors(), [""; 0]);
}

#[tokio::test]
async fn a_prompt_function_that_fails_leaves_a_note_and_the_turn_goes_on() {
    for (answer, words) in [("error('lost it')", "lost it"), ("return 7", "a text")] {
        let (world, prompts) = noting();
        let source = format!(
            "return function(api)
               api.prompt('Be kind.', {{ id = 'kind' }})
               api.prompt(function() {answer} end, {{ id = 'memory' }})
             end"
        );
        world.loads("teacher", &source).await;
        world.prompt("a").await;
        let prompts = prompts.lock().unwrap();
        let prompt = prompts[0].as_deref().unwrap();
        assert!(prompt.contains("Be kind.") && prompt.contains("memory"), "{prompt}");
        assert_eq!(world.told("agent-turn-complete")[0]["status"], "ok");
        let errors = world.errors();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(
            errors[0].starts_with("teacher: prompt: ") && errors[0].contains(words),
            "{errors:?}"
        );
    }
}

#[tokio::test]
async fn pairs_shows_the_canonical_names() {
    let world = World::new();
    world
        .watches(
            "looker",
            r#"local function names(t)
                 local list = {}
                 for name, value in pairs(t) do table.insert(list, name .. ":" .. type(value)) end
                 table.sort(list)
                 return list
               end
               seen.api, seen.turn, seen.session = names(api), names(api.turn), names(api.session)
               seen.settings, seen.ui = names(api.settings), names(api.ui)
               seen.unknown = api.nothing == nil
               seen.set = { pcall(function() api.list = 7 end) }
               seen.set[2] = tostring(seen.set[2])"#,
        )
        .await;
    let seen = world.seen("looker").await;
    let names: Vec<&str> = seen["api"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().split(':').next().unwrap())
        .collect();
    assert_eq!(names, fen_script::api::MEMBERS, "{seen}");
    let strings = |name: &str| -> Vec<String> {
        seen[name].as_array().unwrap().iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    assert_eq!(strings("turn"), ["busy?:function", "cancel!:function", "submit!:function"]);
    assert_eq!(
        strings("session"),
        ["active-backend", "append-state!", "info", "latest-state", "set-info!"]
            .map(|name| format!("{name}:function"))
    );
    assert_eq!(
        strings("settings"),
        ["load!", "set-defaults!", "set-thinking-default!"].map(|name| format!("{name}:function"))
    );
    assert_eq!(
        strings("ui"),
        ["has-ui?", "notify", "prompt", "select"].map(|name| format!("{name}:function"))
    );
    assert_eq!(seen["unknown"], true);
    assert_eq!(seen["set"][0], false);
    assert!(seen["set"][1].as_str().unwrap().contains("api.list"), "{seen}");
}
