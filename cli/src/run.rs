//! A conversation: from the command line to a running kernel.
//!
//! It chooses and opens, in an order in which a mistake is told before anything is waited for; then
//! the kernel runs. It never touches a message.

use crate::arguments::{RunArgs, ToolArgs};
use crate::exit;
use crate::files::Folders;
use crate::mock_script;
use crate::output_watch;
use crate::prompt_input;
use crate::scripts::{self, Scripts, TerminalApprover};
use crate::selection::{self, Chosen, Model, Origin, Wanted};
use crate::session_choice;
use crate::signals::{self, Interrupt};
use crate::wiring::{self, Wiring};
use crate::{log_file, login, startup};
use fen_contract::conversation::QueueContents;
use fen_contract::events::TurnStatus;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::names::Count;
use fen_contract::secret::Secret;
use fen_contract::session::OpenOptions;
use fen_core::kernel::MAX_MODEL_CALLS;
use fen_core::settings::Settings;
use fen_core::tools::ToolFilter;
use fen_core::{Kernel, RunOutcome, RunSetup};
use fen_transport::retry::Policy;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a conversation and gives the program's exit code.
pub fn conversation(args: &RunArgs, prompt: Option<String>) -> ExitCode {
    close_memory();
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(failure) => return exit::fail(&failure),
    };
    let code =
        runtime.block_on(converse(args, prompt)).unwrap_or_else(|failure| exit::fail(&failure));
    // Blocking work that nobody waits for any more must not hold the program up.
    runtime.shutdown_background();
    code
}

/// Keeps other processes of this user, the agent's commands among them, from reading fen's memory
/// and first environment, where keys are. Root reads them nevertheless.
fn close_memory() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
            exit::note(&format!("fen: its memory stays readable to its commands: {error}"));
        }
    }
}

/// The one thread that the kernel runs on.
pub fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("the runtime cannot start: {error}")))
}

/// The directory that fen was started in.
pub fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Failure::caller(format!("the working directory is gone or closed to you: {error}"))
    })
}

async fn converse(args: &RunArgs, prompt: Option<String>) -> Result<ExitCode, Failure> {
    let folders = Folders::find()?;
    let settings = folders.settings()?;
    let cwd = working_directory()?;
    let presenter = presenter(args, &settings);
    let (kernel, shared) = wiring::kernel(Wiring {
        resume_hint: wiring::RESUME_HINT,
        sessions: folders.state.join("sessions"),
        cwd: cwd.clone(),
        base_url: args.base_url.clone().map(|url| (provider_of(args, &settings), url)),
        keep_env: args.keep_env.clone(),
        mock: mock_script::read(args.mock_script.as_deref()).await?,
        settings: settings.clone(),
        folders: folders.clone(),
    })?;
    startup::mark("extensions that come with fen");
    log_file::write_for(&kernel, &folders);
    let scripts = Scripts::new(&kernel, &folders, &settings, &cwd, chosen_scripts(args), shared)?;
    scripts.load_all(&TerminalApprover).await?;
    startup::mark("extensions of the person and the project");
    if let Some(code) = login::carry_out(&kernel, args).await? {
        scripts.wind_up().await;
        return Ok(code);
    }
    let presenter = hinted(&scripts, args, &settings, presenter);
    let manner = manner(&kernel, &presenter)?;
    let tools = tool_filter(&kernel, &args.tools, &settings)?;
    note_unknown_pins(&kernel, &settings);
    let api_key = args.api_key.as_deref().and_then(Secret::new);
    let choice = session_choice::choose(&kernel, &settings, args, &cwd).await?;
    let wanted = wanted(args, &settings, choice.last_used());
    let chosen = selection::choose(&kernel, wanted, api_key.as_ref()).await?;
    let prompt = match manner {
        Manner::OneShot => Some(prompt_input::collect(prompt)?),
        Manner::Interactive => prompt,
    };
    let options = OpenOptions {
        cwd: cwd.clone(),
        provider: Some(chosen.provider.to_string()),
        model: Some(chosen.model.to_string()),
    };
    let (session, messages, queue) = match choice.open(options).await? {
        Some((backend, session, loaded)) => {
            note_waiting(&loaded.queue);
            (Some((backend, session)), loaded.messages, loaded.queue)
        }
        None => (None, Vec::new(), QueueContents::default()),
    };
    startup::mark("session");
    let interrupt = match manner {
        Manner::OneShot => Interrupt::Ends,
        Manner::Interactive => Interrupt::Cancels,
    };
    let ended = signals::heed(&kernel, interrupt)
        .map_err(|error| Failure::new(format!("signals cannot be heeded: {error}")))?;
    output_watch::end_with_reader(&kernel)
        .map_err(|error| Failure::new(format!("standard output cannot be watched: {error}")))?;
    let Chosen { provider, model } = chosen;
    let running = kernel.run(RunSetup {
        presenter,
        provider,
        model,
        thinking: args.thinking.or(settings.thinking).unwrap_or_default(),
        max_tokens: args.max_tokens.map(Count).or(settings.max_tokens),
        api_key,
        tools,
        pinned_tools: settings.pinned_tools,
        cwd,
        session,
        messages,
        queue,
        prompt,
        retry: Policy::default(),
        max_model_calls: MAX_MODEL_CALLS,
    });
    let watching = async {
        match args.watch {
            true => scripts::watch(&scripts).await,
            false => std::future::pending().await,
        }
    };
    let outcome = tokio::select! {
        outcome = running => outcome,
        never = scripts.host().watch() => match never {},
        never = watching => match never {},
    };
    scripts.wind_up().await;
    startup::tell();
    Ok(match ended.exit_code() {
        Some(code) => ExitCode::from(code),
        None => exit_code(&outcome, manner),
    })
}

