//! Deltas: pieces of a block that may be put together, since nothing is lost by it.

use super::Event;
use std::sync::Arc;

impl Event {
    /// Whether it is a piece of a block that is being streamed.
    pub fn is_delta(&self) -> bool {
        self.delta().is_some()
    }

    /// Adds a later delta to an earlier one of the same block; otherwise it changes nothing and
    /// gives false.
    pub fn add_delta(earlier: &mut Arc<Event>, later: &Event) -> bool {
        let same_block = match (&**earlier, later) {
            (Event::TextDelta(a), Event::TextDelta(b)) => a.content_index == b.content_index,
            (Event::ThinkingDelta(a), Event::ThinkingDelta(b)) => {
                a.content_index == b.content_index
            }
            (Event::ToolCallDelta(a), Event::ToolCallDelta(b)) => {
                a.content_index == b.content_index
            }
            (Event::AssistantTextDelta(_), Event::AssistantTextDelta(_))
            | (Event::AssistantThinkingDelta(_), Event::AssistantThinkingDelta(_)) => true,
            _ => false,
        };
        if !same_block {
            return false;
        }
        match (Arc::make_mut(earlier).delta_mut(), later.delta()) {
            (Some(text), Some(more)) => {
                text.push_str(more);
                true
            }
            _ => false,
        }
    }

    fn delta(&self) -> Option<&str> {
        match self {
            Event::TextDelta(event) => Some(&event.delta),
            Event::ThinkingDelta(event) => Some(&event.delta),
            Event::ToolCallDelta(event) => Some(&event.delta),
            Event::AssistantTextDelta(event) => Some(&event.delta),
            Event::AssistantThinkingDelta(event) => Some(&event.delta),
            _ => None,
        }
    }

    fn delta_mut(&mut self) -> Option<&mut String> {
        match self {
            Event::TextDelta(event) => Some(&mut event.delta),
            Event::ThinkingDelta(event) => Some(&mut event.delta),
            Event::ToolCallDelta(event) => Some(&mut event.delta),
            Event::AssistantTextDelta(event) => Some(&mut event.delta),
            Event::AssistantThinkingDelta(event) => Some(&mut event.delta),
            _ => None,
        }
    }
}
