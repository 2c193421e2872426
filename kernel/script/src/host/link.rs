//! How the kernel's side reaches a script: a link to its instance, and callbacks through it.
//!
//! What is registered with the kernel holds callbacks, and they hold the link. When the last one is
//! gone, so is the instance with its VM. Nothing here runs on the script thread but what it sends
//! there.

use super::instance::{Instance, Limit};
use super::records::Records;
use super::scripts::{InstanceId, Scripts, is_script_thread};
use crate::vm::CallError;
use fen_contract::cancel::CancelToken;
use fen_contract::failure::Failure;
use fen_contract::names::Owner;
use fen_core::Kernel;
use mlua::{MultiValue, Value};
use std::any::Any;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long a caller that cannot wait asynchronously waits for a script.
const BLOCKING_BOUND: Duration = Duration::from_secs(2);

/// One generation of one extension, seen from the kernel's side.
pub(crate) struct Link {
    pub id: InstanceId,
    pub owner: Owner,
    pub scripts: Arc<Scripts>,
    pub kernel: Kernel,
    pub records: Arc<Records>,
    /// Events that it has not handled yet.
    pub behind: AtomicUsize,
    /// Whether it hears no more events, since it did not keep up.
    pub cut_off: AtomicBool,
    /// Why nothing of it is called any more, once it took too much.
    pub given_up: OnceLock<String>,
}

impl Drop for Link {
    fn drop(&mut self) {
        let id = self.id;
        // A thread that is gone has dropped the instance already.
        let _ = self.scripts.spawn(move |world| async move { world.remove(id) });
    }
}

