//! The subcommands that look at fen itself: what is registered, the reference, the providers.
//!
//! They print and end; none of them starts a conversation or asks a service.

use crate::arguments::{Cli, Command};
use crate::command_line::CommandLine;
use crate::files::Folders;
use crate::own_code::{self, Written};
use crate::run::working_directory;
use crate::scripts::{self, Scripts, Shared};
use crate::selection::find_key;
use crate::wiring::{self, Wiring};
use crate::{demo, exit, ext, fennel, run, trust};
use clap::CommandFactory as _;
use fen_contract::api::SURFACES;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::session::FindOptions;
use fen_contract::{lookup, reference, schema, validate};
use fen_core::Kernel;
use fen_core::printable::{printable, printable_line};
use fen_core::settings::Settings;
use fen_provider_mock::Script;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Does what the command line asks for.
pub fn carry_out(line: CommandLine) -> ExitCode {
    let chosen = run::chosen_scripts(&line.cli.run);
    let outcome = match line.cli.command {
        None => return run::conversation(&line.cli.run, line.prompt),
        Some(Command::Demo { tools }) => demo::run(&tools),
        Some(Command::List { surface, json }) => list(&chosen, surface.as_deref(), Form::of(json)),
        Some(Command::Show { surface, name, json }) => {
            show(&chosen, &surface, &name, Form::of(json))
        }
        Some(Command::Docs { json: true, .. }) => {
            Ok(exit::print(&format!("{}\n", reference::to_json())))
        }
        Some(Command::Docs { section: Some(section), name: Some(name), schema: true, .. }) => {
            entry_schema(&section, &name)
        }
        Some(Command::Docs { section, name, .. }) => {
            docs(&chosen, section.as_deref(), name.as_deref())
        }
        Some(Command::Providers { name }) => providers(&chosen, name.as_deref()),
        Some(Command::Trust { action }) => trust::carry_out(action),
        Some(Command::Ext { action }) => ext::carry_out(action),
        Some(Command::Fennel { action }) => fennel::carry_out(action),
        Some(Command::Run { fennel, file, args }) => {
            own_code::run_file(&file, Written::of(fennel), args)
        }
        Some(Command::Eval { fennel, code, args }) => {
            own_code::eval(&code, Written::of(fennel), args)
        }
        Some(Command::Completions { shell }) => Ok(completions(shell)),
    };
    outcome.unwrap_or_else(|failure| exit::fail(&failure))
}

/// A kernel with all extensions that may run, to look at; nobody is asked anything.
pub struct Looking {
    pub kernel: Kernel,
    pub runtime: tokio::runtime::Runtime,
    pub scripts: Scripts,
}

/// What comes with fen, in a kernel as the person has set it up.
fn plain(folders: &Folders, settings: &Settings, cwd: &Path) -> Result<(Kernel, Shared), Failure> {
    wiring::kernel(Wiring {
        resume_hint: wiring::RESUME_HINT,
        settings: settings.clone(),
        cwd: cwd.to_owned(),
        base_url: None,
        keep_env: Vec::new(),
        mock: Script::Echo,
        sessions: folders.state.join("sessions"),
        folders: folders.clone(),
    })
}

/// A kernel with what comes with fen and nothing else.
pub fn bundled() -> Result<Kernel, Failure> {
    let folders = Folders::find()?;
    Ok(plain(&folders, &folders.settings()?, &working_directory()?)?.0)
}

impl Looking {
    pub fn new(choice: scripts::Choice) -> Result<Looking, Failure> {
        let folders = Folders::find()?;
        let settings = folders.settings()?;
        let cwd = working_directory()?;
        let (kernel, shared) = plain(&folders, &settings, &cwd)?;
        let runtime = run::runtime()?;
        let scripts = runtime.block_on(async {
            let scripts = Scripts::new(&kernel, &folders, &settings, &cwd, choice, shared)?;
            scripts.load_quietly().await?;
            Ok::<_, Failure>(scripts)
        })?;
        Ok(Looking { kernel, runtime, scripts })
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        self.runtime.block_on(self.scripts.wind_up());
    }
}

fn look(choice: &scripts::Choice) -> Result<Looking, Failure> {
    Looking::new(choice.clone())
}

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// For people.
    Lines,
    /// As they are.
    Json,
}

impl Form {
    /// The form that the flag `--json` asks for.
    fn of(json: bool) -> Self {
        if json { Form::Json } else { Form::Lines }
    }
}

fn list(chosen: &scripts::Choice, surface: Option<&str>, form: Form) -> Result<ExitCode, Failure> {
    let looking = look(chosen)?;
    let kernel = &looking.kernel;
    let Some(surface) = surface else {
        let mut text = String::new();
        for surface in SURFACES {
            let _ = writeln!(text, "{surface:<18} {}", kernel.list(surface)?.len());
        }
        let sessions = rows_of(&looking, SESSIONS)?.len();
        let _ = writeln!(text, "{SESSIONS:<18} {sessions}");
        return Ok(exit::print(&text));
    };
    let rows = rows_of(&looking, surface)?;
    if form == Form::Json {
        return exit::print_json(&rows);
    }
    if surface == "extensions" {
        return Ok(exit::print(&extension_lines(&rows)));
    }
    if surface == "logs" {
        let file = Folders::find()?.log_file();
        exit::note(&format!(
            "fen: these are the lines of this command; those of conversations are in {}",
            file.display()
        ));
    }
    let width = rows.iter().filter_map(|row| row["name"].as_str()).map(str::len).max().unwrap_or(0);
    let mut text = String::new();
    for row in &rows {
        let word = |field: &str| row[field].as_str().unwrap_or_default();
        let words = ["title", "description", "base-url", "status", "api", "message"];
        let about = words.iter().map(|field| word(field)).find(|text| !text.is_empty());
        let _ = writeln!(
            text,
            "{:<width$}  {:<9} {}",
            printable_line(word("name")),
            word("source"),
            printable_line(about.unwrap_or_default())
        );
    }
    Ok(exit::print(&text))
}

