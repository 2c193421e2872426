//! The presenter of the test support with a kernel behind it: what a test of an extension may rely
//! on.

use crate::support::{Answer, ScriptedTool, World, call};
use fen_contract::api::{Api, Source};
use fen_contract::command::{Command, CommandContext};
use fen_contract::conversation::Submitted;
use fen_contract::events::{self, Event};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{CommandSpec, ControlSpec, PanelSpec, Placement, Side, StatusSpec};
use fen_contract::record::Extra;
use fen_contract::ui::{
    Choice, Control, Offer, Panel, Question, RenderContext, Row, Segment, StatusItem, Ui,
};
use fen_core::RunSetup;
use fen_testing::presenter::{Form, Outcome, Screen, ScreenHandle};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// Runs with the screen until the closure is done with it.
async fn on_screen<R: Future<Output = ()>>(
    world: &World,
    setup: RunSetup,
    drive: impl FnOnce(ScreenHandle) -> R,
) {
    let (extension, screen) = Screen::sized(60, 16);
    world.try_load(&extension, Source::Bundled).unwrap();
    let setup = RunSetup { presenter: "screen".to_owned(), ..setup };
    let (outcome, ()) = tokio::join!(world.kernel.run(setup), async {
        drive(screen.clone()).await;
        screen.quit();
    });
    assert_eq!(outcome.failure, None);
}

fn text(text: &str, style: Option<&str>) -> Segment {
    Segment { text: text.to_owned(), style: style.map(str::to_owned) }
}

type Rows = dyn Fn(&RenderContext) -> Result<Vec<Row>, Failure> + Send + Sync;

/// A panel that is a closure, and waits for its gate to be closed if it has one.
struct Closure {
    rows: Box<Rows>,
    gate: Option<Arc<Semaphore>>,
}

impl Panel for Closure {
    fn render<'a>(
        &'a self,
        context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Vec<Row>, Failure>> {
        Box::pin(async {
            if let Some(gate) = &self.gate {
                assert!(gate.acquire().await.is_err(), "the gate has no permits");
            }
            (self.rows)(context)
        })
    }
}

fn panel(
    name: &str,
    rows: impl Fn(&RenderContext) -> Result<Vec<Row>, Failure> + Send + Sync + 'static,
) -> PanelSpec {
    PanelSpec {
        name: name.to_owned(),
        title: None,
        order: None,
        placement: None,
        panel: Arc::new(Closure { rows: Box::new(rows), gate: None }),
    }
}

/// A panel of one row that waits until its gate is closed.
fn gated(name: &str, gate: &Arc<Semaphore>) -> PanelSpec {
    let rows = Box::new(|_: &RenderContext| Ok(vec![vec![text("open at last", None)]]));
    let panel = Arc::new(Closure { rows, gate: Some(gate.clone()) });
    PanelSpec { name: name.to_owned(), title: None, order: None, placement: None, panel }
}

/// A status item that tells whether a turn is under way.
struct Light;

impl StatusItem for Light {
    fn render<'a>(
        &'a self,
        context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Option<Segment>, Failure>> {
        let words = if context.busy { "busy" } else { "idle" };
        Box::pin(std::future::ready(Ok(Some(text(words, Some("accent"))))))
    }
}

/// A command or control that is a closure.
struct Does<F>(F);

impl<F> Command for Does<F>
where
    F: Fn(String) -> BoxFuture<'static, Result<(), Failure>> + Send + Sync,
{
    fn run<'a>(
        &'a self,
        arguments: &'a str,
        _context: &'a CommandContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        (self.0)(arguments.to_owned())
    }
}

impl<F: Fn() -> Result<(), Failure> + Send + Sync> Control for Does<F> {
    fn activate(&self) -> BoxFuture<'_, Result<(), Failure>> {
        let done = (self.0)();
        Box::pin(std::future::ready(done))
    }
}

