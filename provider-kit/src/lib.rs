//! What model providers share: settings, asking a service, assembling streams, naming failures,
//! fitting histories.
//!
//! The crate knows the contract and the transport, and no wire format of any one service. Only
//! [`place`] and [`exchange`] do I/O; each provider calls the rest with what it has read, or is
//! about to send.
//!
//! * [`config`] is what a provider is told once; [`registration`] puts one into the registry.
//! * [`place`] sends requests with their credentials; [`exchange`] reads what comes of one that
//!   asks for a stream.
//! * [`assembler`] builds an answer from deltas and tells the stream events on the way.
//! * [`json`] reads JSON as model servers really send it.
//! * [`failure`] turns what went wrong into a kind that callers act on and a line for people.
//! * [`overflow`] recognises the many ways to say that a conversation is too long.
//! * [`history`] fits a conversation to what services accept, whatever it went through before.

pub mod assembler;
pub mod config;
pub mod exchange;
pub mod failure;
pub mod history;
pub mod json;
pub mod overflow;
pub mod place;
pub mod registration;
