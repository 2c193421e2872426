//! The kernel: loads extensions, and carries a run from set-up to teardown.
//!
//! It owns the order of that: what is told before the presenter hears, and that the session is
//! closed before the bus is. The program calls it; nothing in the kernel does.

use crate::agent::serve;
use crate::api::OwnedApi;
use crate::bus::{HandlerRow, Subscription};
use crate::conversation::Handle;
use crate::guard::{caught, guarded};
use crate::queue_keeper;
use crate::registry::{Contributor, Snapshot};
use crate::session::OpenSession;
use crate::settings::Settings;
use crate::shared::{RunState, Shared, kernel_owner, lock};
use crate::staging::Staging;
use crate::tools::ToolFilter;
use fen_contract::api::{Api, Extension, Manifest, Source};
use fen_contract::conversation::QueueContents;
use fen_contract::events::{self, Event, ShutdownReason, TurnStatus};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind, PresenterSpec};
use fen_contract::names::{Count, ModelId, Owner, ProviderName};
use fen_contract::presenter::PresenterContext;
use fen_contract::provider::ThinkingLevel;
use fen_contract::record::Extra;
use fen_contract::secret::Secret;
use fen_contract::session::{Session, SessionBackend};
use fen_contract::types::{Message, ToolResultMessage};
use fen_transport::retry::Policy;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many model calls one turn may make before it is stopped as a runaway.
pub const MAX_MODEL_CALLS: usize = 1000;

/// The names under which the kernel itself speaks, and no name at all.
const RESERVED: [&str; 3] = ["", "fen", "kernel"];

/// What a run begins with.
pub struct RunSetup {
    /// The presenter's registered name.
    pub presenter: String,
    /// The provider's registered name.
    pub provider: ProviderName,
    /// The model.
    pub model: ModelId,
    /// How much to think.
    pub thinking: ThinkingLevel,
    /// The limit of output tokens, if the person set one.
    pub max_tokens: Option<Count>,
    /// A key that goes before any auth backend's.
    pub api_key: Option<Secret>,
    /// Which tools may be used.
    pub tools: ToolFilter,
    /// Tools of a search that are offered without one.
    pub pinned_tools: Vec<String>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The session and its backend; without one nothing is stored.
    pub session: Option<(Arc<dyn SessionBackend>, Session)>,
    /// The messages that the conversation begins with.
    pub messages: Vec<Message>,
    /// Lines that still waited when the session was last left. They follow the first prompt.
    pub queue: QueueContents,
    /// The prompt from the command line.
    pub prompt: Option<String>,
    /// When and how often failed model calls are repeated.
    pub retry: Policy,
    /// How many model calls one turn may make; [`MAX_MODEL_CALLS`] unless a test says otherwise.
    pub max_model_calls: usize,
}

impl RunSetup {
    /// A run with nothing chosen but these: all tools, no session, no prompt, no thinking.
    pub fn new(presenter: &str, provider: &str, model: &str, cwd: impl Into<PathBuf>) -> RunSetup {
        RunSetup {
            presenter: presenter.to_owned(),
            provider: provider.into(),
            model: model.into(),
            thinking: ThinkingLevel::Off,
            max_tokens: None,
            api_key: None,
            tools: ToolFilter::default(),
            pinned_tools: Vec::new(),
            cwd: cwd.into(),
            session: None,
            messages: Vec::new(),
            queue: QueueContents::default(),
            prompt: None,
            retry: Policy::default(),
            max_model_calls: MAX_MODEL_CALLS,
        }
    }
}

/// How a run went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOutcome {
    /// How the last turn ended; `None` if there was none.
    pub last_turn: Option<TurnStatus>,
    /// Why the presenter could not do its work, if so.
    pub failure: Option<Failure>,
}

/// The kernel. Clones share one state.
#[derive(Clone, Default)]
pub struct Kernel {
    shared: Arc<Shared>,
}

impl Kernel {
    /// A kernel without any extension.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hands over the person's settings, for extensions to read. What looks like a secret is left
    /// out.
    pub fn set_settings(&self, settings: &Settings) {
        *self.shared.settings.write().unwrap_or_else(PoisonError::into_inner) = settings.public();
    }

