//! Events on their way to scripts.
//!
//! The kernel's thread only appends to a queue; it wakes the script thread once for a burst. There
//! each extension handles its events one after the other: one that waits holds up its own later
//! events and nobody else's. Waiting deltas of one block are merged, and an extension that stays
//! too far behind hears no more.

use super::instance::{Instance, Limit};
use super::link::{Callback, Link};
use super::scripts::{InstanceId, Scripts, World};
use crate::wire::event_table;
use fen_contract::api::EventHandler;
use fen_contract::events::Event;
use fen_core::bus;
use mlua::IntoLuaMulti as _;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How many events an extension may have waiting before it hears no more.
pub(crate) const MAILBOX_LIMIT: usize = 4096;

/// From how many waiting events of an extension on deltas are merged.
const MERGE_FROM: usize = 64;

/// How many waiting deltas are looked through for one of the same block: those of a few handlers.
const MERGE_REACH: usize = 32;

/// How long the script thread lets deltas gather before it looks for more: long enough that a fast
/// stream wakes it seldom, short enough that nobody sees it.
const GATHERING: Duration = Duration::from_millis(1);

struct Sent {
    to: InstanceId,
    function: u64,
    event: Arc<Event>,
    /// How many events led to it, itself included.
    depth: usize,
    link: std::sync::Weak<Link>,
}

/// The events that the script thread has not taken yet.
#[derive(Default)]
pub(crate) struct EventQueue {
    waiting: Mutex<VecDeque<Sent>>,
    /// Whether the script thread knows that something waits.
    scheduled: AtomicBool,
}

impl EventQueue {
    fn take(&self) -> VecDeque<Sent> {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether nothing waits and nothing is being handed out.
    pub fn is_idle(&self) -> bool {
        !self.scheduled.load(Ordering::Acquire)
    }
}

/// The handler that stands on the bus for a function of a script.
pub(crate) fn handler(callback: Callback) -> EventHandler {
    Arc::new(move |event| {
        let link = &callback.link;
        if link.cut_off.load(Ordering::Relaxed) {
            return Ok(());
        }
        if link.behind.fetch_add(1, Ordering::Relaxed) >= MAILBOX_LIMIT {
            link.cut_off.store(true, Ordering::Relaxed);
            return Err(fen_contract::failure::Failure::new(format!(
                "left {MAILBOX_LIMIT} events unhandled and hears no more of them until /reload {}",
                link.owner
            )));
        }
        let events = &link.scripts.events;
        events.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(Sent {
            to: link.id,
            function: callback.function,
            event: event.clone(),
            depth: bus::depth(),
            link: Arc::downgrade(link),
        });
        if !events.scheduled.swap(true, Ordering::AcqRel) {
            let (events, scripts) = (events.clone(), link.scripts.clone());
            // A thread that is gone handles nothing, and whoever gave it up has said so.
            let _ = scripts.spawn(move |world| hand_out(world, events));
        }
        Ok(())
    })
}

/// Hands events to their extensions until none waits.
async fn hand_out(world: Rc<World>, queue: Arc<EventQueue>) {
    loop {
        let batch = queue.take();
        let streaming = batch.back().is_some_and(|sent| sent.event.is_delta());
        for sent in batch {
            if let Some(instance) = world.instance(sent.to) {
                let waiting =
                    Waiting { function: sent.function, event: sent.event, depth: sent.depth };
                instance.receive(waiting, &sent.link);
            }
        }
        if streaming {
            tokio::time::sleep(GATHERING).await;
            continue;
        }
        queue.scheduled.store(false, Ordering::Release);
        let more = !queue.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        // Whoever appended in between may have seen the flag still set.
        if !more || queue.scheduled.swap(true, Ordering::AcqRel) {
            return;
        }
    }
}

struct Waiting {
    function: u64,
    event: Arc<Event>,
    depth: usize,
}

/// The events that an extension has still to handle.
#[derive(Default)]
pub(crate) struct Mailbox {
    waiting: VecDeque<Waiting>,
    is_served: bool,
}

impl Mailbox {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && !self.is_served
    }

    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Adds the delta to the last one for the same function, if that belongs to the same block.
    fn merge(&mut self, function: u64, event: &Event) -> bool {
        // A delta and its mirror come in turns, for each handler; anything else ends the run.
        let run = self.waiting.iter_mut().rev().take_while(|waiting| waiting.event.is_delta());
        let last = run.take(MERGE_REACH).find(|waiting| {
            waiting.function == function
                && std::mem::discriminant(&*waiting.event) == std::mem::discriminant(event)
        });
        last.is_some_and(|last| Event::add_delta(&mut last.event, event))
    }
}

impl Instance {
    /// Takes an event, and begins to handle it unless another one is being handled.
    fn receive(self: &Rc<Self>, waiting: Waiting, link: &std::sync::Weak<Link>) {
        let mut mailbox = self.mailbox.borrow_mut();
        // Only while it is behind: otherwise each delta is handled as it came.
        if mailbox.waiting.len() >= MERGE_FROM && mailbox.merge(waiting.function, &waiting.event) {
            counted_down(link);
            return;
        }
        mailbox.waiting.push_back(waiting);
        if std::mem::replace(&mut mailbox.is_served, true) {
            return;
        }
        drop(mailbox);
        let (weak, link) = (Rc::downgrade(self), link.clone());
        tokio::task::spawn_local(async move {
            while let Some(instance) = weak.upgrade() {
                let next = instance.mailbox.borrow_mut().waiting.pop_front();
                let Some(waiting) = next else {
                    instance.mailbox.borrow_mut().is_served = false;
                    return;
                };
                instance.handle(waiting).await;
                counted_down(&link);
            }
        });
    }

    async fn handle(self: &Rc<Self>, waiting: Waiting) {
        let Waiting { function, event, depth } = waiting;
        // A handler that was taken off meanwhile hears nothing.
        if !self.has(function) {
            return;
        }
        self.depth.set(depth);
        let arguments = self
            .vm
            .making(|lua| event_table(lua, &event).and_then(|table| table.into_lua_multi(lua)));
        let outcome = match arguments {
            Ok(arguments) => {
                let token = self.uncancelled.clone();
                let called = self.call(function, Limit::Handler, arguments, token).await;
                called.map(drop).map_err(|failure| failure.message)
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(message) = outcome
            && !matches!(*event, Event::ExtensionError(_))
        {
            self.report(event.name(), &message);
        }
        self.depth.set(0);
    }
}

fn counted_down(link: &std::sync::Weak<Link>) {
    if let Some(link) = link.upgrade() {
        link.behind.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Scripts {
    /// Waits until all events were handled, for at most `bound`; whether they were.
    pub async fn settle(self: &Arc<Self>, bound: Duration) -> bool {
        let settled = async {
            loop {
                let events = self.events.clone();
                // Both are looked at on the script thread, between whose jobs an event is in one
                // place or the other.
                let idle = self.run(|world| async move { world.is_idle() && events.is_idle() });
                // A thread that is gone handles nothing more.
                if idle.await.unwrap_or(true) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(bound, settled).await.is_ok()
    }
}
