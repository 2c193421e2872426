//! Presenters.

use crate::kit::World;
use fen_core::RunOutcome;
use fen_provider_mock::Turn;
use serde_json::json;

/// Runs the presenter `face` of the extension with this body.
async fn run(world: &World, body: &str) -> RunOutcome {
    world.watches("face", body).await;
    let mut setup = world.setup();
    setup.presenter = "face".to_owned();
    setup.prompt = Some("from outside".to_owned());
    let outcome =
        tokio::time::timeout(crate::kit::HANG, world.kernel.run(setup)).await.expect("no end");
    world.settle().await;
    outcome
}

#[tokio::test]
async fn a_presenter_is_begun_run_and_shut_down_in_this_order() {
    let world = World::new();
    let outcome = run(
        &world,
        r#"seen.calls = {}
           local function noted(name) return function(ctx) table.insert(seen.calls, name .. " " .. tostring(ctx.prompt)) end end
           api.register("presenter", { name = "face", init = noted("init"), run = noted("run"), shutdown = noted("shutdown") })"#,
    )
    .await;
    assert_eq!(outcome.failure, None);
    assert_eq!(
        world.seen("face").await["calls"],
        json!(["init from outside", "run from outside", "shutdown from outside"])
    );
}

#[tokio::test]
async fn a_presenter_submits_hears_events_and_ends_when_they_run_dry() {
    let world = World::answering(vec![Turn::text("hello")]);
    let outcome = run(
        &world,
        r#"api.register("presenter", { name = "face", run = function(ctx)
             seen.names = {}
             seen.submitted = ctx.submit("hi")
             while true do
               local event = ctx["next-event"]()
               if not event then break end
               if event.type == "assistant-text" then seen.text, seen.final = event.text, event.final end
               if event.type == "agent-turn-complete" then
                 seen.status, seen.count = event.status, event.agent.message_count
                 seen.busy = ctx["busy?"]()
                 ctx.quit()
               end
               table.insert(seen.names, event.type)
             end
             seen.after = ctx.next_event() == nil
             seen.late = ctx.submit("more").ok
           end })"#,
    )
    .await;
    assert_eq!(outcome.failure, None);
    let seen = world.seen("face").await;
    assert_eq!(seen["submitted"], json!({"ok": true, "started": true}), "{:?}", world.errors());
    assert_eq!((&seen["text"], &seen["final"]), (&json!("hello"), &json!(true)));
    assert_eq!((&seen["status"], &seen["count"]), (&json!("ok"), &json!(2)));
    assert_eq!((&seen["after"], &seen["late"]), (&json!(true), &json!(false)));
    assert_eq!(seen["busy"], false);
    let names: Vec<&str> =
        seen["names"].as_array().unwrap().iter().filter_map(|n| n.as_str()).collect();
    let place = |name: &str| names.iter().position(|other| *other == name);
    assert_eq!(place("agent-started"), Some(0), "{names:?}");
    assert!(place("user") < place("llm-start") && place("llm-end") < place("assistant-text"));
}

#[tokio::test]
async fn a_presenter_cancels_the_running_turn() {
    let slow = Turn { delay_ms: 3_600_000, ..Turn::text("late") };
    let world = World::answering(vec![slow]);
    run(
        &world,
        r#"api.register("presenter", { name = "face", run = function(ctx)
             seen.idle = ctx.cancel()
             ctx.submit("hi")
             for event in ctx["next-event"] do
               if event.type == "llm-start" then
                 seen.queued = ctx.submit("and")
                 seen.busy = ctx.cancel()
               end
               if event.type == "agent-turn-complete" then seen.status = event.status return end
             end
           end })"#,
    )
    .await;
    assert_eq!(
        world.seen("face").await,
        json!({"idle": false, "busy": true, "status": "cancelled",
               "queued": {"ok": true, "queued": true, "queue": "steering"}}),
        "{:?}",
        world.errors()
    );
}

#[tokio::test]
async fn a_presenter_reads_lines_writes_and_dispatches_commands() {
    let world = World::new();
    world.terminal.lines.lock().unwrap().push("/note one".to_owned());
    run(
        &world,
        r#"api.register("command", { name = "note", handler = function(args) seen.note = args end })
           api.register("presenter", { name = "face", run = function(ctx)
             local line = ctx["read-line"]("> ")
             seen.dispatched = ctx.dispatch(line)
             seen.unknown = ctx.dispatch("/nowt")
             seen.submitted = ctx.submit("/note two")
             seen.finish = ctx.read_line() == nil
             ctx.write("bye\n")
           end })"#,
    )
    .await;
    let seen = world.seen("face").await;
    assert_eq!(seen["note"], "two", "{:?}", world.errors());
    assert_eq!(
        (&seen["dispatched"], &seen["submitted"]),
        (&json!({"ok": true}), &json!({"ok": true}))
    );
    assert_eq!(seen["unknown"]["ok"], false);
    assert!(seen["unknown"]["error"].as_str().unwrap().contains("/note"), "{seen}");
    assert_eq!(seen["finish"], true);
    assert_eq!(*world.terminal.written.lock().unwrap(), "> bye\n");
}

