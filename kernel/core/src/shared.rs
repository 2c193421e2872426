//! The state that the parts of the kernel share, and what all of them do with it.
//!
//! Locks are held for moments, never across an await. Nothing outside the kernel sees it.

use crate::api::OwnedApi;
use crate::bus::Bus;
use crate::exposure::Revealed;
use crate::log::Log;
use crate::prompt::PromptFragments;
use crate::registry::Registry;
use crate::screen::RenderFailures;
use crate::session::OpenSession;
use crate::tools::{ToolFilter, ToolRunner};
use crate::transcript::Transcript;
use crate::turn_queue::TurnQueue;
use fen_contract::agent::{Agent, AgentView};
use fen_contract::api::{LogLevel, Manifest, RegistrationId, Source};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::QueueContents;
use fen_contract::events::{self, Event, OwnEvent};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind, ProviderSpec};
use fen_contract::names::{Count, ModelId, Owner, ProviderName, SessionId};
use fen_contract::provider::{ModelInfo, ThinkingLevel};
use fen_contract::record::Extra;
use fen_contract::secret::Secret;
use fen_contract::session::SessionInfo;
use fen_contract::types::Message;
use fen_contract::ui::Ui;
use fen_transport::retry::Policy;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use tokio::sync::{Notify, oneshot};

/// What may change from call to call.
#[derive(Debug, Clone)]
pub(crate) struct RunState {
    pub provider: ProviderName,
    pub model: ModelId,
    pub thinking: ThinkingLevel,
    pub max_tokens: Option<Count>,
    pub api_key: Option<Secret>,
    pub tools: ToolFilter,
    pub pinned_tools: Vec<String>,
    pub cwd: PathBuf,
    pub retry: Policy,
    pub max_model_calls: usize,
}

/// An extension that was loaded.
pub(crate) struct Loaded {
    pub manifest: Manifest,
    pub source: Source,
    pub generation: u64,
    pub api: Weak<OwnedApi>,
}

/// Gives rows for the list of extensions.
pub(crate) type RowSource = Arc<dyn Fn() -> Vec<Value> + Send + Sync>;

/// What the agent does between turns, on request.
pub(crate) enum Request {
    Reset(oneshot::Sender<Result<(), Failure>>),
    Resume(PathBuf, oneshot::Sender<Result<SessionInfo, Failure>>),
}

/// A prompt, and the line that a person typed for it, if a person did.
pub(crate) struct Typed {
    pub text: String,
    pub line: Option<String>,
}

/// What the next turn begins with.
#[derive(Default)]
pub(crate) struct Inbox {
    pub start: Option<Typed>,
    pub requests: VecDeque<Request>,
    pub queue: TurnQueue,
    /// The waiting lines as the session has them.
    pub stored_queue: QueueContents,
    /// Whether waiting lines of an earlier run wait for the person's first prompt.
    pub held: bool,
    pub busy: bool,
}

#[derive(Default)]
pub(crate) struct Shared {
    pub registry: Registry,
    pub bus: Bus,
    pub prompt: PromptFragments,
    pub log: Log,
    pub tools: ToolRunner,
    /// The tools of a search that are on offer by now.
    pub revealed: Mutex<Revealed>,
    /// The settings that extensions may see.
    pub settings: RwLock<Value>,
    pub transcript: Transcript,
    pub extensions: Mutex<Vec<Loaded>>,
    /// How often each extension was loaded.
    pub generations: Mutex<HashMap<Owner, u64>>,
    /// Rows of extensions that are not loaded, from those who load.
    pub further_rows: Mutex<Option<RowSource>>,
    /// Why no tool may run now, by the extension that is the reason.
    pub blocks: Mutex<BTreeMap<Owner, String>>,
    /// The session backend that an extension made the active one.
    pub active_backend: Mutex<Option<String>>,
    /// The loads that the run has yet to tell of.
    pub untold_loads: Mutex<Vec<events::ExtensionLoaded>>,
    pub run: RwLock<Option<RunState>>,
    pub inbox: Mutex<Inbox>,
    pub turn_cancel: Mutex<Option<CancelToken>>,
    pub session: Mutex<Option<OpenSession>>,
    pub ui: Mutex<Option<Arc<dyn Ui>>>,
    pub render_failures: Mutex<RenderFailures>,
    pub wake: Notify,
    pub queue_changed: Notify,
    pub quit: CancelToken,
    pub running: AtomicBool,
    next_id: AtomicU64,
}

