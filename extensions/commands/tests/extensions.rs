//! `/extensions` and `/docs`, run on a kernel without a conversation.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

use fen_contract::agent::{Agent, AgentSummary};
use fen_contract::api::{Api, Extension, Manifest, Source};
use fen_contract::command::CommandContext;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::hook::{Hook, HookContext, Verdict};
use fen_contract::introspect::Introspect;
use fen_contract::kinds::{CommandSpec, Contribution, HookSpec, IntrospectSpec, Kind};
use fen_contract::names::Count;
use fen_core::Kernel;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// An extension with a hook and a snapshot.
struct Guard;

impl Extension for Guard {
    fn manifest(&self) -> Manifest {
        let description = "Watches over things".to_owned();
        Manifest { name: "guard".to_owned(), description, ..Manifest::default() }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        api.register(HookSpec { hook: Arc::new(Guard) }.into())?;
        let spec = IntrospectSpec {
            name: "count".to_owned(),
            description: None,
            introspect: Arc::new(Guard),
        };
        api.register(spec.into())?;
        Ok(())
    }
}

impl Hook for Guard {
    fn before_tool<'a>(
        &'a self,
        _tool: &'a str,
        _arguments: &'a Value,
        _context: HookContext<'a>,
    ) -> BoxFuture<'a, Result<Verdict, Failure>> {
        Box::pin(std::future::ready(Ok(Verdict::Allow)))
    }
}

impl Introspect for Guard {
    fn snapshot(&self) -> BoxFuture<'_, Result<Value, Failure>> {
        Box::pin(std::future::ready(Ok(json!({"seen": 7, "long": "x".repeat(5_000)}))))
    }
}

struct Place {
    kernel: Kernel,
    said: Arc<Mutex<Vec<String>>>,
}

impl Place {
    fn new() -> Place {
        let kernel = Kernel::new();
        kernel.load(&fen_commands::extension(), Source::Bundled).unwrap();
        kernel.load(&Guard, Source::User).unwrap();
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = said.clone();
        kernel.api().on(
            "info",
            Arc::new(move |event| {
                if let Event::Info(info) = &**event {
                    heard.lock().unwrap().push(info.info.clone().unwrap());
                }
                Ok(())
            }),
        );
        Place { kernel, said }
    }

    fn command(&self, name: &str) -> CommandSpec {
        let registry = self.kernel.registry();
        match &registry.find(Kind::Command, name).unwrap().contribution {
            Contribution::Command(spec) => spec.clone(),
            other => panic!("{other:?}"),
        }
    }

    fn context() -> CommandContext {
        let agent = AgentSummary {
            id: "main".to_owned(),
            session_id: None,
            provider: "p".into(),
            model: "m".into(),
            cwd: "/".to_owned(),
            message_count: Count(0),
        };
        CommandContext { busy: false, agent: Agent::from(agent), session: None }
    }

    fn run(&self, name: &str, arguments: &str) -> Result<String, String> {
        let spec = self.command(name);
        let context = Self::context();
        ready(spec.command.run(arguments, &context)).map_err(|failure| failure.message)?;
        Ok(self.said.lock().unwrap().pop().unwrap())
    }

    fn complete(&self, name: &str, prefix: &str) -> Vec<String> {
        let spec = self.command(name);
        let context = Self::context();
        let offers = ready(spec.command.complete(prefix, &context));
        offers.into_iter().map(|offer| offer.value).collect()
    }
}

fn ready<T>(future: BoxFuture<'_, T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(future)
}

#[test]
fn the_persons_extensions_are_listed_with_their_state_and_the_others_by_name() {
    let text = Place::new().run("extensions", "").unwrap();
    assert_eq!(
        text,
        "guard  loaded, user\n    Watches over things\n1 come with fen: commands\n/extensions NAME \
         shows one"
    );
}

#[test]
fn one_extension_is_shown_with_its_contributions_and_snapshots() {
    let place = Place::new();
    let text = place.run("extensions", "guard").unwrap();
    for part in [
        "guard\n",
        "  source: user\n",
        "  state: loaded\n",
        "  description: Watches over things\n",
        "  hooks: 1\n",
        "  introspectors: count\n",
        "  snapshot count: {\n  \"seen\": 7,",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.len() < 3_000 && text.ends_with('…'), "{text}");
    let text = place.run("extensions", "commands").unwrap();
    assert!(text.contains("  commands: help, status, "), "{text}");
    let error = place.run("extensions", "gard").unwrap_err();
    assert!(error.contains("did you mean `guard`?"), "{error}");
}

#[test]
fn the_registry_is_shown_by_kind() {
    let place = Place::new();
    let text = place.run("extensions", "registry").unwrap();
    assert!(
        text.contains("extensions         2") && text.contains("tools              0"),
        "{text}"
    );
    for kind in ["commands", "command"] {
        let text = place.run("extensions", &format!("registry {kind}")).unwrap();
        assert!(text.starts_with("help  bundled, commands\n    List the commands, "), "{text}");
    }
    assert_eq!(place.run("extensions", "registry hooks").unwrap(), "user, guard");
    assert_eq!(place.run("extensions", "registry tools").unwrap(), "there are no tools");
    let error = place.run("extensions", "registry tols").unwrap_err();
    assert!(error.contains("did you mean `tools`?"), "{error}");
    assert!(place.run("extensions", "a b").is_err());
}

#[test]
fn names_and_kinds_are_completed() {
    let place = Place::new();
    assert_eq!(place.complete("extensions", ""), ["commands", "guard", "registry"]);
    assert_eq!(place.complete("extensions", "gu"), ["guard"]);
    assert_eq!(place.complete("extensions", "registry to"), ["registry tools"]);
    assert_eq!(place.complete("docs", "to"), ["tools"]);
    assert_eq!(place.complete("docs", "api tur"), ["api turn"]);
    assert_eq!(place.complete("docs", "api turn.s"), ["api turn.submit!"]);
}

#[test]
fn the_reference_and_what_is_registered_are_shown() {
    let place = Place::new();
    assert!(place.run("docs", "").unwrap().contains("register-kinds"));
    assert!(place.run("docs", "events user").unwrap().starts_with("user  (events)"));
    assert!(place.run("docs", "tool").unwrap().starts_with("tool  (register-kinds)"));
    assert!(place.run("docs", "api turn").unwrap().contains("api.turn.submit("));
    assert!(place.run("docs", "api turn.submit!").unwrap().starts_with("turn.submit!  (api)"));
    assert!(place.run("docs", "api trun").unwrap_err().contains("did you mean `turn`?"));
    assert!(place.run("docs", "commands").unwrap().contains("extensions  bundled, commands"));
    assert!(place.run("docs", "commands quit").unwrap().contains("  description: Leave"));
    assert!(place.run("docs", "evnts").unwrap_err().contains("did you mean `events`?"));
}
