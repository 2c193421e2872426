//! The border to extensions: a panic inside a callback becomes an error with words, and a callback
//! that does not heed a cancellation is left.
//!
//! Whoever calls into an extension goes through here; it tells nobody itself.

use fen_contract::cancel::CancelToken;
use fen_contract::failure::Failure;
use futures_util::FutureExt as _;
use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// How long a cancelled callback may take to finish by itself.
const GRACE: Duration = Duration::from_secs(5);

/// What a panic said.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    format!("it panicked: {words}")
}

/// Runs a callback that does not wait; a panic in it is the error.
pub fn caught<T>(call: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| Failure::new(panic_message(&*panic)))
}

/// Runs a callback's future; a panic in it, or in making it, is the error.
pub async fn guarded<T, F: Future<Output = T>>(make: impl FnOnce() -> F) -> Result<T, Failure> {
    let future = caught(make)?;
    AssertUnwindSafe(future)
        .catch_unwind()
        .await
        .map_err(|panic| Failure::new(panic_message(&*panic)))
}

/// Waits for a callback's future. Once `cancel` is tripped it has five seconds left; `None` says
/// that it did not use them.
pub async fn within_grace<T>(cancel: &CancelToken, running: impl Future<Output = T>) -> Option<T> {
    tokio::pin!(running);
    tokio::select! {
        biased;
        outcome = &mut running => Some(outcome),
        () = cancel.cancelled() => tokio::time::timeout(GRACE, &mut running).await.ok(),
    }
}
