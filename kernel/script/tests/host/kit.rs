//! A kernel with a mock provider, a host beside it, and a presenter that is a closure.

use crate::doubles::{Changes, Person};
use fen_contract::api::{Api, Extension, Manifest, Source};
use fen_contract::conversation::{Submitted, WhenBusy};
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::Ui;
use fen_core::{Kernel, RunOutcome, RunSetup};
use fen_provider_mock::{Script, Turn};
use fen_script::host::{Around, Console, Granted, Host, Loaded, Program};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Far beyond every need: reaching it means that something hangs.
pub const HANG: Duration = Duration::from_secs(60);

/// What was written to the terminal, and what a person types.
#[derive(Default)]
pub struct Terminal {
    pub written: Mutex<String>,
    pub notes: Mutex<Vec<String>>,
    pub lines: Mutex<Vec<String>>,
    /// The note `stop here` comes back once the other end is dropped.
    pub blocks_on: Mutex<Option<std::sync::mpsc::Receiver<()>>>,
}

impl Console for Terminal {
    fn write(&self, text: String) -> BoxFuture<'_, Result<(), Failure>> {
        self.written.lock().unwrap().push_str(&text);
        Box::pin(std::future::ready(Ok(())))
    }

    fn read_line(&self, prompt: String) -> BoxFuture<'_, Result<Option<String>, Failure>> {
        self.written.lock().unwrap().push_str(&prompt);
        let mut lines = self.lines.lock().unwrap();
        let line = (!lines.is_empty()).then(|| lines.remove(0));
        Box::pin(std::future::ready(Ok(line)))
    }

    fn note(&self, line: &str) {
        self.notes.lock().unwrap().push(line.to_owned());
        if line.ends_with("stop here")
            && let Some(blocked) = self.blocks_on.lock().unwrap().take()
        {
            // An error is the end of the block.
            let _ = blocked.recv();
        }
    }
}

pub struct World {
    pub kernel: Kernel,
    pub host: Host,
    pub terminal: Arc<Terminal>,
    pub events: Arc<Mutex<Vec<Value>>>,
    pub settings: Arc<Changes>,
    /// Who answers the questions of the next run.
    pub person: Mutex<Option<Arc<Person>>>,
}

