//! Loading anew: all of the new one or all of the old one, and nothing of the old one left behind.

use crate::beside::{beside, good_works, hear, nothing, remark, results, snapshot, until, world};
use crate::kit::{World, program, say};
use fen_contract::api::{SURFACES, Source};
use fen_contract::conversation::{Submitted, WhenBusy};
use fen_provider_mock::Turn;
use fen_script::host::Program;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// A generation that says which one it is wherever it can, and counts in its state.
fn generation(n: u32) -> String {
    format!(
        r#"return function(api)
  api.state.loads = (api.state.loads or 0) + 1
  local say = function(what) api.emit({{ type = "info", info = what .. " {n}" }}) end
  api.on("info", function(e) if e.info == "who" then say("handler") end end)
  api.on("*", function(e) if e.info == "who" then say("star") end end)
  api.register("command", {{ name = "who", handler = function() say("command") end }})
  api.register("introspect", {{ name = "who", snapshot = function() return {{ n = {n}, loads = api.state.loads }} end }})
  api.register("status", {{ name = "who", render = function() return "status {n}" end }})
  api.register("tool", {{ name = "who", description = "d", parameters = {{ type = "object" }},
    execute = function() return "tool {n}" end }})
  api.prompt(function() return "prompt {n}" end, {{ id = "who" }})
  api.timer.every(10, function() api.emit({{ type = "who/tick", n = {n} }}) end)
end"#
    )
}

async fn who_answers(world: &World, n: u32) {
    let before = world.infos().len();
    remark(&world.kernel, "who");
    world.settle().await;
    let heard: Vec<String> =
        world.infos()[before..].iter().filter(|info| *info != "who").cloned().collect();
    assert_eq!(heard, [format!("handler {n}"), format!("star {n}")], "each of them once");
    assert_eq!(snapshot(&world.kernel, "who").await["n"], n);
    let prompt = world.kernel.system_prompt().await.unwrap_or_default();
    assert_eq!(prompt.matches("prompt").count(), 1, "{prompt}");
    assert!(prompt.contains(&format!("prompt {n}")), "{prompt}");
}

fn ticks_of(world: &World, n: u32) -> usize {
    world.told("who/tick").iter().filter(|tick| tick["n"] == n).count()
}

#[tokio::test]
async fn a_reload_replaces_everything_and_keeps_the_state() {
    let world = world().await;
    world.loads("who", &generation(1)).await;
    who_answers(&world, 1).await;
    until("a tick", || async { ticks_of(&world, 1) > 0 }).await;
    let loaded = world.loads("who", &generation(2)).await;
    assert_eq!(loaded.generation, 2);
    who_answers(&world, 2).await;
    assert_eq!(snapshot(&world.kernel, "who").await["loads"], 2);
    let before = ticks_of(&world, 1);
    until("ticks of the new one", || async { ticks_of(&world, 2) > 3 }).await;
    assert_eq!(ticks_of(&world, 1), before, "the old timer ticks on");
    until("the end of the old VM", || async { world.host.instances().await == 2 }).await;
    good_works(&world.kernel, "a reload").await;
}

#[tokio::test]
async fn a_reload_that_fails_leaves_the_old_one_as_it_was() {
    let world = world().await;
    world.loads("who", &generation(1)).await;
    let then = |code: &str| format!("{}\n", generation(2).trim_end_matches("end")) + code + "\nend";
    for (what, source, wanted) in [
        ("syntax", "return function(api)\n  x = = 1\nend".to_owned(), "who.lua:2: "),
        ("throws", then("error('late')"), "late"),
        ("contract", then("api.register('tool', { name = 'x' })"), "tool"),
        (
            "conflict",
            then(
                "api.register('tool', { name = 'good', description = 'd', parameters = {}, execute = print })",
            ),
            "extension `good`",
        ),
        ("endless", then("while true do end"), "ran longer than 1 s"),
        ("nothing", "return 1".to_owned(), "who.lua gives integer"),
    ] {
        let (errors, rows) = (world.errors().len(), counts(&world));
        let failure = world.load("who", &source).await.expect_err(what);
        assert!(failure.message.starts_with("who.lua"), "{what}: {failure}");
        assert!(failure.message.contains(wanted), "{what}: {failure}");
        // A tick that is being told on the script's thread goes before it.
        until("the error", || async { world.errors().len() > errors }).await;
        let told = &world.errors()[errors..];
        assert_eq!(told.len(), 1, "{what}: {told:?}");
        assert!(told[0].starts_with("who: load: who.lua"), "{told:?}");
        assert_eq!(world.row("who")["state"], "loaded", "{what}");
        assert_eq!(counts(&world), rows, "{what}");
        who_answers(&world, 1).await;
        assert_eq!(snapshot(&world.kernel, "who").await["loads"], 1, "{what}");
        good_works(&world.kernel, what).await;
    }
    let before = ticks_of(&world, 1);
    until("ticks of the old one", || async { ticks_of(&world, 1) > before }).await;
    assert_eq!(ticks_of(&world, 2), 0);
    until("the end of the failed VMs", || async { world.host.instances().await == 2 }).await;
}

