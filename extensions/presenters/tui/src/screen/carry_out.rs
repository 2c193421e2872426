//! Carries out what the application wants: requests to the kernel, processes, the clipboard.
//!
//! What has to be waited for runs on the kernel's runtime or its pool of threads, and comes back as mail.

use super::editor_outside::Editing;
use super::frame::Frame;
use super::work::Maker;
use crate::app::App;
use crate::config::Config;
use crate::effect::{Effect, QueuedLine};
use crate::facts::Facts;
use crate::files::FileIndex;
use crate::input::Input;
use crate::keys;
use crate::mailbox::Wake;
use crate::presenter::{Kernel, stored};
use crate::shell::{self, End, Outcome, Request};
use crate::transcript::{Audience, ShellId};
use crate::ui::Shown;
use fen_contract::cancel::CancelToken;
use fen_contract::command::Completion;
use fen_contract::failure::Failure;
use fen_contract::ui::{Page, PageFormat, Themes};
use fen_tty::clipboard;
use fen_tty::suspend::Waiting;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::AbortHandle;

/// How many files are offered.
const FILES: usize = 50;
/// How many logged errors are shown.
const ERRORS: usize = 200;
/// How often it is looked whether the editor outside was closed.
const EDITING: Duration = Duration::from_millis(100);

/// Carries out wishes.
pub(crate) struct Worker {
    config: Config,
    kernel: Kernel,
    shown: Arc<Shown>,
    files: Arc<FileIndex>,
    maker: Maker,
    shells: CancelToken,
    /// The newest request of each kind of which only the newest is of use.
    completing: Option<AbortHandle>,
    previewing: Option<AbortHandle>,
}

impl Worker {
    pub fn new(config: Config, kernel: Kernel, shown: Arc<Shown>) -> Worker {
        let link = kernel.link.clone();
        let tell = move || link.mailbox.push(Input::FilesChanged);
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let files = Arc::new(FileIndex::new(&config.cwd, home.as_deref(), tell));
        let maker = Maker::new(kernel.link.clone());
        Worker {
            config,
            kernel,
            shown,
            files,
            maker,
            shells: CancelToken::new(),
            completing: None,
            previewing: None,
        }
    }

    /// Ends what still runs for the screen.
    pub fn end(&mut self) {
        self.shells.cancel();
        self.maker.end();
    }

    /// Has made what the last layout missed.
    pub fn make(&mut self, app: &App) {
        for wanted in app.ink.take_wanted() {
            self.maker.colours(wanted);
        }
        for wanted in app.ink.take_wanted_rows() {
            self.maker.rows(wanted);
        }
    }

    fn push(&self, input: Input) {
        self.kernel.link.mailbox.push(input);
    }

    /// Runs something on the kernel's runtime; what it gives comes as mail.
    fn spawn(&self, work: impl Future<Output = Option<Input>> + Send + 'static) -> AbortHandle {
        let link = self.kernel.link.clone();
        let task = self.kernel.runtime.spawn(async move {
            if let Some(input) = work.await {
                link.mailbox.push(input);
            }
        });
        task.abort_handle()
    }

    /// The same for what only the newest request is of use.
    fn replace(
        &self,
        before: &mut Option<AbortHandle>,
        work: impl Future<Output = Option<Input>> + Send + 'static,
    ) {
        if let Some(task) = before.replace(self.spawn(work)) {
            task.abort();
        }
    }

    /// Tells others which keys and themes there are.
    fn publish(&self, app: &App) {
        let names = app.themes.names();
        let themes = Themes {
            current: app.theme.name.clone(),
            names: names.into_iter().map(str::to_owned).collect(),
        };
        self.shown.set(keys::rows(&app.keymap), themes);
    }

