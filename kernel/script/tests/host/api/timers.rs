//! `timer`.

use crate::kit::{HANG, World, until};
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn after_runs_once_and_every_goes_on_until_it_is_cancelled() {
    let world = World::new();
    world
        .watches(
            "clock",
            r#"seen.after, seen.every, seen.never = 0, 0, 0
               api.timer.after(1, function() seen.after = seen.after + 1 end)
               local never = api.timer.after(1, function() seen.never = seen.never + 1 end)
               never.cancel()
               local handle
               handle = api.timer.every(1, function()
                 seen.every = seen.every + 1
                 if seen.every == 3 then
                   handle.cancel()
                   -- What runs goes on.
                   api.timer.sleep(1)
                   seen.finished = true
                   api.timer.after(50, function() seen.later = true end)
                 end
               end)"#,
        )
        .await;
    let seen = world.when("clock", |seen| seen["later"] == true).await;
    assert_eq!(
        seen,
        json!({"after": 1, "every": 3, "never": 0, "finished": true, "later": true}),
        "{:?}",
        world.errors()
    );
    assert_eq!(world.errors(), [""; 0]);
}

#[tokio::test]
async fn a_timer_that_fails_is_told_and_a_repeated_one_goes_on() {
    let world = World::new();
    world
        .watches(
            "clock",
            "seen.n = 0 api.timer.every(1, function() seen.n = seen.n + 1 if seen.n < 3 then error('tick') end end)",
        )
        .await;
    world.when("clock", |seen| seen["n"].as_u64() >= Some(4)).await;
    let errors = world.errors();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].starts_with("clock: timer: ") && errors[0].contains("tick"), "{errors:?}");
}

#[tokio::test]
async fn timers_end_when_their_extension_is_reloaded_or_unloaded() {
    let world = Arc::new(World::new());
    let ticking = |name: &str| {
        format!(
            "api.timer.every(10, function() api.emit({{ type = 'clock/tick', by = '{name}' }}) end)"
        )
    };
    let heard = world.clone();
    let after = async move |name: &'static str| {
        // Five ticks of the timer that is left are long enough for the one that has ended.
        let before = heard.told("clock/tick").len();
        let waiting = async {
            loop {
                let ticks = heard.told("clock/tick");
                if ticks[before..].iter().filter(|tick| tick["by"] == name).count() >= 5 {
                    return;
                }
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(HANG, waiting).await.expect("it does not tick");
        let ticks = heard.told("clock/tick");
        ticks[before..]
            .iter()
            .map(|tick| tick["by"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    world.watches("clock", &ticking("first")).await;
    after("first").await;
    world.watches("clock", &ticking("second")).await;
    assert!(!after("second").await.contains(&"first".to_owned()));
    assert!(world.host.unload("clock"));
    world.watches("clock", &ticking("third")).await;
    assert!(!after("third").await.contains(&"second".to_owned()));
}

#[tokio::test]
async fn nonsense_as_a_time_raises() {
    let world = World::new();
    world
        .watches(
            "clock",
            r#"seen.bad = {}
               for _, ms in ipairs({ -1, 0/0, 1/0 }) do table.insert(seen.bad, (pcall(api.timer.after, ms, print))) end
               table.insert(seen.bad, (pcall(api.timer.every, "soon", print)))
               table.insert(seen.bad, (pcall(api.timer.after, 1)))"#,
        )
        .await;
    assert_eq!(world.seen("clock").await["bad"], json!([false, false, false, false, false]));
}

#[tokio::test]
async fn a_timer_may_submit_a_prompt() {
    let world = World::new();
    world
        .watches(
            "clock",
            r#"api.on("agent-started", function()
                 api.timer.after(1, function() seen.answer = api.turn.submit(nil, "tick") end)
               end)"#,
        )
        .await;
    world
        .run(|context| async move {
            until(&context, "agent-turn-complete").await;
        })
        .await;
    assert_eq!(world.seen("clock").await["answer"], json!({"ok": true, "started": true}));
    assert_eq!(world.told("user")[0]["line"], "tick");
}
