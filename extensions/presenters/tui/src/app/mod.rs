//! The application: its state, and how it changes.
//!
//! It is told of keys and of what happened, changes its state, and says what it wants done as
//! [`Effect`]s. It does no I/O and looks at no clock, so that a test plays it like the real thing.

mod acting;
mod activity;
mod asking;
mod completion;
mod find;
mod hearing;
mod ink;
mod lines;
mod pointer;
mod queue;
mod typing;

pub(crate) use activity::{Activity, Phase};
pub(crate) use completion::Popup;
pub(crate) use find::{HistoryFind, SearchBar};
pub(crate) use ink::{InkStore, LongPlace, Wanted, WantedRows};
pub(crate) use queue::QueueFocus;

use crate::effect::{Effect, Mouse};
use crate::facts::{Facts, Meter};
use crate::input::Input;
use crate::keymap::{KeyName, Keymap};
use crate::overlay::Overlay;
use crate::theme::{Theme, Themes};
use crate::transcript::{Audience, Labels, NoteKind, SPINNER_STEP, Selection, Transcript};
use fen_contract::conversation::Submitted;
use fen_contract::ui::{PanelView, StatusView};
use fen_editor::{Editor, History, Vi};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many errors are kept for the page of errors.
const ERRORS: usize = 200;
/// How many lines of standard error are shown in a run.
const STDERR_LINES: usize = 200;
/// How long a remark stands beside what runs.
const NOTICE: Duration = Duration::from_secs(4);
/// How soon a second ctrl-c has to follow the first one to leave.
pub(crate) const SECOND_INTERRUPT: Duration = Duration::from_secs(2);

/// What the application begins with.
pub(crate) struct Start {
    pub keymap: Keymap,
    pub themes: Themes,
    pub theme: Arc<Theme>,
    pub history: History,
    pub vi: Option<Vi>,
    pub facts: Facts,
    pub labels: Labels,
    pub now: Instant,
}

/// The state of the screen.
pub(crate) struct App {
    pub now: Instant,
    /// Columns and rows.
    pub size: (u16, u16),
    pub transcript: Transcript,
    pub editor: Editor,
    pub history: History,
    pub vi: Option<Vi>,
    pub keymap: Keymap,
    /// The keys of a chord that is not complete.
    pub pending: Vec<KeyName>,
    pub themes: Themes,
    pub theme: Arc<Theme>,
    pub facts: Facts,
    pub meter: Meter,
    pub activity: Activity,
    pub labels: Labels,
    pub panels: Vec<PanelView>,
    pub status: Vec<StatusView>,
    /// What lies above the transcript, the last one on top.
    pub overlays: Vec<Overlay>,
    pub popup: Option<Popup>,
    pub search: Option<SearchBar>,
    pub history_find: Option<HistoryFind>,
    pub queue_focus: Option<QueueFocus>,
    pub selection: Option<Selection>,
    /// A passing remark and when it goes.
    pub notice: Option<(String, NoteKind, Instant)>,
    /// The line of status that extensions set.
    pub status_info: Option<String>,
    pub ink: InkStore,
    /// How many rows the transcript had when it was drawn last.
    pub transcript_rows: usize,
    /// Where things are on the screen, for the mouse.
    pub places: crate::view::Places,
    interrupted: Option<Instant>,
    begun: Instant,
    /// The step of the spinners that the screen shows.
    shown_step: Option<u32>,
    /// What a press of the mouse began.
    drag: Option<pointer::Drag>,
    /// Dismissals of our own that are still to be heard.
    own_dismissals: u32,
    popup_ticket: u64,
    preview_ticket: u64,
    /// Who has the mouse.
    pub mouse: Mouse,
    shells: usize,
    /// What commands of the person's gave, for the next prompt.
    pub held: Vec<String>,
    /// What the person was told that went wrong, newest last.
    errors: VecDeque<String>,
    stderr_lines: usize,
    tickets: u64,
    effects: Vec<Effect>,
    is_dirty: bool,
    is_over: bool,
}

