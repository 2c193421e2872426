//! `fen run` and `fen eval`: code of the person's own in Lua or Fennel, with fen's `api`.
//!
//! Results go to standard output and errors to standard error. A signal ends the program at once,
//! whatever the code is doing.

use crate::exit;
use crate::scripts::Choice;
use crate::subcommands::Looking;
use fen_contract::api::{Manifest, Source};
use fen_contract::failure::Failure;
use fen_contract::kinds::Kind;
use fen_core::printable::printable;
use fen_script::capability::Grants;
use fen_script::host::{Granted, Once, Program};
use fen_script::language::language_of;
use std::collections::BTreeMap;
use std::io::{ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// How the code calls itself where it registers or logs something.
const NAME: &str = "run";
/// How long a script may be, in bytes; the engine takes no more.
const SOURCE_BYTES: u64 = 2 << 20;
/// How long the end waits for scripts after a signal.
const LAST_WAIT: Duration = Duration::from_millis(200);
/// How long the runtime then has to drop what they were waiting for.
const LETTING_GO: Duration = Duration::from_millis(20);

/// What code is written in where no suffix tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// In Lua.
    Lua,
    /// In Fennel.
    Fennel,
}

impl Written {
    /// What the flag `--fennel` tells.
    pub fn of(fennel: bool) -> Self {
        if fennel { Written::Fennel } else { Written::Lua }
    }

    fn named(self, stem: &str) -> String {
        match self {
            Written::Lua => format!("{stem}.lua"),
            Written::Fennel => format!("{stem}.fnl"),
        }
    }
}

/// Runs a file, or standard input.
pub fn run_file(file: &Path, written: Written, args: Vec<String>) -> Result<ExitCode, Failure> {
    if file == Path::new("-") {
        let text = read(std::io::stdin().lock(), "standard input")?;
        let code = Code::alone(written.named("stdin"), text);
        let values = Values::of_file(&code.entry);
        return run(code, args, values);
    }
    let text = open(file, &args)?;
    let place = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    // A script may have any name; what it is written in is known.
    let entry = match language_of(&name) {
        Some(_) => name,
        None => written.named(&name),
    };
    let beside = place.parent().filter(|_| place.is_file()).map(Path::to_owned);
    let values = Values::of_file(&entry);
    run(Code { place, entry, text, beside }, args, values)
}

/// What becomes of the values that code gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    Printed,
    Dropped,
}

impl Values {
    /// A file of Lua gives what it returns; one of Fennel always gives its last form, which nobody
    /// asked for.
    fn of_file(entry: &str) -> Self {
        if entry.ends_with(".fnl") { Values::Dropped } else { Values::Printed }
    }
}

/// Runs code from the command line and prints what it gives.
pub fn eval(code: &str, written: Written, args: Vec<String>) -> Result<ExitCode, Failure> {
    run(Code::alone(written.named("eval"), code.to_owned()), args, Values::Printed)
}

/// Code of the person's own.
pub struct Code {
    /// Where it is.
    place: PathBuf,
    /// How messages call it.
    entry: String,
    text: String,
    /// The folder whose files it may use.
    beside: Option<PathBuf>,
}

impl Code {
    /// Code that is in no file.
    pub fn alone(entry: String, text: String) -> Self {
        Code { place: "-".into(), entry, text, beside: None }
    }
}

fn open(file: &Path, args: &[String]) -> Result<String, Failure> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => {
            let words: Vec<&str> = args.iter().map(String::as_str).collect();
            let prompt = format!("run {} {}", file.display(), words.join(" "));
            Failure::caller(format!(
                "there is no file {} to run; for a prompt type: fen -p '{}'",
                file.display(),
                prompt.trim_end()
            ))
        }
        _ => Failure::caller(format!("{} cannot be read: {error}", file.display())),
    };
    if file.is_dir() {
        return Err(Failure::caller(format!("{} is a folder; name a file", file.display())));
    }
    read(std::fs::File::open(file).map_err(failed)?, &file.display().to_string())
}

fn read(source: impl std::io::Read, shown: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    source
        .take(SOURCE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::caller(format!("{shown} cannot be read: {error}")))?;
    if bytes.len() as u64 > SOURCE_BYTES {
        return Err(Failure::caller(format!("{shown} has more than {SOURCE_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Failure::caller(format!("{shown} is not UTF-8 text")))
}

fn run(code: Code, args: Vec<String>, values: Values) -> Result<ExitCode, Failure> {
    let looking = Looking::new(Choice::default())?;
    let once = once(&looking, code, args);
    let outcome = looking.runtime.block_on(async {
        let running = looking.scripts.host().run_once(once);
        tokio::select! {
            outcome = running => Ok(outcome),
            number = signalled() => Err(number),
        }
    });
    match outcome {
        Ok(Ok(given)) => {
            if values == Values::Printed {
                given.iter().for_each(|value| write_line(value));
            }
            Ok(ExitCode::SUCCESS)
        }
        Ok(Err(failure)) => {
            exit::note_strict(&failure.message);
            Ok(ExitCode::from(exit::FAILED))
        }
        Err(number) => end(&looking, number),
    }
}

/// The program that code of the person's own is: with everything that they may do themselves.
pub fn once(looking: &Looking, code: Code, arguments: Vec<String>) -> Once {
    let Code { place, entry, text, beside } = code;
    let registry = looking.kernel.registry();
    let auth =
        registry.of_kind(Kind::AuthBackend).map(|entry| entry.contribution.name().to_owned());
    let program = Program {
        manifest: Manifest { name: NAME.to_owned(), ..Manifest::default() },
        source: Source::Explicit,
        place,
        files: BTreeMap::from([(entry.clone(), text.into())]),
        entry,
        granted: Granted { outside: Grants::all(), auth: auth.collect() },
        has_hooks: false,
    };
    Once { program, beside, arguments, print: Arc::new(write_line) }
}

/// Ends the program for a signal of this number. Programs that the code started end with it, once
/// the runtime has let go of their tasks.
pub fn end(looking: &Looking, signal: i32) -> ! {
    looking.scripts.host().shutdown(LAST_WAIT);
    looking.runtime.block_on(async { tokio::time::sleep(LETTING_GO).await });
    std::process::exit(128 + signal)
}

/// The number of the first signal that asks for the end.
async fn signalled() -> i32 {
    let wait = async |kind: SignalKind| match signal(kind) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        // Then the signal ends the program by itself.
        Err(_) => std::future::pending().await,
    };
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let kind = tokio::select! {
        () = wait(kinds[0]) => kinds[0],
        () = wait(kinds[1]) => kinds[1],
        () = wait(kinds[2]) => kinds[2],
    };
    kind.as_raw_value()
}

/// Writes a line to standard output: exactly, or with control characters as marks where a person
/// reads it. A reader that is gone is no failure, and ends the program.
pub fn write_line(line: &str) {
    let mut stdout = std::io::stdout().lock();
    let text = if stdout.is_terminal() { printable(line) } else { line.into() };
    if let Err(error) = writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        exit::note(&format!("fen: standard output cannot be written: {error}"));
    }
}
