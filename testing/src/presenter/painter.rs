//! Asks panels and status items, in a task of its own.
//!
//! One round at a time: whoever wants another while one runs only leaves a note.

use super::state::Shared;
use fen_contract::failure::Failure;
use fen_contract::presenter::PresenterContext;
use fen_contract::ui::RenderContext;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// The task; dropping it ends it.
pub(crate) struct Painter(JoinHandle<()>);

impl Painter {
    pub fn start(shared: Arc<Shared>, context: &PresenterContext) -> Self {
        Painter(tokio::spawn(paint(shared, context.clone())))
    }

    /// Ends it, whatever it waits for.
    pub async fn stop(mut self) -> Result<(), Failure> {
        self.0.abort();
        match (&mut self.0).await {
            Err(error) if error.is_panic() => Err(Failure::new(format!("the painter: {error}"))),
            _ => Ok(()),
        }
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn paint(shared: Arc<Shared>, context: PresenterContext) {
    loop {
        let Some(round) = shared.next_round() else {
            shared.round_wanted.notified().await;
            continue;
        };
        let (width, height) = round.size;
        let asked = RenderContext { width, height, busy: context.conversation.is_busy() };
        let panels = async {
            let panels = context.api.panels(asked.clone()).await;
            shared.update(|state| state.panels = panels);
        };
        let status = async {
            let status = context.api.status_items(asked.clone()).await;
            shared.update(|state| state.status = status);
        };
        tokio::join!(panels, status);
        shared.update(|state| state.rounds.done = round.number);
    }
}
