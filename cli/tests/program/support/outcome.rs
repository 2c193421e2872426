//! How a run ended.

use super::running::events;
use serde_json::Value;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

/// A finished run.
pub struct Outcome {
    arguments: Vec<String>,
    status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    pub(super) fn new(
        arguments: Vec<String>,
        status: ExitStatus,
        stdout: Vec<u8>,
        stderr: String,
    ) -> Self {
        let stdout = String::from_utf8(stdout).expect("standard output is UTF-8");
        let outcome = Outcome { arguments, status, stdout, stderr };
        // These hold for every run that a test looks at.
        assert!(!outcome.stderr.contains("panicked"), "{}", outcome.report());
        for stream in [&outcome.stdout, &outcome.stderr] {
            let raw = stream.chars().any(|c| c.is_control() && c != '\n' && c != '\t');
            assert!(!raw, "a control character got out\n{}", outcome.report());
        }
        outcome
    }

    pub fn report(&self) -> String {
        format!(
            "fen {:?}: {}\n--- stdout\n{}\n--- stderr\n{}",
            self.arguments, self.status, self.stdout, self.stderr
        )
    }

    /// Fails unless it exited with this code.
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{}", self.report());
        assert_eq!(self.status.signal(), None);
        self
    }

    /// Fails unless standard error has all these words.
    pub fn complains(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is missing\n{}", self.report());
        }
        self
    }

    /// A mistake of the caller's: code 2, nothing on standard output, these words.
    pub fn refused(self, words: &[&str]) -> Self {
        let outcome = self.expect(2).complains(words);
        assert_eq!(outcome.stdout, "", "{}", outcome.report());
        outcome
    }

    /// Standard output as one JSON document.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.report()))
    }

    /// Standard output as events, one a line.
    pub fn events(&self) -> Vec<Value> {
        assert!(self.stdout.is_empty() || self.stdout.ends_with('\n'), "{}", self.report());
        events(&self.stdout)
    }
}
