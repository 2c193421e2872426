//! The lines that wait, as a list to go through: each can be taken back into the input or removed.

use super::App;
use crate::effect::{Effect, QueuedLine};
use crate::transcript::Direction;
use fen_contract::conversation::QueueName;

/// The line of the queue that is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QueueFocus {
    /// Its place among all that wait, steering lines first.
    pub at: usize,
}

impl App {
    /// The lines that wait, with their queue and their place in it.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (QueueName, usize, &str)> {
        let queue = &self.facts.queue;
        let steering = queue.steering.iter().enumerate();
        let follow_up = queue.follow_up.iter().enumerate();
        steering
            .map(|(at, line)| (QueueName::Steering, at, line.as_str()))
            .chain(follow_up.map(|(at, line)| (QueueName::FollowUp, at, line.as_str())))
    }

    /// Begins to go through the queue, from the newest line.
    pub(super) fn focus_queue(&mut self) {
        match self.facts.queue.len() {
            0 => self.notify("nothing waits"),
            count => self.queue_focus = Some(QueueFocus { at: count - 1 }),
        }
    }

    /// Other lines wait than before.
    pub(super) fn queue_changed(&mut self) {
        let count = self.facts.queue.len();
        self.queue_focus = self
            .queue_focus
            .filter(|_| count > 0)
            .map(|focus| QueueFocus { at: focus.at.min(count - 1) });
    }

    pub(super) fn move_in_queue(&mut self, direction: Direction) {
        let count = self.facts.queue.len();
        if let Some(focus) = &mut self.queue_focus {
            focus.at = match direction {
                Direction::Older => focus.at.saturating_sub(1),
                Direction::Newer => (focus.at + 1).min(count.saturating_sub(1)),
            };
        }
    }

    /// Takes the chosen line out of the queue and into the input.
    pub(super) fn edit_queued(&mut self) {
        let Some(line) = self.chosen_line() else { return };
        if !self.editor.is_empty() {
            self.complain("the input is not empty; send or clear it first");
            return;
        }
        self.wish(Effect::TakeBack(line));
        self.queue_focus = None;
    }

    /// Removes the chosen line.
    pub(super) fn remove_queued(&mut self) {
        if let Some(line) = self.chosen_line() {
            self.wish(Effect::RemoveQueued(line));
        }
    }

    /// What became of a line that was to be removed or taken back; the agent may have been quicker.
    pub(crate) fn queued_line_gone(&mut self) {
        self.complain("that line is gone; the agent has it");
    }

    fn chosen_line(&self) -> Option<QueuedLine> {
        let focus = self.queue_focus?;
        let (queue, position, text) = self.waiting().nth(focus.at)?;
        Some(QueuedLine { queue, position, text: text.to_owned() })
    }
}