#[tokio::test]
async fn the_name_of_an_extension_that_comes_with_fen_is_refused() {
    let world = world().await;
    let failure = world.load("mock", &generation(1)).await.expect_err("two of one name");
    assert!(failure.message.contains("is loaded already (bundled)"), "{failure}");
    good_works(&world.kernel, "a foreign source").await;
}

#[tokio::test]
async fn an_extension_that_moved_takes_over_from_its_former_place() {
    let world = world().await;
    world.loads("who", &generation(1)).await;
    let moved = Program { source: Source::Project, ..program("who", &generation(2)) };
    world.host.load(moved).await.unwrap();
    who_answers(&world, 2).await;
    assert_eq!(world.row("who")["source"], "project");
    good_works(&world.kernel, "a move").await;
}

/// How many rows each surface has, logs aside.
fn counts(world: &World) -> BTreeMap<&'static str, usize> {
    let surfaces = SURFACES.into_iter().filter(|surface| *surface != "logs");
    surfaces.map(|surface| (surface, world.kernel.list(surface).unwrap().len())).collect()
}

#[tokio::test]
async fn a_hundred_reloads_leave_what_one_leaves() {
    let world = world().await;
    world.loads("who", &generation(1)).await;
    let rows = counts(&world);
    let mut memory = Vec::new();
    for n in 2..=101 {
        memory.push(world.loads("who", &generation(n)).await.memory);
    }
    until("the end of the old VMs", || async { world.host.instances().await == 2 }).await;
    let (first, last) = (memory[0], memory[memory.len() - 1]);
    assert!(last < first + 16_384, "a VM grew from {first} to {last} bytes");
    assert_eq!(counts(&world), rows);
    who_answers(&world, 101).await;
    assert_eq!(snapshot(&world.kernel, "who").await["loads"], 101);
    good_works(&world.kernel, "a hundred reloads").await;
}

#[tokio::test]
async fn a_deleted_extension_leaves_nothing() {
    let world = world().await;
    let before = counts(&world);
    world.loads("who", &generation(1)).await;
    until("a tick", || async { ticks_of(&world, 1) > 0 }).await;
    assert_ne!(counts(&world), before);
    assert!(world.host.unload("who"));
    assert!(!world.host.unload("who"), "it is gone");
    assert_eq!(counts(&world), before);
    until("the end of its VM", || async { world.host.instances().await == 1 }).await;
    let ticks = ticks_of(&world, 1);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(ticks_of(&world, 1), ticks);
    assert!(world.kernel.system_prompt().await.is_none_or(|prompt| !prompt.contains("prompt")));
    // A new one of that name begins without the state of the one that was deleted.
    world.loads("who", &generation(2)).await;
    assert_eq!(snapshot(&world.kernel, "who").await["loads"], 1);
    good_works(&world.kernel, "a deletion").await;
}

/// A tool that waits until it hears `go on`, and then says which generation it is.
fn slow(n: u32) -> String {
    format!(
        r#"return function(api)
  local goes_on = false
  api.on("info", function(e) if e.info == "go on" then goes_on = true end end)
  api.register("tool", {{ name = "slow", description = "d", parameters = {{ type = "object" }},
    execute = function(args)
      api.emit({{ type = "info", info = "slow {n} begins" }})
      local left = args.waits or 0
      while left > 0 do api.timer.sleep(5) left = left - 1 end
      return "slow {n}"
    end }})
end"#
    )
}