/// The extensions that the flags choose.
pub fn chosen_scripts(args: &RunArgs) -> scripts::Choice {
    scripts::Choice {
        explicit: args.extensions.clone(),
        trust: args.trust,
        only_explicit: args.no_extensions,
        asking: match args.login.is_some() || args.logout.is_some() {
            true => scripts::Asking::Yes,
            false => scripts::Asking::No,
        },
    }
}

/// The presenter for an interactive run: where neither a flag nor a setting names one, an extension
/// may.
fn hinted(scripts: &Scripts, args: &RunArgs, settings: &Settings, presenter: String) -> String {
    let is_open = args.presenter.is_none()
        && !args.json_stream
        && args.print.is_none()
        && settings.presenter.is_none()
        && presenter != "print";
    if is_open && let Some(hint) = scripts.loader().presenter_hint() {
        return hint;
    }
    presenter
}

/// Lines of an earlier run are not sent by themselves; the person hears of them first.
fn note_waiting(queue: &QueueContents) {
    let lines = match queue.len() {
        0 => return,
        1 => "1 line".to_owned(),
        count => format!("{count} lines"),
    };
    exit::note(&format!(
        "fen: {lines} still waited when this session was left, to follow your next prompt (/queue \
         shows what waits, /queue clear drops it)"
    ));
}

fn exit_code(outcome: &RunOutcome, manner: Manner) -> ExitCode {
    match (&outcome.failure, outcome.last_turn, manner) {
        (Some(failure), ..) => exit::fail(failure),
        (None, Some(TurnStatus::Error), Manner::OneShot) => ExitCode::from(exit::FAILED),
        (None, ..) => ExitCode::SUCCESS,
    }
}

fn presenter(args: &RunArgs, settings: &Settings) -> String {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if let Some(name) = &args.presenter {
        name.clone()
    } else if args.json_stream {
        "json-stream".to_owned()
    } else if args.print.is_some() || !terminal {
        "print".to_owned()
    } else {
        settings.presenter.clone().unwrap_or_else(|| on_terminal().to_owned())
    }
}

/// The presenter for a terminal: the full screen, or plain lines where the terminal cannot do more.
pub fn on_terminal() -> &'static str {
    match std::env::var("TERM").as_deref() {
        Ok("" | "dumb") | Err(_) => "stdio",
        Ok(_) => "tui",
    }
}

/// How a presenter goes about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// It runs one prompt and ends; a turn that fails is the program's failure.
    OneShot,
    /// It goes on until the person leaves.
    Interactive,
}