/// Trips a token when it goes: the caller does not wait any more.
pub(super) struct CancelOnDrop(pub CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The words of a failed call, without the extension's name: whoever tells them names it.
pub(crate) fn words(error: &CallError) -> String {
    error.words()
}

impl Link {
    /// Runs host code beside the script.
    pub async fn run<T, F, Fut>(
        self: &Arc<Self>,
        cancel: Option<&CancelToken>,
        work: F,
    ) -> Result<T, ScriptFailure>
    where
        F: FnOnce(Rc<Instance>, CancelToken) -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, ScriptFailure>> + 'static,
        T: Send + 'static,
    {
        let token = CancelToken::new();
        let _guard = CancelOnDrop(token.clone());
        let (id, owner, inner) = (self.id, self.owner.clone(), token.clone());
        let answer = self.scripts.run(move |world| async move {
            match world.instance(id) {
                Some(instance) => work(instance, inner).await,
                None => Err(ScriptFailure::from(Failure::new(format!(
                    "extension `{owner}` was unloaded"
                )))),
            }
        });
        tokio::pin!(answer);
        let cancelled = async {
            match cancel {
                Some(cancel) => cancel.cancelled().await,
                None => std::future::pending().await,
            }
        };
        let answered = tokio::select! {
            biased;
            answered = &mut answer => answered,
            () = cancelled => {
                token.cancel();
                answer.await
            }
        };
        answered.unwrap_or_else(|failure| Err(failure.into()))
    }

    /// Does something with the instance soon, unless it is gone by then.
    pub fn post(&self, work: impl FnOnce(&Rc<Instance>) + Send + 'static) {
        let id = self.id;
        // Nor is there anything to do once the thread is gone.
        let _ = self.scripts.spawn(move |world| async move {
            if let Some(instance) = world.instance(id) {
                work(&instance);
            }
        });
    }
}

/// Why a script did not do what it was asked to.
#[derive(Debug, Clone)]
pub(crate) struct ScriptFailure {
    /// What happened, in words that begin with the place.
    pub message: String,
    /// The failed call, where it was one.
    pub call: Option<CallError>,
}

impl From<Failure> for ScriptFailure {
    fn from(failure: Failure) -> Self {
        ScriptFailure { message: failure.message, call: None }
    }
}

impl From<String> for ScriptFailure {
    fn from(message: String) -> Self {
        ScriptFailure { message, call: None }
    }
}

impl From<CallError> for ScriptFailure {
    fn from(error: CallError) -> Self {
        ScriptFailure { message: words(&error), call: Some(error) }
    }
}

impl From<ScriptFailure> for Failure {
    fn from(failure: ScriptFailure) -> Self {
        Failure::new(failure.message)
    }
}

/// Makes what a function gets.
type Arguments = Box<dyn FnOnce(&Rc<Instance>) -> mlua::Result<MultiValue> + Send>;
/// Takes what it gives.
type Read = Box<dyn FnOnce(&Rc<Instance>, Value) -> Result<Answer, String> + Send>;
/// What was taken.
type Answer = Box<dyn Any + Send>;

/// A function of a script that was registered with the kernel.
pub(crate) struct Callback {
    pub link: Arc<Link>,
    pub function: u64,
}

impl Drop for Callback {
    fn drop(&mut self) {
        let function = self.function;
        self.link.post(move |instance| instance.release(function));
    }
}

/// What a function is called with.
fn made(
    instance: &Rc<Instance>,
    arguments: impl FnOnce(&Rc<Instance>) -> mlua::Result<MultiValue>,
) -> Result<MultiValue, String> {
    instance.vm.making(|_| arguments(instance)).map_err(|error| error.to_string())
}

impl Callback {
    /// Tells that the function failed: to the log, and as `extension-error`.
    pub fn report(&self, callback: &str, message: &str) {
        self.link.kernel.report_callback(&self.link.owner, callback, message);
    }

    /// Calls the function. `arguments` makes what it gets and `read` takes what it gives, both on
    /// the script thread.
    pub async fn call<T: Send + 'static>(
        &self,
        limit: Limit,
        cancel: Option<&CancelToken>,
        arguments: impl FnOnce(&Rc<Instance>) -> mlua::Result<MultiValue> + Send + 'static,
        read: impl FnOnce(&Rc<Instance>, Value) -> Result<T, String> + Send + 'static,
    ) -> Result<T, ScriptFailure> {
        let read: Read =
            Box::new(move |instance, value| Ok(Box::new(read(instance, value)?) as Answer));
        let answer = self.call_erased(limit, cancel, Box::new(arguments), read).await?;
        match answer.downcast() {
            Ok(answer) => Ok(*answer),
            // It is what `read` just gave.
            Err(_) => Err("the answer has another type than was asked for".to_owned().into()),
        }
    }

    /// The same without types, so that all of it exists once in the program.
    async fn call_erased(
        &self,
        limit: Limit,
        cancel: Option<&CancelToken>,
        arguments: Arguments,
        read: Read,
    ) -> Result<Answer, ScriptFailure> {
        let function = self.function;
        self.link
            .run(cancel, move |instance, token| async move {
                let arguments = made(&instance, arguments)?;
                let value = instance.call(function, limit, arguments, token).await?;
                Ok(read(&instance, value)?)
            })
            .await
    }

    /// The same for callers that cannot wait asynchronously; the function must answer at once.
    pub fn call_blocking<T: Send + 'static>(
        &self,
        arguments: impl FnOnce(&Rc<Instance>) -> mlua::Result<MultiValue> + Send + 'static,
        read: impl FnOnce(&Rc<Instance>, Value) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Failure> {
        if is_script_thread() {
            return Err(Failure::new("a script cannot be asked from within a script here"));
        }
        let (answer, answered) = std::sync::mpsc::sync_channel(1);
        let (id, function) = (self.link.id, self.function);
        let job = move |world: Rc<super::scripts::World>| async move {
            let outcome = async {
                let instance = world.instance(id).ok_or("the extension was unloaded".to_owned())?;
                let arguments = made(&instance, arguments)?;
                let called = instance.call(function, Limit::Sync, arguments, CancelToken::new());
                let value = called.await.map_err(|failure| failure.message)?;
                read(&instance, value)
            };
            // Nobody may be waiting any more.
            let _ = answer.send(outcome.await);
        };
        self.link.scripts.spawn(job).map_err(|error| Failure::new(error.to_string()))?;
        match answered.recv_timeout(BLOCKING_BOUND) {
            Ok(outcome) => outcome.map_err(Failure::new),
            Err(_) => Err(Failure::new(format!(
                "extension `{}` did not answer within {BLOCKING_BOUND:?}",
                self.link.owner
            ))),
        }
    }
}
