//! `on`, `off` and `emit`.

use crate::kit::{World, program, say};
use fen_provider_mock::Turn;
use serde_json::{Value, json};

#[tokio::test]
async fn a_handler_hears_events_with_their_fields_and_aliases() {
    let world = World::new();
    world
        .watches(
            "ears",
            r#"api.on("message-appended", function(e)
                 table.insert(seen, { e.type, e.index, e.message.role, #e.agent.messages >= e.index,
                   e.agent.messages[e.index].role, e.agent.model, e.agent.provider })
               end)"#,
        )
        .await;
    world.prompt("hi").await;
    assert_eq!(
        world.seen("ears").await,
        json!([
            ["message-appended", 1, "user", true, "user", "m", "mock"],
            ["message-appended", 2, "assistant", true, "assistant", "m", "mock"]
        ]),
        "{:?}",
        world.errors()
    );
}

#[tokio::test]
async fn each_handler_has_its_own_table_and_reads_and_writes_it_by_either_spelling() {
    let world = World::answering(vec![Turn::call("none", json!({})), Turn::text("done")]);
    world
        .watches(
            "ears",
            r#"api.on("tool-result", function(e)
                 seen.read = { e.result.is_error, e.result["is-error?"], e.result.tool_name, e.result.details.synthetic == nil }
                 e.result.is_error = false
                 seen.written = e.result["is-error?"]
                 e.result.content[1].text, e.mine = "changed", true
               end)
               api.on("tool-result", function(e)
                 seen.other = { e.result.is_error, e.result.content[1].text == "changed", e.mine == nil }
               end)"#,
        )
        .await;
    world.prompt("hi").await;
    let seen = world.seen("ears").await;
    assert_eq!(seen["read"], json!([true, true, "none", true]), "{:?}", world.errors());
    assert_eq!((&seen["written"], &seen["other"]), (&json!(false), &json!([true, false, true])));
}

#[tokio::test]
async fn a_kept_agent_tells_what_is_so_when_it_is_looked_at() {
    let world = World::new();
    world
        .watches(
            "ears",
            r#"local agent
               api.on("agent-started", function(e)
                 agent = e.agent
                 seen.names = {}
                 for name in pairs(agent) do table.insert(seen.names, name) end
                 seen.written = pcall(function() agent.model = "x" end)
                 seen.json = api.json.encode({ agent = agent })
               end)
               api.register("command", { name = "look", handler = function(args)
                 seen[args] = { agent.model, agent["message-count"], agent.message_count, #agent.messages, agent.cwd, agent.id }
                 local roles = {}
                 for i, message in ipairs(agent.messages) do roles[i] = message.role end
                 for i, message in pairs(agent.messages) do roles[i] = roles[i] .. #roles end
                 seen.roles = roles
               end })"#,
        )
        .await;
    let host = world.host.clone();
    world
        .run(move |context| {
            let host = host.clone();
            async move {
                assert!(host.settle(crate::kit::HANG).await);
                context.conversation.dispatch("/look before".to_owned()).await.unwrap();
                say(&context, "hi").await;
                context.conversation.set_model("mock".into(), "n".into()).unwrap();
                context.conversation.dispatch("/look after".to_owned()).await.unwrap();
            }
        })
        .await;
    let seen = world.seen("ears").await;
    assert_eq!(seen["before"], json!(["m", 0, 0, 0, "/", "main"]), "{:?}", world.errors());
    assert_eq!(seen["after"], json!(["n", 2, 2, 2, "/", "main"]));
    assert_eq!(seen["roles"], json!(["user2", "assistant2"]));
    assert_eq!(
        seen["names"],
        json!(["id", "provider", "model", "cwd", "message-count", "messages"])
    );
    assert_eq!(seen["written"], false);
    let told = &world.told("agent-started")[0]["agent"];
    let shown: Value = serde_json::from_str(seen["json"].as_str().unwrap()).unwrap();
    assert_eq!(shown["agent"], *told, "never the messages");
}

#[tokio::test]
async fn the_star_hears_all_after_the_named_ones() {
    let world = World::new();
    world
        .watches(
            "ears",
            r#"api.on("*", function(e) table.insert(seen, "* " .. e.type) end)
               api.on("user", function(e) table.insert(seen, "first " .. e.line) end)
               api.on("user", function(e) table.insert(seen, "second " .. e.line) end)"#,
        )
        .await;
    world.prompt("hi").await;
    let seen = world.seen("ears").await;
    let heard: Vec<&str> = seen.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let at = heard.iter().position(|line| line.starts_with("first")).expect("user was heard");
    assert_eq!(heard[at..at + 3], ["first hi", "second hi", "* user"]);
    let all: Vec<String> = world
        .events
        .lock()
        .unwrap()
        .iter()
        .map(|event| format!("* {}", event["type"].as_str().unwrap()))
        .collect();
    let starred: Vec<&str> = heard.into_iter().filter(|line| line.starts_with('*')).collect();
    assert_eq!(starred, all);
}

#[tokio::test]
async fn off_takes_one_handler_away_and_says_whether_it_was_there() {
    let world = World::new();
    world
        .watches(
            "ears",
            r#"local count = 0
               local early = api.on("user", function() seen.early = true end)
               seen.taken = { api.off(early), api.off(early) }
               local handle
               handle = api.on("message-appended", function(e)
                 count = count + 1
                 seen.count = count
                 seen.off = api.off(handle)
               end)
               seen.event = handle.event
               api.on("message-appended", function() seen.other = (seen.other or 0) + 1 end)"#,
        )
        .await;
    world.prompt("hi").await;
    assert_eq!(
        world.seen("ears").await,
        json!({"taken": [true, false], "count": 1, "off": true, "event": "message-appended", "other": 2}),
        "{:?}",
        world.errors()
    );
}

#[tokio::test]
async fn a_handler_that_fails_is_told_and_the_others_still_hear() {
    let world = World::new();
    world
        .watches(
            "ears",
            r#"api.on("user", function() error("deaf") end)
               api.on("user", function() seen.heard = true end)
               api.on("extension-error", function(e) seen.told = { e.owner, e.event, e.error } error("again") end)"#,
        )
        .await;
    world.prompt("hi").await;
    assert_eq!(
        world.seen("ears").await,
        json!({"heard": true, "told": ["ears", "user", "ears.lua:4: deaf"]})
    );
    // A failing handler of `extension-error` is never told.
    assert_eq!(world.errors(), ["ears: user: ears.lua:4: deaf"]);
}

#[tokio::test]
async fn an_event_that_the_contract_does_not_have_is_a_warning_with_the_nearest_name() {
    let world = World::new();
    world.watches("ears", "api.on('mesage-appended', print) api.on('x/own', print)").await;
    let logs = world.kernel.list("logs").unwrap();
    let warnings: Vec<&str> = logs
        .iter()
        .filter(|line| line["level"] == "warn")
        .filter_map(|line| line["message"].as_str())
        .collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("`message-appended`"), "{warnings:?}");
}