fn manner(kernel: &Kernel, name: &str) -> Result<Manner, Failure> {
    let registry = kernel.registry();
    match registry.find(Kind::Presenter, name).map(|entry| &entry.contribution) {
        Some(Contribution::Presenter(spec)) if spec.one_shot == Some(true) => Ok(Manner::OneShot),
        Some(Contribution::Presenter(_)) => Ok(Manner::Interactive),
        _ => Err(registry.nothing_named(Kind::Presenter, name)),
    }
}

/// The provider that `--base-url` is meant for.
fn provider_of(args: &RunArgs, settings: &Settings) -> String {
    let from_model = || {
        let (name, _) = args.model.as_deref()?.split_once('/')?;
        Some(name.to_owned())
    };
    args.provider
        .clone()
        .or_else(from_model)
        .or_else(|| settings.provider.clone())
        .unwrap_or_else(|| "openai".to_owned())
}

/// Flags go before the resumed session, and that before the settings.
fn wanted(
    args: &RunArgs,
    settings: &Settings,
    (last_provider, last_model): (Option<String>, Option<String>),
) -> Wanted {
    if args.provider.is_some() || args.base_url.is_some() {
        let provider = Some((provider_of(args, settings), Origin::Flag));
        return Wanted { provider, model: args.model.clone().map(Model::Bare) };
    }
    // A model that is named alone is one of the provider that is used anyway.
    let flag = args.model.clone().map(Model::MayNameProvider);
    if let Some(provider) = last_provider {
        let model = flag.or(last_model.map(Model::Bare));
        return Wanted { provider: Some((provider, Origin::Session)), model };
    }
    let from_settings = || settings.model.clone();
    match &settings.provider {
        Some(provider) => Wanted {
            provider: Some((provider.clone(), Origin::Settings)),
            model: flag.or_else(|| from_settings().map(Model::Bare)),
        },
        None => Wanted {
            provider: None,
            model: flag.or_else(|| from_settings().map(Model::MayNameProvider)),
        },
    }
}

/// The tools that the flags and settings leave. A name that no tool has is a mistake.
pub fn tool_filter(
    kernel: &Kernel,
    args: &ToolArgs,
    settings: &Settings,
) -> Result<ToolFilter, Failure> {
    let mut filter = settings.tools.clone().unwrap_or_default();
    if args.no_tools {
        filter.allow = Some(Vec::new());
    } else if let Some(list) = &args.tools {
        filter.allow = Some(list.iter().map(|name| name.trim().to_owned()).collect());
    }
    filter.deny.extend(args.deny_tools.iter().map(|name| name.trim().to_owned()));
    check_tool_names(kernel, settings.tools.iter(), " (from settings.json)")?;
    check_tool_names(kernel, [&filter], "")?;
    Ok(filter)
}

/// A pinned tool that does not exist costs nothing, so the run goes on without it.
fn note_unknown_pins(kernel: &Kernel, settings: &Settings) {
    let registry = kernel.registry();
    for name in &settings.pinned_tools {
        if registry.find(Kind::Tool, name).is_some() {
            continue;
        }
        let names = registry.of_kind(Kind::Tool).map(|entry| entry.contribution.name());
        let hint = fen_contract::validate::did_you_mean(name, names);
        exit::note(&format!("fen: settings.json: pinned-tools: there is no tool `{name}`{hint}"));
    }
}

fn check_tool_names<'a>(
    kernel: &Kernel,
    filters: impl IntoIterator<Item = &'a ToolFilter>,
    origin: &str,
) -> Result<(), Failure> {
    let registry = kernel.registry();
    for filter in filters {
        for name in filter.allow.iter().flatten().chain(&filter.deny) {
            if registry.find(Kind::Tool, name).is_none() {
                let names: Vec<&str> =
                    registry.of_kind(Kind::Tool).map(|entry| entry.contribution.name()).collect();
                return Err(Failure::caller(format!(
                    "there is no tool `{name}`{origin}; there are {}",
                    names.join(", ")
                )));
            }
        }
    }
    Ok(())
}
