//! `turn`, `enqueue` and `commands`.

use crate::kit::{World, say, until};
use fen_contract::conversation::WhenBusy;
use fen_provider_mock::Turn;
use serde_json::json;

/// A command `try` with this body, which gets its argument as `args`.
fn trying(body: &str) -> String {
    format!("api.register('command', {{ name = 'try', handler = function(args, ctx) {body} end }})")
}

#[tokio::test]
async fn submit_and_its_alias_are_the_same_function() {
    let world = World::new();
    world
        .watches(
            "asks",
            r#"seen.same = rawequal(api["turn"]["submit!"], api.turn.submit)
               seen.kind = type(api.turn.submit)
               seen.others = { api.settings["load!"] == api.settings.load, api.session["set-info!"] == api.session.set_info,
                 api.session["latest-state"] == api.session.latest_state, api.models["canonical-id"] == api.models.canonical_id,
                 api.ui["has-ui?"] == api.ui.has_ui, api.auth["find-backend"] == api.auth.find_backend }"#,
        )
        .await;
    let seen = world.seen("asks").await;
    assert_eq!((&seen["same"], &seen["kind"]), (&json!(true), &json!("function")));
    assert_eq!(seen["others"], json!([true, true, true, true, true, true]));
}

#[tokio::test]
async fn a_prompt_starts_a_turn_while_idle() {
    let world = World::new();
    world.watches("asks", &trying("seen.answer = api.turn['submit!'](ctx, 'go on')")).await;
    world
        .run(|context| async move {
            context.conversation.dispatch("/try".to_owned()).await.unwrap();
            until(&context, "agent-turn-complete").await;
        })
        .await;
    assert_eq!(world.seen("asks").await, json!({"answer": {"ok": true, "started": true}}));
    assert_eq!(world.told("user")[0]["line"], "go on");
}

#[tokio::test]
async fn without_emit_user_only_the_message_is_told() {
    for option in ["['emit-user?']", "emit_user"] {
        let world = World::new();
        let body = format!("seen.ok = api.turn.submit(ctx, 'quiet', {{ {option} = false }}).ok");
        world.watches("asks", &trying(&body)).await;
        world
            .run(|context| async move {
                context.conversation.dispatch("/try".to_owned()).await.unwrap();
                until(&context, "agent-turn-complete").await;
            })
            .await;
        assert_eq!(world.seen("asks").await, json!({"ok": true}));
        assert_eq!(world.told("user").len(), 0);
        assert_eq!(world.told("message-appended")[0]["message"]["content"], "quiet");
    }
}