/// Extensions with their state, those that come with fen last; one that is not in force says why.
fn extension_lines(rows: &[Value]) -> String {
    let width = rows.iter().filter_map(|row| row["name"].as_str()).map(str::len).max().unwrap_or(0);
    let mut text = String::new();
    let (bundled, others): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row["source"] == "bundled");
    for row in others.into_iter().chain(bundled) {
        let word = |field: &str| printable_line(row[field].as_str().unwrap_or_default());
        let about = match row["reason"].as_str() {
            Some(_) => word("reason"),
            None => word("description"),
        };
        let (name, source, state) = (word("name"), word("source"), word("state"));
        let _ = writeln!(text, "{name:<width$}  {source:<9} {state:<12} {about}");
    }
    text
}

/// What `list` and `show` know beside the kernel's surfaces: the stored sessions, newest first.
const SESSIONS: &str = "sessions";

fn rows_of(looking: &Looking, surface: &str) -> Result<Vec<Value>, Failure> {
    let Looking { kernel, runtime, .. } = looking;
    if surface != SESSIONS {
        return kernel.list(surface);
    }
    let mut rows = Vec::new();
    for entry in kernel.registry().of_kind(Kind::SessionBackend) {
        let Contribution::SessionBackend(spec) = &entry.contribution else { continue };
        for info in runtime.block_on(spec.backend.list(FindOptions::default()))? {
            let mut row = json!(info);
            row["name"] = json!(info.id);
            row["owner"] = json!(entry.by.owner);
            row["source"] = json!(spec.name);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn show(
    chosen: &scripts::Choice,
    surface: &str,
    name: &str,
    form: Form,
) -> Result<ExitCode, Failure> {
    let rows = rows_of(&look(chosen)?, surface)?;
    let Some(row) = rows.iter().find(|row| row["name"] == name) else {
        let names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
        let hint = validate::nearest_name(name, names.iter().copied())
            .map(|near| format!("did you mean `{near}`?"))
            .unwrap_or_else(|| format!("there are {}", names.join(", ")));
        return Err(Failure::caller(format!("there is no `{name}` among the {surface}; {hint}")));
    };
    if form == Form::Json {
        return exit::print_json(row);
    }
    let mut text = String::new();
    for (field, value) in row.as_object().into_iter().flatten() {
        let shown = match value {
            Value::String(words) => printable_line(words),
            other => printable_line(&other.to_string()),
        };
        let _ = writeln!(text, "{field:<16} {shown}");
    }
    Ok(exit::print(&text))
}

/// A page of the reference, or of what is registered; the kernel is made only for the latter.
fn docs(
    chosen: &scripts::Choice,
    topic: Option<&str>,
    name: Option<&str>,
) -> Result<ExitCode, Failure> {
    let page = lookup::page(topic, name, &|surface| look(chosen)?.kernel.list(surface))?;
    Ok(exit::print(&printable(&page)))
}

fn entry_schema(section: &str, name: &str) -> Result<ExitCode, Failure> {
    let section = lookup::section_named(section)?;
    let entry = lookup::entry_named(section, name)?;
    let schema = schema::schema(section, entry.name).ok_or_else(|| {
        Failure::caller(format!("`{name}` of the {} has no schema", section.name()))
    })?;
    Ok(exit::print(&format!("{schema:#}\n")))
}

fn providers(chosen: &scripts::Choice, name: Option<&str>) -> Result<ExitCode, Failure> {
    let looking = look(chosen)?;
    let Looking { kernel, runtime, .. } = &looking;
    let registry = kernel.registry();
    let mut text = String::new();
    let mut known = Vec::new();
    for entry in registry.of_kind(Kind::Provider) {
        let Contribution::Provider(spec) = &entry.contribution else { continue };
        known.push(spec.name.as_str());
        if name.is_some_and(|name| name != spec.name) {
            continue;
        }
        let state = match (&spec.auth, runtime.block_on(find_key(kernel, spec))) {
            (None, _) => "no key needed",
            (Some(_), Ok(Some(_))) => "key found",
            (Some(_), Ok(None) | Err(_)) => "no key",
        };
        let url = spec.base_url.as_deref().unwrap_or_default();
        if name.is_none() {
            let _ = writeln!(text, "{:<12} {state:<14} {url}", spec.name);
            continue;
        }
        let setup = spec.setup.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "{}\n  state    {state}\n  address  {url}\n  protocol {}",
            spec.name, spec.api
        );
        if let Some(model) = &spec.default_model {
            let _ = writeln!(text, "  default  {model}");
        }
        let models: Vec<&str> = spec.models.iter().flatten().map(|m| m.id.as_str()).collect();
        if !models.is_empty() {
            let _ = writeln!(text, "  models   {}", models.join(", "));
        }
        let _ = writeln!(text, "\n{setup}");
    }
    match name {
        Some(name) if !known.contains(&name) => Err(Failure::caller(format!(
            "there is no provider `{name}`; there are {}",
            known.join(", ")
        ))),
        Some(_) => Ok(exit::print(&text)),
        None => {
            text.push_str("\nfen providers NAME tells how to set one up.\n");
            Ok(exit::print(&text))
        }
    }
}

fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fen", &mut script);
    exit::print(&String::from_utf8_lossy(&script))
}
