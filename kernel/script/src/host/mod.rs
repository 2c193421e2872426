//! The host of script extensions: loads, reloads and unloads them, and keeps what is known of each.
//!
//! It lives on the kernel's side and owns the script thread, which is started with the first
//! extension. It finds no extensions and asks nobody for trust; whoever gives it a [`Program`] has
//! done both.

mod around;
mod beside;
mod events;
mod instance;
mod link;
mod loading;
mod once;
mod program;
mod records;
mod scripts;
mod session;
mod watch;

pub use self::around::{Around, Console, SettingsFile};
pub use self::once::Once;
pub use self::program::{Granted, Program};
pub use self::records::State;
pub use self::session::Session;

pub(crate) use self::events::handler;
pub(crate) use self::instance::{Instance, Limit};
pub(crate) use self::link::{Callback, Link, ScriptFailure, words};
pub(crate) use self::loading::SPOKEN;
pub(crate) use self::program::OwnFiles;
pub(crate) use self::program::mentions_hooks;

use self::loading::{Load, State as KeptState, kept_state};
use self::records::{Record, Records, block, has_hooks};
use self::scripts::{InstanceId, Scripts};
use fen_contract::api::Source;
use fen_contract::failure::Failure;
use fen_contract::names::Owner;
use fen_core::Kernel;
use serde_json::Value as Json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

struct Shared {
    kernel: Kernel,
    around: Around,
    records: Arc<Records>,
    scripts: Mutex<Option<Arc<Scripts>>>,
    /// Tells the watch that there is a script thread.
    scripts_begun: Notify,
    next_instance: AtomicU64,
}

/// A load that went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded {
    /// How long the code took.
    pub time: Duration,
    /// Memory of its VM, in bytes.
    pub memory: usize,
    /// How often the extension has been loaded.
    pub generation: u64,
}

/// An extension that is known and not in force.
#[derive(Debug, Clone)]
pub struct Absent {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// Its folder or file.
    pub place: PathBuf,
    /// What it is for, where that is known.
    pub description: String,
    /// What it may reach.
    pub capabilities: Vec<String>,
    /// Why it is not in force.
    pub state: State,
    /// The reason in words.
    pub reason: String,
    /// Whether its manifest says that it has hooks: no tool runs while it cannot be loaded.
    pub has_hooks: bool,
}

/// The host. Clones share one state.
#[derive(Clone)]
pub struct Host(Arc<Shared>);

impl Host {
    /// A host without extensions; nothing is started yet.
    pub fn new(kernel: Kernel, around: Around) -> Host {
        let records = Arc::new(Records::default());
        let rows = records.clone();
        kernel.list_also(move || rows.rows());
        Host(Arc::new(Shared {
            kernel,
            around,
            records,
            scripts: Mutex::default(),
            scripts_begun: Notify::new(),
            next_instance: AtomicU64::new(1),
        }))
    }

