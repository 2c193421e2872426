//! How much running time and memory scripts get. Waits are never counted.

use std::time::Duration;

/// Limits of one VM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Running time of loading one file, its `require`d modules included.
    pub load: Duration,
    /// Running time of one synchronous callback: render, snapshot, hook.
    pub sync: Duration,
    /// Running time of one asynchronous handler.
    pub handler: Duration,
    /// Running time that a call has left once it was cancelled.
    pub grace: Duration,
    /// The longest source of one file, in bytes.
    pub source: usize,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            load: Duration::from_secs(1),
            sync: Duration::from_millis(50),
            handler: Duration::from_millis(500),
            grace: Duration::from_millis(50),
            source: 2 << 20,
        }
    }
}

/// Limits of one asynchronous call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLimits {
    /// Running time; [`Duration::MAX`] for a call that lives as long as its extension.
    pub running: Duration,
    /// Running time that is left once the call was cancelled.
    pub grace: Duration,
}

impl Budgets {
    /// The limits for loading a file.
    pub fn for_load(&self) -> CallLimits {
        CallLimits { running: self.load, grace: self.grace }
    }

    /// The limits for a handler.
    pub fn for_handler(&self) -> CallLimits {
        CallLimits { running: self.handler, grace: self.grace }
    }
}
