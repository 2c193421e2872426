//! The list of first-party extensions: the one place where they are named.

use crate::files::Folders;
use crate::scripts::Shared;
use crate::{models_auth, models_file, providers, startup};
use fen_auth_env::Lookup;
use fen_contract::api::{Extension, Source};
use fen_contract::failure::Failure;
use fen_contract::kinds::Kind;
use fen_contract::secret::CredentialVariables;
use fen_core::Kernel;
use fen_core::settings::Settings;
use fen_provider_mock::Script;
use fen_transport::http;
use std::path::PathBuf;
use std::sync::Arc;

/// How a stored conversation goes on.
pub const RESUME_HINT: &str = "fen --resume {id}";

/// What the extensions are made with.
pub struct Wiring {
    /// Where fen's files are.
    pub folders: Folders,
    /// The user's settings.
    pub settings: Settings,
    /// The working directory.
    pub cwd: PathBuf,
    /// Another address for one provider, by its name.
    pub base_url: Option<(String, String)>,
    /// Credential variables that commands may see.
    pub keep_env: Vec<String>,
    /// What the mock provider plays.
    pub mock: Script,
    /// Where sessions are kept.
    pub sessions: PathBuf,
    /// How the person goes on after leaving the full screen; `{id}` stands for the session.
    pub resume_hint: &'static str,
}

/// A kernel with everything that comes with fen, and what script extensions share with it.
pub fn kernel(wiring: Wiring) -> Result<(Kernel, Shared), Failure> {
    let credentials = CredentialVariables::default();
    let lookup: Lookup = Arc::new(|name| std::env::var(name).ok());
    let client = http::Client::new(http::Config {
        user_agent: concat!("fen/", env!("CARGO_PKG_VERSION")).to_owned(),
        ..http::Config::from_env()
    });
    let custom = models_file::read(&wiring.folders, &lookup, &credentials)?;
    let models_auth = models_auth::extension(&custom);
    let providers = providers::extensions(&client, &lookup, custom, wiring.base_url)?;

    let settings = wiring.settings;
    let mut keep_env = settings.keep_env.clone();
    keep_env.extend(wiring.keep_env);
    let bash = fen_tools::bash::Config {
        credentials: credentials.clone(),
        keep_env,
        ..fen_tools::bash::Config::default()
    };
    let shared = Shared { client: client.clone(), credentials: credentials.clone() };
    let env = fen_auth_env::Config { variables: providers::key_variables(), lookup, credentials };
    let sessions =
        fen_session_jsonl::JsonlBackend::new(fen_session_jsonl::Config::new(wiring.sessions));

    let tui = fen_presenter_tui::Config {
        config_folder: wiring.folders.config.clone(),
        state_folder: wiring.folders.state.clone(),
        cwd: wiring.cwd.clone(),
        credentials: env.credentials.clone(),
        mark: Arc::new(startup::mark),
        resume_hint: wiring.resume_hint.to_owned(),
    };

    let extensions: Vec<Box<dyn Extension>> = vec![
        Box::new(fen_auth_env::extension(env)),
        Box::new(models_auth),
        Box::new(fen_session_jsonl::extension(sessions)),
        Box::new(fen_presenter_print::extension()),
        Box::new(fen_presenter_json::extension()),
        Box::new(fen_presenter_stdio::extension()),
        Box::new(fen_presenter_tui::extension(tui)),
        Box::new(fen_tools::bash::extension(bash)),
        Box::new(fen_tools::read::extension()),
        Box::new(fen_tools::write::extension()),
        Box::new(fen_tools::edit::extension()),
        Box::new(fen_tools::grep::extension()),
        Box::new(fen_tools::find::extension()),
        Box::new(fen_tools::ls::extension()),
        Box::new(fen_meta_tools::extension()),
        Box::new(fen_commands::extension()),
        Box::new(fen_prompt::extension(fen_prompt::Place { cwd: wiring.cwd })),
    ];
    let kernel = Kernel::new();
    kernel.set_settings(&settings);
    for extension in extensions {
        kernel.load(&*extension, Source::Bundled)?;
    }
    for provider in providers {
        // Those that come with fen load, so the name is the person's.
        kernel
            .load(&*provider, Source::Bundled)
            .map_err(|failure| Failure::caller(failure.message))?;
    }
    // Last in every list: it is for tests and the demo.
    if kernel.registry().find(Kind::Provider, "mock").is_none() {
        kernel.load(&fen_provider_mock::extension(wiring.mock), Source::Bundled)?;
    }
    Ok((kernel, shared))
}