#[tokio::test]
async fn a_running_call_ends_in_the_old_generation_and_the_next_begins_in_the_new_one() {
    let world = beside(World::answering(vec![
        Turn::call("slow", json!({"waits": 20})),
        Turn::call("slow", nothing()),
        Turn::text("done"),
    ]))
    .await;
    world.loads("slow", &slow(1)).await;
    let host = world.host.clone();
    world
        .run(move |context| {
            let host = host.clone();
            async move {
                let submitted =
                    context.conversation.submit_line("work".to_owned(), WhenBusy::Reject).await;
                assert!(matches!(submitted, Submitted::Started), "{submitted:?}");
                hear(&context, "info").await;
                host.load(program("slow", &slow(2))).await.unwrap();
                assert_eq!(host.instances().await, 3, "the old one has a call to end");
                hear(&context, "agent-turn-complete").await;
            }
        })
        .await;
    // The registry of a turn's model call is that of its moment.
    assert_eq!(results(&world), ["slow 1", "slow 2"], "{:?}", world.errors());
    until("the end of the old VM", || async { world.host.instances().await == 2 }).await;
    assert!(world.errors().is_empty(), "{:?}", world.errors());
    good_works(&world.kernel, "a reload during a call").await;
}

#[tokio::test]
async fn unloading_during_a_call_lets_the_call_end() {
    let world = beside(World::answering(vec![
        Turn::call("slow", json!({"waits": 20})),
        Turn::call("slow", nothing()),
        Turn::text("done"),
    ]))
    .await;
    world.loads("slow", &slow(1)).await;
    let host = world.host.clone();
    world
        .run(move |context| {
            let host = host.clone();
            async move {
                let submitted =
                    context.conversation.submit_line("work".to_owned(), WhenBusy::Reject).await;
                assert!(matches!(submitted, Submitted::Started), "{submitted:?}");
                hear(&context, "info").await;
                assert!(host.unload("slow"));
                hear(&context, "agent-turn-complete").await;
            }
        })
        .await;
    let texts = results(&world);
    assert_eq!(texts[0], "slow 1");
    assert!(texts[1].starts_with("There is no tool `slow`."), "{texts:?}");
    until("the end of its VM", || async { world.host.instances().await == 1 }).await;
    good_works(&world.kernel, "an unload during a call").await;
}

#[tokio::test]
async fn a_reload_during_a_streaming_turn_loses_no_delta_and_doubles_none() {
    let text = "word ".repeat(200);
    let turn = Turn { delta_delay_ms: 1, chunk: Some(5), ..Turn::text(text.clone()) };
    let world = beside(World::answering(vec![turn])).await;
    let ears = |n: u32| {
        format!(
            "return function(api)\n\
               api.on('text-delta', function(e) api.emit({{ type = 'ears/heard', n = {n}, delta = e.delta }}) end)\n\
             end"
        )
    };
    world.loads("ears", &ears(1)).await;
    let host = world.host.clone();
    world
        .run(move |context| {
            let (host, second) = (host.clone(), ears(2));
            async move {
                let submitted =
                    context.conversation.submit_line("talk".to_owned(), WhenBusy::Reject).await;
                assert!(matches!(submitted, Submitted::Started), "{submitted:?}");
                for _ in 0..20 {
                    hear(&context, "ears/heard").await;
                }
                host.load(program("ears", &second)).await.unwrap();
                hear(&context, "agent-turn-complete").await;
            }
        })
        .await;
    let heard = world.told("ears/heard");
    let by = |n: u32| -> String {
        heard.iter().filter(|e| e["n"] == n).map(|e| e["delta"].as_str().unwrap()).collect()
    };
    let (first, second) = (by(1), by(2));
    assert!(!first.is_empty() && !second.is_empty());
    assert!(text.starts_with(&first), "{first}");
    assert!(text.ends_with(&second), "{second}");
    assert!(first.len() + second.len() <= text.len(), "some were heard twice");
    let said = world.told("assistant-text");
    assert_eq!(said[0]["text"].as_str().unwrap().trim_end(), text.trim_end());
    good_works(&world.kernel, "a reload during a stream").await;
}