    fn scripts(&self) -> Result<Arc<Scripts>, Failure> {
        let mut scripts = self.0.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scripts) = &*scripts {
            return Ok(scripts.clone());
        }
        let begun = scripts.insert(Scripts::start()?).clone();
        self.0.scripts_begun.notify_one();
        Ok(begun)
    }

    fn present_scripts(&self) -> Option<Arc<Scripts>> {
        self.0.scripts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Loads an extension, or loads it anew. The new code runs beside the old; it takes over whole,
    /// or the old stays and the failure says why.
    ///
    /// # Errors
    /// The code does not load, breaks the contract, or takes a name that another one has.
    pub async fn load(&self, program: Program) -> Result<Loaded, Failure> {
        let program = Arc::new(program);
        let former = self.0.records.find(&program.manifest.name);
        let outcome = self.try_load(&program, former.as_ref()).await;
        let owner = Owner::from(program.manifest.name.as_str());
        match outcome {
            Ok((link, loaded)) => {
                let has_hooks = program.has_hooks || has_hooks(&self.0.kernel, &owner);
                self.0.records.put(Record {
                    generation: loaded.generation,
                    load_time: Some(loaded.time),
                    has_hooks,
                    link: Some(link.clone()),
                    ..record(&program, State::Loaded, None)
                });
                self.0.kernel.unblock_tools(&owner);
                // Where it took too much before there was a record to say so.
                if let Some(reason) = link.given_up.get() {
                    self.0.records.quarantine(&self.0.kernel, link.id, reason.clone());
                }
                if let Some(link) = former.and_then(|former| former.link) {
                    retire(&link);
                }
                Ok(loaded)
            }
            Err(failure) => {
                self.0.kernel.report_callback(&owner, "load", &failure.message);
                let keeps_running =
                    former.as_ref().is_some_and(|former| former.state == State::Loaded);
                if !keeps_running {
                    let was_quarantined =
                        former.as_ref().is_some_and(|former| former.link.is_some());
                    let (has_hooks, link) = match &former {
                        Some(former) if was_quarantined => (former.has_hooks, former.link.clone()),
                        _ => (program.may_have_hooks(), None),
                    };
                    self.0.records.put(Record {
                        has_hooks,
                        link,
                        ..record(&program, State::Error, Some(failure.message.clone()))
                    });
                    if has_hooks {
                        block(&self.0.kernel, &owner, "could not be loaded", &failure.message);
                    }
                }
                Err(failure)
            }
        }
    }

    /// A link for a generation that is about to be loaded.
    fn link(&self, program: &Program, scripts: &Arc<Scripts>) -> Arc<Link> {
        Arc::new(Link {
            id: InstanceId(self.0.next_instance.fetch_add(1, Ordering::Relaxed)),
            owner: Owner::from(program.manifest.name.as_str()),
            scripts: scripts.clone(),
            kernel: self.0.kernel.clone(),
            records: self.0.records.clone(),
            behind: AtomicUsize::new(0),
            cut_off: AtomicBool::new(false),
            given_up: OnceLock::new(),
        })
    }

    async fn try_load(
        &self,
        program: &Arc<Program>,
        former: Option<&Record>,
    ) -> Result<(Arc<Link>, Loaded), Failure> {
        let staging = self.0.kernel.stage(program.manifest.clone(), program.source)?;
        let scripts = self.scripts()?;
        let (state, lost) = self.state_of(former).await;
        for what in lost {
            let owner = Owner::from(program.manifest.name.as_str());
            self.0.kernel.report_callback(&owner, "reload", &format!("not kept: {what}"));
        }
        let link = self.link(program, &scripts);
        let load = Load {
            program: program.clone(),
            kernel: self.0.kernel.clone(),
            api: staging.api(),
            link: Arc::downgrade(&link),
            around: self.0.around.clone(),
            state,
            beside: None,
        };
        let cost = scripts.run(move |world| loading::load(world, load)).await??;
        if let Some(reason) = link.given_up.get() {
            return Err(Failure::new(format!(
                "{} took too much while it was loaded: {reason}",
                program.shown(&program.entry)
            )));
        }
        let generation = staging.generation();
        staging.commit()?;
        if let Some(name) = cost.active_backend {
            // Another extension may have hidden it meanwhile.
            if let Err(failure) = self.0.kernel.set_active_session_backend(&name) {
                self.0.kernel.report_callback(&link.owner, "set-active!", &failure.message);
            }
        }
        Ok((link, Loaded { time: cost.time, memory: cost.memory, generation }))
    }

    /// What the generation that is in force keeps in `api.state`.
    async fn state_of(&self, former: Option<&Record>) -> (KeptState, Vec<String>) {
        let Some(link) = former.and_then(|former| former.link.clone()) else {
            return (KeptState::new(), Vec::new());
        };
        let id = link.id;
        let kept = link.scripts.run(move |world| async move {
            world.instance(id).map(|instance| kept_state(&instance))
        });
        match kept.await {
            Ok(Some(kept)) => kept,
            Ok(None) => (KeptState::new(), Vec::new()),
            Err(failure) => (KeptState::new(), vec![format!("api.state: {failure}")]),
        }
    }

    /// Takes an extension out of force and forgets it; false if there is none of that name.
    pub fn unload(&self, name: &str) -> bool {
        let gone = {
            let mut list = self.0.records.list();
            let before = list.len();
            let mut links = Vec::new();
            list.retain(|record| {
                let goes = record.name == name;
                if goes {
                    links.extend(record.link.clone());
                }
                !goes
            });
            (before != list.len()).then_some(links)
        };
        let Some(links) = gone else { return false };
        let owner = Owner::from(name);
        self.0.kernel.unload(&owner);
        self.0.kernel.unblock_tools(&owner);
        links.iter().for_each(retire);
        true
    }

    /// Lists an extension that is not to be loaded, with the reason. One that is in force stays so.
    pub fn note_absent(&self, absent: Absent) {
        if absent.state != State::Shadowed
            && let Some(known) = self.0.records.find(&absent.name)
            && known.state == State::Loaded
            && (absent.state != State::Untrusted || known.place == absent.place)
        {
            return;
        }
        let owner = Owner::from(absent.name.as_str());
        let cannot_load = matches!(
            absent.state,
            State::Error | State::MissingDependency | State::Incompatible | State::Untrusted
        );
        if cannot_load && absent.has_hooks {
            block(&self.0.kernel, &owner, "could not be loaded", &absent.reason);
        }
        self.0.records.put(Record {
            name: absent.name,
            source: absent.source,
            place: absent.place,
            description: absent.description,
            state: absent.state,
            reason: Some(absent.reason),
            capabilities: absent.capabilities,
            generation: 0,
            load_time: None,
            has_hooks: absent.has_hooks,
            program: None,
            link: None,
        });
    }

    /// The rows of all extensions that the host knows.
    pub fn rows(&self) -> Vec<Json> {
        self.0.records.rows()
    }

    /// The code of an extension as it runs now.
    pub fn program(&self, name: &str) -> Option<Arc<Program>> {
        self.0.records.find(name)?.program
    }

    /// Where the extension that goes by this name lies, whatever its state.
    pub fn place(&self, name: &str) -> Option<PathBuf> {
        Some(self.0.records.find(name)?.place)
    }

    /// The names of the extensions that are in force.
    pub fn loaded(&self) -> Vec<String> {
        let list = self.0.records.list();
        let loaded = list.iter().filter(|record| record.state == State::Loaded);
        loaded.map(|record| record.name.clone()).collect()
    }

    /// How many VMs there are: one for each extension, and those of former generations that a call
    /// still runs in.
    pub async fn instances(&self) -> usize {
        match self.present_scripts() {
            Some(scripts) => scripts.run(|world| async move { world.len() }).await.unwrap_or(0),
            None => 0,
        }
    }

    /// Whether the script thread was started.
    pub fn has_started(&self) -> bool {
        self.present_scripts().is_some()
    }

    /// Waits until scripts have handled all events so far, for at most `bound`; whether they have.
    pub async fn settle(&self, bound: Duration) -> bool {
        match self.present_scripts() {
            Some(scripts) => scripts.settle(bound).await,
            None => true,
        }
    }

    /// Ends the script thread, or leaves it to itself after `bound`.
    pub fn shutdown(&self, bound: Duration) {
        let scripts = self.0.scripts.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(scripts) = scripts {
            scripts.shutdown(bound);
        }
    }
}

/// Ends timers and undelivered events of a generation that was replaced; calls under way end in
/// their own time.
fn retire(link: &Arc<Link>) {
    link.post(|instance| instance.retire());
}

fn record(program: &Arc<Program>, state: State, reason: Option<String>) -> Record {
    Record {
        name: program.manifest.name.clone(),
        source: program.source,
        place: program.place.clone(),
        description: program.manifest.description.clone(),
        state,
        reason,
        capabilities: program.granted.names(),
        generation: 0,
        load_time: None,
        has_hooks: program.has_hooks,
        program: Some(program.clone()),
        link: None,
    }
}
