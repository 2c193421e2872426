//! Handlers on the bus, and what extensions may emit.

use crate::support::{Answer, ScriptedTool, World, call, extension, shape};
use fen_contract::api::{Api, RegistrationId};
use fen_contract::events::{self, Event, OwnEvent};
use fen_contract::failure::Failure;
use fen_contract::presenter::EventSource as _;
use fen_contract::record::Extra;
use fen_core::bus::Bus;
use serde_json::json;
use std::sync::{Arc, Mutex};

fn info(text: &str) -> Event {
    Event::Info(events::Info { info: Some(text.to_owned()), text: None, extra: Extra::new() })
}

fn own(name: &str) -> Event {
    Event::Own(OwnEvent::from_fields(name, Extra::new()).unwrap())
}

/// What the handler of an event heard, as text.
fn listen(api: &Arc<dyn Api>, event: &str) -> Arc<Mutex<Vec<String>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let note = heard.clone();
    api.on(
        event,
        Arc::new(move |event| {
            note.lock().unwrap().push(event.name().to_owned());
            Ok(())
        }),
    );
    heard
}

#[tokio::test(start_paused = true)]
async fn a_failing_handler_is_named_and_cuts_nobody_off() {
    let world = World::answering([Answer::text("hello")]);
    world.api_of("first").on("user", Arc::new(|_| Err(Failure::new("no memory"))));
    world.api_of("second").on("user", Arc::new(|_| panic!("no mind")));
    let heard = listen(&world.api_of("third"), "user");
    world.prompt("hi").await;
    assert_eq!(*heard.lock().unwrap(), ["user"]);
    let errors = world.record.of("extension-error");
    assert_eq!(errors.len(), 2);
    assert_eq!((&errors[0]["owner"], &errors[0]["event"]), (&"first".into(), &"user".into()));
    assert_eq!(errors[0]["error"], "no memory");
    assert!(errors[1]["error"].as_str().unwrap().contains("no mind"));
    assert!(world.record.order().ends_with("agent-turn-complete agent-shutdown"));
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "ok");
}

#[tokio::test(start_paused = true)]
async fn handlers_that_fail_on_every_event_neither_end_the_conversation_nor_stop_a_tool() {
    let world = World::answering([
        Answer::calls([call("1", "echo", json!({}))]).streamed(),
        Answer::text("hello").streamed(),
    ])
    .with_tool(ScriptedTool::echo("echo"));
    world.api_of("broken").on("*", Arc::new(|event| Err(Failure::new(event.name()))));
    world.api_of("worse").on("tool-call", Arc::new(|_| panic!("no mind")));
    world.prompt("hi").await;
    assert_eq!(world.record.of("tool-result")[0]["result"]["is-error?"], false);
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "ok");
    let events = world.record.of("extension-error");
    assert!(events.iter().all(|event| event["event"] != "extension-error"));
}

#[tokio::test]
async fn a_failing_handler_of_extension_error_causes_no_other() {
    let world = World::answering([]);
    let api = world.api_of("x");
    api.on("extension-error", Arc::new(|_| Err(Failure::new("again"))));
    api.on("info", Arc::new(|_| Err(Failure::new("once"))));
    api.emit(info("hi")).unwrap();
    assert_eq!(world.record.texts("extension-error", "error"), ["once"]);
}

#[tokio::test]
async fn named_handlers_hear_an_event_before_those_of_all_events() {
    let world = World::answering([]);
    let api = world.api_of("x");
    let order = Arc::new(Mutex::new(Vec::new()));
    for event in ["*", "info", "*", "info"] {
        let order = order.clone();
        api.on(
            event,
            Arc::new(move |_| {
                order.lock().unwrap().push(event);
                Ok(())
            }),
        );
    }
    api.emit(info("hi")).unwrap();
    assert_eq!(*order.lock().unwrap(), ["info", "info", "*", "*"]);
}

#[tokio::test]
async fn what_a_handler_emits_comes_after_the_event_it_was_hearing_for_everybody() {
    let world = World::answering([]);
    let api = world.api_of("x");
    let inner = api.clone();
    api.on(
        "x/a",
        Arc::new(move |_| {
            inner.emit(own("x/b"))?;
            inner.emit(own("x/c"))
        }),
    );
    let inner = api.clone();
    api.on("x/b", Arc::new(move |_| inner.emit(own("x/d"))));
    let heard = listen(&api, "*");
    api.emit(own("x/a")).unwrap();
    assert_eq!(*heard.lock().unwrap(), ["x/a", "x/b", "x/c", "x/d"]);
}

#[tokio::test]
async fn a_handler_that_was_taken_back_hears_nothing_more() {
    let world = World::answering([]);
    let api = world.api_of("x");
    let heard = Arc::new(Mutex::new(0));
    let count = heard.clone();
    let id = api.on(
        "info",
        Arc::new(move |_| {
            *count.lock().unwrap() += 1;
            Ok(())
        }),
    );
    api.emit(info("a")).unwrap();
    assert!(api.unregister(id));
    assert!(!api.unregister(id));
    api.emit(info("b")).unwrap();
    assert_eq!(*heard.lock().unwrap(), 1);
}