#[tokio::test]
async fn a_reload_beside_a_handler_that_waits_leaves_it_behind() {
    let world = world().await;
    let waits = |n: u32| {
        format!(
            "return function(api)\n\
               api.on('info', function(e)\n\
                 if e.info == 'wait' then\n\
                   api.emit({{ type = 'waits/begins', n = {n} }})\n\
                   api.timer.sleep(8e7)\n\
                 elseif e.info == 'who' then api.emit({{ type = 'waits/who', n = {n} }}) end\n\
               end)\n\
             end"
        )
    };
    world.loads("waits", &waits(1)).await;
    remark(&world.kernel, "wait");
    until("its begin", || async { !world.told("waits/begins").is_empty() }).await;
    remark(&world.kernel, "who");
    world.loads("waits", &waits(2)).await;
    remark(&world.kernel, "who");
    world.settle().await;
    let told = world.told("waits/who");
    assert_eq!(told.len(), 1, "what the old one had still to hear is gone: {told:?}");
    assert_eq!(told[0]["n"], 2);
    until("the end of the old VM", || async { world.host.instances().await == 2 }).await;
    good_works(&world.kernel, "a reload beside a waiting handler").await;
}

#[tokio::test]
async fn what_the_old_generation_still_does_reaches_nobody() {
    let world =
        beside(World::answering(vec![Turn::call("old", nothing()), Turn::text("done")])).await;
    let old = "return function(api)
      api.register('tool', { name = 'old', description = 'd', parameters = { type = 'object' },
        execute = function()
          api.emit({ type = 'old/begins' })
          api.timer.sleep(100)
          local told = api.emit({ type = 'old/late' })
          api.on('info', function() api.emit({ type = 'old/late' }) end)
          api.prompt('late', { id = 'late' })
          api.timer.every(10, function() api.emit({ type = 'old/late' }) end)
          local fine, problem = pcall(api.register, 'command', { name = 'late', handler = function() end })
          return tostring(told.ok) .. ' ' .. tostring(fine) .. ' ' .. tostring(problem)
        end })
    end";
    world.loads("old", old).await;
    let host = world.host.clone();
    world
        .run(move |context| {
            let host = host.clone();
            async move {
                let submitted =
                    context.conversation.submit_line("work".to_owned(), WhenBusy::Reject).await;
                assert!(matches!(submitted, Submitted::Started), "{submitted:?}");
                hear(&context, "old/begins").await;
                host.load(program("old", "return function() end")).await.unwrap();
                hear(&context, "agent-turn-complete").await;
                say(&context, "more").await;
            }
        })
        .await;
    let text = &results(&world)[0];
    assert!(text.starts_with("false false "), "{text}");
    assert!(text.contains("reloaded or unloaded"), "{text}");
    assert!(world.told("old/late").is_empty());
    assert_eq!(world.kernel.list("commands").unwrap().len(), 0);
    until("the end of the old VM", || async { world.host.instances().await == 2 }).await;
    good_works(&world.kernel, "what the old one did").await;
}

#[tokio::test]
async fn state_that_is_no_data_is_named_and_the_rest_is_kept() {
    let world = world().await;
    world
        .loads("keeps", "return function(api) api.state.fine = { 1, 2 } api.state.bad = print api.state.nan = 0/0 end")
        .await;
    world
        .loads("keeps", "return function(api) local s = api.state api.register('introspect', { name = 'i', snapshot = function() return { fine = s.fine, bad = s.bad == nil } end }) end")
        .await;
    assert_eq!(snapshot(&world.kernel, "keeps").await, json!({"fine": [1, 2], "bad": true}));
    let told = world.errors();
    assert!(
        told.iter().any(|e| e.starts_with("keeps: reload: not kept: api.state.bad: ")),
        "{told:?}"
    );
    assert!(
        told.iter().any(|e| e.starts_with("keeps: reload: not kept: api.state.nan: ")),
        "{told:?}"
    );
    good_works(&world.kernel, "bad state").await;
}
