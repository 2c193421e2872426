//! Stream events of a provider in a script: on their way to the kernel, and remembered for an
//! answer that breaks off.

use crate::host::Instance;
use crate::vm::HostError;
use crate::wire::read_stream_event;
use fen_contract::events::Event;
use fen_contract::names::Count;
use fen_contract::types::{AssistantBlock, TextContent, ThinkingContent};
use mlua::{Function, Value};
use std::collections::BTreeMap;
use std::rc::Rc;
use tokio::sync::mpsc;

/// How many events may be on their way; a script that is faster waits.
const ROOM: usize = 256;

/// Where `on-event` sends to.
pub(super) struct Relay(mpsc::Sender<Event>);

impl Relay {
    pub fn new() -> (Relay, mpsc::Receiver<Event>) {
        let (sender, receiver) = mpsc::channel(ROOM);
        (Relay(sender), receiver)
    }

    /// `on-event(event)`: takes the events of a provider's stream and no others.
    pub fn on_event(self, instance: &Rc<Instance>) -> mlua::Result<Function> {
        let sender = self.0;
        instance.async_function(move |_, event: Value| {
            let sender = sender.clone();
            async move {
                let event = read_stream_event(&event).map_err(HostError::Message)?;
                if !is_stream_event(&event) {
                    return Err(HostError::new(format!(
                        "on-event takes start, text-*, thinking-*, tool-call-* and done; got `{}`",
                        event.name()
                    )));
                }
                // Nobody listens any more once the call was given up.
                let _ = sender.send(event).await;
                Ok(())
            }
        })
    }
}

fn is_stream_event(event: &Event) -> bool {
    matches!(
        event,
        Event::Start(_)
            | Event::TextStart(_)
            | Event::TextDelta(_)
            | Event::TextEnd(_)
            | Event::ThinkingStart(_)
            | Event::ThinkingDelta(_)
            | Event::ThinkingEnd(_)
            | Event::ToolCallStart(_)
            | Event::ToolCallDelta(_)
            | Event::ToolCallEnd(_)
            | Event::Done(_)
    )
}

/// The text and thinking that has come so far, by position.
#[derive(Default)]
pub(super) struct StreamEvents(BTreeMap<u64, Piece>);

enum Piece {
    Text(String),
    Thinking(String),
}

impl StreamEvents {
    pub fn note(&mut self, event: &Event) {
        match event {
            Event::TextDelta(delta) => self.add(delta.content_index, &delta.delta, Piece::Text),
            Event::ThinkingDelta(delta) => {
                self.add(delta.content_index, &delta.delta, Piece::Thinking);
            }
            _ => {}
        }
    }

    fn add(&mut self, index: Count, delta: &str, make: fn(String) -> Piece) {
        match self.0.entry(index.0).or_insert_with(|| make(String::new())) {
            Piece::Text(text) | Piece::Thinking(text) => text.push_str(delta),
        }
    }
}

/// The blocks of an answer that broke off. Calls are left out: nobody knows whether they were
/// complete.
pub(super) fn partial(seen: &StreamEvents) -> Vec<AssistantBlock> {
    seen.0
        .values()
        .map(|piece| match piece {
            Piece::Text(text) => AssistantBlock::Text(TextContent::new(text.as_str())),
            Piece::Thinking(text) => AssistantBlock::Thinking(ThinkingContent::new(text.as_str())),
        })
        .collect()
}
