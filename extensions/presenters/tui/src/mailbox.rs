//! What the thread of the screen waits for.
//!
//! Keys have a queue of their own and wake it at once. Events wait for the next frame while one was drawn
//! just now, so that a stream of small pieces wakes it sixty times a second and not thousands. Whoever
//! delivers events waits for room; whoever reads keys never waits, since the screen waits for that thread
//! when it gives the terminal away.

use crate::input::Input;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// How many events wait at the most.
const EVENTS: usize = 2_048;
/// How many keys wait at the most. Nobody types so many while one frame is drawn.
const KEYS: usize = 16_384;

/// What wakes the thread before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    /// Anything.
    Any,
    /// Keys alone; a frame is due soon, and it takes up all else.
    Keys,
}

/// What was lost because too much waited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Keys and other things that the terminal sent.
    pub keys: usize,
    /// Pieces of live output and lines of standard error.
    pub pieces: usize,
}

#[derive(Default)]
struct Queues {
    keys: VecDeque<fen_tty::input::Input>,
    others: VecDeque<Input>,
    lost: Lost,
    is_closed: bool,
    /// What the thread waits for, while it does.
    waits_for: Option<Wake>,
}

/// What has arrived.
#[derive(Default)]
pub(crate) struct Mail {
    /// Keys and whatever else the terminal sent.
    pub keys: VecDeque<fen_tty::input::Input>,
    /// All else, in order.
    pub others: VecDeque<Input>,
    /// What was lost.
    pub lost: Lost,
}

/// The mailbox of the thread of the screen.
#[derive(Default)]
pub(crate) struct Mailbox {
    queues: Mutex<Queues>,
    arrived: Condvar,
    room: Notify,
}

impl Mailbox {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, mut queues: MutexGuard<'_, Queues>, input: Input) {
        queues.others.push_back(input);
        let wakes = queues.waits_for == Some(Wake::Any);
        drop(queues);
        if wakes {
            self.arrived.notify_one();
        }
    }

    /// Delivers keys.
    pub fn type_keys(&self, keys: impl IntoIterator<Item = fen_tty::input::Input>) {
        let mut queues = self.queues();
        for key in keys {
            match queues.keys.len() < KEYS && !queues.is_closed {
                true => queues.keys.push_back(key),
                false => queues.lost.keys += 1,
            }
        }
        drop(queues);
        self.arrived.notify_one();
    }

    /// Delivers something without waiting for room: an answer to what the screen asked for, or a request
    /// of somebody who waits. Once nobody takes it any more it is dropped, which declines it.
    pub fn push(&self, input: Input) {
        let queues = self.queues();
        if !queues.is_closed {
            self.put(queues, input);
        }
    }

    /// Delivers something that may be lost where too much waits; it is counted then.
    pub fn offer(&self, input: Input) {
        let mut queues = self.queues();
        match queues.others.len() < EVENTS {
            _ if queues.is_closed => {}
            true => self.put(queues, input),
            false => queues.lost.pieces += 1,
        }
    }

    /// Delivers an event as soon as there is room; false once nobody takes it any more.
    pub async fn deliver(&self, input: Input) -> bool {
        loop {
            let room = self.room.notified();
            {
                let queues = self.queues();
                if queues.is_closed {
                    return false;
                }
                if queues.others.len() < EVENTS {
                    self.put(queues, input);
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
            queues.waits_for = Some(wake);
            queues = match left {
                None => self.arrived.wait(queues).unwrap_or_else(PoisonError::into_inner),
                Some(left) => {
                    let waited = self.arrived.wait_timeout(queues, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
            queues.waits_for = None;
        }
        let mail = Mail {
            keys: std::mem::take(&mut queues.keys),
            others: std::mem::take(&mut queues.others),
            lost: std::mem::take(&mut queues.lost),
        };
        drop(queues);
        self.room.notify_waiters();
        mail
    }

    /// Takes the keys alone that have come in the meantime.
    pub fn take_keys(&self) -> VecDeque<fen_tty::input::Input> {
        std::mem::take(&mut self.queues().keys)
    }

    /// Nothing is taken any more; what waits is dropped, and with it whoever waits for an answer.
    pub fn close(&self) {
        let mut queues = self.queues();
        queues.is_closed = true;
        queues.others.clear();
        drop(queues);
        self.room.notify_waiters();
        self.arrived.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Ask;
    use fen_contract::ui::Question;
    use fen_tty::input::{Focus, Input as Typed};
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::oneshot;

    fn line(text: &str) -> Input {
        Input::Stderr(text.to_owned())
    }

    #[test]
    fn who_asks_after_the_end_is_declined_at_once() {
        let mailbox = Mailbox::default();
        mailbox.close();
        let (answer, mut given) = oneshot::channel();
        mailbox.push(Input::Ask(Ask::Prompt(Question::default(), answer)));
        assert_eq!(given.try_recv(), Err(oneshot::error::TryRecvError::Closed));
    }

    #[test]
    fn what_is_lost_is_counted_and_nobody_waits() {
        let mailbox = Mailbox::default();
        mailbox.type_keys((0..KEYS + 3).map(|_| Typed::Focus(Focus::Gained)));
        (0..EVENTS + 5).for_each(|_| mailbox.offer(line("x")));
        let mail = mailbox.take(None, Wake::Any);
        assert_eq!(mail.lost, Lost { keys: 3, pieces: 5 });
        assert_eq!((mail.keys.len(), mail.others.len()), (KEYS, EVENTS));
    }

    #[test]
    fn a_key_wakes_and_an_event_waits_for_the_frame() {
        let mailbox = Arc::new(Mailbox::default());
        let far = Instant::now() + Duration::from_secs(60);
        let other = mailbox.clone();
        let typist = std::thread::spawn(move || {
            other.push(line("an event"));
            std::thread::sleep(Duration::from_millis(20));
            other.type_keys([Typed::Focus(Focus::Gained)]);
        });
        let mail = mailbox.take(Some(far), Wake::Keys);
        assert_eq!((mail.keys.len(), mail.others.len()), (1, 1));
        typist.join().unwrap();
    }

    #[tokio::test]
    async fn events_wait_for_room_and_then_come_in_order() {
        let mailbox = Arc::new(Mailbox::default());
        for number in 0..EVENTS {
            assert!(mailbox.deliver(line(&number.to_string())).await);
        }
        let other = mailbox.clone();
        let late = tokio::spawn(async move { other.deliver(line("late")).await });
        tokio::task::yield_now().await;
        assert!(!late.is_finished());
        assert_eq!(mailbox.take(None, Wake::Any).others.len(), EVENTS);
        assert!(late.await.unwrap());
        assert!(
            matches!(mailbox.take(None, Wake::Any).others.pop_front(), Some(Input::Stderr(text)) if text == "late")
        );
        mailbox.close();
        assert!(!mailbox.deliver(line("x")).await);
    }
}
