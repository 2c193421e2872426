//! What a script can reach outside its VM: `fs`, `process`, `http`, `env` and `timer` of its `api`.
//!
//! It owns the rule of all these calls: one that can fail gives `{ok = true, …}` or
//! `{ok = false, kind = …, error = …}`, and a mistake of the program, such as a wrong type, raises.
//! What would not fit into such a table (a boolean, a piece of a stream) raises a table with the
//! same fields instead, so that no failure passes for an answer.
//!
//! It must never block the script thread: every file, socket and process is worked on by the
//! program's own runtime, and is let go when the call that waits for it is cancelled or dropped.
//! Whoever makes an extension's `api` calls [`install`] once for each VM.

mod answer;
mod arguments;
mod env;
mod fs;
mod grants;
mod group;
mod http;
mod lines;
mod options;
mod process;
mod remote;
mod timer;

use std::path::PathBuf;

use fen_contract::secret::CredentialVariables;
use fen_transport::http::Client;
use mlua::Table;
use tokio::runtime::Handle;

pub use self::answer::Kind;
pub use self::grants::{Capability, Grants};
use self::group::{Context, Group};
use crate::vm::Vm;

/// Where an extension stands: what its calls work on and what they must keep away from.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The extension's name, for refusals.
    pub extension: String,
    /// Where relative paths start and where processes run unless they are told otherwise.
    pub cwd: PathBuf,
    /// The extension's own folder: `fs` may read in it even where it lies in a closed one.
    pub folder: Option<PathBuf>,
    /// Folders that `fs` never reaches into: fen's own configuration, state and trust.
    pub closed: Vec<PathBuf>,
    /// Variables that child processes do not inherit. `env` shows them: it is full trust.
    pub credentials: CredentialVariables,
    /// The program's client. Without one, every call of `http` fails with the kind `network`.
    pub http: Option<Client>,
    /// Where files, sockets and processes are worked on. It needs its I/O and time drivers.
    pub runtime: Handle,
}

const GROUPS: [Group; 5] = [fs::GROUP, process::GROUP, http::GROUP, env::GROUP, timer::GROUP];

/// Sets the five tables in `api`. Each is filled when the script first looks into it; what is set
/// in one before that (such as more functions of `timer`) stays.
///
/// # Errors
/// The VM's memory is used up.
pub fn install(vm: &Vm, api: &Table, grants: &Grants, around: &Surroundings) -> mlua::Result<()> {
    let context = Context::new(vm, around.clone());
    for group in GROUPS {
        let granted = group.capability.is_none_or(|capability| grants.has(capability));
        let context = context.clone();
        let table = vm.lazy_table(move |vm, table| {
            if granted {
                group.fill(vm, table, &context)
            } else {
                group.refuse(vm, table, &context)
            }
        })?;
        api.raw_set(group.name, table)?;
    }
    Ok(())
}