    /// Loads an extension: what it registers is in force when this returns. An extension that fails
    /// half-way is taken back whole.
    pub fn load(&self, extension: &dyn Extension, source: Source) -> Result<(), Failure> {
        let manifest = extension.manifest();
        let owner = Owner::from(manifest.name.as_str());
        if lock(&self.shared.extensions).iter().any(|known| known.manifest.name == manifest.name) {
            return Err(Failure::caller(format!("extension `{owner}` is loaded already")));
        }
        let staging = self.stage(manifest, source)?;
        let api = staging.api();
        let loaded = caught(|| extension.register(api)).flatten().and_then(|()| staging.commit());
        loaded.map_err(|failure| {
            self.shared.report_callback(&owner, "register", &failure.message);
            Failure { message: format!("extension `{owner}` was not loaded: {failure}"), ..failure }
        })
    }

    /// Begins to load an extension, or to load it anew. What it contributes is in force once the
    /// staging is committed; then it replaces all that the extension had before.
    ///
    /// # Errors
    /// No extension can have that name, or one that comes with fen has it.
    pub fn stage(&self, manifest: Manifest, source: Source) -> Result<Staging, Failure> {
        let owner = Owner::from(manifest.name.as_str());
        if RESERVED.contains(&owner.as_str()) || owner.as_str().contains('/') {
            return Err(Failure::caller(format!("no extension can have the name `{owner}`")));
        }
        let taken = lock(&self.shared.extensions)
            .iter()
            .find(|known| known.manifest.name == manifest.name)
            .filter(|known| (known.source == Source::Bundled) != (source == Source::Bundled))
            .map(|known| known.source);
        if let Some(taken) = taken {
            return Err(Failure::caller(format!(
                "an extension `{owner}` is loaded already ({}); rename one of them",
                taken.as_str()
            )));
        }
        let by = Contributor {
            generation: self.shared.next_generation(&owner),
            source,
            overrides: manifest.overrides.clone(),
            owner,
        };
        let api = Arc::new(OwnedApi::staged(self.shared.clone(), by));
        Ok(Staging::new(self.shared.clone(), manifest, api))
    }

    /// Lists further extensions: those that are known and not loaded, with their state and the
    /// reason. A row of a loaded extension's name takes the place of the kernel's own.
    pub fn list_also(&self, rows: impl Fn() -> Vec<Value> + Send + Sync + 'static) {
        *lock(&self.shared.further_rows) = Some(Arc::new(rows));
    }

    /// Gives each line that is logged from now on to a sink as well, secrets removed.
    pub fn log_to(&self, sink: impl FnMut(&crate::log::LogLine) + Send + 'static) {
        self.shared.log.set_sink(sink);
    }

    /// Blocks all tool calls until [`unblock_tools`](Kernel::unblock_tools): an extension with
    /// hooks cannot look at them now. `reason` completes the sentence "tool calls are blocked: ".
    pub fn block_tools(&self, owner: Owner, reason: impl Into<String>) {
        lock(&self.shared.blocks).insert(owner, reason.into());
    }

    /// Takes an extension's block back; false if there was none.
    pub fn unblock_tools(&self, owner: &Owner) -> bool {
        lock(&self.shared.blocks).remove(owner).is_some()
    }

    /// Makes a session backend the one that new sessions are kept in, where the command line names
    /// no other.
    ///
    /// # Errors
    /// There is no backend of that name.
    pub fn set_active_session_backend(&self, name: &str) -> Result<(), Failure> {
        let registry = self.registry();
        if registry.find(Kind::SessionBackend, name).is_none() {
            return Err(registry.nothing_named(Kind::SessionBackend, name));
        }
        *lock(&self.shared.active_backend) = Some(name.to_owned());
        Ok(())
    }

    /// The session backend that an extension made the active one.
    pub fn active_session_backend(&self) -> Option<String> {
        lock(&self.shared.active_backend).clone()
    }

