//! `fen fennel`: the compiler, the formatter and a prompt for Fennel.
//!
//! Compiling and formatting need nothing of fen itself: no kernel is made and no settings are read.
//! Only the prompt runs code, as `fen run` does.

mod check;
mod compile;
mod layout;
mod modules;
mod names;
mod output;
mod repl;
mod sources;

use crate::arguments::FennelAction;
use fen_contract::failure::Failure;
use std::process::ExitCode;

/// Does what was asked for.
pub fn carry_out(action: FennelAction) -> Result<ExitCode, Failure> {
    match action {
        FennelAction::Compile { files, output, map, names } => {
            compile::compile(&files, output.as_deref(), compile::Form::of(map), &names)
        }
        FennelAction::Check { files, json, names } => {
            check::check(&files, check::Shape::of(json), &names)
        }
        FennelAction::Fmt { files, check } => layout::lay_out(&files, layout::Mode::of(check)),
        FennelAction::Repl => repl::repl(),
    }
}
