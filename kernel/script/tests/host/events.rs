//! Each event of the contract reaches scripts, with a payload that fits its declaration.

use crate::kit::{World, program, say, until};
use fen_contract::conversation::WhenBusy;
use fen_contract::doc::{Section, entries};
use fen_contract::types::ErrorKind;
use fen_contract::validate::check_event;
use fen_provider_mock::Turn;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Keeps all events; of the agent, what JSON shows of it.
const EARS: &str = r#"return function(api)
  local heard = {}
  api.on("*", function(event)
    table.insert(heard, api.json.encode(event))
  end)
  api.register("introspect", { name = "heard", snapshot = function() return { heard = heard } end })
end"#;

/// All events that the script has heard, as it had them.
async fn heard(world: &World) -> Vec<Value> {
    world.settle().await;
    let mut rows = world.kernel.api().snapshots(Some("ears".to_owned())).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    let snapshot = rows[0]["snapshot"].take();
    let lines = snapshot["heard"].as_array().cloned().unwrap_or_default();
    lines.iter().map(|line| serde_json::from_str(line.as_str().unwrap()).unwrap()).collect()
}

fn streamed(turn: Turn) -> Turn {
    Turn { thinking: Some("hm".to_owned()), text: Some("let me see".to_owned()), ..turn }
}

#[tokio::test]
async fn scripts_hear_every_event_of_the_contract_with_a_valid_payload() {
    let slow = Turn { delta_delay_ms: 3_600_000, ..Turn::text("a long text") };
    let world = World::answering(vec![
        streamed(Turn::call("echo", json!({"a": [1, null], "empty": {}}))),
        Turn::text("done"),
        slow,
        Turn::error(ErrorKind::Auth, "no"),
        Turn::text("a"),
        Turn::text("b"),
    ]);
    world.loads("ears", EARS).await;
    world
        .loads(
            "voice",
            r#"return function(api)
              api.register("tool", { name = "echo", description = "", parameters = { type = "object" },
                execute = function() return { content = { { type = "text", text = "x" } }, details = { list = { 1 } } } end })
              api.on("user", function() error("deaf") end)
              api.register("command", { name = "ask", handler = function()
                api.emit({ type = "info", text = "t" })
                api.emit({ type = "set-status-info", info = "i" })
                api.emit({ type = "redraw" })
                api.emit({ type = "dismiss" })
                api.emit({ type = "reinit-presenter" })
                api.emit({ type = "voice/own", list = { 1 } })
              end })
            end"#,
        )
        .await;
    let host = world.host.clone();
    world
        .run(move |context| {
            let host = host.clone();
            async move {
                say(&context, "call").await;
                context.conversation.submit_line("slow".to_owned(), WhenBusy::Reject).await;
                until(&context, "text-delta").await;
                assert!(context.conversation.cancel());
                until(&context, "agent-turn-complete").await;
                say(&context, "fail").await;
                context.conversation.submit_line("hi".to_owned(), WhenBusy::Reject).await;
                context.conversation.submit_prompt("and".to_owned(), WhenBusy::FollowUp);
                until(&context, "agent-turn-complete").await;
                until(&context, "agent-turn-complete").await;
                context.conversation.dispatch("/ask".to_owned()).await.unwrap();
                host.load(program("quiet", "return print")).await.unwrap();
                context.conversation.reset().await.unwrap();
            }
        })
        .await;
    let heard = heard(&world).await;
    let mut names = BTreeSet::new();
    for event in &heard {
        let name = event["type"].as_str().unwrap();
        names.insert(name);
        if !name.contains('/') {
            check_event(event).unwrap_or_else(|error| panic!("{name}: {error}\n{event}"));
        }
    }
    let declared: BTreeSet<&str> = entries()
        .filter(|entry| entry.section == Section::Events)
        .map(|entry| entry.name)
        .filter(|name| *name != "compaction-summary")
        .collect();
    assert_eq!(declared.len(), 36);
    let missing: Vec<_> = declared.difference(&names).collect();
    assert!(missing.is_empty(), "not heard: {missing:?}");
}

#[tokio::test]
async fn what_scripts_hear_is_what_the_bus_told_in_its_order() {
    let world = World::answering(vec![
        streamed(Turn::call("none", json!({"list": [], "empty": {}, "null": null}))),
        Turn::text("done"),
    ]);
    world.loads("ears", EARS).await;
    world.prompt("hi").await;
    let heard = heard(&world).await;
    let told = world.events.lock().unwrap().clone();
    let names = |events: &[Value]| -> Vec<String> {
        events.iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&heard), names(&told));
    for (heard, told) in heard.iter().zip(&told) {
        let (mut heard, mut told) = (heard.clone(), told.clone());
        // It is read when the handler runs, and that may be later.
        for event in [&mut heard, &mut told] {
            if let Some(agent) = event.get_mut("agent").and_then(Value::as_object_mut) {
                agent.remove("message-count");
            }
        }
        assert_eq!(heard, told);
    }
}

#[tokio::test]
async fn counted_fields_begin_with_one() {
    let world = World::answering(vec![streamed(Turn::default())]);
    world.loads("ears", EARS).await;
    world.prompt("hi").await;
    let heard = heard(&world).await;
    let first = |name: &str, field: &str| {
        heard.iter().find(|event| event["type"] == name).map(|event| event[field].clone())
    };
    assert_eq!(first("thinking-start", "content-index"), Some(json!(1)));
    assert_eq!(first("text-start", "content-index"), Some(json!(2)));
    assert_eq!(first("message-appended", "index"), Some(json!(1)));
}
