//! A conversation to run commands in: stored sessions in memory, a person who answers as prepared,
//! and a presenter that types the lines of the test.

use fen_contract::api::{Api, Extension, Manifest, Source};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::{Conversation, Submitted, WhenBusy};
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, PresenterSpec, ProviderSpec, SessionBackendSpec};
use fen_contract::names::{Count, Millis, ModelId};
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::provider::{CallOptions, ModelInfo, Provider, StreamSink};
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo,
};
use fen_contract::types::{AgentContext, AssistantMessage, Message, StopReason, Tool};
use fen_contract::ui::{
    Choice, KeyRow, Page, PageFormat, Picked, Question, Themes, Ui, Visibility,
};
use fen_core::{Kernel, RunSetup};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What the person does about a question.
pub enum Answer {
    /// Types this, or takes the offer of this label.
    Words(&'static str),
    /// Does this with the offer of this label.
    Action(&'static str, &'static str),
    /// Declines.
    Nothing,
}

/// The person, with or without a screen.
#[derive(Default)]
pub struct Person {
    pub screen: bool,
    pub answers: Mutex<VecDeque<Answer>>,
    /// What was seen, each with a word for what it was.
    pub seen: Mutex<Vec<String>>,
    /// The choices that were offered.
    pub offered: Mutex<Vec<Choice>>,
}

impl Person {
    fn sees(&self, what: String) {
        self.seen.lock().unwrap().push(what);
    }

    fn answer(&self) -> Answer {
        self.answers.lock().unwrap().pop_front().expect("nobody expected a question")
    }

    fn on_screen(&self) -> Result<(), Failure> {
        if self.screen { Ok(()) } else { Err(Failure::caller("there is no screen")) }
    }
}

fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, T> {
    Box::pin(std::future::ready(value))
}

impl Ui for Person {
    fn notify(&self, text: &str) {
        self.sees(format!("notice: {text}"));
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        self.sees(format!("prompt: {} [{}]", question.text, question.initial.unwrap_or_default()));
        ready(match self.answer() {
            Answer::Words(words) => Some(words.to_owned()),
            _ => None,
        })
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>> {
        let picked = self.pick(choice);
        Box::pin(async move { Some(picked.await?.value) })
    }

    fn pick(&self, choice: Choice) -> BoxFuture<'_, Option<Picked>> {
        self.sees(format!("choice: {}", choice.title));
        let of = |label: &str| {
            let found = choice.choices.iter().find(|offer| offer.label == label);
            found.unwrap_or_else(|| panic!("no {label} in {choice:?}")).value.clone()
        };
        let picked = match self.answer() {
            Answer::Words(label) => Some(Picked { value: of(label), action: None }),
            Answer::Action(label, action) => {
                assert!(choice.actions.iter().any(|known| known.name == action), "{choice:?}");
                Some(Picked { value: of(label), action: Some(action.to_owned()) })
            }
            Answer::Nothing => None,
        };
        self.offered.lock().unwrap().push(choice);
        ready(picked)
    }

    fn has_screen(&self) -> bool {
        self.screen
    }

    fn show(&self, page: Page) -> Result<(), Failure> {
        self.on_screen()?;
        assert_eq!(page.format, PageFormat::Plain);
        self.sees(format!("page {}: {}", page.title, page.text));
        Ok(())
    }

    fn copy(&self, text: String) -> Result<(), Failure> {
        self.on_screen()?;
        self.sees(format!("copied: {text}"));
        Ok(())
    }

    fn expand(&self) -> Result<(), Failure> {
        self.on_screen()?;
        self.sees("expanded".to_owned());
        Ok(())
    }

    fn keys(&self) -> Vec<KeyRow> {
        let row = |key: &str, problem: Option<&str>| KeyRow {
            key: key.to_owned(),
            action: "act".to_owned(),
            description: "does something".to_owned(),
            problem: problem.map(str::to_owned),
        };
        vec![row("ctrl-o", None), row("ctrl-p", Some("ctrl-p is taken by `x`"))]
    }

    fn themes(&self) -> Option<Themes> {
        let names = ["dark", "light"].map(str::to_owned).into();
        self.screen.then(|| Themes { current: "dark".to_owned(), names })
    }

    fn set_theme(&self, name: &str) -> Result<(), Failure> {
        self.sees(format!("theme: {name}"));
        Ok(())
    }

