//! The event bus: delivers each event in order to handlers, then to subscribers.
//!
//! A handler that fails is cut off from nothing; its failure becomes `extension-error`. Subscribers
//! have bounded queues. The bus never waits; whoever produces fast asks [`Bus::ready`] in between.

use fen_contract::api::{EventHandler, RegistrationId};
use fen_contract::events::{self, Event};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::Owner;
use fen_contract::presenter::EventSource;
use fen_contract::record::Extra;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// How many events a subscriber may leave waiting before it is cut off.
pub const QUEUE_LIMIT: usize = 4096;
/// From how many waiting events on [`Bus::ready`] holds producers back.
const PRESSURE: usize = QUEUE_LIMIT / 2;
/// From how many waiting events on deltas are merged.
const MERGE_FROM: usize = 64;
/// How many events may follow from one before extensions are refused to emit more.
const CHAIN_LIMIT: usize = 1000;
/// How long a producer is held back at the most before it goes on regardless.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

thread_local! {
    /// How many events led, each to the next, to what this thread does now.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// How many events led, each to the next, to what this thread does now; 0 where none did. A handler
/// that answers later, or elsewhere, keeps it for [`following`].
pub fn depth() -> usize {
    DEPTH.get()
}

/// Runs what follows from so many events, so that a chain without end is seen as one.
pub fn following<T>(depth: usize, work: impl FnOnce() -> T) -> T {
    struct Back(usize);
    impl Drop for Back {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let _back = Back(DEPTH.replace(depth));
    work()
}

/// Whether a chain of so many events looks endless.
pub fn is_endless(depth: usize) -> bool {
    depth > CHAIN_LIMIT
}

struct Handler {
    id: RegistrationId,
    owner: Owner,
    /// `None` hears all events.
    event: Option<String>,
    call: EventHandler,
}

#[derive(Default)]
struct State {
    handlers: Vec<Arc<Handler>>,
    subscribers: Vec<Arc<Subscriber>>,
    /// With how many events led to each.
    pending: VecDeque<(Arc<Event>, usize)>,
    delivering: bool,
    /// Whether subscriptions end once all that is pending was delivered.
    closing: bool,
    /// How many events were delivered since the last one that no other led to.
    chained: usize,
}

/// The bus.
#[derive(Default)]
pub struct Bus {
    state: Mutex<State>,
    drained: Arc<Notify>,
}

/// A handler that waits for its extension to be loaded whole.
pub struct StagedHandler {
    /// Its handle.
    pub id: RegistrationId,
    /// The event's name, or `*`.
    pub event: String,
    /// The handler.
    pub call: EventHandler,
}

fn handler(id: RegistrationId, owner: Owner, event: &str, call: EventHandler) -> Arc<Handler> {
    let event = (event != "*").then(|| event.to_owned());
    Arc::new(Handler { id, owner, event, call })
}

/// How a handler is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerRow {
    /// The extension.
    pub owner: Owner,
    /// The event's name, or `*`.
    pub event: String,
}

impl Bus {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a handler for the events of this name, or for all with `*`.
    pub fn on(&self, id: RegistrationId, owner: Owner, event: &str, call: EventHandler) {
        self.state().handlers.push(handler(id, owner, event, call));
    }

    /// Puts these handlers in the place of all that the extension had.
    pub fn replace_owner(&self, owner: &Owner, handlers: Vec<StagedHandler>) {
        let mut state = self.state();
        let first = state.handlers.iter().position(|old| old.owner == *owner);
        state.handlers.retain(|old| old.owner != *owner);
        let place = first.unwrap_or(state.handlers.len()).min(state.handlers.len());
        let new = handlers
            .into_iter()
            .map(|staged| handler(staged.id, owner.clone(), &staged.event, staged.call));
        state.handlers.splice(place..place, new);
    }

    /// Removes a handler; false if it is gone already.
    pub fn off(&self, id: RegistrationId) -> bool {
        let mut state = self.state();
        let before = state.handlers.len();
        state.handlers.retain(|handler| handler.id != id);
        state.handlers.len() != before
    }

    /// Removes all handlers of an extension and tells how many there were.
    pub fn remove_owner(&self, owner: &Owner) -> usize {
        let mut state = self.state();
        let before = state.handlers.len();
        state.handlers.retain(|handler| handler.owner != *owner);
        before - state.handlers.len()
    }

    /// The handlers in order.
    pub fn handlers(&self) -> Vec<HandlerRow> {
        let row = |handler: &Arc<Handler>| HandlerRow {
            owner: handler.owner.clone(),
            event: handler.event.clone().unwrap_or_else(|| "*".to_owned()),
        };
        self.state().handlers.iter().map(row).collect()
    }

    /// Opens a subscription that hears everything from now on.
    pub fn subscribe(&self, owner: Owner) -> Subscription {
        let subscriber = Arc::new(Subscriber {
            owner,
            queue: Mutex::default(),
            arrived: Notify::new(),
            drained: self.drained.clone(),
        });
        self.state().subscribers.push(subscriber.clone());
        Subscription(subscriber)
    }

    /// Ends all subscriptions once they are drained. What is still to be delivered, perhaps by another
    /// thread at this moment, is delivered before.
    pub fn close(&self) {
        let mut state = self.state();
        if state.delivering {
            state.closing = true;
            return;
        }
        let subscribers = std::mem::take(&mut state.subscribers);
        drop(state);
        for subscriber in subscribers {
            subscriber.close();
        }
    }

    /// Whether handlers have answered events with events for so long that it looks endless. No
    /// extension may emit then, until the chain has run out.
    pub fn is_runaway(&self) -> bool {
        let state = self.state();
        let depth = depth();
        is_endless(depth) || (depth > 0 && state.delivering && state.chained > CHAIN_LIMIT)
    }

    /// Delivers an event. What handlers emit meanwhile is delivered right after it, in order.
    pub fn emit(&self, event: impl Into<Event>) {
        {
            let mut state = self.state();
            state.pending.push_back((Arc::new(event.into()), depth()));
            if state.delivering {
                return;
            }
            state.delivering = true;
            state.chained = 0;
        }
        loop {
            let (event, led, handlers, subscribers) = {
                let mut state = self.state();
                let Some((event, led)) = state.pending.pop_front() else {
                    state.delivering = false;
                    if std::mem::take(&mut state.closing) {
                        drop(state);
                        self.close();
                    }
                    return;
                };
                // Another thread may tell events of its own meanwhile; those begin a new chain.
                state.chained = if led == 0 { 0 } else { state.chained + 1 };
                let named = state.handlers.iter().filter(|handler| {
                    handler.event.as_deref().is_some_and(|name| name == event.name())
                });
                let all = state.handlers.iter().filter(|handler| handler.event.is_none());
                let handlers: Vec<Arc<Handler>> = named.chain(all).cloned().collect();
                (event, led, handlers, state.subscribers.clone())
            };
            for handler in handlers {
                let handled = following(led + 1, || run_handler(&handler, &event));
                if let Err(failure) = handled {
                    self.report(&handler.owner, &event, led, &failure);
                }
            }
            for subscriber in subscribers {
                match subscriber.push(&event) {
                    Delivery::Taken => {}
                    Delivery::Closed => self.forget(&subscriber),
                    Delivery::Overflow => self.cut_off(&subscriber, &event),
                }
            }
        }
    }

    /// Queues `extension-error`, unless it is one whose handler failed.
    fn report(&self, owner: &Owner, event: &Event, led: usize, failure: &Failure) {
        if !matches!(event, Event::ExtensionError(_)) {
            let error = extension_error(owner.clone(), event.name(), &failure.message);
            self.state().pending.push_back((Arc::new(error), led + 1));
        }
    }

    /// Told whatever the event was: it happens once, so it cannot cause itself.
    fn cut_off(&self, subscriber: &Arc<Subscriber>, event: &Event) {
        subscriber.queue().cut_off = true;
        subscriber.close();
        self.forget(subscriber);
        let message = format!("left {QUEUE_LIMIT} events unread and hears no more of them");
        let error = extension_error(subscriber.owner.clone(), event.name(), &message);
        self.state().pending.push_back((Arc::new(error), 0));
    }

    fn forget(&self, subscriber: &Arc<Subscriber>) {
        self.state().subscribers.retain(|known| !Arc::ptr_eq(known, subscriber));
    }

    /// Waits until no subscriber is far behind, or until one has been so for half a minute.
    pub async fn ready(&self) {
        let waiting = async {
            loop {
                let drained = self.drained.notified();
                if !self.state().subscribers.iter().any(|subscriber| subscriber.is_behind()) {
                    return;
                }
                drained.await;
            }
        };
        if self.state().subscribers.iter().any(|subscriber| subscriber.is_behind()) {
            // The bound of the queue decides afterwards; there is nothing to report here.
            let _ = tokio::time::timeout(PATIENCE, waiting).await;
        }
    }
}

/// The event that tells of a failed callback.
pub fn extension_error(owner: Owner, event: &str, error: &str) -> Event {
    Event::ExtensionError(events::ExtensionError {
        error: error.to_owned(),
        event: Some(event.to_owned()),
        owner: Some(owner),
        extra: Extra::new(),
    })
}

fn run_handler(handler: &Handler, event: &Arc<Event>) -> Result<(), Failure> {
    crate::guard::caught(|| (handler.call)(event)).flatten()
}

#[derive(PartialEq, Eq)]
enum Delivery {
    Taken,
    Closed,
    Overflow,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Arc<Event>>,
    closed: bool,
    /// Whether it was closed because it did not keep up.
    cut_off: bool,
}

struct Subscriber {
    owner: Owner,
    queue: Mutex<Queue>,
    arrived: Notify,
    drained: Arc<Notify>,
}

impl Subscriber {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, event: &Arc<Event>) -> Delivery {
        let mut queue = self.queue();
        if queue.closed {
            return Delivery::Closed;
        }
        // Only a subscriber that is behind gets merged deltas; the others see each as it came.
        if queue.waiting.len() >= MERGE_FROM && merge_delta(&mut queue.waiting, event) {
            return Delivery::Taken;
        }
        if queue.waiting.len() >= QUEUE_LIMIT {
            return Delivery::Overflow;
        }
        queue.waiting.push_back(event.clone());
        drop(queue);
        self.arrived.notify_one();
        Delivery::Taken
    }

    fn close(&self) {
        self.queue().closed = true;
        self.arrived.notify_one();
        self.drained.notify_waiters();
    }

    fn is_behind(&self) -> bool {
        let queue = self.queue();
        !queue.closed && queue.waiting.len() >= PRESSURE
    }

    fn pop(&self) -> Option<Arc<Event>> {
        let event = self.queue().waiting.pop_front();
        if event.is_some() {
            self.drained.notify_waiters();
        }
        event
    }
}