#[tokio::test]
async fn while_busy_a_prompt_is_refused_or_queued_as_the_option_says() {
    let slow = Turn { delay_ms: 3_600_000, ..Turn::text("late") };
    let world = World::answering(vec![slow]);
    world
        .watches(
            "asks",
            &trying(
                r#"seen.default = api.turn.submit(ctx, "a")
                   seen.reject = api.turn.submit(ctx, "b", { ["when-busy"] = "reject" })
                   seen.steering = api.turn.submit(ctx, "c", { when_busy = "steering" })
                   seen.follow = api.turn.submit(ctx, "d", { ["when-busy"] = "follow-up" })
                   seen.ok, seen.why = pcall(api.turn.submit, ctx, "e", { when_busy = "later" })
                   seen.why = tostring(seen.why)
                   seen.busy = api.turn.busy()
                   seen.cancelled = api.turn.cancel()"#,
            ),
        )
        .await;
    world
        .run(|context| async move {
            context.conversation.submit_line("hi".to_owned(), WhenBusy::Reject).await;
            until(&context, "llm-start").await;
            context.conversation.dispatch("/try".to_owned()).await.unwrap();
            until(&context, "agent-turn-complete").await;
        })
        .await;
    let seen = world.seen("asks").await;
    assert_eq!(seen["default"]["ok"], false, "{seen} {:?}", world.errors());
    assert!(seen["default"]["error"].as_str().unwrap().contains("busy"), "{seen}");
    assert_eq!(seen["reject"], seen["default"]);
    assert_eq!(seen["steering"], json!({"ok": true, "queued": true, "queue": "steering"}));
    assert_eq!(seen["follow"], json!({"ok": true, "queued": true, "queue": "follow-up"}));
    assert_eq!(seen["ok"], false);
    assert!(seen["why"].as_str().unwrap().contains("when-busy"), "{seen}");
    assert_eq!((&seen["busy"], &seen["cancelled"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn enqueue_waits_for_the_next_prompt_or_starts_a_turn() {
    let world = World::new();
    world
        .watches(
            "asks",
            &trying(
                r#"if args == "wait" then seen.wait = api.enqueue("follow-up", "later")
                   elseif args == "start" then seen.start = api.enqueue("steering", "now", { ["start-if-idle?"] = true })
                   elseif args == "alias" then seen.alias = api.enqueue("follow-up", "now too", { start_if_idle = true })
                   else seen.ok, seen.why = pcall(api.enqueue, "sideways", "x") seen.why = tostring(seen.why) end"#,
            ),
        )
        .await;
    world
        .run(|context| async move {
            let queued = || context.conversation.queue().follow_up;
            context.conversation.dispatch("/try wait".to_owned()).await.unwrap();
            assert_eq!(queued(), ["later"]);
            assert!(!context.conversation.is_busy());
            say(&context, "hi").await;
            until(&context, "agent-turn-complete").await;
            assert!(queued().is_empty());
            for line in ["/try start", "/try alias"] {
                context.conversation.dispatch(line.to_owned()).await.unwrap();
                until(&context, "agent-turn-complete").await;
            }
            context.conversation.dispatch("/try nonsense".to_owned()).await.unwrap();
        })
        .await;
    let seen = world.seen("asks").await;
    assert_eq!(seen["wait"], json!({"ok": true, "queued": true, "queue": "follow-up"}));
    assert_eq!((&seen["start"]["ok"], &seen["alias"]["ok"]), (&json!(true), &json!(true)));
    assert_eq!(seen["ok"], false);
    assert!(seen["why"].as_str().unwrap().contains("sideways"), "{seen}");
    let users: Vec<_> = world
        .told("message-appended")
        .iter()
        .filter(|event| event["message"]["role"] == "user")
        .map(|event| event["message"]["content"].clone())
        .collect();
    assert_eq!(users, ["hi", "later", "now", "now too"]);
}

#[tokio::test]
async fn without_a_conversation_nothing_can_be_asked_of_it() {
    let world = World::new();
    world
        .watches(
            "asks",
            r#"seen.submit = api.turn.submit(nil, "x")
               seen.enqueue = api.enqueue("steering", "x")
               seen.dispatch = api.commands.dispatch("/x")
               seen.idle = { api.turn.busy(), api.turn.cancel() }"#,
        )
        .await;
    let seen = world.seen("asks").await;
    for name in ["submit", "enqueue", "dispatch"] {
        assert_eq!(seen[name], json!({"ok": false, "error": "no conversation is running"}));
    }
    assert_eq!(seen["idle"], json!([false, false]));
}

#[tokio::test]
async fn dispatch_runs_a_command_and_tells_how_it_went() {
    let world = World::new();
    world
        .watches(
            "asks",
            &format!(
                r#"api.register("command", {{ name = "inner", handler = function(args)
                     if args == "bad" then error("spoilt") end
                     seen.inner = args
                   end }}) {}"#,
                trying(
                    r#"seen.good = api.commands.dispatch("/inner a b")
                       seen.bad = api.commands.dispatch("/inner bad")
                       seen.unknown = api.commands.dispatch("/iner")
                       seen.prompt = api.commands.dispatch("hello")"#
                )
            ),
        )
        .await;
    world
        .run(|context| async move {
            context.conversation.dispatch("/try".to_owned()).await.unwrap();
        })
        .await;
    let seen = world.seen("asks").await;
    assert_eq!((&seen["inner"], &seen["good"]), (&json!("a b"), &json!({"ok": true})));
    for (name, words) in [("bad", "spoilt"), ("unknown", "/inner"), ("prompt", "not a command")] {
        assert_eq!(seen[name]["ok"], false, "{seen}");
        assert!(seen[name]["error"].as_str().unwrap().contains(words), "{name}: {seen}");
    }
}