    pub fn carry_out(
        &mut self,
        effect: Effect,
        app: &mut App,
        frame: &mut Frame,
    ) -> Result<(), Failure> {
        let conversation = self.kernel.conversation.clone();
        let api = self.kernel.api.clone();
        match effect {
            Effect::Submit { line, when_busy } => {
                self.spawn(async move {
                    let outcome = conversation.submit_line(line.clone(), when_busy).await;
                    Some(Input::Submitted { line, outcome })
                });
            }
            Effect::Cancel => {
                if !conversation.cancel() {
                    self.push(Input::Facts(Box::new(Facts::of(&*conversation))));
                }
            }
            Effect::Quit => conversation.quit(),
            Effect::RemoveQueued(QueuedLine { queue, position, text }) => {
                if !conversation.edit_queued_if(queue, position, &text, None) {
                    app.queued_line_gone();
                }
            }
            Effect::TakeBack(QueuedLine { queue, position, text }) => {
                match conversation.edit_queued_if(queue, position, &text, None) {
                    true => app.editor.set_text(&text),
                    false => app.queued_line_gone(),
                }
            }
            Effect::Complete { ticket, line } => {
                let mut before = self.completing.take();
                self.replace(&mut before, async move {
                    let offers = conversation.complete(line).await;
                    Some(Input::Completions { ticket, offers })
                });
                self.completing = before;
            }
            Effect::CompleteFile { ticket, query } => self.complete_file(ticket, query),
            Effect::Shell { shell, command, audience } => self.shell(shell, command, audience),
            Effect::CancelShells => {
                self.shells.cancel();
                self.shells = CancelToken::new();
            }
            Effect::Press(key) => {
                self.spawn(async move { Some(Input::Pressed(api.press(&key).await)) });
            }
            Effect::PressNamed(name) => {
                let rows = api.list("controls").unwrap_or_default();
                match key_of(&rows, &name).map(str::to_owned) {
                    Ok(key) => {
                        self.spawn(async move { Some(Input::Pressed(api.press(&key).await)) });
                    }
                    Err(why) => app.complain(why),
                }
            }
            Effect::Emit(event) => {
                if let Err(failure) = api.emit(event) {
                    app.complain(failure.message);
                }
            }
            Effect::Copy(text) => self.copy(text, frame)?,
            Effect::Edit(text) => self.edit_outside(&text, app, frame)?,
            Effect::Suspend => self.suspend(app, frame),
            Effect::Redraw => frame.reset(),
            Effect::Refresh => self.kernel.link.refresh.notify_one(),
            Effect::AskFacts => {
                app.hear(Input::Facts(Box::new(Facts::of(&*conversation))), Instant::now());
            }
            Effect::Reload => {
                app.hear(Input::Conversation(stored(&*conversation)), Instant::now());
            }
            Effect::ShowErrors(told) => self.push(Input::Page(errors(&self.kernel, &told))),
            Effect::Preview { ticket, make, value } => {
                let mut before = self.previewing.take();
                self.replace(&mut before, async move {
                    let text = make(&value).await.unwrap_or_default();
                    Some(Input::Preview { ticket, text })
                });
                self.previewing = before;
            }
            Effect::Mouse(mouse) => frame.set_mouse(mouse)?,
            Effect::Publish => self.publish(app),
            Effect::ReadKeys => {
                let path = self.config.config_folder.join("keybindings.json");
                let controls = api.list("controls").unwrap_or_default();
                let (keymap, problems) = keys::load(&path, &controls);
                app.labels = super::labels(&self.kernel);
                app.hear(Input::Keys(Box::new(keymap), problems), Instant::now());
            }
        }
        Ok(())
    }

    fn complete_file(&self, ticket: u64, query: String) {
        let (files, link) = (self.files.clone(), self.kernel.link.clone());
        self.kernel.runtime.spawn_blocking(move || {
            let offer =
                |path: String| Completion { label: path.clone(), value: path, description: None };
            let offers = files.matches(&query, FILES).into_iter().map(offer).collect();
            link.mailbox.push(Input::Completions { ticket, offers });
        });
    }

    fn shell(&self, shell: ShellId, command: String, audience: Audience) {
        let link = self.kernel.link.clone();
        let (cwd, hidden) = (self.config.cwd.clone(), self.config.credentials.names());
        let stop = self.shells.clone();
        self.kernel.runtime.spawn(async move {
            let pieces = link.clone();
            let put = move |piece: &str| {
                pieces.mailbox.offer(Input::ShellOutput(shell, piece.to_owned()));
            };
            let ran = shell::run(Request::new(&command, &cwd, &hidden), &stop, put).await;
            let (end, text) = match ran {
                Err(error) => (Err(error.to_string()), String::new()),
                Ok(outcome) => (ended(&outcome), outcome.text),
            };
            link.mailbox.push(Input::ShellEnd { shell, command, audience, end, text });
        });
    }

    /// Both ways at once: the terminal's clipboard works over a wire, a program's where the terminal has
    /// none.
    fn copy(&self, text: String, frame: &mut Frame) -> Result<(), Failure> {
        let by_terminal = frame.copy(&text)?;
        let link = self.kernel.link.clone();
        let count = text.chars().count();
        let lookup = |name: &str| std::env::var(name).ok();
        clipboard::system_copy(text, &lookup, move |copied| {
            link.mailbox.push(Input::Copied(match copied {
                Err(error) if !by_terminal => Err(error.to_string()),
                _ => Ok(count),
            }));
        });
        Ok(())
    }