#[tokio::test]
async fn facts_are_refused_with_the_name_of_who_tried() {
    let world = World::answering([]);
    let api = world.api_of("liar");
    let facts: [Event; 4] = [
        events::User { line: "x".into(), extra: Extra::new() }.into(),
        events::Cancelled { extra: Extra::new() }.into(),
        events::Start { extra: Extra::new() }.into(),
        events::ExtensionError { error: "x".into(), event: None, owner: None, extra: Extra::new() }
            .into(),
    ];
    let before = world.record.all().len();
    for fact in facts {
        let name = fact.name().to_owned();
        let error = api.emit(fact).unwrap_err().message;
        assert!(error.contains("`liar`") && error.contains(&name), "{error}");
    }
    assert_eq!(world.record.all().len(), before);
}

#[tokio::test]
async fn requests_and_words_for_display_are_allowed_and_words_carry_their_owner() {
    let world = World::answering([]);
    let api = world.api_of("x");
    let extra = Extra::new;
    let requests: [Event; 7] = [
        events::Dismiss { extra: extra() }.into(),
        events::Redraw { extra: extra() }.into(),
        events::ReinitPresenter { extra: extra() }.into(),
        events::SetStatusInfo { info: None, extra: extra() }.into(),
        info("hi"),
        events::Error { error: "bad".into(), extra: extra() }.into(),
        events::AssistantText { text: "hi".into(), is_final: None, extra: extra() }.into(),
    ];
    for request in requests {
        api.emit(request).unwrap();
    }
    for name in ["dismiss", "redraw", "reinit-presenter", "set-status-info"] {
        assert_eq!(world.record.of(name).len(), 1, "{name}");
    }
    for name in ["info", "error", "assistant-text", "set-status-info"] {
        assert_eq!(world.record.of(name)[0]["owner"], "x", "{name}");
    }
}

#[tokio::test]
async fn own_events_go_out_under_the_own_name_only() {
    let world = World::answering([]);
    let api = world.api_of("x");
    api.emit(own("x/done")).unwrap();
    for name in ["y/done", "fen/retry", "kernel/what"] {
        let error = api.emit(own(name)).unwrap_err().message;
        assert!(error.contains("`x/…`"), "{error}");
    }
    assert_eq!(world.record.of("x/done").len(), 1);
    assert!(world.record.of("y/done").is_empty());
}

#[tokio::test(start_paused = true)]
async fn shown_words_of_an_extension_never_enter_the_conversation() {
    let world = World::answering([Answer::text("hello")]);
    let api = world.api_of("x");
    let inner = api.clone();
    api.on(
        "user",
        Arc::new(move |_| {
            inner.emit(
                events::AssistantText { text: "psst".into(), is_final: None, extra: Extra::new() }
                    .into(),
            )
        }),
    );
    world.prompt("hi").await;
    assert_eq!(world.record.texts("assistant-text", "text"), ["psst", "hello"]);
    assert_eq!(crate::support::shape(&world.sessions.messages("s1")), "u:hi a:hello");
}

#[tokio::test]
async fn handlers_that_answer_events_with_events_without_end_are_stopped() {
    let world = World::answering([Answer::text("done")]);
    world.load(extension("echo", |api| {
        let again = api.clone();
        api.on("echo/again", Arc::new(move |_| again.emit(own("echo/again"))));
        let begin = api.clone();
        api.on("user", Arc::new(move |_| begin.emit(own("echo/again"))));
        Ok(())
    }));
    world.run(|stage| async move { stage.say("hi").await }).await;
    let errors = world.record.texts("extension-error", "error");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("without end"), "{errors:?}");
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:done");
}

#[test]
fn what_another_thread_still_delivers_is_heard_before_the_end() {
    let bus = Arc::new(Bus::default());
    let subscription = bus.subscribe("x".into());
    let (began, waiting) = std::sync::mpsc::channel();
    let (go_on, goes_on) = std::sync::mpsc::channel();
    let (began, goes_on) = (Mutex::new(began), Mutex::new(goes_on));
    bus.on(
        RegistrationId(1),
        "slow".into(),
        "redraw",
        Arc::new(move |_| {
            began.lock().unwrap().send(()).unwrap();
            goes_on.lock().unwrap().recv().unwrap();
            Ok(())
        }),
    );
    let other = bus.clone();
    let thread = std::thread::spawn(move || other.emit(events::Redraw { extra: Extra::new() }));
    waiting.recv().unwrap();
    bus.emit(events::Dismiss { extra: Extra::new() });
    bus.close();
    go_on.send(()).unwrap();
    thread.join().unwrap();
    let mut heard = Vec::new();
    while let Some(event) = subscription.try_next_event() {
        heard.push(event.name().to_owned());
    }
    assert_eq!(heard, ["redraw", "dismiss"]);
}
