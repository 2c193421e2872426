//! Whether a run has anything left to do. Presenters that end by themselves ask it when a turn has
//! ended.

use fen_contract::conversation::Conversation;

/// Whether no turn is under way and no line waits for one.
pub fn is_idle(conversation: &dyn Conversation) -> bool {
    !conversation.is_busy() && conversation.queue().is_empty()
}