/// A command that asks, and what it was answered.
fn asks<T, R>(
    world: &World,
    name: &str,
    ask: impl Fn(Arc<dyn Ui>) -> R + Clone + Send + Sync + 'static,
) -> Arc<Mutex<Vec<T>>>
where
    T: Send + 'static,
    R: Future<Output = T> + Send + 'static,
{
    let api = world.api_of(&format!("asks-{name}"));
    let answers = Arc::new(Mutex::new(Vec::new()));
    let kept = answers.clone();
    let command = Does(move |_| -> BoxFuture<'static, Result<(), Failure>> {
        let (ask, kept) = (ask.clone(), kept.clone());
        let ui = api.conversation().unwrap().ui().unwrap();
        Box::pin(async move {
            let answer = ask(ui).await;
            kept.lock().unwrap().push(answer);
            Ok(())
        })
    });
    world.contribute(
        name,
        CommandSpec {
            name: name.to_owned(),
            description: None,
            idle_only: None,
            order: None,
            person_only: None,
            subcommands: None,
            usage: None,
            command: Arc::new(command),
        },
    );
    answers
}

fn redraw(api: &Arc<dyn Api>) {
    api.emit(events::Redraw { extra: Extra::new() }.into()).unwrap();
}

#[tokio::test]
async fn a_turn_is_drawn_with_status_items_and_panels() {
    let world = World::answering([
        Answer::calls([call("1", "echo", json!({"a": 1}))]),
        Answer::text("all\ndone").streamed(),
    ])
    .with_tool(ScriptedTool::echo("echo"));
    let light = StatusSpec {
        name: "light".to_owned(),
        order: None,
        side: Some(Side::Right),
        item: Arc::new(Light),
    };
    world.contribute("light", light);
    let size = |context: &RenderContext| {
        Ok(vec![vec![text(&format!("{}x{}", context.width, context.height), Some("dim"))]])
    };
    let below = PanelSpec {
        placement: Some(Placement::BelowStatus),
        title: Some("Size".to_owned()),
        ..panel("size", size)
    };
    world.contribute("size", below);
    on_screen(&world, world.setup(), |screen| async move {
        assert_eq!(screen.say("hi").await, Submitted::Started);
        screen.type_text("next");
        screen.wait_idle().await;
        let expected = [
            "                                                        idle",
            "Size",
            "60x16",
            "> hi",
            "* echo {\"a\":1}",
            "= echo: {\"a\":1}",
            "all",
            "done",
        ];
        assert_eq!(screen.screen()[..expected.len()], expected);
        assert_eq!(screen.screen()[15], "> next");
        assert_eq!(screen.segments(), [text("idle", Some("accent"))]);
        assert_eq!(screen.view().style_of("60x16").as_deref(), Some("dim"));
        screen.resize(30, 8);
        let view = screen.wait_for(|view| view.shows("30x8")).await;
        assert_eq!(view.rows.len(), 8);
    })
    .await;
}

#[tokio::test]
async fn a_failing_panel_is_one_error_row_however_often_it_fails() {
    let world = World::answering([]);
    let count = AtomicUsize::new(0);
    // Each time it fails otherwise, and each time that is told.
    let bad = panel("bad", move |_| {
        Err(Failure::new(format!("out of paint {}", count.fetch_add(1, Ordering::Relaxed))))
    });
    world.contribute("x", bad);
    on_screen(&world, world.setup(), |screen| async move {
        screen.wait_idle().await;
        let rows: Vec<String> = screen.screen();
        let failed: Vec<&String> = rows.iter().filter(|row| row.starts_with("bad of x")).collect();
        assert_eq!(failed.len(), 1, "{rows:#?}");
        assert_eq!(screen.view().style_of("bad of x failed").as_deref(), Some("error"));
        assert!(screen.shows("error (x): panel `bad`: out of paint 0"));
    })
    .await;
}

