//! How a run ends.

use crate::support::{Answer, ScriptedTool, Timeline, World, call, shape};
use fen_contract::conversation::{Submitted, WhenBusy};
use fen_contract::events::TurnStatus;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::Ui;
use fen_core::RunSetup;
use serde_json::json;
use std::sync::Arc;

#[tokio::test(start_paused = true)]
async fn quitting_during_a_turn_winds_it_up() {
    let calls = ["1", "2"].map(|id| call(id, "wait", json!({})));
    let world =
        World::answering([Answer::calls(calls)]).with_tool(ScriptedTool::until_cancelled("wait"));
    let kernel = world.kernel.clone();
    let outcome = world
        .run(move |stage| {
            let kernel = kernel.clone();
            async move {
                stage.submit("hi");
                stage.until("tool-call").await;
                kernel.quit();
                stage.until("agent-shutdown").await;
                assert!(stage.context.events.next_event().await.is_none());
            }
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a(1,2) r(1)! r(2)! a:~");
    assert!(world.record.order().ends_with("cancelled agent-turn-complete agent-shutdown"));
    assert_eq!(world.record.of("agent-shutdown").len(), 1);
    assert_eq!(world.record.of("agent-shutdown")[0]["reason"], "normal");
    assert_eq!(world.sessions.closed(), ["s1"]);
    assert_eq!((outcome.last_turn, outcome.failure), (Some(TurnStatus::Cancelled), None));
}

#[tokio::test(start_paused = true)]
async fn a_presenter_that_returns_during_a_turn_ends_the_run_in_good_order() {
    let world = World::answering([Answer::text("par").streamed().until_cancelled()]);
    world
        .run(|stage| async move {
            stage.submit("hi");
            stage.until("text-end").await;
        })
        .await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:par~");
    assert!(world.record.order().ends_with("agent-turn-complete agent-shutdown"));
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_was_accepted_just_before_the_end_is_not_lost() {
    let world = World::answering([]);
    world.run(|stage| async move { stage.submit("hi") }).await;
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:~");
    assert!(world.record.order().ends_with("cancelled agent-turn-complete agent-shutdown"));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_accepted_once_the_run_is_ending() {
    let world = World::answering([]);
    world
        .run(|stage| async move {
            stage.conversation.quit();
            let refused = stage.conversation.submit_prompt("hi".into(), WhenBusy::Steering);
            assert!(matches!(refused, Submitted::Rejected(_)));
            assert!(stage.conversation.reset().await.is_err());
            stage.to_the_end().await;
            assert!(stage.conversation.reset().await.is_err());
        })
        .await;
    assert!(world.record.of("user").is_empty());
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_reset_hears_of_it_when_the_run_ends_first() {
    let world = World::answering([]);
    let kernel = world.kernel.clone();
    world
        .run(move |stage| {
            let kernel = kernel.clone();
            async move {
                let reset = stage.conversation.reset();
                let quit = async { kernel.quit() };
                let (outcome, ()) = tokio::join!(reset, quit);
                assert!(outcome.is_err());
            }
        })
        .await;
    assert_eq!(world.record.of("agent-shutdown").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_presenter_that_fails_or_panics_is_the_runs_failure_and_the_teardown_is_told() {
    for panics in [false, true] {
        let world = World::answering([Answer::text("one")]);
        let outcome = world
            .present(world.setup(), move |context| {
                Box::pin(async move {
                    let stage = crate::support::Stage::new(context);
                    stage.say("a").await;
                    if panics {
                        panic!("no terminal");
                    }
                    Err(Failure::new("no terminal"))
                })
            })
            .await;
        let failure = outcome.failure.unwrap();
        assert!(failure.message.contains("no terminal"), "{failure}");
        assert_eq!(outcome.last_turn, Some(TurnStatus::Ok));
        let ended = world.record.of("agent-shutdown");
        assert_eq!(ended.len(), 1);
        assert_eq!(ended[0]["reason"], "crashed");
        assert_eq!(ended[0]["error"], failure.message);
        assert_eq!(world.sessions.closed(), ["s1"]);
    }
}

struct Unable(Timeline);

impl Presenter for Unable {
    fn init<'a>(&'a self, _context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Err(Failure::new("no screen")) })
    }

    fn run<'a>(&'a self, _context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async {
            self.0.note("run");
            Ok(())
        })
    }

    fn shutdown<'a>(
        &'a self,
        _context: &'a PresenterContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async {
            self.0.note("shutdown");
            Err(Failure::new("nor a shutdown"))
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        panic!("no questions")
    }
}

#[tokio::test(start_paused = true)]
async fn a_presenter_that_cannot_begin_is_not_run_and_may_still_clean_up() {
    let world = World::answering([]);
    let timeline = Timeline::default();
    let presenter = Arc::new(Unable(timeline.clone()));
    let name = "unable".to_owned();
    world.contribute("unable", PresenterSpec { name: name.clone(), one_shot: None, presenter });
    let outcome = world.kernel.run(RunSetup { presenter: name, ..world.setup() }).await;
    assert_eq!(outcome.failure.unwrap().message, "no screen", "the first failure counts");
    assert_eq!(timeline.told(), "shutdown");
    assert_eq!(world.record.of("agent-shutdown")[0]["error"], "no screen");
    let told = &world.record.of("extension-error")[0];
    assert_eq!((&told["owner"], &told["event"]), (&"unable".into(), &"ui".into()));
}

#[tokio::test(start_paused = true)]
async fn a_presenter_that_does_not_exist_is_the_callers_mistake() {
    let world = World::answering([]);
    let setup = RunSetup { presenter: "stadium".to_owned(), ..world.setup() };
    let outcome = world.run_with(setup, |_| async {}).await;
    let failure = outcome.failure.unwrap();
    assert!(failure.message.contains("stadium") && failure.message.contains("stage"), "{failure}");
    assert_eq!(failure.fault, fen_contract::failure::Fault::Caller);
    assert!(world.record.of("agent-started").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_run_without_a_turn_has_no_last_turn() {
    let world = World::answering([]);
    let outcome = world.run(|_| async {}).await;
    assert_eq!((outcome.last_turn, outcome.failure), (None, None));
    assert_eq!(world.record.order(), "agent-started agent-shutdown");
}

#[tokio::test(start_paused = true)]
async fn the_conversation_can_be_reached_while_it_runs_and_not_before() {
    let world = World::answering([]);
    let api = world.api_of("x");
    assert!(api.conversation().is_none());
    let inner = api.clone();
    world
        .run(move |_| {
            assert!(inner.conversation().is_some());
            async {}
        })
        .await;
    assert!(api.conversation().is_none());
}
