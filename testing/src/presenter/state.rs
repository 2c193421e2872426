//! What the presenter and its handle share.
//!
//! Each change wakes those who wait for one. Nothing is called under the lock but this module's own
//! parts.

use super::event_log::EventLog;
use super::frame::{Scene, draw, status_segments};
use super::questions::Questions;
use super::transcript::Transcript;
use fen_contract::api::Api;
use fen_contract::conversation::Conversation;
use fen_contract::events::Event;
use fen_contract::kinds::Side;
use fen_contract::presenter::PresenterContext;
use fen_contract::ui::{PanelView, Row, StatusView};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// What a run gives the handle to work with.
#[derive(Clone)]
pub(crate) struct Running {
    pub conversation: Arc<dyn Conversation>,
    pub api: Arc<dyn Api>,
}

/// Where the run is.
#[derive(Default)]
pub(crate) enum Run {
    #[default]
    Ahead,
    Running(Running),
    Over,
}

/// The rounds in which panels and status items are asked.
#[derive(Default)]
pub(crate) struct Rounds {
    /// How many were wanted.
    wanted: u64,
    /// Up to which wanted one all are done.
    pub done: u64,
    /// How many there really were.
    begun: u64,
}

/// A round that begins.
pub(crate) struct Round {
    /// Up to which wanted one it counts for.
    pub number: u64,
    pub size: (u16, u16),
}

#[derive(Default)]
pub(crate) struct State {
    pub size: (u16, u16),
    pub run: Run,
    pub input: String,
    pub panels: Vec<PanelView>,
    pub status: Vec<StatusView>,
    pub transcript: Transcript,
    pub events: EventLog,
    pub questions: Questions,
    pub notices: Vec<String>,
    pub rounds: Rounds,
    /// What the test did wrong; whoever waits next fails with it.
    pub mistake: Option<String>,
    /// `quit` was called before there was a run to end.
    pub quit_early: bool,
    info: Option<String>,
    in_turn: bool,
    /// The last event that the bus delivered, and the last that was read.
    told: Option<Arc<Event>>,
    heard: Option<Arc<Event>>,
}

/// A screen as it was at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct ScreenView {
    /// The rows, as many as the screen has.
    pub rows: Vec<Row>,
    /// The left side of the status row, not clipped, with the status info as its last segment.
    pub status_left: Row,
    /// The right side, not clipped.
    pub status_right: Row,
    /// The panels as they were given, in order.
    pub panels: Vec<PanelView>,
    /// What is typed.
    pub input: String,
    /// How many times panels and status items were asked so far.
    pub renders: u64,
}

impl ScreenView {
    /// The rows as text, without space at their ends.
    pub fn lines(&self) -> Vec<String> {
        let text = |row: &Row| row.iter().map(|segment| &*segment.text).collect::<String>();
        self.rows.iter().map(|row| text(row).trim_end().to_owned()).collect()
    }

    /// The lines joined by line breaks.
    pub fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// Whether a row has this text in it.
    pub fn shows(&self, text: &str) -> bool {
        self.lines().iter().any(|line| line.contains(text))
    }

    /// The style of the first segment on the screen that has this text in it; `None` where there
    /// is no such segment, or it has no style.
    pub fn style_of(&self, text: &str) -> Option<String> {
        let mut segments = self.rows.iter().flatten();
        segments.find(|segment| segment.text.contains(text))?.style.clone()
    }
}

impl State {
    pub fn view(&self) -> ScreenView {
        let scene = Scene {
            width: self.size.0,
            height: self.size.1,
            status: &self.status,
            info: self.info.as_deref(),
            panels: &self.panels,
            transcript: &self.transcript,
            questions: &self.questions.asked,
            input: &self.input,
        };
        ScreenView {
            rows: draw(&scene),
            status_left: status_segments(&scene, Side::Left),
            status_right: status_segments(&scene, Side::Right),
            panels: self.panels.clone(),
            input: self.input.clone(),
            renders: self.rounds.begun,
        }
    }

    /// Whether everything that was told is read, no turn is under way and no round is to come.
    pub fn is_settled(&self) -> bool {
        let all_read = match (&self.told, &self.heard) {
            (Some(told), Some(heard)) => Arc::ptr_eq(told, heard),
            (told, _) => told.is_none(),
        };
        all_read && !self.in_turn && self.rounds.done == self.rounds.wanted
    }

    fn hear(&mut self, event: &Event) {
        match event {
            Event::User(_) | Event::LlmStart(_) => self.in_turn = true,
            Event::AgentTurnComplete(_) => self.in_turn = false,
            Event::SetStatusInfo(event) => self.info = event.info.clone(),
            Event::Dismiss(_) => self.questions.dismiss(),
            Event::ReinitPresenter(_) => {
                self.panels.clear();
                self.status.clear();
            }
            _ => {}
        }
        self.transcript.hear(event);
        // One that fails anew each time must not be asked for ever.
        let is_render_failure =
            matches!(event, Event::ExtensionError(e) if e.event.as_deref() == Some("render"));
        if !is_render_failure {
            self.rounds.wanted += 1;
        }
    }
}

pub(crate) struct Shared {
    state: Mutex<State>,
    /// Marked at every change.
    pub changed: watch::Sender<()>,
    /// Wakes the painter.
    pub round_wanted: Notify,
}

impl Shared {
    pub fn new(width: u16, height: u16) -> Self {
        let state = State { size: (width.max(1), height.max(1)), ..State::default() };
        Shared {
            state: Mutex::new(state),
            changed: watch::Sender::new(()),
            round_wanted: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the state.
    pub fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.lock())
    }

    /// Changes the state and wakes those who wait for a change.
    pub fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.send_replace(());
        changed
    }

    /// Changes what no one waits for.
    pub fn update_quietly<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.lock())
    }

    /// Wants another round of panels and status items.
    pub fn want_round(&self) {
        self.update(|state| state.rounds.wanted += 1);
        self.round_wanted.notify_one();
    }

    /// The round that is due, if one is; it counts for all that were wanted until now.
    pub fn next_round(&self) -> Option<Round> {
        let mut state = self.lock();
        let rounds = &mut state.rounds;
        if rounds.done == rounds.wanted {
            return None;
        }
        rounds.begun += 1;
        let number = rounds.wanted;
        Some(Round { number, size: state.size })
    }

    /// The bus delivers this event; it is to be read later.
    pub fn tell(&self, event: &Arc<Event>) {
        self.update(|state| state.told = Some(event.clone()));
    }

    /// Takes an event that was read.
    pub fn hear(&self, event: Arc<Event>) {
        self.update(|state| {
            state.hear(&event);
            state.events.push(event.clone());
            state.heard = Some(event);
        });
        self.round_wanted.notify_one();
    }

    /// A run begins.
    pub fn begin(&self, context: &PresenterContext) {
        let running =
            Running { conversation: context.conversation.clone(), api: context.api.clone() };
        let quit_early = self.update(|state| {
            state.run = Run::Running(running);
            state.questions.set_closed(false);
            std::mem::take(&mut state.quit_early)
        });
        self.want_round();
        if quit_early {
            context.conversation.quit();
        }
    }

    /// The run is over: nobody is asked any more, and the kernel is let go.
    pub fn end(&self) {
        self.update(|state| {
            state.run = Run::Over;
            state.questions.set_closed(true);
        });
    }
}