    /// The registered name of the backend that keeps the running conversation.
    pub fn session_backend(&self) -> Option<String> {
        let open = self.shared.open_session()?;
        let registry = self.registry();
        registry.of_kind(Kind::SessionBackend).find_map(|entry| match &entry.contribution {
            Contribution::SessionBackend(spec) if Arc::ptr_eq(&spec.backend, &open.backend) => {
                Some(spec.name.clone())
            }
            _ => None,
        })
    }

    /// Reports a failed callback of an extension: to the log, and as `extension-error`.
    pub fn report_callback(&self, owner: &Owner, callback: &str, error: &str) {
        self.shared.report_callback(owner, callback, error);
    }

    /// Tells the person of something that went wrong, as the event `error`.
    pub fn tell_error(&self, error: impl Into<String>) {
        self.shared.emit_error(error);
    }

    /// Takes an extension back: contributions, handlers and prompt fragments.
    pub fn unload(&self, owner: &Owner) {
        self.shared.remove_owner(owner);
    }

    /// The kernel's own view of the extension surface, for the program around it.
    pub fn api(&self) -> Arc<dyn Api> {
        let by = Contributor {
            owner: kernel_owner(),
            source: Source::Bundled,
            generation: 1,
            overrides: Vec::new(),
        };
        Arc::new(OwnedApi::live(self.shared.clone(), by))
    }

    /// All contributions at this moment.
    pub fn registry(&self) -> Arc<Snapshot> {
        self.shared.registry.snapshot()
    }

    /// The handlers on the bus.
    pub fn handlers(&self) -> Vec<HandlerRow> {
        self.shared.bus.handlers()
    }

    /// The rows of a surface, as `fen list` shows them.
    pub fn list(&self, surface: &str) -> Result<Vec<Value>, Failure> {
        self.shared.list(surface)
    }

    /// A subscription to all events from now on.
    pub fn subscribe(&self, owner: Owner) -> Subscription {
        self.shared.bus.subscribe(owner)
    }

    /// The system prompt as a request would carry it now.
    pub async fn system_prompt(&self) -> Option<Arc<str>> {
        let snippets =
            self.shared.run_state().map(|run| self.shared.snippets(&run)).unwrap_or_default();
        self.shared.prompt.render(&snippets).await.0
    }

    /// Ends the run from outside: the turn under way is cancelled and wound up, the presenter's
    /// events run dry.
    pub fn quit(&self) {
        self.shared.quit.cancel();
    }

    /// Runs one presenter from set-up to teardown.
    pub async fn run(&self, setup: RunSetup) -> RunOutcome {
        let (spec, by) = match self.presenter(&setup.presenter) {
            Ok(found) => found,
            Err(failure) => return RunOutcome { last_turn: None, failure: Some(failure) },
        };
        // Handlers hear of all loads, whatever the order they were loaded in; the presenter's story
        // begins with the run.
        for loaded in std::mem::take(&mut *lock(&self.shared.untold_loads)) {
            self.shared.bus.emit(loaded);
        }
        // Opened early, so that the presenter hears what goes wrong in setting up.
        let events = Arc::new(self.shared.bus.subscribe(by.owner.clone()));
        let heard = events.clone();
        let prompt = setup.prompt.clone();
        let added = self.set_up(setup);
        for result in added {
            self.shared.store(&Message::from(result)).await;
        }
        let ui = caught(|| spec.presenter.ui()).unwrap_or_else(|failure| {
            self.shared.report_callback(&by.owner, "ui", &failure.message);
            None
        });
        *lock(&self.shared.ui) = ui;
        let last_turn = self.watch_turns();
        let context = PresenterContext {
            conversation: Arc::new(Handle(self.shared.clone())),
            api: Arc::new(OwnedApi::live(self.shared.clone(), by)),
            events,
            prompt,
        };
        let agent = self.shared.agent();
        if let Ok(run) = self.shared.run_state() {
            self.shared.bus.emit(events::AgentStarted {
                agent: agent.clone(),
                cwd: run.cwd.display().to_string(),
                model: run.model,
                provider: run.provider,
                extra: Extra::new(),
            });
        }
        let failure = self.present(&spec, &context, &heard).await;
        let last_turn = *last_turn.lock().unwrap_or_else(PoisonError::into_inner);
        RunOutcome { last_turn, failure }
    }

