//! What a load came to, as data and in words.

use std::fmt;
use std::time::Duration;

/// What became of the extensions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Those that are in force, loaded just now.
    pub loaded: Vec<String>,
    /// Those that could not be loaded, and why.
    pub failed: Vec<(String, String)>,
    /// Of the failed ones, those whose former self still runs.
    pub kept: Vec<String>,
    /// Those that nobody agreed to.
    pub untrusted: Vec<String>,
    /// Those that are there no more.
    pub gone: Vec<String>,
    /// Further remarks.
    pub remarks: Vec<String>,
    /// How long the loading took, questions not counted.
    pub spent: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if !self.loaded.is_empty() {
            lines.push(format!("loaded: {}", self.loaded.join(", ")));
        }
        if !self.gone.is_empty() {
            lines.push(format!("removed: {}", self.gone.join(", ")));
        }
        for (name, why) in &self.failed {
            let kept = if self.kept.contains(name) { " (its former self still runs)" } else { "" };
            lines.push(format!("not loaded: {name}{kept}: {why}"));
        }
        if !self.untrusted.is_empty() {
            lines.push(format!("not trusted: {}", self.untrusted.join(", ")));
        }
        lines.extend(self.remarks.iter().cloned());
        if lines.is_empty() {
            lines.push("there are no extensions to load".to_owned());
        }
        f.write_str(&lines.join("\n"))
    }
}
