//! `fen ext`: what authors of extensions need.
//!
//! It loads extensions aside, into a kernel of their own; no conversation of the person's is
//! touched, and none of their other extensions takes part.

mod aside;
mod bench;
mod check;
mod conversation;
mod create;
mod report;
mod test;
mod types;

use crate::arguments::ExtAction;
use fen_contract::failure::Failure;
use std::process::ExitCode;

/// Does what was asked for.
pub fn carry_out(action: ExtAction) -> Result<ExitCode, Failure> {
    match action {
        ExtAction::New { name, home, language } => create::create(&name, &home, &language),
        ExtAction::Check { path, json } => check::check(&path, json),
        ExtAction::Test { path, filter } => test::test(&path, filter.as_deref()),
        ExtAction::Types { write } => types::types(write.as_deref()),
    }
}