    fn show_thinking(&self, visibility: Visibility) -> Result<(), Failure> {
        self.on_screen()?;
        self.sees(format!("thinking: {visibility:?}"));
        Ok(())
    }
}

/// Sessions in memory. Their conversations are empty.
#[derive(Default)]
pub struct Shelf {
    pub stored: Mutex<Vec<SessionInfo>>,
}

/// A stored session of the folder `/home`.
pub fn stored(id: &str, title: &str) -> SessionInfo {
    SessionInfo {
        id: id.into(),
        path: format!("/sessions/{id}").into(),
        cwd: "/home".into(),
        timestamp: Millis(0),
        title: Some(title.to_owned()),
        message_count: Count(3),
        version: Count(1),
        size: Some(Count(12_000)),
        modified: Some(Millis::now()),
    }
}

impl SessionBackend for Shelf {
    fn open(&self, options: OpenOptions) -> BoxFuture<'_, Result<Session, Failure>> {
        let info = SessionInfo { cwd: options.cwd, ..stored("new", "") };
        ready(Ok(Session { info: SessionInfo { title: None, ..info }, state: Arc::new(()) }))
    }

    fn open_existing<'a>(
        &'a self,
        path: &'a Path,
        _: OpenOptions,
    ) -> BoxFuture<'a, Result<Session, Failure>> {
        let stored = self.stored.lock().unwrap();
        let found = stored.iter().find(|info| info.path == path).cloned();
        let session = found.map(|info| Session { info, state: Arc::new(()) });
        ready(session.ok_or_else(|| Failure::caller("it is gone")))
    }

    fn append<'a>(&'a self, _: &'a Session, _: &'a Message) -> BoxFuture<'a, Result<(), Failure>> {
        ready(Ok(()))
    }

    fn close<'a>(&'a self, _: &'a Session) -> BoxFuture<'a, Result<(), Failure>> {
        ready(Ok(()))
    }

    fn load<'a>(&'a self, _: &'a Path) -> BoxFuture<'a, Result<Loaded, Failure>> {
        ready(Ok(Loaded::default()))
    }

    fn find(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        let mut found = self.stored.lock().unwrap().clone();
        found.retain(|info| options.cwd.as_ref().is_none_or(|cwd| info.cwd == *cwd));
        if let Some(id) = &options.id {
            found.retain(|info| info.id.as_str().starts_with(id));
        }
        found.truncate(options.limit.unwrap_or(usize::MAX));
        ready(Ok(found))
    }

    fn list(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        self.find(options)
    }

    fn latest(&self, _: FindOptions) -> BoxFuture<'_, Result<Option<SessionInfo>, Failure>> {
        ready(Ok(None))
    }

    fn preview<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<String, Failure>> {
        ready(Ok(format!("about {}", path.display())))
    }

    fn rename<'a>(
        &'a self,
        session: &'a Session,
        title: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let mut stored = self.stored.lock().unwrap();
        for info in stored.iter_mut().filter(|info| info.id == session.info.id) {
            info.title = Some(title.to_owned());
        }
        ready(Ok(()))
    }

    fn delete<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<(), Failure>> {
        self.stored.lock().unwrap().retain(|info| info.path != path);
        ready(Ok(()))
    }
}

/// A provider that is never asked.
struct Unasked;

impl Provider for Unasked {
    fn convert_messages(&self, _: &[Message]) -> Vec<Value> {
        Vec::new()
    }

    fn convert_tools(&self, _: &[Tool]) -> Vec<Value> {
        Vec::new()
    }

    fn map_stop_reason(&self, _: &str) -> StopReason {
        StopReason::Stop
    }

    fn parse_response(&self, _: &Value) -> AssistantMessage {
        AssistantMessage::new(Vec::new(), StopReason::Stop)
    }

    fn build_body(
        &self,
        _: &ModelId,
        _: &AgentContext,
        _: &CallOptions,
    ) -> Result<Box<RawValue>, Failure> {
        Err(Failure::new("it is never asked"))
    }

    fn complete<'a>(
        &'a self,
        _: &'a ModelId,
        _: &'a AgentContext,
        _: &'a CallOptions,
        _: &'a dyn StreamSink,
        _: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage> {
        ready(AssistantMessage::new(Vec::new(), StopReason::Stop))
    }
}

/// An extension with contributions.
struct With(&'static str, Vec<Contribution>);

impl Extension for With {
    fn manifest(&self) -> Manifest {
        Manifest { name: self.0.to_owned(), ..Manifest::default() }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        for contribution in &self.1 {
            api.register(contribution.clone())?;
        }
        Ok(())
    }
}

type Outcomes = Vec<Result<(), String>>;
type Completions = Vec<(String, String)>;

/// Types lines and keeps what became of them.
struct Typist {
    lines: Vec<String>,
    completing: Vec<String>,
    person: Option<Arc<Person>>,
    outcomes: Arc<Mutex<Outcomes>>,
    completions: Arc<Mutex<Completions>>,
    open: Arc<Mutex<Option<SessionInfo>>>,
}

impl Presenter for Typist {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for line in &self.completing {
                let offers = context.conversation.complete(line.clone()).await;
                let offers = offers.into_iter().map(|offer| (offer.label, offer.value));
                self.completions.lock().unwrap().extend(offers);
            }
            for line in &self.lines {
                let outcome = typed(&*context.conversation, line).await;
                self.outcomes.lock().unwrap().push(outcome);
            }
            *self.open.lock().unwrap() = context.conversation.session();
            Ok(())
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        self.person.clone().map(|person| person as Arc<dyn Ui>)
    }
}

