//! The lines that wait for the agent: one that begins the next turn, and the two queues.
//!
//! It holds text only. Who may submit, and what is emitted, is decided elsewhere. A line can be
//! taken only after it was told of, and that is after it was stored.

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

/// A line that waits.
#[derive(Debug)]
struct Waiting {
    /// What the model will get.
    text: String,
    /// What the person typed.
    line: String,
    told: bool,
}

/// The queues. By custom, steering lines are taken all at once and follow-ups one by one, each for
/// a turn of its own.
#[derive(Debug)]
pub struct TurnQueue {
    steering: VecDeque<Waiting>,
    follow_up: VecDeque<Waiting>,
    /// How steering lines are taken.
    pub steering_mode: Mode,
    /// How follow-ups are taken: with `All` they share one turn.
    pub follow_up_mode: Mode,
}

/// A queue has as many lines as it may hold.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {} queue is full ({QUEUE_LIMIT} lines); wait until some of them are taken, or drop some", .0.as_str())]
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

    fn lines(&mut self, name: QueueName) -> &mut VecDeque<Waiting> {
        match name {
            QueueName::Steering => &mut self.steering,
            QueueName::FollowUp => &mut self.follow_up,
        }
    }

    /// Adds a line at the end; `line` is what the person typed for `text`.
    pub fn push(&mut self, name: QueueName, text: String, line: String) -> Result<(), QueueFull> {
        let lines = self.lines(name);
        if lines.len() >= QUEUE_LIMIT {
            return Err(QueueFull(name));
        }
        lines.push_back(Waiting { text, line, told: false });
        Ok(())
    }

    /// Puts lines back, in front of all others, that waited when their conversation was left. They
    /// were told of then.
    pub fn restore(&mut self, contents: QueueContents) {
        let waiting = |text: String| Waiting { line: text.clone(), text, told: true };
        for (lines, restored) in
            [(&mut self.steering, contents.steering), (&mut self.follow_up, contents.follow_up)]
        {
            for text in restored.into_iter().take(QUEUE_LIMIT).rev() {
                lines.push_front(waiting(text));
            }
        }
    }

    /// Removes the lines that were told of, which the session has as well.
    pub fn drop_told(&mut self) {
        self.steering.retain(|waiting| !waiting.told);
        self.follow_up.retain(|waiting| !waiting.told);
    }

    /// The lines that were not told of yet; they count as told from now on. Only lines that
    /// `stored` has are told, each of them once: another may have come since that was stored, and
    /// may say the same.
    pub fn tell(&mut self, stored: &QueueContents) -> Vec<(QueueName, String)> {
        let mut untold = Vec::new();
        for (name, lines, known) in [
            (QueueName::Steering, &mut self.steering, &stored.steering),
            (QueueName::FollowUp, &mut self.follow_up, &stored.follow_up),
        ] {
            let mut known: Vec<&String> = known.iter().collect();
            for waiting in lines {
                let Some(at) = known.iter().position(|text| **text == waiting.text) else {
                    continue;
                };
                known.swap_remove(at);
                if !std::mem::replace(&mut waiting.told, true) {
                    untold.push((name, waiting.line.clone()));
                }
            }
        }
        untold
    }

    /// Takes what is due from a queue.
    pub fn take(&mut self, name: QueueName) -> Vec<String> {
        let mode = match name {
            QueueName::Steering => self.steering_mode,
            QueueName::FollowUp => self.follow_up_mode,
        };
        let lines = self.lines(name);
        match mode {
            Mode::OneAtATime => {
                lines.pop_front_if(|first| first.told).map(|first| first.text).into_iter().collect()
            }
            Mode::All => {
                let due = lines.iter().take_while(|waiting| waiting.told).count();
                lines.drain(..due).map(|waiting| waiting.text).collect()
            }
        }
    }

    /// Replaces or removes a waiting line; false if there is none at that place.
    pub fn edit(&mut self, name: QueueName, position: usize, text: Option<String>) -> bool {
        let lines = self.lines(name);
        match (lines.get_mut(position), text) {
            (None, _) => false,
            (Some(waiting), Some(text)) => {
                waiting.line.clone_from(&text);
                waiting.text = text;
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
            steering: self.steering.iter().map(|waiting| waiting.text.clone()).collect(),
            follow_up: self.follow_up.iter().map(|waiting| waiting.text.clone()).collect(),
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
    fn restored_lines_come_first_and_lines_that_nobody_stored_stay() {
        let mut queue = TurnQueue::new();
        push(&mut queue, QueueName::FollowUp, "told").unwrap();
        queue.push(QueueName::FollowUp, "new".to_owned(), "new".to_owned()).unwrap();
        queue.drop_told();
        let follow_up = vec!["a".to_owned(), "b".to_owned()];
        queue.restore(QueueContents { steering: Vec::new(), follow_up });
        assert_eq!(queue.contents().follow_up, ["a", "b", "new"]);
    }

    fn push(queue: &mut TurnQueue, name: QueueName, line: &str) -> Result<(), QueueFull> {
        let pushed = queue.push(name, line.to_owned(), line.to_owned());
        let stored = queue.contents();
        queue.tell(&stored);
        pushed
    }

    #[test]
    fn a_queue_gives_one_line_or_all_as_its_mode_says() {
        let mut queue = TurnQueue::new();
        for line in ["a", "b"] {
            push(&mut queue, QueueName::Steering, line).unwrap();
            push(&mut queue, QueueName::FollowUp, line).unwrap();
        }
        assert_eq!(queue.take(QueueName::Steering), ["a", "b"]);
        assert_eq!(queue.take(QueueName::FollowUp), ["a"]);
        assert_eq!(queue.contents().follow_up, ["b"]);
    }

    #[test]
    fn a_line_is_taken_only_after_it_was_stored_and_told() {
        let mut queue = TurnQueue::new();
        queue.push(QueueName::Steering, "/a".into(), "//a".into()).unwrap();
        assert!(queue.take(QueueName::Steering).is_empty());
        assert!(queue.tell(&QueueContents::default()).is_empty());
        let stored = queue.contents();
        assert_eq!(queue.tell(&stored), [(QueueName::Steering, "//a".to_owned())]);
        assert!(queue.tell(&stored).is_empty());
        assert_eq!(queue.take(QueueName::Steering), ["/a"]);
    }

    #[test]
    fn a_line_that_says_the_same_as_a_stored_one_is_not_told_before_it_is_stored_itself() {
        let mut queue = TurnQueue::new();
        queue.push(QueueName::Steering, "go on".into(), "go on".into()).unwrap();
        let stored = queue.contents();
        queue.push(QueueName::Steering, "go on".into(), "go on".into()).unwrap();
        assert_eq!(queue.tell(&stored).len(), 1);
        assert_eq!(queue.take(QueueName::Steering), ["go on"]);
        assert_eq!(queue.contents().steering, ["go on"]);
    }

    #[test]
    fn waiting_lines_can_be_edited_and_removed_but_not_those_that_are_gone() {
        let mut queue = TurnQueue::new();
        push(&mut queue, QueueName::FollowUp, "a").unwrap();
        assert!(queue.edit(QueueName::FollowUp, 0, Some("b".into())));
        assert!(!queue.edit(QueueName::FollowUp, 1, None));
        assert!(queue.edit(QueueName::FollowUp, 0, None));
        assert!(queue.is_empty());
    }

    #[test]
    fn a_full_queue_refuses_instead_of_dropping() {
        let mut queue = TurnQueue::new();
        for _ in 0..QUEUE_LIMIT {
            push(&mut queue, QueueName::Steering, "x").unwrap();
        }
        assert_eq!(push(&mut queue, QueueName::Steering, "y"), Err(QueueFull(QueueName::Steering)));
    }
}
