//! The eleven register kinds as scripts contribute them: each file makes one kind's behaviour out
//! of a script's functions.

mod answer;
mod auth;
mod command;
mod control;
mod hook;
mod introspect;
mod panel;
mod presenter;
mod presenter_context;
mod presenter_ui;
mod provider;
mod provider_stream;
mod session_backend;
mod session_info;
mod spec;
mod status;
mod tool;

use self::spec::Spec;
use crate::host::Instance;
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::validate::did_you_mean;
use mlua::Table;
use std::rc::Rc;

/// Makes a contribution of what a script gave to `register`. The error is the contract's: it says
/// kind, field, expected and got.
pub(crate) fn contribution(
    instance: &Rc<Instance>,
    kind: &str,
    spec: &Table,
) -> Result<Contribution, String> {
    let Some(known) = Kind::from_name(kind) else {
        let hint = did_you_mean(kind, Kind::ALL.iter().map(|kind| kind.name()));
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        return Err(format!(
            "register: there is no kind `{kind}`{hint}; there are {}",
            kinds.join(", ")
        ));
    };
    let mut spec = Spec::read(instance, known, spec)?;
    Ok(match known {
        Kind::AuthBackend => auth::contribution(&mut spec)?.into(),
        Kind::Command => command::contribution(&mut spec)?.into(),
        Kind::Control => control::contribution(&mut spec)?.into(),
        Kind::Hook => hook::contribution(&mut spec)?.into(),
        Kind::Introspect => introspect::contribution(&mut spec)?.into(),
        Kind::Panel => panel::contribution(&mut spec)?.into(),
        Kind::Presenter => presenter::contribution(&mut spec)?.into(),
        Kind::Provider => provider::contribution(&mut spec)?.into(),
        Kind::SessionBackend => session_backend::contribution(&mut spec)?.into(),
        Kind::Status => status::contribution(&mut spec)?.into(),
        Kind::Tool => tool::contribution(&mut spec)?.into(),
    })
}
