//! `fs`, `process`, `http`, `env` and `timer`: what reaches outside, as the manifest was granted it.

use super::timer;
use crate::capability::{self, Surroundings};
use crate::host::Instance;
use mlua::Table;
use std::rc::Rc;

/// The groups that come together.
pub(super) const NAMES: [&str; 5] = ["env", "fs", "http", "process", "timer"];

/// Sets all of them.
pub(super) fn install(instance: &Rc<Instance>, api: &Table) -> mlua::Result<()> {
    let around = &instance.around;
    let program = &instance.program;
    let folder = program.place.is_dir().then(|| program.place.clone());
    let surroundings = Surroundings {
        extension: instance.owner.to_string(),
        cwd: around.cwd.clone(),
        folder,
        closed: around.closed.clone(),
        credentials: around.credentials.clone(),
        http: around.http.clone(),
        runtime: around.runtime.clone(),
    };
    capability::install(&instance.vm, api, &instance.granted.outside, &surroundings)?;
    timer::add(instance, &api.raw_get("timer")?)
}
