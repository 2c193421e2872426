//! Which provider and model are asked, and with which key.

use crate::support::{Answer, ScriptedProvider, World, shape};
use fen_contract::auth::AuthBackend;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{AuthBackendSpec, ProviderSpec};
use fen_contract::names::ProviderName;
use fen_contract::secret::Secret;
use fen_core::RunSetup;
use std::sync::Arc;
use std::time::Duration;

enum Keys {
    Named,
    None,
    Failing,
    Panicking,
    Hanging,
}

impl AuthBackend for Keys {
    fn api_key<'a>(
        &'a self,
        provider: &'a ProviderName,
    ) -> BoxFuture<'a, Result<Option<Secret>, Failure>> {
        Box::pin(async move {
            match self {
                Keys::Named => Ok(Secret::new(&format!("key-of-{provider}"))),
                Keys::None => Ok(None),
                Keys::Failing => Err(Failure::new("the token is stale")),
                Keys::Panicking => panic!("no vault"),
                Keys::Hanging => std::future::pending().await,
            }
        })
    }
}

/// A second provider, `locked`, whose key is the backend's affair.
fn with_locked(world: World, keys: Option<Keys>) -> (World, Arc<ScriptedProvider>) {
    let locked = ScriptedProvider::new(|_, _| Answer::text("unlocked"));
    let spec = ProviderSpec { auth: Some("vault".to_owned()), ..locked.spec("locked") };
    world.contribute("locks", spec);
    if let Some(keys) = keys {
        let backend = Arc::new(keys);
        world.contribute("keys", AuthBackendSpec { name: "vault".to_owned(), backend });
    }
    (world, locked)
}

async fn ask_locked(keys: Option<Keys>) -> (World, Arc<ScriptedProvider>) {
    let (world, locked) = with_locked(World::answering([]), keys);
    let setup = RunSetup { provider: "locked".into(), ..world.setup() };
    world.run_with(setup, |stage| async move { stage.say("hi").await }).await;
    (world, locked)
}

#[tokio::test(start_paused = true)]
async fn the_key_comes_from_the_auth_backend_that_the_provider_names() {
    let (_, locked) = ask_locked(Some(Keys::Named)).await;
    assert_eq!(locked.asked()[0].key.as_deref(), Some("key-of-locked"));
    let (_, locked) = ask_locked(Some(Keys::None)).await;
    assert_eq!(locked.asked()[0].key, None);
}

#[tokio::test(start_paused = true)]
async fn a_key_that_cannot_be_had_is_an_error_that_names_the_backend() {
    for (keys, words) in [
        (Some(Keys::Failing), "the token is stale"),
        (Some(Keys::Panicking), "no vault"),
        (None, "does not exist"),
    ] {
        let (world, locked) = ask_locked(keys).await;
        assert!(locked.asked().is_empty());
        let errors = world.record.texts("error", "error");
        assert!(errors[0].contains("`vault`") && errors[0].contains(words), "{errors:?}");
        assert_eq!(world.record.of("llm-start").len(), world.record.of("llm-end").len());
        assert_eq!(world.record.of("llm-end")[0]["message"]["error-kind"], "auth");
    }
}

#[tokio::test(start_paused = true)]
async fn the_wait_for_a_key_can_be_cancelled() {
    let (world, locked) = with_locked(World::answering([]), Some(Keys::Hanging));
    let setup = RunSetup { provider: "locked".into(), ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            stage.submit("hi");
            stage.until("llm-start").await;
            let before = tokio::time::Instant::now();
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
            assert_eq!(before.elapsed(), Duration::ZERO);
        })
        .await;
    assert!(locked.asked().is_empty());
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:~");
}

#[tokio::test(start_paused = true)]
async fn a_key_from_the_command_line_stays_with_its_provider() {
    let (world, locked) = with_locked(World::new(|_, _| Answer::text("ok")), Some(Keys::Named));
    let setup = RunSetup { api_key: Secret::new("given"), ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            let talk = stage.conversation.clone();
            stage.say("a").await;
            talk.set_model("scripted".into(), "m2".into()).unwrap();
            stage.say("b").await;
            talk.set_model("locked".into(), "m3".into()).unwrap();
            stage.say("c").await;
            talk.set_model("scripted".into(), "m".into()).unwrap();
            stage.say("d").await;
        })
        .await;
    let keys: Vec<Option<String>> =
        world.provider.asked().into_iter().map(|asked| asked.key).collect();
    assert_eq!(keys, [Some("given".to_owned()), Some("given".to_owned()), None]);
    assert_eq!(world.provider.asked()[1].model, "m2");
    assert_eq!(locked.asked()[0].key.as_deref(), Some("key-of-locked"));
    assert_eq!(locked.asked()[0].model, "m3");
}

#[tokio::test(start_paused = true)]
async fn a_key_never_stands_in_the_log() {
    let (world, _) = ask_locked(Some(Keys::Named)).await;
    world.kernel.api().log(fen_contract::api::LogLevel::Info, "using key-of-locked");
    let lines = serde_json::to_string(&world.kernel.list("logs").unwrap()).unwrap();
    assert!(lines.contains("using [secret]") && !lines.contains("key-of-locked"), "{lines}");
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_does_not_exist_is_an_error_that_lists_those_that_do() {
    let world = World::answering([]);
    let setup = RunSetup { provider: "nobody".into(), ..world.setup() };
    world
        .run_with(setup, |stage| async move {
            let failure = stage.conversation.set_model("noone".into(), "m".into()).unwrap_err();
            assert!(failure.message.contains("`noone`"), "{failure}");
            stage.say("hi").await;
        })
        .await;
    let errors = world.record.texts("error", "error");
    assert!(errors[0].contains("`nobody`") && errors[0].contains("scripted"), "{errors:?}");
    assert_eq!(world.record.of("agent-turn-complete")[0]["status"], "error");
    assert_eq!(shape(&world.sessions.messages("s1")), "u:hi a:!");
}

#[tokio::test(start_paused = true)]
async fn where_there_is_no_provider_at_all_the_error_says_so() {
    let world = World::answering([]);
    world.kernel.unload(&"scripts".into());
    world.prompt("hi").await;
    let errors = world.record.texts("error", "error");
    assert!(errors[0].contains("none"), "{errors:?}");
}

#[tokio::test(start_paused = true)]
async fn a_panicking_provider_is_a_failed_answer_and_names_its_extension() {
    let world = World::answering([Answer::panic(), Answer::text("better")]);
    world
        .run(|stage| async move {
            stage.say("a").await;
            stage.say("b").await;
        })
        .await;
    let told = &world.record.of("extension-error")[0];
    assert_eq!((&told["owner"], &told["event"]), (&"scripts".into(), &"complete".into()));
    assert!(world.record.texts("error", "error")[0].contains("the provider broke"));
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:! u:b a:better");
    assert_eq!(world.record.of("llm-start").len(), world.record.of("llm-end").len());
}

#[tokio::test(start_paused = true)]
async fn an_answer_says_which_provider_and_model_gave_it() {
    let world = World::answering([Answer::text("hello")]);
    world.prompt("hi").await;
    let message = &world.record.of("message-appended")[1]["message"];
    assert_eq!((&message["provider"], &message["model"]), (&"scripted".into(), &"m".into()));
    assert_eq!(message["api"], "scripted");
    assert_eq!(message["stop-reason"], "stop");
}
