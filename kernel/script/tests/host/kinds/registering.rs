//! What `register` refuses, and how it says so.

use crate::kit::{HANG, World};
use fen_contract::events::Redraw;
use serde_json::json;

/// The error of an extension that registers this.
async fn refusal(registration: &str) -> String {
    let world = World::new();
    let source = format!("return function(api)\n  api.register({registration})\nend");
    world.load("wrong", &source).await.unwrap_err().message
}

#[tokio::test]
async fn a_broken_registration_names_its_place_kind_field_what_was_expected_and_what_was_got() {
    for (registration, words) in [
        (
            "'tool', { name = 'x' }",
            ["tool of extension `wrong`", "`description`", "expected string", "got nothing"],
        ),
        (
            "'tool', { name = 7, description = '', parameters = {}, execute = print }",
            ["tool", "`name`", "expected string", "got"],
        ),
        (
            "'tool', { name = 'a b', description = '', parameters = {}, execute = print }",
            ["tool", "`name`", "letters", "\"a b\""],
        ),
        ("'command', { name = 'x', handler = 'no' }", ["command", "`handler`", "->", "got"]),
        (
            "'command', { name = 'X', handler = print }",
            ["command", "`name`", "lower-case", "\"X\""],
        ),
        (
            "'status', { name = 'x', render = print, side = 'top' }",
            ["status", "`side`", "left", "top"],
        ),
        (
            "'panel', { name = 'x', render = print, placement = 'roof' }",
            ["panel", "`placement`", "above-input", "roof"],
        ),
        (
            "'panel', { name = 'x', render = print, order = 'high' }",
            ["panel", "`order`", "number", "got"],
        ),
        ("'hook', { }", ["hook", "`before-tool`", "->", "got nothing"]),
        ("'introspect', { name = 'x' }", ["introspect", "`snapshot`", "->", "got nothing"]),
        ("'presenter', { name = 'x' }", ["presenter", "`run`", "->", "got nothing"]),
        ("'provider', { name = 'x' }", ["provider", "`api`", "keyword", "got nothing"]),
        ("'session-backend', { name = 'x' }", ["session-backend", "`append`", "->", "got nothing"]),
        ("'auth-backend', { name = 'x' }", ["auth-backend", "`api-key`", "->", "got nothing"]),
        ("'control', { name = 'x' }", ["control", "`handler`", "->", "got nothing"]),
        (
            "'provider', { name = 'x', api = 'a', complete = print, build_body = print, convert_messages = print, convert_tools = print, map_stop_reason = print, parse_response = print, models = { 7 } }",
            ["provider of extension `wrong`", "`models`", "id", "7"],
        ),
        (
            "'tool', { name = 'x', description = '', parameters = {}, execute = print, exposure = 'sometimes' }",
            ["tool", "`exposure`", "search", "sometimes"],
        ),
        (
            "'tool', { name = 'x', description = '', parameters = {}, execute = print, details = coroutine.create(print) }",
            ["tool", "`details`", "thread", "wrong"],
        ),
    ] {
        let refused = refusal(registration).await;
        assert!(refused.starts_with("wrong.lua:2: "), "{registration}: {refused}");
        for word in words {
            assert!(refused.contains(word), "{registration}: `{word}` is not in: {refused}");
        }
    }
}

#[tokio::test]
async fn an_unknown_kind_is_named_with_the_nearest_one() {
    let refused = refusal("'tol', {}").await;
    assert!(refused.contains("no kind `tol`") && refused.contains("`tool`?"), "{refused}");
}

#[tokio::test]
async fn arguments_of_the_wrong_type_are_named() {
    let refused = refusal("'tool'").await;
    assert!(refused.contains("register takes a kind and a table, got string and nil"), "{refused}");
    let world = World::new();
    let refused = world.load("wrong", "return function(api) api.on('user') end").await.unwrap_err();
    let words = "on takes an event's name and a function, got string and nil";
    assert!(refused.message.contains(words), "{refused}");
}

#[tokio::test]
async fn two_spellings_of_one_field_that_differ_are_refused() {
    let refused = refusal(
        "'command', { name = 'x', handler = print, ['idle-only?'] = true, idle_only = false }",
    )
    .await;
    assert!(refused.contains("idle-only?") && refused.contains("idle_only"), "{refused}");
}

