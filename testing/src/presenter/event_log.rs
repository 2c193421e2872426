//! The events that the screen has heard, the last so many of them.

use fen_contract::events::Event;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// How many events are kept.
const LIMIT: usize = 10_000;

#[derive(Default)]
pub(crate) struct EventLog {
    kept: VecDeque<Arc<Event>>,
    /// The number of the first one kept, counted from 0.
    first: usize,
    /// For each name that was waited for, the number to look from the next time.
    next: HashMap<String, usize>,
}

impl EventLog {
    pub fn push(&mut self, event: Arc<Event>) {
        if self.kept.len() == LIMIT {
            self.kept.pop_front();
            self.first += 1;
        }
        self.kept.push_back(event);
    }

    /// The earliest event of this name that was not given yet.
    pub fn take_next(&mut self, name: &str) -> Option<Arc<Event>> {
        let from = self.next.get(name).map_or(0, |next| next.saturating_sub(self.first));
        let at = (from..self.kept.len()).find(|at| self.kept[*at].name() == name)?;
        self.next.insert(name.to_owned(), self.first + at + 1);
        Some(self.kept[at].clone())
    }

    /// Those that are kept, oldest first.
    pub fn kept(&self) -> Vec<Arc<Event>> {
        self.kept.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::events::{Dismiss, Redraw};
    use fen_contract::record::Extra;

    #[test]
    fn each_event_is_given_once_and_the_log_is_bounded() {
        let mut log = EventLog::default();
        let redraw = || Arc::new(Event::from(Redraw { extra: Extra::new() }));
        log.push(redraw());
        log.push(Arc::new(Dismiss { extra: Extra::new() }.into()));
        assert!(log.take_next("dismiss").is_some());
        assert!(log.take_next("redraw").is_some());
        assert!(log.take_next("redraw").is_none());
        for _ in 0..LIMIT + 5 {
            log.push(redraw());
        }
        assert_eq!(log.kept().len(), LIMIT);
        assert!(log.take_next("redraw").is_some());
        assert!(log.take_next("dismiss").is_none());
    }
}
