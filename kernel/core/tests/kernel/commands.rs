//! Slash commands, the same for every presenter.

use crate::support::{Answer, World, shape};
use fen_contract::command::{Command, CommandContext};
use fen_contract::conversation::Submitted;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::CommandSpec;
use std::sync::{Arc, Mutex};

type Ran = Arc<Mutex<Vec<(String, bool)>>>;

/// Notes what it was run with; fails and panics on demand.
struct Noting(Ran);

impl Command for Noting {
    fn run<'a>(
        &'a self,
        arguments: &'a str,
        context: &'a CommandContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            self.0.lock().unwrap().push((arguments.to_owned(), context.busy));
            match arguments {
                "fail" => Err(Failure::caller("that cannot be")),
                "panic" => panic!("that must not be"),
                _ => Ok(()),
            }
        })
    }
}

fn with_commands(world: World) -> (World, Ran) {
    let ran = Ran::default();
    for (name, idle_only) in [("note", None), ("calm", Some(true))] {
        let spec = CommandSpec {
            name: name.to_owned(),
            description: Some("Notes it".to_owned()),
            idle_only,
            order: None,
            person_only: None,
            subcommands: None,
            usage: Some("[text]".to_owned()),
            command: Arc::new(Noting(ran.clone())),
        };
        world.contribute(&format!("has-{name}"), spec);
    }
    (world, ran)
}

fn failed(submitted: Submitted) -> Failure {
    match submitted {
        Submitted::Command(Err(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_command_runs_with_its_arguments_unchanged_and_starts_no_turn() {
    let (world, ran) = with_commands(World::answering([]));
    world
        .run(|stage| async move {
            assert_eq!(stage.line("/note  two  words ").await, Submitted::Command(Ok(())));
            assert_eq!(stage.line("/note").await, Submitted::Command(Ok(())));
            stage.conversation.dispatch("/note x".to_owned()).await.unwrap();
            stage.conversation.dispatch("note x".to_owned()).await.unwrap_err();
        })
        .await;
    let arguments: Vec<String> =
        ran.lock().unwrap().iter().map(|(arguments, _)| arguments.clone()).collect();
    assert_eq!(arguments, [" two  words ", "", "x"]);
    assert!(world.record.of("user").is_empty());
}

/// Notes how many messages its context says the session has.
#[derive(Default)]
struct Counting(Mutex<Vec<u64>>);

impl Command for Counting {
    fn run<'a>(
        &'a self,
        _: &'a str,
        context: &'a CommandContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let session = context.session.as_ref().unwrap();
        self.0.lock().unwrap().push(session.message_count.0);
        Box::pin(std::future::ready(Ok(())))
    }
}

#[tokio::test(start_paused = true)]
async fn a_command_sees_how_long_the_conversation_is_by_now() {
    let world = World::answering([Answer::text("hello")]);
    let counting = Arc::<Counting>::default();
    let spec = CommandSpec {
        name: "count".to_owned(),
        description: None,
        idle_only: None,
        order: None,
        person_only: None,
        subcommands: None,
        usage: None,
        command: counting.clone(),
    };
    world.contribute("counter", spec);
    world
        .run(|stage| async move {
            stage.line("/count").await;
            stage.say("hi").await;
            stage.line("/count").await;
        })
        .await;
    assert_eq!(*counting.0.lock().unwrap(), [0, 2]);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_command_is_an_error_with_the_nearest_name() {
    let (world, _) = with_commands(World::answering([]));
    world
        .run(|stage| async move {
            let failure = failed(stage.line("/noet x").await);
            assert!(failure.message.contains("/noet"), "{failure}");
            assert!(failure.message.contains("/note"), "{failure}");
        })
        .await;
    assert_eq!(world.record.of("error").len(), 1);
    assert!(world.record.of("user").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_command_for_idle_times_is_refused_while_a_turn_runs_and_others_are_not() {
    let (world, ran) = with_commands(World::answering([Answer::text("x").until_cancelled()]));
    world
        .run(|stage| async move {
            stage.line("/calm before").await;
            stage.submit("hi");
            stage.until("llm-start").await;
            let failure = failed(stage.line("/calm during").await);
            assert!(failure.message.contains("/calm"), "{failure}");
            assert_eq!(stage.line("/note during").await, Submitted::Command(Ok(())));
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
            stage.line("/calm after").await;
        })
        .await;
    let expected = [("before", false), ("during", true), ("after", false)];
    assert_eq!(*ran.lock().unwrap(), expected.map(|(text, busy)| (text.to_owned(), busy)));
}

#[tokio::test(start_paused = true)]
async fn every_command_tells_its_use() {
    let (world, ran) = with_commands(World::answering([]));
    world
        .run(|stage| async move {
            stage.line("/note help").await;
        })
        .await;
    assert_eq!(world.record.texts("info", "info"), ["/note [text] — Notes it"]);
    assert!(ran.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_failing_command_is_an_error_and_a_panicking_one_names_its_extension() {
    let (world, _) = with_commands(World::answering([Answer::text("hello")]));
    world
        .run(|stage| async move {
            let failure = failed(stage.line("/note fail").await);
            assert_eq!(failure, Failure::caller("/note: that cannot be"));
            let failure = failed(stage.line("/note panic").await);
            assert!(failure.message.contains("has-note"), "{failure}");
            stage.say("hi").await;
        })
        .await;
    let errors = world.record.texts("error", "error");
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert_eq!(errors[0], "/note: that cannot be");
    let told = world.record.of("extension-error");
    assert_eq!(told.len(), 1);
    assert_eq!((&told[0]["owner"], &told[0]["event"]), (&"has-note".into(), &"handler".into()));
}

#[tokio::test(start_paused = true)]
async fn a_doubled_slash_sends_one_and_the_line_is_told_as_it_was_typed() {
    let (world, ran) = with_commands(World::new(|_, _| Answer::text("ok")));
    world
        .run(|stage| async move {
            for line in ["//note x", "/usr/bin is full"] {
                assert_eq!(stage.line(line).await, Submitted::Started);
                stage.until("agent-turn-complete").await;
            }
        })
        .await;
    assert!(ran.lock().unwrap().is_empty());
    assert_eq!(shape(&world.sessions.messages("s1")), "u:/note x a:ok u:/usr/bin is full a:ok");
    assert_eq!(world.record.texts("user", "line"), ["//note x", "/usr/bin is full"]);
}