#[tokio::test]
async fn anyone_may_emit_requests_remarks_and_own_events() {
    let world = World::new();
    world
        .watches(
            "voice",
            r#"seen.answers = {}
               for _, event in ipairs({
                 { type = "info", text = "t" }, { type = "set-status-info", info = "i" }, { type = "redraw" },
                 { type = "dismiss" }, { type = "reinit-presenter" }, { type = "error", error = "e" },
                 { type = "assistant-text", text = "a", final = true },
                 { type = "voice/own", deep = { list = { 1, 2 }, is_error = true }, none = api.json.null },
               }) do table.insert(seen.answers, api.emit(event)) end"#,
        )
        .await;
    let seen = world.seen("voice").await;
    let answers = seen["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 8);
    assert!(answers.iter().all(|answer| *answer == json!({"ok": true})), "{seen}");
    assert_eq!(world.told("info")[0]["text"], "t");
    assert_eq!(world.told("assistant-text")[0]["final?"], true);
    let own = &world.told("voice/own")[0];
    assert_eq!(
        own["deep"],
        json!({"list": [1, 2], "is_error": true}),
        "aliases are the contract's only"
    );
    assert_eq!(own["none"], Value::Null);
}

#[tokio::test]
async fn facts_and_foreign_events_are_refused_without_raising() {
    let world = World::new();
    world
        .watches(
            "liar",
            r#"seen.fact = api.emit({ type = "cancelled" })
               seen.line = api.emit({ type = "user", line = "sudo" })
               seen.foreign = api.emit({ type = "other/what" })
               seen.kernel = api.emit({ type = "fen/retry" })"#,
        )
        .await;
    let seen = world.seen("liar").await;
    for (name, words) in [
        ("fact", "`cancelled`"),
        ("line", "`user`"),
        ("foreign", "`liar/…`"),
        ("kernel", "`fen/retry`"),
    ] {
        assert_eq!(seen[name]["ok"], false, "{seen}");
        assert!(seen[name]["error"].as_str().unwrap().contains(words), "{name}: {seen}");
    }
    assert_eq!(world.told("user").len() + world.told("cancelled").len(), 0);
}

#[tokio::test]
async fn an_event_that_breaks_the_contract_raises_kind_field_expected_and_got() {
    for (event, words) in [
        ("{ type = 'error' }", ["error", "`error`", "expected string", "got nothing"]),
        ("{ type = 'error', error = 7 }", ["error", "`error`", "expected string", "got"]),
        (
            "{ type = 'assistant-text', text = 'a', final = 'b' }",
            ["assistant-text", "`final?`", "boolean", "got"],
        ),
        ("{ type = 'inof' }", ["event", "`type`", "`info`?", "got \"inof\""]),
        ("{ text = 'x' }", ["event", "type", "expected", "got"]),
        ("{ type = 7 }", ["event", "type", "expected", "got"]),
        ("'info'", ["event", "expected", "got", "\"info\""]),
        ("{ type = 'info', text = print }", ["event", "text", "function", ""]),
    ] {
        let world = World::new();
        world
            .watches(
                "wrong",
                &format!(
                    "seen.ok, seen.why = pcall(api.emit, {event}) seen.why = tostring(seen.why)"
                ),
            )
            .await;
        let seen = world.seen("wrong").await;
        assert_eq!(seen["ok"], false, "{event}: {seen}");
        for word in words {
            assert!(
                seen["why"].as_str().unwrap().contains(word),
                "{event}: `{word}` is not in {seen}"
            );
        }
    }
}

#[tokio::test]
async fn what_is_emitted_while_loading_is_told_once_the_extension_is_loaded() {
    let world = World::new();
    world.loads("ears", "return function(api) api.on('extension-loaded', print) end").await;
    let host = world.host.clone();
    world
        .run(move |_| {
            let host = host.clone();
            async move {
                let up = "return function(api) api.emit({ type = 'early/up' }) end";
                host.load(program("early", up)).await.unwrap();
                let fails = "return function(api) api.emit({ type = 'late/up' }) error('no') end";
                host.load(program("late", fails)).await.unwrap_err();
            }
        })
        .await;
    let events = world.events.lock().unwrap();
    let place = |name: &str, field: &str, value: &str| {
        events.iter().position(|event| event["type"] == name && event[field] == value)
    };
    let loaded = place("extension-loaded", "name", "early").expect("it was loaded");
    assert_eq!(place("early/up", "type", "early/up"), Some(loaded + 1));
    assert_eq!(place("late/up", "type", "late/up"), None);
}
