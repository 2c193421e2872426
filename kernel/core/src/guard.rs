//! The border to extensions: a panic inside a callback becomes an error with words.

use fen_contract::failure::Failure;
use futures_util::FutureExt as _;
use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a panic said.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    format!("it panicked: {words}")
}

/// Runs a callback's future; a panic in it, or in making it, is the error.
pub async fn guarded<T, F: Future<Output = T>>(make: impl FnOnce() -> F) -> Result<T, Failure> {
    let future = catch_unwind(AssertUnwindSafe(make))
        .map_err(|panic| Failure::new(panic_message(&*panic)))?;
    AssertUnwindSafe(future)
        .catch_unwind()
        .await
        .map_err(|panic| Failure::new(panic_message(&*panic)))
}