#[tokio::test]
async fn questions_of_other_extensions_go_to_the_presenters_ui() {
    let world = World::new();
    world
        .watches(
            "asker",
            r#"api.register("command", { name = "ask", handler = function()
                 seen.has = api.ui["has-ui?"]()
                 api.ui.notify("note this", { style = "dim" })
                 seen.prompt = api.ui.prompt({ text = "Name?", initial = "Bo", secret = true })
                 seen.plain = api.ui.prompt("Plain?")
                 seen.select = api.ui.select({ title = "Which?", ["initial-query"] = "t",
                   choices = { "one", { label = "Two", value = { n = 2 }, detail = "more" } } })
                 seen.declined = api.ui.select({ title = "none", choices = { "x" } }) == nil
                 seen.forged = api.ui.select({ title = "forged", choices = { "x" } }) == nil
               end })"#,
        )
        .await;
    run(
        &world,
        r#"seen.notes, seen.asked = {}, {}
           api.register("presenter", { name = "face",
             run = function(ctx) seen.ran = ctx.submit("/ask").ok end,
             ui = {
               notify = function(text) table.insert(seen.notes, text) end,
               prompt = function(question)
                 table.insert(seen.asked, { question.text, question.initial or "", question.secret })
                 return "answer"
               end,
               select = function(choice)
                 if choice.title == "none" then return nil end
                 if choice.title == "forged" then return "y" end
                 seen.select = { choice.title, choice["initial-query"], choice.initial_query, choice.choices[2].label, choice.choices[2].detail }
                 return choice.choices[2].value
               end,
             } })"#,
    )
    .await;
    let asker = world.seen("asker").await;
    assert_eq!(
        asker,
        json!({"has": true, "prompt": "answer", "plain": "answer", "select": {"n": 2},
               "declined": true, "forged": true}),
        "{:?}",
        world.errors()
    );
    let face = world.seen("face").await;
    assert_eq!(face["notes"], json!(["note this"]));
    assert_eq!(face["asked"], json!([["Name?", "Bo", true], ["Plain?", "", false]]));
    assert_eq!(face["select"], json!(["Which?", "t", "t", "Two", "more"]));
    assert_eq!(face["ran"], true);
}

#[tokio::test]
async fn a_presenter_that_fails_ends_the_run_with_its_words_and_is_still_shut_down() {
    for (fields, shut) in [
        ("run = function() error('broken tube') end", true),
        ("init = function() error('broken tube') end, run = function() seen.ran = true end", true),
    ] {
        let world = World::new();
        let outcome = run(
            &world,
            &format!(
                "api.register('presenter', {{ name = 'face', {fields}, shutdown = function() seen.shut = true end }})"
            ),
        )
        .await;
        let failure = outcome.failure.expect("it failed").message;
        assert!(failure.contains("broken tube"), "{failure}");
        assert_eq!(world.seen("face").await, json!({"shut": shut}));
        let shutdown = &world.told("agent-shutdown")[0];
        assert_eq!(shutdown["reason"], "crashed");
        assert!(shutdown["error"].as_str().unwrap().contains("broken tube"), "{shutdown}");
    }
}

#[tokio::test]
async fn a_presenter_draws_panels_and_status_items_and_presses_keys() {
    let world = World::new();
    world
        .loads(
            "parts",
            r#"return function(api)
              api.register("panel", { name = "p", title = "P", render = function(ctx) return { "w" .. ctx.width } end })
              api.register("status", { name = "s", render = function(ctx) return { text = "h" .. ctx.height, style = "dim" } end })
              api.register("control", { name = "c", key = "f5", handler = function() error("no") end })
            end"#,
        )
        .await;
    run(
        &world,
        r#"api.register("presenter", { name = "face", run = function(ctx)
             local size = { width = 40, height = 9 }
             local panel, item = ctx.panels(size)[1], ctx.status(size)[1]
             seen.panel = { panel.owner, panel.name, panel.title, panel.placement, panel.rows[1][1].text }
             seen.item = { item.owner, item.name, item.side, item.text, item.style }
             seen.free = ctx.press("f6") == nil
             seen.taken = ctx.press("f5").ok
           end })"#,
    )
    .await;
    assert_eq!(
        world.seen("face").await,
        json!({"panel": ["parts", "p", "P", "above-input", "w40"],
               "item": ["parts", "s", "left", "h9", "dim"], "free": true, "taken": false}),
        "{:?}",
        world.errors()
    );
}

#[tokio::test]
async fn a_ui_that_fails_answers_nothing_and_is_told() {
    let world = World::new();
    world
        .watches(
            "asker",
            r#"api.register("command", { name = "ask", handler = function()
                 api.ui.notify("x")
                 seen.prompt = api.ui.prompt({ text = "?" }) == nil
                 seen.select = api.ui.select({ title = "?", choices = { "x" } }) == nil
               end })"#,
        )
        .await;
    run(
        &world,
        r#"api.register("presenter", { name = "face", run = function(ctx) ctx.dispatch("/ask") end,
             ui = { notify = function() error("n") end, prompt = function() return 7 end, select = function() error("s") end } })"#,
    )
    .await;
    let seen = world.seen("asker").await;
    assert_eq!(seen, json!({"prompt": true, "select": true}), "{:?}", world.errors());
    let errors = world.errors();
    for callback in ["notify", "prompt", "select"] {
        let told = errors.iter().filter(|e| e.starts_with(&format!("face: {callback}: ")));
        assert_eq!(told.count(), 1, "{callback}: {errors:?}");
    }
}