    /// Runs the presenter beside the agent until both are done.
    async fn present(
        &self,
        spec: &PresenterSpec,
        context: &PresenterContext,
        heard: &Subscription,
    ) -> Option<Failure> {
        let presenter = &spec.presenter;
        let crash: OnceLock<String> = OnceLock::new();
        let driving = async {
            let outcome = match guarded(|| presenter.init(context)).await.flatten() {
                Ok(()) => guarded(|| presenter.run(context)).await.flatten(),
                Err(failure) => Err(failure),
            };
            let outcome = match outcome {
                // Its events ran dry in the middle, which it cannot tell from the end.
                Ok(()) if heard.was_cut_off() => Err(Failure::new(format!(
                    "the presenter `{}` did not keep up with the events; the conversation is stored",
                    spec.name
                ))),
                outcome => outcome,
            };
            if let Err(failure) = &outcome {
                crash.get_or_init(|| failure.message.clone());
            }
            self.shared.quit.cancel();
            // Nobody reads them any more; the end of the turn must not wait for that.
            heard.end();
            outcome
        };
        let serving = async {
            {
                let keeping = std::pin::pin!(queue_keeper::keep(&self.shared));
                let serving = std::pin::pin!(serve(&self.shared));
                futures_util::future::select(serving, keeping).await;
            }
            queue_keeper::settle(&self.shared).await;
            self.shared.close_session().await;
            // A presenter that fails from here on fails in its own teardown.
            let error = crash.get().cloned();
            let reason = match error {
                Some(_) => ShutdownReason::Crashed,
                None => ShutdownReason::Normal,
            };
            let agent = self.shared.agent();
            let extra = Extra::new();
            self.shared.bus.emit(events::AgentShutdown { agent, reason, error, extra });
            self.shared.bus.close();
        };
        let (outcome, ()) = tokio::join!(driving, serving);
        let ended = guarded(|| presenter.shutdown(context)).await.flatten();
        self.shared.running.store(false, Ordering::Release);
        outcome.and(ended).err()
    }

    /// Takes over the set-up. The results that had to be made for stored calls are given back, for
    /// the session to store.
    fn set_up(&self, setup: RunSetup) -> Vec<ToolResultMessage> {
        let added = self.shared.transcript.replace(setup.messages);
        self.shared.reveal_anew();
        {
            let mut inbox = lock(&self.shared.inbox);
            inbox.stored_queue = setup.queue.clone();
            inbox.queue.restore(setup.queue);
            inbox.held = !inbox.queue.is_empty();
        }
        *self.shared.run.write().unwrap_or_else(PoisonError::into_inner) = Some(RunState {
            provider: setup.provider,
            model: setup.model,
            thinking: setup.thinking,
            max_tokens: setup.max_tokens,
            api_key: setup.api_key,
            tools: setup.tools,
            pinned_tools: setup.pinned_tools,
            cwd: setup.cwd,
            retry: setup.retry,
            max_model_calls: setup.max_model_calls,
        });
        *lock(&self.shared.session) =
            setup.session.map(|(backend, session)| OpenSession { backend, session });
        self.shared.running.store(true, Ordering::Release);
        added
    }

    /// The presenter of this name, and who contributed it.
    fn presenter(&self, name: &str) -> Result<(PresenterSpec, Contributor), Failure> {
        let snapshot = self.registry();
        if let Some(entry) = snapshot.find(Kind::Presenter, name)
            && let Contribution::Presenter(spec) = &entry.contribution
        {
            return Ok((spec.clone(), entry.by.clone()));
        }
        Err(snapshot.nothing_named(Kind::Presenter, name))
    }

    /// Remembers how the last turn ended.
    fn watch_turns(&self) -> Arc<Mutex<Option<TurnStatus>>> {
        let last = Arc::new(Mutex::new(None));
        let seen = last.clone();
        self.shared.bus.on(
            self.shared.next_id(),
            kernel_owner(),
            "agent-turn-complete",
            Arc::new(move |event| {
                if let Event::AgentTurnComplete(turn) = &**event {
                    *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(turn.status);
                }
                Ok(())
            }),
        );
        last
    }
}
