//! Code that comes piece by piece, all of it in one VM: what a person types at a prompt.
//!
//! A piece is compiled by whoever has it, and runs as [`Host::run_once`] runs a program. Values are
//! given as `fennel.view` shows them. The VM goes with its session.

use super::Host;
use super::instance::Instance;
use super::link::{CancelOnDrop, Link};
use super::loading::failed;
use super::once::{InForce, Once, unlimited};
use crate::language::{Chunk, Lua};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::Failure;
use mlua::{MultiValue, Value};
use std::rc::Rc;
use std::sync::Arc;

/// See the module.
pub struct Session {
    link: Arc<Link>,
    _in_force: InForce,
}

impl Host {
    /// Begins a session: the VM that [`Host::run_once`] would run this program in, where nothing of
    /// it has run.
    ///
    /// # Errors
    /// The VM cannot be made.
    pub async fn session(&self, once: Once) -> Result<Session, Failure> {
        let (in_force, link) = self.furnished(once).await?;
        Ok(Session { link, _in_force: in_force })
    }
}

impl Session {
    /// The names of the global variables that there are by now.
    ///
    /// # Errors
    /// The script thread is gone.
    pub async fn globals(&self) -> Result<Vec<String>, Failure> {
        self.with(|instance, _| async move {
            let globals = instance.lua().globals();
            let names = globals.pairs::<Value, Value>().filter_map(|pair| match pair {
                Ok((Value::String(name), _)) => name.to_str().ok().map(|name| name.to_owned()),
                _ => None,
            });
            Ok(names.collect())
        })
        .await
    }

    /// Runs a piece of compiled code and gives its values in words. Pieces with names of their own
    /// keep the lines of their functions apart. Who stops waiting ends it.
    ///
    /// # Errors
    /// It raises an error; the words begin with file and line.
    pub async fn run(&self, chunk: Chunk<'static>, file: String) -> Result<Vec<String>, Failure> {
        self.with(move |instance, token| async move {
            let (vm, limits) = (&instance.vm, unlimited(&instance));
            let wrong = |error: crate::vm::CallError| failed(&error);
            let code = vm.load(&chunk, &file).map_err(wrong)?;
            let values: MultiValue =
                vm.call_async(&code, (), limits, token.clone()).await.map_err(wrong)?;
            let source = "return require('fennel').view(...)";
            let view = vm.load_source(&Lua, source, "view").map_err(wrong)?;
            let mut shown = Vec::new();
            for value in values {
                let text: mlua::LuaString =
                    vm.call_async(&view, value, limits, token.clone()).await.map_err(wrong)?;
                shown.push(text.to_string_lossy());
            }
            Ok(shown)
        })
        .await
    }

    /// Does something with the instance, until nobody waits for it any more.
    async fn with<T, F, Fut>(&self, work: F) -> Result<T, Failure>
    where
        F: FnOnce(Rc<Instance>, CancelToken) -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, Failure>> + 'static,
        T: Send + 'static,
    {
        let (id, token) = (self.link.id, CancelToken::new());
        let _guard = CancelOnDrop(token.clone());
        let answer = self.link.scripts.run(move |world| async move {
            match world.instance(id) {
                Some(instance) => work(instance, token).await,
                None => Err(Failure::new("the session is over")),
            }
        });
        answer.await?
    }
}
