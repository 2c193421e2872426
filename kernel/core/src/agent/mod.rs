//! The agent: the one writer of the conversation.
//!
//! [`task`] waits for prompts and runs turns; [`turn`] is one turn; [`model`] is one model call
//! with its retries; [`calls`] carries out an answer's tool calls.

mod calls;
mod model;
mod task;
mod turn;

pub(crate) use task::serve;
