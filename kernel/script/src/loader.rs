//! From folders to running extensions: finds them, asks whether they may run, and gives them to
//! the host. The same way serves the start, a reload, and a watcher.
//!
//! The bytes that were judged are the bytes that run. It never asks a person itself; an
//! [`Approver`] does.

mod approver;
mod change;
mod permission;
mod report;

pub use approver::{Answer, Approver, NobodyThere};
pub use change::Change;
pub use report::Report;

use crate::api::BACKEND_MODULE;
use crate::host::{Absent, Host, Program, State, mentions_hooks};
use crate::language::languages;
use crate::package::discovery::{Found, Reason, State as Condition};
use crate::package::trust::{Check, needs_trust};
use crate::package::{Conditions, Digest, Package, Roots, TrustStore, discover, uncover};
use crate::vm::FENNEL_MODULE;
use fen_contract::api::Source;
use fen_contract::failure::Failure;
use fen_contract::reload::Asker;
use fen_contract::validate::nearest_name;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The modules that fen brings.
const MODULES: [&str; 2] = [BACKEND_MODULE, FENNEL_MODULE];

/// Whether a project's extensions run without being asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectTrust {
    /// Only those that a person agreed to.
    Asked,
    /// All of them, in this run.
    Given,
}

/// What a loader works with.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to look.
    pub roots: Roots,
    /// Names that the settings enable.
    pub enabled: Vec<String>,
    /// Names that the settings disable.
    pub disabled: Vec<String>,
    /// Where programs are, as `$PATH` has it.
    pub path: OsString,
    /// The file of the trust store.
    pub trust: PathBuf,
    /// Whether the project is trusted in this run.
    pub project: ProjectTrust,
}

/// See the module.
pub struct Loader {
    host: Host,
    config: Config,
    trust: TrustStore,
    /// The code that runs, by the extension's name.
    running: Mutex<HashMap<String, Digest>>,
    /// The presenters that running extensions ask for, by the extension's name.
    hints: Mutex<Vec<(String, String)>>,
    /// Code that a person agreed to until fen ends.
    agreed: Mutex<HashSet<Digest>>,
    /// One load at a time.
    turn: tokio::sync::Mutex<()>,
}

impl Loader {
    /// A loader that has found nothing yet.
    pub fn new(host: Host, config: Config) -> Loader {
        let trust = TrustStore::at(config.trust.clone());
        Loader {
            host,
            config,
            trust,
            running: Mutex::default(),
            hints: Mutex::default(),
            agreed: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }
    }