/// An extension that is a closure.
struct Closure<F>(&'static str, F);

impl<F: Fn(&Arc<dyn Api>) -> Result<(), Failure> + Send + Sync> Extension for Closure<F> {
    fn manifest(&self) -> Manifest {
        Manifest { name: self.0.to_owned(), ..Manifest::default() }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        (self.1)(&api)
    }
}

type Drive = dyn Fn(PresenterContext) -> BoxFuture<'static, ()> + Send + Sync;

struct Stage {
    drive: Box<Drive>,
    person: Option<Arc<Person>>,
}

impl Presenter for Stage {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        let driving = (self.drive)(context.clone());
        Box::pin(async move {
            driving.await;
            Ok(())
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        self.person.clone().map(|person| person as Arc<dyn Ui>)
    }
}

impl World {
    /// A world whose model echoes.
    pub fn new() -> World {
        World::with_script(Script::Echo)
    }

    /// A world whose model gives these answers.
    pub fn answering(turns: Vec<Turn>) -> World {
        World::with_script(Script::answer(move |request| {
            turns.get(request.number).cloned().unwrap_or_else(|| Turn::text("the end"))
        }))
    }

    pub fn with_script(script: Script) -> World {
        let kernel = Kernel::new();
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = events.clone();
        kernel.api().on(
            "*",
            Arc::new(move |event| {
                heard.lock().unwrap().push(serde_json::to_value(&**event).unwrap());
                Ok(())
            }),
        );
        kernel.load(&fen_provider_mock::extension(script), Source::Bundled).unwrap();
        let terminal = Arc::new(Terminal::default());
        let settings = Arc::new(Changes::default());
        let around = Around {
            runtime: tokio::runtime::Handle::current(),
            cwd: PathBuf::from("/"),
            closed: Vec::new(),
            credentials: Default::default(),
            http: None,
            console: terminal.clone(),
            settings: Some(settings.clone()),
            error_log: Some(PathBuf::from("/state/errors.log")),
        };
        let host = Host::new(kernel.clone(), around);
        World { kernel, host, terminal, events, settings, person: Mutex::default() }
    }

    /// Loads an extension that keeps what it saw in the table `seen`.
    pub async fn watches(&self, name: &str, body: &str) {
        self.loads(name, &watching(body)).await;
    }

    /// What an extension of that kind has seen so far.
    pub async fn seen(&self, name: &str) -> Value {
        self.settle().await;
        let mut rows = self.kernel.api().snapshots(Some(name.to_owned())).await;
        assert_eq!(rows.len(), 1, "{rows:?} {:?}", self.errors());
        rows[0]["snapshot"].take()
    }

    /// Loads a user's extension of one file.
    pub async fn load(&self, name: &str, source: &str) -> Result<Loaded, Failure> {
        self.host.load(program(name, source)).await
    }

    /// The same for one that has to load.
    pub async fn loads(&self, name: &str, source: &str) -> Loaded {
        self.load(name, source).await.unwrap_or_else(|failure| panic!("{failure}\n{source}"))
    }

    /// The events of a name that were told so far.
    pub fn told(&self, name: &str) -> Vec<Value> {
        let events = self.events.lock().unwrap();
        events.iter().filter(|event| event["type"] == name).cloned().collect()
    }

    /// The words of all `extension-error`s so far.
    pub fn errors(&self) -> Vec<String> {
        let words = |event: &Value| {
            format!(
                "{}: {}: {}",
                event["owner"].as_str().unwrap_or(""),
                event["event"].as_str().unwrap_or(""),
                event["error"].as_str().unwrap_or("")
            )
        };
        self.told("extension-error").iter().map(words).collect()
    }

    /// The texts of all `info` events so far.
    pub fn infos(&self) -> Vec<String> {
        let text = |event: &Value| event["info"].as_str().unwrap_or_default().to_owned();
        self.told("info").iter().map(text).collect()
    }

    /// The row that lists an extension.
    pub fn row(&self, name: &str) -> Value {
        let rows = self.kernel.list("extensions").unwrap();
        rows.into_iter().find(|row| row["name"] == name).unwrap_or(Value::Null)
    }

    /// Waits until scripts have handled everything.
    pub async fn settle(&self) {
        assert!(self.host.settle(HANG).await, "scripts go on for ever");
    }

    /// Waits until what an extension has seen fits: for what goes on beside the events.
    pub async fn when(&self, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let waiting = async {
            loop {
                let seen = self.seen(name).await;
                if fits(&seen) {
                    return seen;
                }
                tokio::task::yield_now().await;
            }
        };
        let seen = tokio::time::timeout(HANG, waiting).await;
        seen.unwrap_or_else(|_| panic!("it never fits: {:?}", self.errors()))
    }

    pub fn setup(&self) -> RunSetup {
        RunSetup::new("stage", "mock", "m", "/")
    }

    /// Runs a conversation whose presenter does what the closure says.
    pub async fn run<F, R>(&self, drive: F) -> RunOutcome
    where
        F: Fn(PresenterContext) -> R + Send + Sync + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        self.run_with(self.setup(), drive).await
    }

    pub async fn run_with<F, R>(&self, setup: RunSetup, drive: F) -> RunOutcome
    where
        F: Fn(PresenterContext) -> R + Send + Sync + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let outcome = self.run_unsettled(setup, drive).await;
        self.settle().await;
        outcome
    }

    /// The same without waiting for scripts afterwards.
    pub async fn run_unsettled<F, R>(&self, setup: RunSetup, drive: F) -> RunOutcome
    where
        F: Fn(PresenterContext) -> R + Send + Sync + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let drive = Arc::new(drive);
        let stage = Arc::new(Stage {
            drive: Box::new(move |context| {
                let drive = drive.clone();
                Box::pin(async move { drive(context).await })
            }),
            person: self.person.lock().unwrap().clone(),
        });
        self.kernel.unload(&"stage".into());
        self.kernel
            .load(
                &Closure("stage", move |api: &Arc<dyn Api>| {
                    api.register(
                        PresenterSpec {
                            name: "stage".to_owned(),
                            one_shot: None,
                            presenter: stage.clone(),
                        }
                        .into(),
                    )?;
                    Ok(())
                }),
                Source::Bundled,
            )
            .unwrap();
        tokio::time::timeout(HANG, self.kernel.run(setup)).await.expect("no end")
    }

    /// Sends one prompt and waits for its turn.
    pub async fn prompt(&self, text: &'static str) -> RunOutcome {
        self.run(move |context| async move { say(&context, text).await }).await
    }
}

/// The source of an extension with this body, a function of `api`, that shows the table `seen`.
pub fn watching(body: &str) -> String {
    format!(
        "return function(api)
           local seen = {{}}
           api.register('introspect', {{ name = 'seen', snapshot = function() return seen end }})
           {body}
         end"
    )
}

/// Waits for an event of this name.
pub async fn until(context: &PresenterContext, name: &str) -> Arc<Event> {
    while let Some(event) = context.events.next_event().await {
        if event.name() == name {
            return event;
        }
    }
    panic!("`{name}` did not come");
}

/// Submits a line and waits until its turn is over.
pub async fn say(context: &PresenterContext, text: &str) {
    let submitted = context.conversation.submit_line(text.to_owned(), WhenBusy::Reject).await;
    assert!(matches!(submitted, Submitted::Started), "{submitted:?}");
    until(context, "agent-turn-complete").await;
}

/// A user's extension of one file that may do everything.
pub fn program(name: &str, source: &str) -> Program {
    let file = format!("{name}.lua");
    Program {
        manifest: Manifest { name: name.to_owned(), ..Manifest::default() },
        source: Source::User,
        place: PathBuf::from(format!("/extensions/{file}")),
        entry: file.clone(),
        files: BTreeMap::from([(file, source.into())]),
        granted: Granted::default(),
        has_hooks: false,
    }
}
