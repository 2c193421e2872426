//! Passes output on while the command runs, at a rate that a presenter can follow. What is left
//! out there is told there; the result does not depend on it.

use fen_contract::tool::ToolCallContext;
use std::time::Instant;

use crate::bounds::size;

/// What may come at once.
const BURST: f64 = 512.0 * 1_024.0;

/// What may come each second after that.
const RATE: f64 = 256.0 * 1_024.0;

/// The stream of one call.
pub(super) struct Live<'a> {
    call: &'a ToolCallContext,
    allowance: f64,
    last: Instant,
    skipped: u64,
}

impl<'a> Live<'a> {
    pub(super) fn new(call: &'a ToolCallContext) -> Self {
        Live { call, allowance: BURST, last: Instant::now(), skipped: 0 }
    }

    /// Passes `text` on, or counts it as left out.
    pub(super) fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let now = Instant::now();
        let earned = now.duration_since(self.last).as_secs_f64() * RATE;
        self.last = now;
        self.allowance = (self.allowance + earned).min(BURST);
        if self.allowance < text.len() as f64 {
            self.skipped += text.len() as u64;
            return;
        }
        self.allowance -= text.len() as f64;
        if self.skipped > 0 {
            (self.call.output)(&format!("\n[{} not shown here]\n", size(self.skipped)));
            self.skipped = 0;
        }
        (self.call.output)(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn a_flood_is_thinned_and_little_output_is_not() {
        let seen = Arc::new(Mutex::new(String::new()));
        let mut call = ToolCallContext::detached("/");
        let sink = seen.clone();
        call.output = Arc::new(move |text| sink.lock().unwrap().push_str(text));
        let mut live = Live::new(&call);
        live.push("hello\n");
        assert_eq!(*seen.lock().unwrap(), "hello\n");
        let piece = "x".repeat(64 << 10);
        let started = Instant::now();
        for _ in 0..1_000 {
            live.push(&piece);
        }
        let bound = BURST + RATE * started.elapsed().as_secs_f64() + 64.0 * 1_024.0;
        assert!((seen.lock().unwrap().len() as f64) <= bound);
    }
}
