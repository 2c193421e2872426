//! A kernel to look at one extension in: everything that comes with fen, nothing of the person's,
//! no network, and a place of its own that goes with it.

use crate::exit;
use crate::files::Folders;
use crate::wiring::{self, Wiring};
use fen_contract::failure::{BoxFuture, Failure};
use fen_core::Kernel;
use fen_core::settings::Settings;
use fen_provider_mock::Script;
use fen_script::host::{Around, Console, Host};
use fen_script::loader::{self, Config, ProjectTrust};
use fen_script::package::{Found, Roots};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// See the module. It has to be made on the runtime that it is used on.
pub struct Aside {
    pub kernel: Kernel,
    pub host: Host,
    /// The working directory; empty at first.
    pub cwd: PathBuf,
    /// The folder that all of it lies in.
    _folder: tempfile::TempDir,
}

impl Aside {
    pub fn new(mock: Script, console: Arc<dyn Console>) -> Result<Aside, Failure> {
        let unusable = |error: std::io::Error| {
            let place = std::env::temp_dir();
            Failure::new(format!("no folder can be made in {}: {error}", place.display()))
        };
        let folder = tempfile::Builder::new().prefix("fen-ext-").tempdir().map_err(unusable)?;
        let root = folder.path().canonicalize().map_err(unusable)?;
        let cwd = root.join("project");
        std::fs::create_dir(&cwd).map_err(unusable)?;
        let folders = Folders { config: root.join("config"), state: root.join("state") };
        let (kernel, shared) = wiring::kernel(Wiring {
            resume_hint: wiring::RESUME_HINT,
            sessions: folders.state.join("sessions"),
            settings: Settings::default(),
            cwd: cwd.clone(),
            base_url: None,
            keep_env: Vec::new(),
            mock,
            folders: folders.clone(),
        })?;
        let around = Around {
            runtime: tokio::runtime::Handle::current(),
            cwd: cwd.clone(),
            closed: vec![folders.config, folders.state],
            credentials: shared.credentials,
            http: None,
            console,
            settings: None,
            error_log: None,
        };
        let host = Host::new(kernel.clone(), around);
        Ok(Aside { kernel, host, cwd, _folder: folder })
    }
}

/// What stands at a path; nothing is loaded. A path that is not there is a mistake.
pub fn find(path: &Path) -> Result<Found, Failure> {
    if let Err(error) = path.metadata() {
        return Err(Failure::caller(format!("{}: {error}", path.display())));
    }
    let config = Config {
        roots: Roots {
            explicit: vec![path.to_owned()],
            cwd: crate::run::working_directory()?,
            ..Roots::default()
        },
        enabled: Vec::new(),
        disabled: Vec::new(),
        path: std::env::var_os("PATH").unwrap_or_default(),
        trust: PathBuf::new(),
        project: ProjectTrust::Given,
    };
    let found = loader::find(&config).into_iter().next();
    found.ok_or_else(|| Failure::new(format!("{} was not looked at", path.display())))
}

/// A terminal that nobody sits at: remarks go to standard error.
pub struct NoTerminal;

impl Console for NoTerminal {
    fn write(&self, text: String) -> BoxFuture<'_, Result<(), Failure>> {
        exit::note(text.trim_end_matches('\n'));
        Box::pin(std::future::ready(Ok(())))
    }

    fn read_line(&self, _: String) -> BoxFuture<'_, Result<Option<String>, Failure>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn note(&self, line: &str) {
        exit::note(line);
    }
}
