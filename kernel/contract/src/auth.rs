//! The interface of a credential backend.

use crate::failure::{BoxFuture, Failure};
use crate::names::ProviderName;
use crate::secret::Secret;
use serde_json::Value;

/// Gives credentials to the providers that name it.
pub trait AuthBackend: Send + Sync {
    /// The key for `provider`, or `None` if the backend has none.
    fn api_key<'a>(
        &'a self,
        provider: &'a ProviderName,
    ) -> BoxFuture<'a, Result<Option<Secret>, Failure>>;

    /// Obtains credentials.
    fn login(&self, _options: Value) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(std::future::ready(Err(Failure::caller("this backend has no login"))))
    }

    /// Forgets the stored credentials.
    fn logout(&self) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(std::future::ready(Err(Failure::caller("this backend has no logout"))))
    }

    /// What it found, in words, without any secret.
    fn status(&self) -> String {
        String::new()
    }
}