/// Adds the delta of `next` to a waiting one of the same block.
///
/// The delta of a stream event and its `assistant-…` mirror come in turns, so the partner of the
/// one may stand behind the other's.
fn merge_delta(waiting: &mut VecDeque<Arc<Event>>, next: &Event) -> bool {
    let count = waiting.len();
    let mirrored = match (waiting.back().map(|last| &**last), next) {
        (Some(Event::AssistantTextDelta(_)), Event::TextDelta(_))
        | (Some(Event::AssistantThinkingDelta(_)), Event::ThinkingDelta(_)) => 2,
        _ => 1,
    };
    let Some(partner) = count.checked_sub(mirrored).and_then(|at| waiting.get_mut(at)) else {
        return false;
    };
    Event::add_delta(partner, next)
}

/// A subscription; dropping it ends it.
pub struct Subscription(Arc<Subscriber>);

impl Subscription {
    /// The next event, or `None` once the bus closed the subscription and it is drained.
    pub async fn next(&self) -> Option<Arc<Event>> {
        loop {
            let arrived = self.0.arrived.notified();
            if let Some(event) = self.0.pop() {
                return Some(event);
            }
            if self.0.queue().closed {
                return None;
            }
            arrived.await;
        }
    }

    /// Whether it was ended because it did not keep up.
    pub(crate) fn was_cut_off(&self) -> bool {
        self.0.queue().cut_off
    }

    /// Hears nothing from now on, and holds nobody back.
    pub(crate) fn end(&self) {
        self.0.close();
        self.0.queue().waiting.clear();
    }
}

impl EventSource for Subscription {
    fn next_event(&self) -> BoxFuture<'_, Option<Arc<Event>>> {
        Box::pin(self.next())
    }

    fn try_next_event(&self) -> Option<Arc<Event>> {
        self.0.pop()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.end();
    }
}