async fn typed(conversation: &dyn Conversation, line: &str) -> Result<(), String> {
    match conversation.submit_line(line.to_owned(), WhenBusy::Reject).await {
        Submitted::Command(outcome) => outcome.map_err(|failure| failure.message),
        other => panic!("{line} is no command: {other:?}"),
    }
}

/// What a conversation is set up with.
pub struct Stage {
    pub person: Option<Arc<Person>>,
    pub shelf: Arc<Shelf>,
    pub models: Vec<ModelInfo>,
    pub messages: Vec<Message>,
}

/// What became of it.
pub struct Told {
    pub outcomes: Outcomes,
    pub infos: Vec<String>,
    pub errors: Vec<String>,
    pub events: Vec<String>,
    pub completions: Completions,
    pub open: SessionInfo,
}

impl Stage {
    /// A person at a screen who answers so.
    pub fn at_a_screen(answers: impl IntoIterator<Item = Answer>) -> Stage {
        let answers = Mutex::new(answers.into_iter().collect());
        Stage::with(Some(Person { screen: true, answers, ..Person::default() }))
    }

    /// A person who reads lines.
    pub fn on_paper() -> Stage {
        Stage::with(Some(Person::default()))
    }

    fn with(person: Option<Person>) -> Stage {
        let models = ["big", "small"].map(ModelInfo::named).into();
        Stage { person: person.map(Arc::new), shelf: Arc::default(), models, messages: Vec::new() }
    }

    pub fn seen(&self) -> Vec<String> {
        self.person.as_ref().unwrap().seen.lock().unwrap().clone()
    }

    pub fn offered(&self) -> Vec<Choice> {
        self.person.as_ref().unwrap().offered.lock().unwrap().clone()
    }

    /// Types lines.
    pub fn types(&self, lines: &[&str]) -> Told {
        self.run(lines, &[])
    }

    /// Asks for completions.
    pub fn completes(&self, line: &str) -> Vec<(String, String)> {
        self.run(&[], &[line]).completions
    }

    fn run(&self, lines: &[&str], completing: &[&str]) -> Told {
        let kernel = Kernel::new();
        let record: Arc<Mutex<Vec<Arc<Event>>>> = Arc::default();
        let heard = record.clone();
        kernel.api().on(
            "*",
            Arc::new(move |event| {
                heard.lock().unwrap().push(event.clone());
                Ok(())
            }),
        );
        let own = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let (outcomes, completions, open) =
            (Arc::<Mutex<Outcomes>>::default(), Arc::default(), Arc::default());
        let typist = Typist {
            lines: own(lines),
            completing: own(completing),
            person: self.person.clone(),
            outcomes: outcomes.clone(),
            completions: Arc::clone(&completions),
            open: Arc::clone(&open),
        };
        let provider = ProviderSpec {
            api: "none".to_owned(),
            name: "p".to_owned(),
            auth: None,
            base_url: None,
            default_model: None,
            models: Some(self.models.clone()),
            setup: None,
            provider: Arc::new(Unasked),
        };
        let contributions: Vec<Contribution> = vec![
            provider.into(),
            SessionBackendSpec { name: "shelf".to_owned(), backend: self.shelf.clone() }.into(),
            PresenterSpec {
                name: "typist".to_owned(),
                one_shot: None,
                presenter: Arc::new(typist),
            }
            .into(),
        ];
        kernel.load(&fen_commands::extension(), Source::Bundled).unwrap();
        kernel.load(&With("stage", contributions), Source::Bundled).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let outcome = runtime.block_on(async {
            let options = OpenOptions { cwd: "/home".into(), ..OpenOptions::default() };
            let session = self.shelf.open(options).await.unwrap();
            let setup = RunSetup {
                session: Some((self.shelf.clone(), session)),
                messages: self.messages.clone(),
                ..RunSetup::new("typist", "p", "big", "/home")
            };
            kernel.run(setup).await
        });
        assert_eq!(outcome.failure, None);
        let record = record.lock().unwrap();
        let texts = |of: fn(&Event) -> Option<String>| -> Vec<String> {
            record.iter().filter_map(|event| of(event)).collect()
        };
        let outcomes = outcomes.lock().unwrap().clone();
        let completions = completions.lock().unwrap().clone();
        let open = open.lock().unwrap().clone().unwrap();
        Told {
            outcomes,
            infos: texts(|event| match event {
                Event::Info(info) => info.info.clone(),
                _ => None,
            }),
            errors: texts(|event| match event {
                Event::Error(error) => Some(error.error.clone()),
                _ => None,
            }),
            events: record.iter().map(|event| event.name().to_owned()).collect(),
            completions,
            open,
        }
    }
}
