//! A good extension that is loaded beside the bad ones, and the look at whether it still works.

use crate::kit::{HANG, World, program};
use fen_contract::events::Event;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::presenter::PresenterContext;
use fen_contract::ui::RenderContext;
use fen_core::Kernel;
use fen_script::host::Program;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Hears, shows, answers and works.
pub const GOOD: &str = r#"return function(api)
  local heard = 0
  api.on("info", function(e)
    local n = (e.info or ""):match("^ping (%d+)$")
    if n then heard = tonumber(n) end
  end)
  api.register("introspect", { name = "good", snapshot = function() return { heard = heard } end })
  api.register("status", { name = "good", render = function() return "fine" end })
  api.register("tool", {
    name = "good", description = "Works", parameters = { type = "object" },
    execute = function() return "good work" end,
  })
end"#;

/// A world with the good extension in it.
pub async fn world() -> World {
    beside(World::new()).await
}

/// The same for a world that is there.
pub async fn beside(world: World) -> World {
    world.loads("good", GOOD).await;
    world
}

/// Tells a remark, as anybody may.
pub fn remark(kernel: &Kernel, text: &str) {
    let info: Event = serde_json::from_value(json!({"type": "info", "info": text})).unwrap();
    kernel.api().emit(info).unwrap();
}

/// What an extension's introspection gives.
pub async fn snapshot(kernel: &Kernel, owner: &str) -> Value {
    let api = kernel.api();
    let rows = api.snapshots(Some(owner.to_owned())).await;
    rows.first().map_or(Value::Null, |row| row["snapshot"].clone())
}

/// Waits until something is so.
pub async fn until<R: Future<Output = bool>>(what: &str, mut is_so: impl FnMut() -> R) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    assert!(tokio::time::timeout(HANG, waiting).await.is_ok(), "it never came: {what}");
}

/// The good extension hears, renders and answers.
pub async fn good_works(kernel: &Kernel, when: &str) {
    static PINGS: AtomicU64 = AtomicU64::new(1);
    let ping = PINGS.fetch_add(1, Ordering::Relaxed);
    remark(kernel, &format!("ping {ping}"));
    until(&format!("the good extension's answer after {when}"), || async move {
        snapshot(kernel, "good").await["heard"] == ping
    })
    .await;
    let items = kernel.api().status_items(size()).await;
    let good = items.iter().find(|item| item.owner.as_str() == "good").expect("it is shown");
    assert_eq!(good.segment.text, "fine", "after {when}");
    let rows = kernel.list("extensions").unwrap();
    let row = rows.iter().find(|row| row["name"] == "good").expect("it is listed");
    assert_eq!(row["state"], "loaded", "after {when}");
}

/// A screen.
pub fn size() -> RenderContext {
    RenderContext { width: 80, height: 24, busy: false }
}

/// A contribution that is in force.
pub fn contribution(kernel: &Kernel, kind: Kind, name: &str) -> Contribution {
    let registry = kernel.registry();
    let entry = registry.find(kind, name).unwrap_or_else(|| panic!("there is no {kind} {name}"));
    entry.contribution.clone()
}

/// The texts of the tool results so far.
pub fn results(world: &World) -> Vec<String> {
    let text = |event: &Value| {
        event["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    world.told("tool-result").iter().map(text).collect()
}

/// A user's extension whose manifest says that it has hooks.
pub fn with_hooks(name: &str, source: &str) -> Program {
    Program { has_hooks: true, ..program(name, source) }
}

/// The next event of a name that the presenter hears.
pub async fn hear(context: &PresenterContext, name: &str) {
    while let Some(event) = context.events.next_event().await {
        if event.name() == name {
            return;
        }
    }
    panic!("the events ran dry before `{name}`");
}

/// Arguments of a tool call that has none.
pub fn nothing() -> Value {
    json!({})
}