/// The name under which the kernel itself appears.
pub(crate) fn kernel_owner() -> Owner {
    Owner::from("kernel")
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub fn next_id(&self) -> RegistrationId {
        RegistrationId(self.next_id.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The run's state; an error before the run has been set up.
    pub fn run_state(&self) -> Result<RunState, Failure> {
        self.run
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
            .ok_or_else(|| Failure::caller("no conversation is running"))
    }

    pub fn change_run(&self, change: impl FnOnce(&mut RunState)) {
        if let Some(run) = self.run.write().unwrap_or_else(PoisonError::into_inner).as_mut() {
            change(run);
        }
    }

    /// Goes on with a model of a provider that is there.
    pub fn choose_model(&self, provider: ProviderName, model: ModelId) {
        self.change_run(|run| {
            if run.provider != provider {
                // A key from the command line was meant for the provider named beside it.
                run.api_key = None;
            }
            run.provider = provider;
            run.model = model;
        });
    }

    pub fn agent(self: &Arc<Self>) -> Agent {
        Agent(Arc::new(View(self.clone())))
    }

    pub fn emit_error(&self, error: impl Into<String>) {
        self.bus.emit(events::Error { error: error.into(), extra: Extra::new() });
    }

    /// Tells the person something.
    pub fn emit_info(&self, info: impl Into<String>) {
        self.bus.emit(events::Info { info: Some(info.into()), text: None, extra: Extra::new() });
    }

    /// Tells one of the kernel's own events, which is named `fen/what`.
    pub fn emit_own<const N: usize>(&self, name: &str, fields: [(&str, Value); N]) {
        let fields = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        match OwnEvent::from_fields(name, fields) {
            Ok(event) => self.bus.emit(Event::Own(event)),
            Err(error) => self.log.write(kernel_owner(), LogLevel::Error, &error.to_string()),
        }
    }

    pub fn report_callback(&self, owner: &Owner, callback: &str, error: &str) {
        self.log.write(owner.clone(), LogLevel::Error, &format!("{callback}: {error}"));
        self.bus.emit(crate::bus::extension_error(owner.clone(), callback, error));
    }

    /// The provider of this name.
    pub fn provider(&self, name: &ProviderName) -> Result<ProviderSpec, Failure> {
        let snapshot = self.registry.snapshot();
        match snapshot.find(Kind::Provider, name.as_str()).map(|entry| &entry.contribution) {
            Some(Contribution::Provider(spec)) => Ok(spec.clone()),
            _ => Err(snapshot.nothing_named(Kind::Provider, name.as_str())),
        }
    }

    /// The extension that contributed something, or the kernel where it is gone.
    pub fn owner_of(&self, kind: Kind, name: &str) -> Owner {
        let snapshot = self.registry.snapshot();
        snapshot.find(kind, name).map_or_else(kernel_owner, |entry| entry.by.owner.clone())
    }

    /// What is known of the model in use.
    pub fn model_info(&self, provider: &ProviderName, model: &ModelId) -> Option<ModelInfo> {
        let models = self.provider(provider).ok()?.models?;
        models.into_iter().find(|info| info.id == *model)
    }

    /// Takes everything of an extension back: contributions, handlers, prompt fragments.
    pub fn remove_owner(&self, owner: &Owner) {
        self.registry.remove_owner(owner);
        self.bus.remove_owner(owner);
        self.prompt.remove_owner(owner);
        let gone: Vec<Loaded> = lock(&self.extensions)
            .extract_if(.., |loaded| loaded.manifest.name == owner.as_str())
            .collect();
        for api in gone.iter().filter_map(|loaded| loaded.api.upgrade()) {
            api.retire();
        }
    }

    /// Emits a request on behalf of an extension. Those that the kernel itself serves are served.
    pub fn emit_for(&self, owner: &Owner, event: Event) -> Result<(), Failure> {
        if self.bus.is_runaway() {
            return Err(Failure::new(format!(
                "extension `{owner}` cannot emit `{}` now: handlers answer events with events \
                 without end",
                event.name()
            )));
        }
        let event = self.judged(owner, event)?;
        if matches!(event, Event::ResetConversation(_)) {
            if !self.running.load(Ordering::Acquire) {
                return Err(Failure::caller("no conversation is running"));
            }
            let mut inbox = lock(&self.inbox);
            // One that waits already will empty the conversation for all who ask.
            if inbox.requests.is_empty() {
                let (done, _) = oneshot::channel();
                inbox.requests.push_back(Request::Reset(done));
                self.wake.notify_one();
            }
            // The event itself follows once the conversation is empty.
            return Ok(());
        }
        self.bus.emit(event);
        Ok(())
    }

    /// The event as it may be emitted on behalf of an extension, or why it may not.
    pub fn judged(&self, owner: &Owner, event: Event) -> Result<Event, Failure> {
        match &event {
            Event::Own(own) if own.owner() == owner.as_str() => {}
            Event::Own(own) => {
                return Err(Failure::caller(format!(
                    "extension `{owner}` cannot emit `{}`; its own events are named `{owner}/…`",
                    own.name()
                )));
            }
            _ if event.is_request() => {}
            _ => {
                return Err(Failure::caller(format!(
                    "extension `{owner}` cannot emit `{}`; only the kernel tells facts",
                    event.name()
                )));
            }
        }
        Ok(signed(owner, event))
    }
}

/// Display events carry the name of the extension that emitted them.
fn signed(owner: &Owner, mut event: Event) -> Event {
    let extra = match &mut event {
        Event::Info(event) => Some(&mut event.extra),
        Event::Error(event) => Some(&mut event.extra),
        Event::AssistantText(event) => Some(&mut event.extra),
        Event::SetStatusInfo(event) => Some(&mut event.extra),
        _ => None,
    };
    if let Some(extra) = extra {
        extra.insert("owner".to_owned(), owner.as_str().into());
    }
    event
}

/// The live view behind the agent handle.
struct View(Arc<Shared>);

impl AgentView for View {
    fn id(&self) -> String {
        "main".to_owned()
    }

    fn session_id(&self) -> Option<SessionId> {
        self.0.session_id()
    }

    fn provider(&self) -> ProviderName {
        self.0.run_state().map_or_else(|_| ProviderName::from(""), |run| run.provider)
    }

    fn model(&self) -> ModelId {
        self.0.run_state().map_or_else(|_| ModelId::from(""), |run| run.model)
    }

    fn cwd(&self) -> String {
        self.0.run_state().map_or_else(|_| String::new(), |run| run.cwd.display().to_string())
    }

    fn message_count(&self) -> usize {
        self.0.transcript.len()
    }

    fn message(&self, position: usize) -> Option<Message> {
        self.0.transcript.get(position)
    }
}
