//! The lines that wait for the agent: one that begins the next turn, and the two queues.
//!
//! It holds text only. Who may submit, and what is emitted, is decided elsewhere.

use fen_contract::conversation::{QueueContents, QueueName};
use std::collections::VecDeque;

/// How many lines of a queue are taken at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The oldest one.
    OneAtATime,
    /// All that wait.
    #[default]
    All,
}

/// How many lines each queue holds at the most.
pub const QUEUE_LIMIT: usize = 100;

/// The queues. By custom, steering lines are taken all at once and follow-ups one by one, each for
/// a turn of its own.
#[derive(Debug)]
pub struct TurnQueue {
    steering: VecDeque<String>,
    follow_up: VecDeque<String>,
    /// How steering lines are taken.
    pub steering_mode: Mode,
    /// How follow-ups are taken: with `All` they share one turn.
    pub follow_up_mode: Mode,
}

/// A queue has as many lines as it may hold.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {} queue is full ({QUEUE_LIMIT} lines); wait, or clear it with /queue clear", .0.as_str())]
pub struct QueueFull(pub QueueName);

impl Default for TurnQueue {
    fn default() -> Self {
        TurnQueue {
            steering: VecDeque::new(),
            follow_up: VecDeque::new(),
            steering_mode: Mode::All,
            follow_up_mode: Mode::OneAtATime,
        }
    }
}

impl TurnQueue {
    /// Empty queues with the customary modes.
    pub fn new() -> Self {
        TurnQueue::default()
    }

    fn lines(&mut self, name: QueueName) -> &mut VecDeque<String> {
        match name {
            QueueName::Steering => &mut self.steering,
            QueueName::FollowUp => &mut self.follow_up,
        }
    }

    /// Adds a line at the end.
    pub fn push(&mut self, name: QueueName, line: String) -> Result<(), QueueFull> {
        let lines = self.lines(name);
        if lines.len() >= QUEUE_LIMIT {
            return Err(QueueFull(name));
        }
        lines.push_back(line);
        Ok(())
    }

    /// Takes what is due from a queue.
    pub fn take(&mut self, name: QueueName) -> Vec<String> {
        let mode = match name {
            QueueName::Steering => self.steering_mode,
            QueueName::FollowUp => self.follow_up_mode,
        };
        let lines = self.lines(name);
        match mode {
            Mode::OneAtATime => lines.pop_front().into_iter().collect(),
            Mode::All => lines.drain(..).collect(),
        }
    }

    /// Replaces or removes a waiting line; false if there is none at that place.
    pub fn edit(&mut self, name: QueueName, position: usize, text: Option<String>) -> bool {
        let lines = self.lines(name);
        match (lines.get_mut(position), text) {
            (None, _) => false,
            (Some(line), Some(text)) => {
                *line = text;
                true
            }
            (Some(_), None) => lines.remove(position).is_some(),
        }
    }

    /// Empties both queues and gives back what was in them.
    pub fn clear(&mut self) -> QueueContents {
        let contents = self.contents();
        self.steering.clear();
        self.follow_up.clear();
        contents
    }

    /// What waits, oldest first.
    pub fn contents(&self) -> QueueContents {
        QueueContents {
            steering: self.steering.iter().cloned().collect(),
            follow_up: self.follow_up.iter().cloned().collect(),
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.steering.is_empty() && self.follow_up.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_gives_one_line_or_all_as_its_mode_says() {
        let mut queue = TurnQueue::new();
        for line in ["a", "b"] {
            queue.push(QueueName::Steering, line.into()).unwrap();
            queue.push(QueueName::FollowUp, line.into()).unwrap();
        }
        assert_eq!(queue.take(QueueName::Steering), ["a", "b"]);
        assert_eq!(queue.take(QueueName::FollowUp), ["a"]);
        assert_eq!(queue.contents().follow_up, ["b"]);
    }

    #[test]
    fn waiting_lines_can_be_edited_and_removed_but_not_those_that_are_gone() {
        let mut queue = TurnQueue::new();
        queue.push(QueueName::FollowUp, "a".into()).unwrap();
        assert!(queue.edit(QueueName::FollowUp, 0, Some("b".into())));
        assert!(!queue.edit(QueueName::FollowUp, 1, None));
        assert!(queue.edit(QueueName::FollowUp, 0, None));
        assert!(queue.is_empty());
    }

    #[test]
    fn a_full_queue_refuses_instead_of_dropping() {
        let mut queue = TurnQueue::new();
        for _ in 0..QUEUE_LIMIT {
            queue.push(QueueName::Steering, "x".into()).unwrap();
        }
        assert_eq!(
            queue.push(QueueName::Steering, "y".into()),
            Err(QueueFull(QueueName::Steering))
        );
    }
}
