//! Script extensions as the program runs them: what the host is given, and how it is asked to load.
//!
//! It connects the loader with the terminal, the settings and the kernel; the loader itself knows
//! none of them.

mod approval;
mod asking;
mod console;
mod settings_file;
mod watch;

pub use approval::TerminalApprover;
pub use console::Asking;
pub use watch::watch;

use crate::exit;
use crate::files::Folders;
use crate::run::working_directory;
use approval::UiApprover;
use console::Terminal;
use fen_contract::api::Source;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::reload::{Asker, Reloader};
use fen_contract::secret::CredentialVariables;
use fen_core::Kernel;
use fen_core::settings::Settings;
use fen_script::host::{Around, Host};
use fen_script::loader::{self, Approver, Config, Loader, NobodyThere, ProjectTrust, Report};
use fen_script::package::{Found, Roots};
use fen_transport::http;
use settings_file::UserSettings;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long the end of a run waits for scripts that still handle events.
const WIND_UP: Duration = Duration::from_secs(2);
/// How long the end of the program waits for the script thread.
const LAST_WAIT: Duration = Duration::from_millis(200);

/// Which extensions a command looks for.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Those named on the command line.
    pub explicit: Vec<PathBuf>,
    /// Whether the project's are trusted in this run.
    pub trust: bool,
    /// Whether only those named on the command line are loaded.
    pub only_explicit: bool,
    /// Whether they may ask the person while no conversation runs.
    pub asking: Asking,
}

/// Script extensions beside a kernel.
#[derive(Clone)]
pub struct Scripts {
    loader: Arc<Loader>,
    kernel: Kernel,
}

/// What the kernel and the host share.
pub struct Shared {
    /// The client that the providers use.
    pub client: http::Client,
    /// Variables that child processes do not inherit.
    pub credentials: CredentialVariables,
}

impl Scripts {
    /// A loader beside the kernel; nothing is looked for yet. It has to be called on the kernel's
    /// runtime.
    pub fn new(
        kernel: &Kernel,
        folders: &Folders,
        settings: &Settings,
        cwd: &Path,
        choice: Choice,
        shared: Shared,
    ) -> Result<Scripts, Failure> {
        let runtime = tokio::runtime::Handle::try_current()
            .map_err(|error| Failure::new(format!("extensions have no runtime: {error}")))?;
        let around = Around {
            runtime,
            cwd: cwd.to_owned(),
            closed: vec![folders.config.clone(), folders.state.clone()],
            credentials: shared.credentials,
            http: Some(shared.client),
            console: Arc::new(Terminal { asking: choice.asking }),
            settings: Some(Arc::new(UserSettings::new(folders, kernel))),
            error_log: Some(folders.log_file()),
        };
        let config = config(folders, settings, cwd, choice);
        let loader = Arc::new(Loader::new(Host::new(kernel.clone(), around), config));
        let scripts = Scripts { loader, kernel: kernel.clone() };
        let reloader: Arc<dyn Reloader> = Arc::new(scripts.clone());
        kernel.load(&fen_commands::reload::extension(reloader.clone()), Source::Bundled)?;
        kernel.load(&fen_meta_tools::reload::extension(reloader), Source::Bundled)?;
        Ok(scripts)
    }

    /// The loader.
    pub fn loader(&self) -> &Arc<Loader> {
        &self.loader
    }

    /// The host.
    pub fn host(&self) -> &Host {
        self.loader.host()
    }

    /// Loads all extensions that may run and says on standard error what could not be loaded.
    pub async fn load_all(&self, approver: &dyn Approver) -> Result<(), Failure> {
        let report = self.loader.load_all(approver).await?;
        note(&report);
        Ok(())
    }

    /// The same where nobody is asked.
    pub async fn load_quietly(&self) -> Result<(), Failure> {
        self.load_all(&NobodyThere).await
    }

    /// Lets scripts hear of the end, and ends them.
    pub async fn wind_up(&self) {
        if !self.host().settle(WIND_UP).await {
            exit::note(
                "fen: an extension is still busy with events; it was not waited for any longer",
            );
        }
        self.host().shutdown(LAST_WAIT);
    }
}

/// Where extensions are looked for, and what is known of them.
fn config(folders: &Folders, settings: &Settings, cwd: &Path, choice: Choice) -> Config {
    let everything = !choice.only_explicit;
    Config {
        roots: Roots {
            explicit: choice.explicit,
            cwd: cwd.to_owned(),
            project: everything.then(|| cwd.to_owned()),
            listed: everything.then(|| std::env::var_os("FEN_EXTENSIONS_PATH")).flatten(),
            config: everything.then(|| folders.config.clone()),
        },
        enabled: settings.extensions.enabled.clone(),
        disabled: settings.extensions.disabled.clone(),
        path: std::env::var_os("PATH").unwrap_or_default(),
        trust: folders.trust_file(),
        project: if choice.trust { ProjectTrust::Given } else { ProjectTrust::Asked },
    }
}

/// All extensions that could be loaded here; none is loaded.
pub fn find(folders: &Folders) -> Result<Vec<Found>, Failure> {
    let settings = folders.settings()?;
    let cwd = working_directory()?;
    let config = config(folders, &settings, &cwd, Choice::default());
    Ok(loader::find(&config))
}

/// What a person has to know of a load, on standard error.
fn note(report: &Report) {
    for (name, why) in &report.failed {
        exit::note_strict(&format!("fen: extension {name} was not loaded: {why}"));
    }
    for remark in &report.remarks {
        exit::note_strict(&format!("fen: extension {remark}"));
    }
    if !report.untrusted.is_empty() {
        exit::note(&format!(
            "fen: left out, since nobody has agreed to run them: {} (`fen trust show` shows them, \
             `fen trust grant` agrees, --trust agrees for one run)",
            report.untrusted.join(", ")
        ));
    }
}

impl Reloader for Scripts {
    fn reload(&self, name: Option<String>, asker: Asker) -> BoxFuture<'_, Result<String, Failure>> {
        Box::pin(async move {
            let approver = UiApprover(self.kernel.clone());
            let report = self.loader.load(name.as_deref(), asker, &approver).await?;
            let all_failed = report.loaded.is_empty() && report.gone.is_empty();
            if all_failed && !(report.failed.is_empty() && report.untrusted.is_empty()) {
                return Err(Failure::new(report.to_string()));
            }
            Ok(report.to_string())
        })
    }

    fn names(&self) -> Vec<String> {
        self.host().loaded()
    }
}
