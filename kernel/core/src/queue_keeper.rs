//! Keeps the waiting lines safe: whenever they change they are stored, and only then told of.
//!
//! A line that was told of as `queued` thus survives the death of the process. The session holds
//! the queue as entries of the kind `queue`, each with all lines that waited at that moment.

use crate::guard::guarded;
use crate::shared::{Shared, lock};
use fen_contract::conversation::QueueContents;
use fen_contract::events;
use fen_contract::failure::Fault;
use fen_contract::record::Extra;
use serde_json::json;
use std::sync::Arc;

/// The kind of a session entry that holds the waiting lines.
pub const QUEUE_ENTRY: &str = "queue";

/// Heeds changes until it is dropped.
pub(crate) async fn keep(shared: &Arc<Shared>) {
    loop {
        let changed = shared.queue_changed.notified();
        settle(shared).await;
        changed.await;
    }
}

/// Stores the queue if it differs from what is stored, and tells of it.
pub(crate) async fn settle(shared: &Shared) {
    loop {
        let contents = {
            let inbox = lock(&shared.inbox);
            let contents = inbox.queue.contents();
            if contents == inbox.stored_queue {
                return;
            }
            contents
        };
        store(shared, &contents).await;
        let told = {
            let mut inbox = lock(&shared.inbox);
            inbox.stored_queue.clone_from(&contents);
            inbox.queue.tell(&contents)
        };
        for (name, line) in told {
            let mut extra = Extra::new();
            extra.insert("queue".to_owned(), name.as_str().into());
            shared.bus.emit(events::Queued { line, extra });
        }
        emit_changed(shared, &contents);
        // The turn may have ended in between; the agent then takes the lines up at once.
        shared.wake.notify_one();
    }
}

async fn store(shared: &Shared, contents: &QueueContents) {
    let Some(open) = shared.open_session() else { return };
    let fields = json!(contents);
    let stored = guarded(|| open.backend.append_entry(&open.session, QUEUE_ENTRY, fields)).await;
    match stored.flatten() {
        Ok(()) => {}
        // A backend that keeps messages only; the lines are then safe once they are messages.
        Err(failure) if failure.fault == Fault::Caller => {}
        Err(failure) => shared.emit_error(format!("the waiting lines are not saved: {failure}")),
    }
}

/// Tells of the lines that wait now.
pub(crate) fn emit_changed(shared: &Shared, contents: &QueueContents) {
    let QueueContents { steering, follow_up } = contents;
    shared.emit_own(
        "fen/queue-changed",
        [("steering", json!(steering)), ("follow-up", json!(follow_up))],
    );
}
