//! Figures and the table that they are printed in.

use std::time::Duration;

/// Times of many runs.
pub struct Times(Vec<Duration>);

impl Times {
    pub fn new(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        Times(times)
    }

    /// The time that this part of all runs stays within.
    fn within(&self, part: f64) -> Duration {
        let last = self.0.len() - 1;
        self.0[(last as f64 * part).round() as usize]
    }

    pub fn median(&self) -> Duration {
        self.within(0.5)
    }

    /// Least, median, p99, most and the number of runs.
    pub fn words(&self) -> String {
        format!(
            "p50 {}, p99 {}, {} to {}, {} times",
            milliseconds(self.median()),
            milliseconds(self.within(0.99)),
            milliseconds(self.0[0]),
            milliseconds(self.0[self.0.len() - 1]),
            self.0.len()
        )
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1_000.0)
}

/// One line of the table.
pub struct Row {
    pub what: String,
    pub figure: String,
    pub goal: String,
}

impl Row {
    pub fn new(what: impl Into<String>, figure: impl Into<String>, goal: impl Into<String>) -> Row {
        Row { what: what.into(), figure: figure.into(), goal: goal.into() }
    }
}

/// Prints the rows as a table of Markdown.
pub fn print(rows: &[Row]) {
    println!("| what | figure | goal |\n|---|---|---|");
    for Row { what, figure, goal } in rows {
        println!("| {what} | {figure} | {goal} |");
    }
}
