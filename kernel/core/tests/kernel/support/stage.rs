//! What a presenter of the tests does with its context.

use fen_contract::conversation::{Conversation, Submitted, WhenBusy};
use fen_contract::events::Event;
use fen_contract::presenter::PresenterContext;
use std::sync::Arc;

/// A presenter's context with the few moves that tests need.
pub struct Stage {
    pub context: PresenterContext,
    pub conversation: Arc<dyn Conversation>,
}

impl Stage {
    pub fn new(context: PresenterContext) -> Stage {
        let conversation = context.conversation.clone();
        Stage { context, conversation }
    }

    /// Submits a prompt that has to begin a turn at once.
    pub fn submit(&self, text: &str) {
        let submitted = self.conversation.submit_prompt(text.to_owned(), WhenBusy::Reject);
        assert_eq!(submitted, Submitted::Started);
    }

    /// Submits a prompt and waits until its turn is over.
    pub async fn say(&self, text: &str) {
        self.submit(text);
        self.until("agent-turn-complete").await;
    }

    /// Takes a line as a person typed it.
    pub async fn line(&self, line: &str) -> Submitted {
        self.conversation.submit_line(line.to_owned(), WhenBusy::Reject).await
    }

    /// Waits for the next event of this name. Events before it are passed over.
    pub async fn until(&self, name: &str) -> Arc<Event> {
        loop {
            match self.context.events.next_event().await {
                Some(event) if event.name() == name => return event,
                Some(_) => {}
                None => panic!("the events ran dry before `{name}`"),
            }
        }
    }

    /// Takes events until there are no more.
    pub async fn to_the_end(&self) {
        while self.context.events.next_event().await.is_some() {}
    }
}
