//! Extensions that take too much, too often: nothing of them is called until they are loaded anew,
//! tools are blocked where hooks would have to look at them, and what they kept is kept.

use crate::beside::{
    beside, good_works, nothing, remark, results, snapshot, until, with_hooks, world,
};
use crate::kit::{World, program};
use fen_provider_mock::Turn;
use serde_json::json;

/// Burns on the remark `burn`, and has something of everything that can be listed.
fn burner(more: &str) -> String {
    format!(
        r#"return function(api)
  api.state.loads = (api.state.loads or 0) + 1
  api.on("info", function(e) if e.info == "burn" then while true do end end end)
  api.register("command", {{ name = "burner", handler = function() end }})
  api.register("introspect", {{ name = "burner", snapshot = function() return {{ loads = api.state.loads }} end }})
  api.prompt("burning", {{ id = "burner" }})
  api.timer.every(10, function() api.emit({{ type = "burner/tick" }}) end)
  {more}
end"#
    )
}

const HOOK: &str = "api.register('hook', { ['before-tool'] = function() end })";

async fn strike(world: &World, times: usize) {
    for n in 0..times {
        let before = world.errors().len();
        remark(&world.kernel, "burn");
        until("the strike", || async { world.errors().len() > before }).await;
        // The next one must not be dropped with what still waits.
        world.settle().await;
        assert!(n < 3);
    }
}

