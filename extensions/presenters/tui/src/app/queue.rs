//! The lines that wait, as a list to go through: each can be taken back into the input or removed.

use super::App;
use crate::effect::Effect;
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
    pub(crate) fn waiting(&self) -> impl DoubleEndedIterator<Item = (QueueName, usize, &str)> {
        let queue = &self.facts.queue;
        let steering = queue.steering.iter().enumerate();
        let follow_up = queue.follow_up.iter().enumerate();
        steering
            .map(|(at, line)| (QueueName::Steering, at, line.as_str()))
            .chain(
                follow_up
                    .map(|(at, line)| (QueueName::FollowUp, at, line.as_str()))
                    .collect::<Vec<_>>(),
            )
            .collect::<Vec<_>>()
            .into_iter()
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
        if let Some((queue, at, line)) = self.chosen_line() {
            if !self.editor.is_empty() {
                self.complain("the input is not empty; send or clear it first");
                return;
            }
            self.editor.set_text(&line);
            self.wish(Effect::EditQueued(queue, at, None));
            self.queue_focus = None;
        }
    }

    /// Removes the chosen line.
    pub(super) fn remove_queued(&mut self) {
        if let Some((queue, at, _)) = self.chosen_line() {
            self.wish(Effect::EditQueued(queue, at, None));
        }
    }

    fn chosen_line(&self) -> Option<(QueueName, usize, String)> {
        let focus = self.queue_focus?;
        self.waiting().nth(focus.at).map(|(queue, at, line)| (queue, at, line.to_owned()))
    }
}
