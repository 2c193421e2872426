//! The interface of an introspection snapshot.

use crate::failure::{BoxFuture, Failure};
use serde_json::Value;

/// Tells an extension's present state.
pub trait Introspect: Send + Sync {
    /// JSON-like data, cheap to make, bounded and without secrets.
    fn snapshot(&self) -> BoxFuture<'_, Result<Value, Failure>>;
}