fn owners(world: &World, surface: &str) -> Vec<String> {
    let rows = world.kernel.list(surface).unwrap();
    rows.iter().map(|row| row["owner"].as_str().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn the_third_overrun_takes_an_extension_out_of_force_and_loading_it_anew_brings_it_back() {
    let world = world().await;
    world.loads("burner", &burner("")).await;
    strike(&world, 2).await;
    assert_eq!(world.row("burner")["state"], "loaded", "two are not three");
    strike(&world, 1).await;

    let row = world.row("burner");
    assert_eq!(row["state"], "quarantined");
    let reason = row["reason"].as_str().unwrap();
    assert!(
        reason.starts_with(
            "3 of its calls took more than they were given; last: burner.lua:3: ran longer"
        ),
        "{reason}"
    );
    for surface in ["commands", "introspectors", "prompt-fragments", "event-handlers"] {
        let owners = owners(&world, surface);
        assert!(!owners.contains(&"burner".to_owned()), "{surface}: {owners:?}");
    }
    let told = world.told("error");
    let words = told[0]["error"].as_str().unwrap();
    assert!(
        words.contains("`burner` is quarantined") && words.contains("/reload burner"),
        "{words}"
    );
    assert!(world.errors().iter().any(|error| error.starts_with("burner: quarantine: 3 of")));
    // No tick is under way any more once the thread has answered.
    good_works(&world.kernel, "a quarantine").await;
    let ticks = world.told("burner/tick").len();
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(world.told("burner/tick").len(), ticks, "its timer ticks on");

    world.loads("burner", &burner("")).await;
    assert_eq!(world.row("burner")["state"], "loaded");
    assert_eq!(world.row("burner")["reason"], json!(null));
    assert_eq!(snapshot(&world.kernel, "burner").await["loads"], 2, "its state is kept");
    strike(&world, 2).await;
    assert_eq!(world.row("burner")["state"], "loaded", "the strikes begin anew");
    good_works(&world.kernel, "a reload").await;
}

#[tokio::test]
async fn tools_are_blocked_while_an_extension_with_hooks_is_quarantined() {
    // The third one registers its hook after it was loaded.
    let late = "api.on('info', function(e) if e.info == 'hook' then api.register('hook', { ['before-tool'] = function() end }) end end)";
    for (declared, more) in [(true, HOOK), (false, HOOK), (false, late)] {
        let world =
            beside(World::answering(vec![Turn::call("good", nothing()), Turn::text("done")])).await;
        let source = burner(more);
        let loaded = match declared {
            true => world.host.load(with_hooks("burner", &source)).await,
            false => world.load("burner", &source).await,
        };
        loaded.unwrap();
        remark(&world.kernel, "hook");
        strike(&world, 3).await;
        assert_eq!(world.row("burner")["state"], "quarantined");
        world.prompt("work").await;
        let text = &results(&world)[0];
        assert!(text.contains("extension `burner` has hooks and is quarantined"), "{text}");
        good_works(&world.kernel, "a quarantine").await;
    }
}

#[tokio::test]
async fn loading_anew_or_unloading_lets_tools_run_again() {
    for unloads in [false, true] {
        let world =
            beside(World::answering(vec![Turn::call("good", nothing()), Turn::text("done")])).await;
        world.loads("burner", &burner(HOOK)).await;
        strike(&world, 3).await;
        if unloads {
            assert!(world.host.unload("burner"));
        } else {
            world.loads("burner", &burner(HOOK)).await;
        }
        world.prompt("work").await;
        assert_eq!(results(&world), ["good work"], "{:?}", world.errors());
    }
}

#[tokio::test]
async fn a_quarantined_extension_that_still_does_not_load_keeps_its_state_and_its_block() {
    let world =
        beside(World::answering(vec![Turn::call("good", nothing()), Turn::text("done")])).await;
    world.loads("burner", &burner(HOOK)).await;
    strike(&world, 3).await;
    world.load("burner", "error('half saved')").await.unwrap_err();
    assert_eq!(world.row("burner")["state"], "error");
    world.prompt("work").await;
    assert!(results(&world)[0].contains("could not be loaded"), "{:?}", results(&world));
    world.loads("burner", &burner("")).await;
    assert_eq!(snapshot(&world.kernel, "burner").await["loads"], 2);
    good_works(&world.kernel, "a mended quarantine").await;
}

#[tokio::test]
async fn an_extension_that_keeps_nearly_all_its_memory_is_quarantined_at_once() {
    let world = world().await;
    world
        .loads(
            "hoarder",
            "return function(api)\n  api.state.n = 7\n  kept = {}\n  api.on('info', function(e)\n    if e.info == 'hoard' then while true do kept[#kept + 1] = ('x'):rep(1000):rep(100) .. #kept end end\n  end)\nend",
        )
        .await;
    remark(&world.kernel, "hoard");
    until("the quarantine", || async { world.row("hoarder")["state"] == "quarantined" }).await;
    let row = world.row("hoarder");
    let reason = row["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("it keeps nearly all the memory that it may have; last: hoarder.lua:"),
        "{reason}"
    );
    assert!(reason.contains("not enough memory"), "{reason}");
    good_works(&world.kernel, "a hoarder").await;
    world
        .loads("hoarder", "return function(api) local n = api.state.n api.register('introspect', { name = 'i', snapshot = function() return { n = n } end }) end")
        .await;
    assert_eq!(snapshot(&world.kernel, "hoarder").await["n"], 7);
}

#[tokio::test]
async fn errors_that_take_no_more_than_was_given_are_no_strikes() {
    let world = world().await;
    world
        .loads("throws", "return function(api) api.on('info', function() error('x') end) end")
        .await;
    for _ in 0..10 {
        remark(&world.kernel, "again");
    }
    world.settle().await;
    assert_eq!(world.errors().len(), 10);
    assert_eq!(world.row("throws")["state"], "loaded");
}

#[tokio::test]
async fn an_extension_with_hooks_that_does_not_load_blocks_tools_until_it_is_mended_or_gone() {
    for mends in [true, false] {
        let world = beside(World::answering(vec![
            Turn::call("good", nothing()),
            Turn::text("blocked"),
            Turn::call("good", nothing()),
            Turn::text("done"),
        ]))
        .await;
        world.host.load(with_hooks("guard", "return function(api")).await.unwrap_err();
        let host = world.host.clone();
        world
            .run(move |context| {
                let host = host.clone();
                async move {
                    crate::kit::say(&context, "work").await;
                    if mends {
                        host.load(with_hooks("guard", "return function(api) end")).await.unwrap();
                    } else {
                        assert!(host.unload("guard"));
                    }
                    crate::kit::say(&context, "work again").await;
                }
            })
            .await;
        let texts = results(&world);
        assert!(
            texts[0].contains("`guard` has hooks and could not be loaded (guard.lua:1: "),
            "{texts:?}"
        );
        assert_eq!(texts[1], "good work");
        good_works(&world.kernel, "a guard that does not load").await;
    }
}

#[tokio::test]
async fn a_reload_that_fails_leaves_the_hooks_in_force_and_tools_unblocked() {
    let world =
        beside(World::answering(vec![Turn::call("good", nothing()), Turn::text("done")])).await;
    let guard = "return function(api) api.register('hook', { ['before-tool'] = function() return { block = true, reason = 'the old one' } end }) end";
    world.host.load(with_hooks("guard", guard)).await.unwrap();
    world.host.load(with_hooks("guard", "error('half saved')")).await.unwrap_err();
    world.prompt("work").await;
    assert_eq!(results(&world), ["Blocked: the old one"]);
    assert_eq!(world.host.program("guard").unwrap().files, program("guard", guard).files);
}

#[tokio::test]
async fn an_extension_that_takes_too_much_while_it_loads_is_not_loaded() {
    let world = world().await;
    let source = "return function(api)
      for _ = 1, 3 do
        api.timer.after(1, function()
          local t = {}
          while true do t[#t + 1] = ('x'):rep(1000):rep(100) .. #t end
        end)
      end
      repeat api.timer.sleep(5) until #api.diagnostics.list_errors() >= 3
    end";
    let failure = world.load("burner", source).await.expect_err("it burnt");
    assert!(
        failure.message.contains("took too much while it was loaded: 3 of its calls"),
        "{failure}"
    );
    assert_eq!(world.row("burner")["state"], "error");
    good_works(&world.kernel, "a load that burns").await;
}
