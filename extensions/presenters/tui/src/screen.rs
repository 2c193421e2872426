//! The screen's thread: takes what has come, lets the application change, draws, and has its wishes
//! carried out.
//!
//! Keys are handled and drawn at once; all else waits for the next of sixty frames a second. While nothing
//! changes it sleeps, without a timer.

mod carry_out;
mod editor_outside;
mod frame;
mod painter;
mod turn;
mod work;

use crate::app::{App, Start};
use crate::config::Config;
use crate::effect::{Effect, Mouse};
use crate::facts::Facts;
use crate::input::Input;
use crate::presenter::Kernel;
use crate::settings::Settings;
use crate::theme::{Depth, Theme, Themes};
use crate::transcript::{Fold, Labels, NoteKind};
use crate::ui::Shown;
use fen_contract::failure::Failure;
use fen_contract::types::Message;
use frame::Frame;
pub use frame::is_terminal_lent;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use painter::Painter;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use turn::Turn;

/// Runs the screen until it is left.
pub(crate) fn run(
    config: &Config,
    kernel: Kernel,
    shown: &Arc<Shown>,
    facts: Facts,
    messages: Vec<Message>,
) -> Result<(), Failure> {
    let closing = Closing(&kernel);
    let (settings, problem) = Settings::read(&kernel.api.settings());
    let mut frame = Frame::open(mouse(&settings), kernel.link.clone())?;
    (config.mark)("terminal");
    let (start, mut problems) = start(config, &settings, &kernel, facts, &frame);
    let mut app = App::new(start);
    problems.extend(problem);
    if settings.fold_thinking {
        let mut manner = app.transcript.manner();
        manner.thinking = Fold::Folded;
        app.transcript.set_manner(manner);
    }
    let (columns, rows) = frame.size();
    kernel.link.set_size(columns, rows);
    app.resize(columns, rows);
    app.mouse = mouse(&settings);
    app.hear(Input::Conversation(messages), Instant::now());
    for problem in problems {
        app.transcript.note(NoteKind::Error, problem.as_str().into());
    }
    let mut worker = carry_out::Worker::new(config.clone(), kernel.clone(), shown.clone());
    worker.carry_out(Effect::Publish, &mut app, &mut frame)?;
    let mark = config.mark.clone();
    let outcome = Turn::new(&mut app, &mut frame, &mut worker, kernel.link.clone(), mark).run();
    // Whoever still delivers something finds the door closed.
    kernel.link.mailbox.close();
    frame.close();
    worker.end();
    farewell(&app, config);
    drop(closing);
    outcome
}

/// Closes the mailbox on every way out, so that nobody waits for an answer that will not come.
struct Closing<'a>(&'a Kernel);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.link.mailbox.close();
        self.0.conversation.quit();
    }
}

/// The theme that the person chose, or the one that fits where that cannot be had.
fn open_themes(
    folder: &Path,
    depth: Depth,
    chosen: Option<&str>,
) -> (Themes, Arc<Theme>, Vec<String>) {
    let (mut themes, mut problems) = Themes::load(Some(folder), depth);
    let background = std::env::var("COLORFGBG").ok();
    let name = Themes::choose(chosen, background.as_deref());
    let theme = match themes.get(name) {
        Ok(theme) => theme,
        Err(error) => {
            problems.push(error.to_string());
            let fitting = Themes::choose(None, background.as_deref());
            themes.get(fitting).unwrap_or_else(|_| Arc::new(Theme::plain()))
        }
    };
    (themes, theme, problems)
}

/// What the application begins with, and what is wrong with the person's files.
fn start(
    config: &Config,
    settings: &Settings,
    kernel: &Kernel,
    facts: Facts,
    frame: &Frame,
) -> (Start, Vec<String>) {
    let folder = config.config_folder.join("themes");
    let (themes, theme, mut problems) =
        open_themes(&folder, frame.depth(), settings.theme.as_deref());
    let controls = kernel.api.list("controls").unwrap_or_default();
    let (keymap, wrong) =
        crate::keys::load(&config.config_folder.join("keybindings.json"), &controls);
    problems.extend(wrong);
    let (history, wrong) = fen_editor::History::open(history_path(config));
    problems.extend(wrong);
    let start = Start {
        keymap,
        themes,
        theme,
        history,
        vi: settings.vi.then(fen_editor::Vi::default),
        facts,
        labels: labels(kernel),
        now: Instant::now(),
    };
    (start, problems)
}

fn mouse(settings: &Settings) -> Mouse {
    match settings.mouse {
        Some(false) => Mouse::Left,
        _ => Mouse::Reported,
    }
}

fn labels(kernel: &Kernel) -> Labels {
    let rows = kernel.api.list("tools").unwrap_or_default();
    let label = |row: &serde_json::Value| {
        Some((row["name"].as_str()?.to_owned(), row["label"].as_str()?.to_owned()))
    };
    rows.iter().filter_map(label).collect()
}

/// How long the name of a project's file is at the most, in bytes.
const LONGEST_NAME: usize = 180;

/// A file for each project.
fn history_path(config: &Config) -> std::path::PathBuf {
    let project = config.cwd.canonicalize().unwrap_or_else(|_| config.cwd.clone());
    let mut name = String::new();
    for byte in project.as_os_str().as_encoded_bytes() {
        // Reversible, so that no two projects share a file.
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => name.push(char::from(*byte)),
            b'/' => name.push('_'),
            other => name.push_str(&format!("%{other:02x}")),
        }
    }
    if name.len() > LONGEST_NAME {
        // A name that no file can have keeps its end, and stands apart by a sum of the whole.
        let sum = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        name = format!("{sum:016x}_{}", &name[name.len() - LONGEST_NAME..]);
    }
    config.state_folder.join("history").join(format!("{name}.jsonl"))
}

/// What stays on the terminal: the last answer, and how to go on.
fn farewell(app: &App, config: &Config) {
    let mut text = String::new();
    if let Some(answer) = app.transcript.last_answer() {
        for line in answer.trim().lines().take(200) {
            text.push_str(fen_cells::Printable::new(line).as_str());
            text.push('\n');
        }
        text.push('\n');
    }
    if let Some(session) =
        app.facts.session.as_ref().filter(|session| app.facts.messages > 0 && session.path.exists())
    {
        let hint = config.resume_hint.replace("{id}", session.id.as_str());
        text.push_str(&format!("To go on: {hint}\n"));
    }
    frame::say_last(&text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_is_fens_unless_the_settings_leave_it_to_the_terminal() {
        let with = |mouse| super::mouse(&Settings { mouse, ..Settings::default() });
        assert_eq!(with(None), Mouse::Reported);
        assert_eq!(with(Some(true)), Mouse::Reported);
        assert_eq!(with(Some(false)), Mouse::Left);
    }
}
