//! From what the service sends to a canonical answer: the wire's shapes, and what they mean.
//!
//! Pure: events and documents in, stream events and a message out. `call` feeds it.

mod call_keys;
mod finish;
#[cfg(test)]
mod properties;
mod reader;
mod reasoning_details;
mod text;
mod wire;

pub(crate) use finish::map_stop_reason;
pub(crate) use reader::{FinishReason, Reader};
pub(crate) use wire::Chunk;