impl App {
    pub fn new(start: Start) -> App {
        App {
            now: start.now,
            // Taken from the terminal before anything is drawn.
            size: (0, 0),
            transcript: Transcript::new(start.now),
            editor: Editor::default(),
            history: start.history,
            vi: start.vi,
            keymap: start.keymap,
            pending: Vec::new(),
            themes: start.themes,
            theme: start.theme,
            facts: start.facts,
            meter: Meter::default(),
            activity: Activity::Idle,
            labels: start.labels,
            panels: Vec::new(),
            status: Vec::new(),
            overlays: Vec::new(),
            popup: None,
            search: None,
            history_find: None,
            queue_focus: None,
            selection: None,
            notice: None,
            status_info: None,
            ink: InkStore::default(),
            transcript_rows: 0,
            places: crate::view::Places::default(),
            interrupted: None,
            begun: start.now,
            shown_step: None,
            drag: None,
            own_dismissals: 0,
            popup_ticket: 0,
            preview_ticket: 0,
            mouse: Mouse::Reported,
            shells: 0,
            held: Vec::new(),
            errors: VecDeque::new(),
            stderr_lines: 0,
            tickets: 0,
            effects: Vec::new(),
            is_dirty: true,
            is_over: false,
        }
    }

    /// The window has this size from now on.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        if self.size == (columns, rows) {
            return;
        }
        self.size = (columns, rows);
        let mut manner = self.transcript.manner();
        manner.width = crate::view::transcript_width(columns);
        self.transcript.set_manner(manner);
        self.selection = None;
        self.is_dirty = true;
        self.wish(Effect::Refresh);
    }

    /// Something happened outside.
    pub fn hear(&mut self, input: Input, now: Instant) {
        self.now = now;
        let was_dirty = std::mem::replace(&mut self.is_dirty, true) | self.drop_abandoned();
        match input {
            Input::Event(event) => self.hear_event(&event),
            Input::Facts(facts) => self.take_facts(*facts),
            Input::Conversation(messages) => self.replace_conversation(messages),
            Input::Submitted { line, outcome } => self.submitted(line, outcome),
            Input::Contributions(panels, status) => {
                // What came before in the same round is still to be drawn.
                self.is_dirty = was_dirty || self.panels != panels || self.status != status;
                self.panels = panels;
                self.status = status;
            }
            Input::Completions { ticket, offers } => self.completions_came(ticket, offers),
            Input::Ask(ask) => self.ask(ask),
            Input::ShellOutput(shell, piece) => self.transcript.shell_output(shell, &piece),
            Input::ShellEnd { shell, command, audience, end, text } => {
                if audience == Audience::Model {
                    self.hold(&command, &end, &text);
                }
                self.shell_ended(shell, end);
            }
            Input::FilesChanged => self.files_changed(),
            Input::Inked { key, runs } => {
                for at in self.ink.arrived(key, runs) {
                    self.transcript.ink_arrived(at);
                }
            }
            Input::LaidOut { place, rows } => {
                if self.ink.rows_arrived(place, rows) {
                    self.transcript.ink_arrived(place.block);
                }
                // A search may have waited for them.
                if self.search.as_ref().is_some_and(SearchBar::is_open) {
                    self.go_on_searching();
                }
            }
            Input::Keys(keymap, problems) => {
                self.keymap = *keymap;
                for problem in problems {
                    self.tell_error(&problem);
                }
                self.wish(Effect::Publish);
            }
            Input::Page(page) => self.overlays.push(Overlay::page(page)),
            Input::Preview { ticket, text } => self.preview_came(ticket, &text),
            Input::Copied(outcome) => match outcome {
                Ok(count) => self.notify(format!("copied {count} characters")),
                Err(why) => self.complain(format!("not copied: {why}")),
            },
            Input::Edited(outcome) => self.edited_outside(outcome),
            Input::Pressed(outcome) => self.control_ran(outcome),
            Input::Stderr(line) => self.hear_stderr(&line),
            Input::Stop => self.wish(Effect::Suspend),
            Input::Resized | Input::Continued => {}
            Input::Over => self.is_over = true,
        }
    }

    /// Time goes by.
    pub fn tick(&mut self, now: Instant) {
        self.now = now;
        if self.notice.as_ref().is_some_and(|(_, _, until)| *until <= now) {
            self.notice = None;
            self.is_dirty = true;
        }
        if self.interrupted.is_some_and(|at| now.saturating_duration_since(at) > SECOND_INTERRUPT) {
            self.interrupted = None;
            self.is_dirty = true;
        }
        let step = self.step();
        if step != self.shown_step {
            self.shown_step = step;
            self.transcript.tick(now);
            self.is_dirty = true;
        }
        if self.search.as_ref().is_some_and(SearchBar::is_ready) {
            self.go_on_searching();
            self.is_dirty = true;
        }
        if self.drag_scrolls() {
            self.is_dirty = true;
        }
    }

    /// When [`tick`](App::tick) is to be called next; `None` while nothing changes with time.
    pub fn next_tick(&self) -> Option<Instant> {
        let mut due: Option<Instant> = None;
        let mut at = |when: Instant| due = Some(due.map_or(when, |before| before.min(when)));
        if let Some((_, _, until)) = &self.notice {
            at(*until);
        }
        if let Some(when) = self.interrupted {
            at(when + SECOND_INTERRUPT);
        }
        if let Some(step) = self.step() {
            at(self.begun + SPINNER_STEP * (step + 1));
        }
        if self.search.as_ref().is_some_and(SearchBar::is_ready) {
            at(self.now);
        }
        if let Some(due) = self.drag.and_then(|drag| drag.due()) {
            at(due);
        }
        due
    }

    /// Which step of the spinners it is, while something on the screen moves by itself.
    fn step(&self) -> Option<u32> {
        let elapsed = self.now.saturating_duration_since(self.begun).as_millis();
        let step = u32::try_from(elapsed / SPINNER_STEP.as_millis()).unwrap_or(u32::MAX - 1);
        (self.activity.is_busy() || self.shells > 0).then_some(step)
    }

    /// Whether the screen is to be drawn anew; it is taken to be drawn then.
    pub fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.is_dirty)
    }

    /// Whether it is to be drawn anew.
    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    /// Whether something is to be done.
    pub fn has_effects(&self) -> bool {
        !self.effects.is_empty()
    }

    /// What is to be done, in order.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Whether the screen is to be left.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    fn wish(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    fn ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    /// Says something in passing.
    pub(crate) fn notify(&mut self, text: impl Into<String>) {
        self.notice = Some((text.into(), NoteKind::Info, self.now + NOTICE));
    }

    /// Says in passing that something did not work.
    pub(crate) fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some((text.into(), NoteKind::Error, self.now + NOTICE));
    }

    /// Tells that something went wrong, where it stays to be read.
    pub(crate) fn tell_error(&mut self, text: &str) {
        self.errors.push_back(text.to_owned());
        if self.errors.len() > ERRORS {
            self.errors.pop_front();
        }
        self.transcript.note(NoteKind::Error, text.into());
    }

    /// Something else in this process, or a child of it, wrote to standard error.
    fn hear_stderr(&mut self, line: &str) {
        self.stderr_lines += 1;
        match self.stderr_lines.cmp(&STDERR_LINES) {
            Ordering::Less => self.transcript.note(NoteKind::Info, line.into()),
            Ordering::Equal => {
                self.tell_error("standard error goes on; no more of it is shown");
            }
            Ordering::Greater => {}
        }
    }

    /// Whether a first ctrl-c waits for the second.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.is_some()
    }

    fn take_facts(&mut self, facts: Facts) {
        // Events tell of the end first; this is for turns that never began.
        self.activity = std::mem::take(&mut self.activity).unless_stale(&facts);
        self.facts = facts;
    }

    fn submitted(&mut self, line: String, outcome: Submitted) {
        match outcome {
            // Esc came before the turn had begun.
            Submitted::Started if self.activity.is_cancelling() => self.wish(Effect::Cancel),
            Submitted::Started => {}
            Submitted::Queued(_) | Submitted::Command(_) => self.nothing_began(),
            Submitted::Rejected(failure) => {
                self.tell_error(&failure.message);
                // The words stay with the person.
                if self.editor.is_empty() {
                    self.editor.set_text(&line);
                }
                self.nothing_began();
            }
        }
        self.wish(Effect::AskFacts);
        self.wish(Effect::Refresh);
    }

    /// A line began no turn; if none runs either, none is waited for.
    fn nothing_began(&mut self) {
        if self.activity.is_cancelling() && !self.facts.is_busy {
            self.activity = Activity::Idle;
        }
        self.activity = std::mem::take(&mut self.activity).unless_stale(&self.facts);
    }
}