#[tokio::test]
async fn a_field_that_nothing_reads_is_a_warning_with_the_nearest_name() {
    let world = World::new();
    world
        .loads(
            "typo",
            "return function(api) api.register('command', { name = 'x', handler = print, descripton = 'd', mine = { 1 } }) end",
        )
        .await;
    let logs = world.kernel.list("logs").unwrap();
    let warned = |word: &str| {
        logs.iter().any(|line| {
            line["level"] == "warn"
                && line["owner"] == "typo"
                && line["message"].as_str().is_some_and(|message| message.contains(word))
        })
    };
    assert!(warned("`description`") && warned("`mine`"), "{logs:?}");
}

#[tokio::test]
async fn a_taken_name_is_refused_with_its_owner_and_the_rest_of_the_extension_too() {
    let world = World::new();
    let tool = "api.register('tool', { name = 'act', description = '', parameters = {}, execute = print })";
    world.loads("holder", &format!("return function(api) {tool} end")).await;
    let source = format!(
        "return function(api) api.register('command', {{ name = 'mine', handler = print }}) {tool} end"
    );
    let refused = world.load("wisher", &source).await.unwrap_err();
    assert!(refused.message.contains("`act`, which extension `holder` has"), "{refused}");
    assert_eq!(world.kernel.list("commands").unwrap(), [json!(null); 0]);
}

#[tokio::test]
async fn a_registration_names_itself_and_can_be_taken_back_at_load_and_later() {
    let world = World::new();
    world
        .watches(
            "fickle",
            r#"local function tool(name)
                 return api.register("tool", { name = name, description = "", parameters = {}, execute = print })
               end
               local early, late, kept = tool("early"), tool("late"), tool("kept")
               seen.early = { early.unregister(), early.unregister() }
               seen.kept = { kept.kind, kept.name }
               api.register("command", { name = "drop", handler = function()
                 seen.late = { late.unregister(), late:unregister() }
               end })"#,
        )
        .await;
    let names = |world: &World| -> Vec<String> {
        let rows = world.kernel.list("tools").unwrap();
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&world), ["late", "kept"]);
    world
        .run(|context| async move {
            context.conversation.dispatch("/drop".to_owned()).await.unwrap();
        })
        .await;
    assert_eq!(names(&world), ["kept"]);
    let seen = world.seen("fickle").await;
    assert_eq!(
        seen,
        json!({"early": [true, false], "late": [true, false], "kept": ["tool", "kept"]})
    );
}

#[tokio::test]
async fn what_is_registered_later_is_in_force_at_once_and_goes_with_a_reload() {
    let world = World::new();
    world
        .watches(
            "grows",
            r#"api.register("command", { name = "grow", handler = function()
                 api.register("tool", { name = "more", description = "", parameters = {}, execute = print })
                 api.register("auth-backend", { name = "vault", api_key = print, status = function() return "open" end })
                 api.prompt("More.", { id = "more" })
                 api.on("redraw", function() seen.heard = true end)
                 seen.taken = { pcall(api.register, "tool", { name = "more", description = "", parameters = {}, execute = print }) }
                 seen.taken[2] = tostring(seen.taken[2])
               end })"#,
        )
        .await;
    let host = world.host.clone();
    world
        .run(move |context| {
            let host = host.clone();
            async move {
                context.conversation.dispatch("/grow".to_owned()).await.unwrap();
                context.api.emit(Redraw { extra: Default::default() }.into()).unwrap();
                assert!(host.settle(HANG).await);
            }
        })
        .await;
    let count = |surface: &str| world.kernel.list(surface).unwrap().len();
    let seen = world.seen("grows").await;
    assert_eq!((&seen["heard"], &seen["taken"][0]), (&json!(true), &json!(false)));
    assert!(seen["taken"][1].as_str().unwrap().contains("`more`"), "{seen}");
    assert_eq!((count("tools"), count("prompt-fragments")), (1, 1));
    assert_eq!(world.kernel.list("auth-backends").unwrap()[0]["status"], "open");
    world.watches("grows", "").await;
    assert_eq!((count("tools"), count("prompt-fragments"), count("auth-backends")), (0, 0, 0));
}

#[tokio::test]
async fn an_entry_is_a_function_of_api_or_a_table_with_register() {
    let world = World::new();
    let command = "api.register('command', { name = NAME, handler = print })";
    let body = |name: &str| command.replace("NAME", &format!("'{name}'"));
    world.loads("one", &format!("return function(api) {} end", body("one"))).await;
    world.loads("two", &format!("return {{ register = function(api) {} end }}", body("two"))).await;
    assert_eq!(world.kernel.list("commands").unwrap().len(), 2);
    for wrong in ["return 7", "return {}", "", "return { register = 7 }"] {
        let refused = world.load("three", wrong).await.unwrap_err();
        assert!(refused.message.contains("function of `api`"), "{wrong}: {refused}");
    }
}
