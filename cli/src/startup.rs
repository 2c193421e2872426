//! How long a start takes, step by step: with `FEN_START_MARKS` set, each step's name and its time since
//! the program began are told on standard error when it ends.
//!
//! Nothing is noted without the variable.

use crate::exit;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The variable that asks for the marks.
const VARIABLE: &str = "FEN_START_MARKS";

struct Marks {
    begun: Instant,
    reached: Mutex<Vec<(&'static str, Duration)>>,
}

static MARKS: OnceLock<Option<Marks>> = OnceLock::new();

/// The program begins.
pub fn begin() {
    MARKS.get_or_init(|| {
        std::env::var_os(VARIABLE)
            .is_some_and(|value| !value.is_empty())
            .then(|| Marks { begun: Instant::now(), reached: Mutex::new(Vec::new()) })
    });
}

/// A step is reached.
pub fn mark(name: &'static str) {
    if let Some(Some(marks)) = MARKS.get() {
        let at = marks.begun.elapsed();
        marks.reached.lock().unwrap_or_else(PoisonError::into_inner).push((name, at));
    }
}

/// Tells the steps.
pub fn tell() {
    let Some(Some(marks)) = MARKS.get() else { return };
    for (name, at) in marks.reached.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        exit::note(&format!("{:>9.3} ms  {name}", at.as_secs_f64() * 1000.0));
    }
}