    /// The host that it loads into.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The trust store.
    pub fn trust(&self) -> &TrustStore {
        &self.trust
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Digest>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds all extensions; nothing is loaded.
    ///
    /// # Errors
    /// The runtime ends.
    pub async fn find(&self) -> Result<Vec<Found>, Failure> {
        let config = self.config.clone();
        let finding = tokio::task::spawn_blocking(move || find(&config));
        finding.await.map_err(|error| Failure::new(format!("extensions cannot be found: {error}")))
    }

    /// Loads all extensions that may run, as a start does. They are looked for on this thread: nothing
    /// else runs yet, and most often there are none, which is seen sooner than a thread is there.
    ///
    /// # Errors
    /// None at present; a failed extension is in the report.
    pub async fn load_all(&self, approver: &dyn Approver) -> Result<Report, Failure> {
        let _turn = self.turn.lock().await;
        Ok(self.load_found(find(&self.config), None, Asker::Person, approver).await)
    }

    /// Loads one extension anew, or all; those that are there no more are removed.
    ///
    /// # Errors
    /// There is no extension of that name, or it could not be loaded.
    pub async fn load(
        &self,
        name: Option<&str>,
        asker: Asker,
        approver: &dyn Approver,
    ) -> Result<Report, Failure> {
        let _turn = self.turn.lock().await;
        let found = self.find().await?;
        if let Some(name) = name {
            self.is_known(name, &found)?;
        }
        Ok(self.load_found(found, name, asker, approver).await)
    }

    /// Loads what was found; the turn is held.
    async fn load_found(
        &self,
        mut found: Vec<Found>,
        name: Option<&str>,
        asker: Asker,
        approver: &dyn Approver,
    ) -> Report {
        let mut report = Report::default();
        let mut index = 0;
        while index < found.len() {
            let wanted = name.is_none_or(|name| found[index].name == name);
            let replaces = shadowed_by(&found, &found[index].place);
            let taken = match wanted {
                true => self.take(&found[index], replaces, asker, approver, &mut report).await,
                false => true,
            };
            if !taken {
                let place = found[index].place.clone();
                // One that it shadowed, which stands further behind, may run in its place.
                uncover(&mut found, &place);
            }
            index += 1;
        }
        self.remove_gone(&found, name, asker, &mut report);
        report
    }

    fn is_known(&self, name: &str, found: &[Found]) -> Result<(), Failure> {
        let running = self.running();
        if found.iter().any(|one| one.name == name) || running.contains_key(name) {
            return Ok(());
        }
        let names = found.iter().map(|one| one.name.as_str());
        let hint = match nearest_name(name, names.clone()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if found.is_empty() => "; there is none at all".to_owned(),
            None => format!("; there are {}", names.collect::<Vec<_>>().join(", ")),
        };
        Err(Failure::caller(format!("there is no extension `{name}` to load{hint}")))
    }

    /// Loads one that was found, or notes why not; false if one that it shadows may run instead.
    async fn take(
        &self,
        one: &Found,
        replaces: Option<PathBuf>,
        asker: Asker,
        approver: &dyn Approver,
        report: &mut Report,
    ) -> bool {
        let absent = |state, reason: String, package: Option<&Package>| Absent {
            name: one.name.clone(),
            source: one.source,
            // As the host knows it once it runs.
            place: package.map_or(&*one.place, |package| package.place()).to_owned(),
            description: package.map_or(String::new(), |p| p.manifest().description.clone()),
            capabilities: package.map_or(Vec::new(), |package| {
                package.manifest().capabilities.iter().map(ToString::to_string).collect()
            }),
            state,
            reason,
            has_hooks: package.is_some_and(|package| Program::from(package).may_have_hooks()),
        };
        match &one.state {
            Condition::Ready(package) => {
                for warning in &package.manifest().warnings {
                    report.remarks.push(format!("{}: {warning}", package.name()));
                }
                match self.may_run(package, replaces.as_deref(), asker, approver).await {
                    Ok(()) if report.spent > TOGETHER => {
                        let why = format!(
                            "those before it took more than {TOGETHER:?} to load; /reload {} loads it",
                            one.name
                        );
                        self.note_failed(&one.name, why.clone(), report);
                        self.host.note_absent(absent(State::Error, why, Some(&**package)));
                        true
                    }
                    Ok(()) => {
                        let began = Instant::now();
                        self.run(package, report).await;
                        report.spent += began.elapsed();
                        true
                    }
                    Err(reason) => {
                        report.untrusted.push(one.name.clone());
                        let check = self.check(package).await;
                        if check == Ok(Check::New) {
                            self.end_untrusted(package, asker, report);
                        }
                        let untrusted = absent(State::Untrusted, reason, Some(&**package));
                        // A guard that somebody agreed to is missed once it has changed.
                        let was_agreed_to = matches!(check, Ok(Check::Changed { .. }));
                        let has_hooks = untrusted.has_hooks && was_agreed_to;
                        self.host.note_absent(Absent { has_hooks, ..untrusted });
                        false
                    }
                }
            }
            Condition::Withheld(package, reason) => {
                let state = match reason {
                    Reason::Shadowed { .. } => State::Shadowed,
                    Reason::OffByDefault | Reason::Disabled => State::Disabled,
                    Reason::MissingDependency(_) => State::MissingDependency,
                    Reason::Incompatible { .. } => State::Incompatible,
                };
                match state {
                    State::Disabled if asker == Asker::Person => self.switch_off(package, report),
                    State::MissingDependency | State::Incompatible => {
                        self.note_failed(&one.name, reason.to_string(), report);
                    }
                    _ => {}
                }
                let absent = absent(state, reason.to_string(), Some(&**package));
                // Code that nobody agreed to has no say in whether tools run.
                let has_hooks =
                    absent.has_hooks && matches!(self.check(package).await, Ok(Check::Trusted));
                self.host.note_absent(Absent { has_hooks, ..absent });
                true
            }
            Condition::Error(problem) => {
                self.note_failed(&one.name, problem.to_string(), report);
                let absent = absent(State::Error, problem.to_string(), None);
                // Nobody can read what it would do. Of a project's nobody has agreed to it either.
                let has_hooks = one.source != Source::Project && looks_like_a_guard(&one.place);
                self.host.note_absent(Absent { has_hooks, ..absent });
                true
            }
        }
    }

    /// Takes the very code out of force whose trust was taken back.
    fn end_untrusted(&self, package: &Package, asker: Asker, report: &mut Report) {
        let runs = self.running().get(package.name()) == Some(&package.digest());
        if runs && asker == Asker::Person && needs_trust(package) {
            self.remove(package.name(), report);
        }
    }

    fn note_failed(&self, name: &str, why: String, report: &mut Report) {
        if self.running().contains_key(name) {
            report.kept.push(name.to_owned());
        }
        report.failed.push((name.to_owned(), why));
    }

    async fn run(&self, package: &Arc<Package>, report: &mut Report) {
        let name = package.name().to_owned();
        match self.host.load(Program::from(&**package)).await {
            Ok(_) => {
                self.running().insert(name.clone(), package.digest());
                self.note_hint(&name, package.manifest().presenter.clone());
                report.loaded.push(name);
            }
            Err(failure) => self.note_failed(&name, failure.message, report),
        }
    }

    /// Takes an extension out of force, if it is in.
    fn remove(&self, name: &str, report: &mut Report) {
        let was_running = self.running().remove(name).is_some();
        self.note_hint(name, None);
        if self.host.unload(name) && was_running {
            report.gone.push(name.to_owned());
        }
    }

    /// The same for one that is switched off. Another one of its name, from elsewhere, stays.
    fn switch_off(&self, package: &Package, report: &mut Report) {
        if self.host.place(package.name()).is_some_and(|place| place == package.place()) {
            self.remove(package.name(), report);
        }
    }

    /// Removes those that were loaded once and are not there any more.
    fn remove_gone(&self, found: &[Found], name: Option<&str>, asker: Asker, report: &mut Report) {
        let is_found = |name: &str| found.iter().any(|one| one.name == name);
        let running: Vec<String> = self.running().keys().cloned().collect();
        let mut gone: Vec<String> = running
            .into_iter()
            .filter(|running| name.is_none_or(|name| name == running) && !is_found(running))
            .collect();
        gone.sort();
        for name in gone {
            match asker {
                Asker::Person => self.remove(&name, report),
                // Else a model could take a guard away by deleting it.
                Asker::Model => report.remarks.push(format!(
                    "{name}: its files are gone; it runs on until a person types /reload"
                )),
            }
        }
        if name.is_none() && asker == Asker::Person {
            // Those that never ran, and whose file has gone, need no row any more.
            for row in self.host.rows() {
                let name = row["name"].as_str().unwrap_or_default();
                if !is_found(name) {
                    self.host.unload(name);
                }
            }
        }
    }

    /// The extensions whose code is not the code that runs.
    ///
    /// # Errors
    /// They cannot be looked for.
    pub async fn changed(&self) -> Result<Vec<Change>, Failure> {
        let found = self.find().await?;
        let running = self.running();
        let ready = found.iter().filter_map(|one| match &one.state {
            Condition::Ready(package) => Some((package.name(), package.digest())),
            _ => None,
        });
        let changed = ready
            .filter(|(name, code)| running.get(*name) != Some(code))
            .map(|(name, code)| Change { name: name.to_owned(), code: Some(code) });
        let gone = running
            .keys()
            .filter(|name| !found.iter().any(|one| one.name == **name))
            .map(|name| Change { name: name.clone(), code: None });
        Ok(changed.chain(gone).collect())
    }

    /// The presenter that an extension in force asks for; of several, the first that was loaded.
    pub fn presenter_hint(&self) -> Option<String> {
        self.hints().first().map(|(_, presenter)| presenter.clone())
    }

    fn note_hint(&self, name: &str, presenter: Option<String>) {
        let mut hints = self.hints();
        let place = hints.iter().position(|(known, _)| known == name);
        match (place, presenter) {
            (Some(place), Some(presenter)) => hints[place].1 = presenter,
            (Some(place), None) => drop(hints.remove(place)),
            (None, Some(presenter)) => hints.push((name.to_owned(), presenter)),
            (None, None) => {}
        }
    }

    fn hints(&self) -> MutexGuard<'_, Vec<(String, String)>> {
        self.hints.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the person's own extension lies that the one at `place` takes the name of.
fn shadowed_by(found: &[Found], place: &Path) -> Option<PathBuf> {
    let hidden = found.iter().find(|one| match &one.state {
        Condition::Withheld(_, Reason::Shadowed { by }) => {
            by == place && one.source == Source::User
        }
        _ => false,
    });
    hidden.map(|one| one.place.clone())
}

/// How long the extensions may take to load together.
const TOGETHER: Duration = Duration::from_secs(20);

/// How much of a file that cannot be taken is looked at for hooks, in bytes.
const GLANCE: u64 = 8 << 20;

/// Whether a manifest in JSON or Fennel, as far as it can be made out, speaks of hooks.
fn declares_hooks(bytes: &[u8]) -> bool {
    let finds = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
    finds(b"\"hooks\"") || finds(b":hooks")
}

/// Whether what lies at a place, and cannot be read as an extension, mentions hooks: the file, or the
/// files at the top of the folder.
fn looks_like_a_guard(place: &Path) -> bool {
    let mentions = |file: &Path| {
        let is_file = std::fs::metadata(file).is_ok_and(|found| found.is_file());
        let Ok(opened) = std::fs::File::open(file) else { return false };
        let mut bytes = Vec::new();
        is_file
            && opened.take(GLANCE).read_to_end(&mut bytes).is_ok()
            && (mentions_hooks(&bytes) || declares_hooks(&bytes))
    };
    if !place.is_dir() {
        return mentions(place);
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries.take(100).any(|entry| mentions(&entry.path()))
}

/// Finds all extensions; nothing is loaded. It blocks for as long as the disk does.
pub fn find(config: &Config) -> Vec<Found> {
    let suffixes = languages().map(|language| language.suffix());
    let conditions = Conditions {
        fen: version(),
        path: config.path.clone(),
        suffixes: &suffixes,
        modules: &MODULES,
        enabled: &config.enabled,
        disabled: &config.disabled,
    };
    discover(&config.roots, &conditions)
}

/// The version of fen that extensions are judged by.
fn version() -> semver::Version {
    // Cargo takes no version of another form, so the second one is never used.
    semver::Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or(semver::Version::new(0, 0, 0))
}