#[tokio::test]
async fn keys_reach_their_control() {
    let world = World::answering([]);
    let pressed = Arc::new(AtomicUsize::new(0));
    let counted = pressed.clone();
    let control = |name: &str, key: &str, control: Arc<dyn Control>| ControlSpec {
        name: name.to_owned(),
        key: Some(key.to_owned()),
        description: None,
        control,
    };
    let good = Does(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    world.contribute("good", control("good", "ctrl-g", Arc::new(good)));
    let bad = Does(|| Err(Failure::new("stuck")));
    world.contribute("bad", control("bad", "ctrl-b", Arc::new(bad)));
    on_screen(&world, world.setup(), |screen| async move {
        assert_eq!(screen.key("ctrl-g").await, Some(Ok(())));
        assert_eq!(screen.key("ctrl-b").await, Some(Err(Failure::new("stuck"))));
        assert_eq!(screen.key("ctrl-x").await, None);
        screen.wait_idle().await;
        assert!(screen.shows("error (bad): stuck"));
    })
    .await;
    assert_eq!(pressed.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn questions_are_answered_before_or_after_they_are_asked_and_declined() {
    let world = World::answering([]);
    let names = asks(&world, "name", |ui| async move {
        ui.notify("a question follows");
        let question = Question { text: "Name?".to_owned(), initial: None, secret: true };
        ui.prompt(question).await
    });
    let colours = asks(&world, "colour", |ui| async move {
        let choices = [("red", json!(1)), ("blue", json!({"b": 2}))];
        let choices = choices.map(|(label, value)| Offer::from((label.to_owned(), value))).into();
        ui.select(Choice { title: "Which?".to_owned(), choices, ..Choice::default() }).await
    });
    on_screen(&world, world.setup(), |screen| async move {
        screen.answer("Ann");
        screen.say("/name").await;
        let (_, ()) = tokio::join!(screen.say("/colour"), async {
            let asked = screen.wait_question().await;
            assert_eq!(asked.text, "Which?");
            assert!(screen.shows("? Which? (red / blue)"));
            screen.answer("blue");
        });
        screen.decline();
        screen.say("/colour").await;
        assert!(!screen.shows("? Which?"));
        assert_eq!(screen.notices(), ["a question follows"]);
        let questions = screen.questions();
        assert_eq!(questions[0].form, Form::Prompt { initial: None, secret: true });
        let outcomes: Vec<Outcome> = questions.iter().map(|asked| asked.outcome).collect();
        assert_eq!(outcomes, [Outcome::Answered, Outcome::Answered, Outcome::Declined]);
    })
    .await;
    assert_eq!(*names.lock().unwrap(), [Some("Ann".to_owned())]);
    assert_eq!(*colours.lock().unwrap(), [Some(json!({"b": 2})), None]);
}

#[tokio::test]
async fn a_question_is_given_up_by_whoever_asked_dismissed_or_declined_at_the_end() {
    let world = World::answering([]);
    let ask = |ui: Arc<dyn Ui>| async move { ui.prompt(Question::default()).await };
    let answers = asks(&world, "ask", ask);
    let impatient = move |ui: Arc<dyn Ui>| async move {
        let question = ui.prompt(Question::default());
        futures_util::future::select(question, std::future::ready(())).await;
    };
    asks(&world, "impatient", impatient);
    let api = world.api_of("x");
    on_screen(&world, world.setup(), |screen| async move {
        screen.say("/impatient").await;
        assert_eq!(screen.questions()[0].outcome, Outcome::Abandoned);
        let (_, ()) = tokio::join!(screen.say("/ask"), async {
            screen.wait_question().await;
            api.emit(events::Dismiss { extra: Extra::new() }.into()).unwrap();
        });
        assert_eq!(screen.questions()[1].outcome, Outcome::Declined);
        let last = screen.clone();
        let asking = tokio::spawn(async move { last.say("/ask").await });
        screen.wait_question().await;
        screen.quit();
        asking.await.unwrap();
    })
    .await;
    assert_eq!(*answers.lock().unwrap(), [None, None]);
}

#[tokio::test]
#[should_panic(expected = "“Which?” was answered with “green”; its labels are [\"red\"]")]
async fn a_label_that_is_not_offered_fails_the_test() {
    let world = World::answering([]);
    asks(&world, "colour", |ui| async move {
        let choices = vec![Offer::from(("red".to_owned(), json!(1)))];
        ui.select(Choice { title: "Which?".to_owned(), choices, ..Choice::default() }).await
    });
    on_screen(&world, world.setup(), |screen| async move {
        screen.answer("green");
        screen.say("/colour").await;
        screen.wait_idle().await;
    })
    .await;
}

#[tokio::test]
async fn a_storm_of_redraws_is_folded_into_one_more_round_and_holds_up_no_event() {
    let world = World::answering([Answer::text("heard meanwhile")]);
    let gate = Arc::new(Semaphore::new(0));
    world.contribute("x", gated("slow", &gate));
    let api = world.api_of("y");
    on_screen(&world, world.setup(), |screen| async move {
        screen.wait_for(|view| view.renders == 1).await;
        for _ in 0..1000 {
            redraw(&api);
        }
        screen.say("hi").await;
        screen.wait_event("agent-turn-complete").await;
        assert!(screen.shows("heard meanwhile"));
        assert!(!screen.shows("open at last"));
        assert_eq!(screen.renders(), 1);
        gate.close();
        screen.wait_idle().await;
        assert_eq!(screen.renders(), 2);
        assert!(screen.shows("open at last"));
        let redraws = screen.events().iter().filter(|event| event["type"] == "redraw").count();
        assert_eq!(redraws, 1000);
    })
    .await;
}

#[tokio::test]
async fn a_panel_that_never_answers_does_not_keep_the_run_from_ending() {
    let world = World::answering([]);
    world.contribute("x", gated("stuck", &Arc::new(Semaphore::new(0))));
    on_screen(&world, world.setup(), |screen| async move {
        screen.wait_for(|view| view.renders == 1).await;
    })
    .await;
}

#[tokio::test]
async fn requests_to_the_presenter_are_heeded() {
    let world = World::answering([Answer::text("answer")]);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let count = panel("count", move |_| {
        let number = counted.fetch_add(1, Ordering::Relaxed);
        Ok(vec![vec![text(&format!("round {number}"), None)]])
    });
    world.contribute("x", count);
    let api = world.api_of("y");
    on_screen(&world, world.setup(), |screen| async move {
        let extra = Extra::new;
        screen.say("hi").await;
        let info = Some("indexing".to_owned());
        api.emit(events::SetStatusInfo { info, extra: extra() }.into()).unwrap();
        api.emit(events::Info { info: Some("b\u{1b}c".into()), text: None, extra: extra() }.into())
            .unwrap();
        screen.wait_idle().await;
        assert_eq!(screen.segments(), [text("indexing", Some("status"))]);
        assert!(screen.shows("info (y): b\u{fffd}c"), "{}", screen.screen_text());

        let before = calls.load(Ordering::Relaxed);
        api.emit(events::ReinitPresenter { extra: extra() }.into()).unwrap();
        api.emit(events::SetStatusInfo { info: None, extra: extra() }.into()).unwrap();
        screen.wait_idle().await;
        assert!(screen.segments().is_empty());
        assert!(calls.load(Ordering::Relaxed) > before);
        assert!(screen.shows("answer"));

        api.emit(Event::from(events::ResetConversation { extra: extra() })).unwrap();
        screen.wait_event("reset-conversation").await;
        assert!(!screen.shows("answer"), "{}", screen.screen_text());
    })
    .await;
}

#[tokio::test]
async fn the_prompt_of_the_command_line_and_each_event_of_a_name_are_waited_for() {
    let world = World::answering([Answer::text("one"), Answer::text("two")]);
    asks(&world, "moon", |_| async {});
    let setup = RunSetup { prompt: Some("first".to_owned()), ..world.setup() };
    on_screen(&world, setup, |screen| async move {
        assert_eq!(screen.wait_event("agent-turn-complete").await["result"], "one");
        screen.say("second").await;
        assert_eq!(screen.wait_event("agent-turn-complete").await["result"], "two");
        assert_eq!(screen.wait_event("user").await["line"], "first");
        assert!(matches!(screen.say("  ").await, Submitted::Rejected(_)));
        assert!(screen.shows("error: an empty prompt is not sent"));
        let offers = screen.complete("/mo").await;
        assert_eq!(offers.len(), 1);
        assert!(offers[0].value.contains("moon"), "{offers:?}");
    })
    .await;
}

#[tokio::test]
async fn the_smallest_screen_can_be_driven() {
    let world = World::answering([Answer::text("answer")]);
    world.contribute("x", panel("p", |_| Ok(vec![vec![text("字字", None)], vec![]])));
    on_screen(&world, world.setup(), |screen| async move {
        screen.say("hi").await;
        for (width, height) in [(1, 1), (1, 2), (2, 1), (0, 0), (1, 3), (1, 9), (9, 1)] {
            screen.resize(width, height);
            screen.wait_idle().await;
            assert_eq!(screen.screen().len(), usize::from(height.max(1)));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_paused_clock_does_not_end_the_patience() {
    let long = std::time::Duration::from_secs(3600);
    let world = World::answering([Answer::text("at last").after(long)]);
    on_screen(&world, world.setup(), |screen| async move {
        screen.say("hi").await;
        screen.wait_idle().await;
        assert!(screen.shows("at last"));
    })
    .await;
}
