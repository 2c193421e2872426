//! Secrets: text that can be used but is neither shown nor stored.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A credential. It has no `Display`, no serde, and its `Debug` tells nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<str>);

impl Secret {
    /// Takes the secret without white space around it; `None` if nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Secret(text.into()))
    }

    /// The secret itself, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The environment variables that fen takes for credentials. Whoever reads one says so here, and
/// commands that the agent runs do not inherit it.
#[derive(Debug, Clone, Default)]
pub struct CredentialVariables(Arc<Mutex<BTreeSet<String>>>);

impl CredentialVariables {
    /// Notes that `name` holds a credential.
    pub fn note(&self, name: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    }

    /// All names noted so far.
    pub fn names(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_trimmed_and_never_shown() {
        let secret = Secret::new("sk-x\n").unwrap();
        assert_eq!(secret.reveal(), "sk-x");
        assert!(!format!("{secret:?}").contains("sk-x"));
        assert!(Secret::new(" \n").is_none());
    }
}
