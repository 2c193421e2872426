//! What an extension asks to reach beyond the conversation.
//!
//! The names as a manifest spells them, and the sentence by which a person is asked. Whether a call
//! is allowed is judged where the call is made.

use std::fmt;
use std::str::FromStr;

/// Something that an extension may reach only if its manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Files: `fs`.
    Fs,
    /// Programs: `process`.
    Process,
    /// The network: `http`.
    Http,
    /// Environment variables: `env`.
    Env,
    /// The key of the auth backend of this name: `auth:NAME`.
    Auth(String),
}

/// A word that names no capability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no capability; they are {EXPECTED}")]
pub struct UnknownCapability(pub String);

/// The capabilities in words, for errors.
pub(super) const EXPECTED: &str = "`fs`, `process`, `http`, `env` and `auth:NAME`";

impl Capability {
    /// What it allows, as a sentence's end after "It ".
    pub fn sentence(&self) -> String {
        match self {
            Capability::Fs => "may read and write your files, except fen's own".to_owned(),
            Capability::Process => "may run programs in your name: full trust".to_owned(),
            Capability::Http => "may send and fetch data over the network".to_owned(),
            Capability::Env => {
                "may read environment variables, which often hold keys: full trust".to_owned()
            }
            Capability::Auth(name) => format!("may read the key of `{name}`"),
        }
    }

    /// Whether with it an extension can do whatever the person can.
    pub fn is_full_trust(&self) -> bool {
        matches!(self, Capability::Process | Capability::Env)
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Capability::Fs => f.write_str("fs"),
            Capability::Process => f.write_str("process"),
            Capability::Http => f.write_str("http"),
            Capability::Env => f.write_str("env"),
            Capability::Auth(name) => write!(f, "auth:{name}"),
        }
    }
}

impl FromStr for Capability {
    type Err = UnknownCapability;

    fn from_str(text: &str) -> Result<Self, UnknownCapability> {
        match text {
            "fs" => Ok(Capability::Fs),
            "process" => Ok(Capability::Process),
            "http" => Ok(Capability::Http),
            "env" => Ok(Capability::Env),
            _ => text
                .strip_prefix("auth:")
                .filter(|name| super::name::is_name(name))
                .map(|name| Capability::Auth(name.to_owned()))
                .ok_or_else(|| UnknownCapability(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_spelled_as_it_is_read() {
        for word in ["fs", "process", "http", "env", "auth:openai-codex"] {
            assert_eq!(word.parse::<Capability>().unwrap().to_string(), word);
        }
        for wrong in ["", "FS", "auth", "auth:", "auth:a b", "network"] {
            assert!(wrong.parse::<Capability>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_can_do_anything_is_called_full_trust() {
        for capability in [Capability::Process, Capability::Env] {
            assert!(capability.is_full_trust() && capability.sentence().contains("full trust"));
        }
        assert!(!Capability::Fs.is_full_trust());
    }
}
