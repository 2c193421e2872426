//! What the thread of the screen waits for.
//!
//! Keys have a queue of their own and wake it at once. Events wait for the next frame while one was drawn
//! just now, so that a stream of small pieces wakes it sixty times a second and not thousands. Whoever
//! delivers events waits for room.

use crate::input::Input;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// How many events wait at the most.
const EVENTS: usize = 2_048;
/// How many keys wait at the most; whoever reads the terminal waits for room.
const KEYS: usize = 16_384;

/// What wakes the thread before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    /// Anything.
    Any,
    /// Keys alone; a frame is due soon, and it takes up all else.
    Keys,
}

#[derive(Default)]
struct Queues {
    keys: VecDeque<fen_tty::input::Input>,
    others: VecDeque<Input>,
    is_closed: bool,
}

/// What has arrived.
#[derive(Default)]
pub(crate) struct Mail {
    /// Keys and whatever else the terminal sent.
    pub keys: VecDeque<fen_tty::input::Input>,
    /// All else, in order.
    pub others: VecDeque<Input>,
}

/// The mailbox of the thread of the screen.
#[derive(Default)]
pub(crate) struct Mailbox {
    queues: Mutex<Queues>,
    arrived: Condvar,
    /// There is room for keys.
    key_room: Condvar,
    room: Notify,
}

impl Mailbox {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Delivers keys; waits while too many wait already.
    pub fn type_keys(&self, keys: impl IntoIterator<Item = fen_tty::input::Input>) {
        let mut queues = self.queues();
        while queues.keys.len() >= KEYS && !queues.is_closed {
            queues = self.key_room.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
        queues.keys.extend(keys);
        self.arrived.notify_one();
    }

    /// Delivers something that may be lost where too much waits: a piece of live output, which comes
    /// again as a whole.
    pub fn offer(&self, input: Input) {
        let mut queues = self.queues();
        if queues.others.len() < EVENTS {
            queues.others.push_back(input);
            self.arrived.notify_one();
        }
    }

    /// Delivers something without waiting for room: what was asked for, and comes but once.
    pub fn push(&self, input: Input) {
        self.queues().others.push_back(input);
        self.arrived.notify_one();
    }

    /// Delivers an event as soon as there is room; false once nobody takes it any more.
    pub async fn deliver(&self, input: Input) -> bool {
        let mut input = Some(input);
        loop {
            let room = self.room.notified();
            {
                let mut queues = self.queues();
                if queues.is_closed {
                    return false;
                }
                if queues.others.len() < EVENTS {
                    queues.others.extend(input.take());
                    drop(queues);
                    self.arrived.notify_one();
                    return true;
                }
            }
            room.await;
        }
    }

    /// Takes all that is there; waits until something is, or until `deadline`.
    pub fn take(&self, deadline: Option<Instant>, wake: Wake) -> Mail {
        let mut queues = self.queues();
        loop {
            let has_news = match wake {
                Wake::Any => !queues.keys.is_empty() || !queues.others.is_empty(),
                Wake::Keys => !queues.keys.is_empty(),
            };
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if has_news || queues.is_closed || left.is_some_and(|left| left.is_zero()) {
                break;
            }
            queues = match left {
                None => self.arrived.wait(queues).unwrap_or_else(PoisonError::into_inner),
                Some(left) => {
                    let waited = self.arrived.wait_timeout(queues, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        let mail = Mail {
            keys: std::mem::take(&mut queues.keys),
            others: std::mem::take(&mut queues.others),
        };
        drop(queues);
        self.key_room.notify_all();
        self.room.notify_waiters();
        mail
    }

    /// Takes the keys alone that have come in the meantime.
    pub fn take_keys(&self) -> VecDeque<fen_tty::input::Input> {
        let keys = std::mem::take(&mut self.queues().keys);
        self.key_room.notify_all();
        keys
    }

    /// Nothing is taken any more; what waits is dropped, and with it whoever waits for an answer.
    pub fn close(&self) {
        let mut queues = self.queues();
        queues.is_closed = true;
        queues.others.clear();
        drop(queues);
        self.key_room.notify_all();
        self.room.notify_waiters();
        self.arrived.notify_all();
    }
}
