//! What was changed, so that it can be taken back: steps of edits, within bounds.
//!
//! It keeps what was there and what came; [`Editor`](crate::Editor) changes the text by it.

use crate::fragment::Fragment;
use std::collections::VecDeque;

/// How many steps are kept.
const STEPS: usize = 1_000;
/// How many edits one step has at the most; deleting on begins another one.
const EDITS: usize = 1_000;
/// How many bytes all steps hold. The oldest are forgotten first.
const BYTES: usize = 64 << 20;
/// What an edit takes beside its texts.
const OVERHEAD: usize = 160;

/// One part in the place of another.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    pub(crate) at: usize,
    pub(crate) removed: Fragment,
    pub(crate) inserted: Fragment,
}

impl Edit {
    /// How much memory it keeps alive. A paste that several hold counts for each.
    fn bytes(&self) -> usize {
        self.removed.expanded_len() + self.inserted.expanded_len() + OVERHEAD
    }
}

/// With what edits one is undone together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// With none.
    Alone,
    /// With what is typed before and after it: a word and the blanks behind it.
    Typing,
    /// With what is deleted character by character before and after it.
    Deleting,
}

/// What is undone at once.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) edits: Vec<Edit>,
    /// Where the cursor was.
    pub(crate) before: usize,
    /// Where it came to be.
    pub(crate) after: usize,
    group: Group,
}

/// The steps.
#[derive(Debug, Default)]
pub(crate) struct Undo {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    bytes: usize,
    /// Whether the last step may still grow.
    is_open: bool,
}

impl Undo {
    /// Ends the last step: what comes is another one.
    pub(crate) fn close(&mut self) {
        self.is_open = false;
    }

    /// Keeps an edit, with the places of the cursor before it and after it.
    pub(crate) fn record(&mut self, edit: Edit, group: Group, before: usize, after: usize) {
        for step in self.undone.drain(..) {
            self.bytes -= step.edits.iter().map(Edit::bytes).sum::<usize>();
        }
        self.bytes += edit.bytes();
        match self.done.back_mut() {
            Some(step) if self.is_open && goes_on(step, &edit, group) => {
                step.after = after;
                match step.edits.last_mut() {
                    Some(last) if group == Group::Typing => {
                        last.inserted.push(&edit.inserted);
                        self.bytes -= OVERHEAD;
                    }
                    _ => step.edits.push(edit),
                }
            }
            _ => self.done.push_back(Step { edits: vec![edit], before, after, group }),
        }
        self.is_open = group != Group::Alone;
        while self.done.len() > STEPS || self.bytes > BYTES {
            let Some(step) = self.done.pop_front() else { break };
            self.bytes -= step.edits.iter().map(Edit::bytes).sum::<usize>();
        }
    }

    /// Takes out the step to undo; [`undone`](Undo::undone) takes it in again.
    pub(crate) fn take_done(&mut self) -> Option<Step> {
        self.close();
        self.done.pop_back()
    }

    /// Keeps a step that was undone, to be done again.
    pub(crate) fn undone(&mut self, step: Step) {
        self.undone.push(step);
    }

    /// Takes out the step to do again; [`done`](Undo::done) takes it in again.
    pub(crate) fn take_undone(&mut self) -> Option<Step> {
        self.close();
        self.undone.pop()
    }

    /// Keeps a step that was done again.
    pub(crate) fn done(&mut self, step: Step) {
        self.done.push_back(step);
    }
}

/// Whether an edit belongs to the step before it.
fn goes_on(step: &Step, edit: &Edit, group: Group) -> bool {
    let Some(last) = step.edits.last() else { return false };
    match group {
        _ if group != step.group => false,
        Group::Alone => false,
        Group::Typing => {
            let blank_before = last.inserted.text().ends_with(char::is_whitespace);
            let begins_word =
                blank_before && !edit.inserted.text().starts_with(char::is_whitespace);
            edit.removed.is_empty() && edit.at == last.at + last.inserted.len() && !begins_word
        }
        Group::Deleting => {
            let touches = edit.at == last.at || edit.at + edit.removed.len() == last.at;
            touches && step.edits.len() < EDITS
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(at: usize, text: &str) -> Edit {
        Edit { at, removed: Fragment::default(), inserted: Fragment::plain(text) }
    }

    #[test]
    fn steps_are_bounded_by_number_and_by_size() {
        let mut undo = Undo::default();
        for at in 0..STEPS + 5 {
            undo.record(typed(at, "x"), Group::Alone, at, at + 1);
        }
        assert_eq!(undo.done.len(), STEPS);
        let big = "x".repeat(BYTES / 4);
        for at in 0..10 {
            undo.record(typed(at, &big), Group::Alone, 0, 0);
        }
        assert_eq!(undo.done.len(), 3);
        assert_eq!(undo.bytes, 3 * (big.len() + OVERHEAD));
    }

    #[test]
    fn what_is_typed_is_one_step_for_each_word() {
        let mut undo = Undo::default();
        for (at, c) in "ab  cd".char_indices() {
            undo.record(typed(at, &c.to_string()), Group::Typing, at, at + 1);
        }
        let steps: Vec<&str> = undo.done.iter().map(|step| step.edits[0].inserted.text()).collect();
        assert_eq!(steps, ["ab  ", "cd"]);
        assert_eq!(undo.bytes, 6 + 2 * OVERHEAD);
    }

    #[test]
    fn a_change_after_an_undo_forgets_what_was_undone() {
        let mut undo = Undo::default();
        undo.record(typed(0, "a"), Group::Alone, 0, 1);
        let step = undo.take_done().unwrap();
        undo.undone(step);
        undo.record(typed(0, "b"), Group::Alone, 0, 1);
        assert!(undo.take_undone().is_none());
        assert_eq!(undo.bytes, 1 + OVERHEAD);
    }
}