    /// Takes what comes in while the terminal is somebody else's; it must not pile up.
    fn listen(&self, app: &mut App, wait: Duration) {
        let until = Instant::now() + wait;
        let mail = self.kernel.link.mailbox.take(Some(until), Wake::Any);
        for input in mail.others {
            match input {
                // The editor stops with its whole group; fen goes with it, so that the shell comes back.
                Input::Stop => stop_at_once(app),
                input => app.hear(input, Instant::now()),
            }
        }
    }

    fn edit_outside(&self, text: &str, app: &mut App, frame: &mut Frame) -> Result<(), Failure> {
        let outcome = frame.lend(|| {
            let mut editing = Editing::begin(text)?;
            loop {
                if let Some(outcome) = editing.poll() {
                    return outcome;
                }
                self.listen(app, EDITING);
                if app.is_over() {
                    return Err("fen is leaving".to_owned());
                }
            }
        })?;
        app.hear(Input::Edited(outcome), Instant::now());
        Ok(())
    }

    /// The program goes on after a stop that it was not asked about.
    pub fn continued(&self, app: &mut App, frame: &mut Frame) {
        let outcome = frame.continued(&mut || {
            self.listen(app, Duration::ZERO);
            if app.is_over() { Waiting::GiveUp } else { Waiting::Wait }
        });
        if let Err(error) = outcome {
            app.complain(error.to_string());
        }
    }

    fn suspend(&self, app: &mut App, frame: &mut Frame) {
        let outcome = frame.suspend(&mut || {
            self.listen(app, Duration::ZERO);
            if app.is_over() { Waiting::GiveUp } else { Waiting::Wait }
        });
        match outcome {
            Ok(()) => self.push(Input::Continued),
            Err(error) => app.complain(format!("not suspended: {error}")),
        }
    }
}

/// Stops the whole group now; the terminal is not fen's.
fn stop_at_once(app: &mut App) {
    use rustix::process::{Signal, kill_current_process_group};
    if let Err(error) = kill_current_process_group(Signal::STOP) {
        app.complain(format!("not suspended: {error}"));
    }
}

/// The key of a control, which is what it is pressed by.
fn key_of<'a>(controls: &'a [serde_json::Value], name: &str) -> Result<&'a str, String> {
    let row = controls.iter().find(|row| row["name"] == name);
    let row = row.ok_or_else(|| format!("there is no control `{name}`"))?;
    row["key"].as_str().ok_or_else(|| format!("the control `{name}` has no key of its own"))
}

/// How a command ended, in words where that was not well.
fn ended(outcome: &Outcome) -> Result<(), String> {
    match outcome.end {
        End::Code(0) if outcome.is_in_background => Err("goes on in the background".to_owned()),
        End::Code(0) => Ok(()),
        End::Code(code) => Err(format!("exit code {code}")),
        End::Signal(signal) => Err(format!("ended by signal {signal}")),
        End::Cancelled => Err("cancelled".to_owned()),
        End::TimedOut => Err("took too long and was ended".to_owned()),
    }
}

/// What went wrong so far: what the person was told, and what was logged, newest last.
fn errors(kernel: &Kernel, told: &[String]) -> Page {
    let mut text = String::new();
    for line in told {
        let _ = writeln!(text, "{line}");
    }
    let rows = kernel.api.list("logs").unwrap_or_default();
    let is_grave =
        |row: &&serde_json::Value| matches!(row["level"].as_str(), Some("error" | "warn"));
    let grave: Vec<_> = rows.iter().filter(is_grave).collect();
    if !grave.is_empty() {
        let _ = writeln!(text, "{}Logged:", if text.is_empty() { "" } else { "\n" });
    }
    for row in &grave[grave.len().saturating_sub(ERRORS)..] {
        let word = |name: &str| row[name].as_str().unwrap_or_default();
        let _ = writeln!(text, "{:<5} {}: {}", word("level"), word("owner"), word("message"));
    }
    if text.is_empty() {
        text.push_str("Nothing went wrong so far.");
    }
    Page { title: "Errors".to_owned(), text, format: PageFormat::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_control_that_cannot_be_pressed_is_told() {
        let controls = [json!({"name": "todo", "key": "f5"}), json!({"name": "keyless"})];
        assert_eq!(key_of(&controls, "todo"), Ok("f5"));
        let why = |name| key_of(&controls, name).unwrap_err();
        assert!(why("keyless").contains("no key"), "{}", why("keyless"));
        assert!(why("gone").contains("no control `gone`"), "{}", why("gone"));
    }
}
