//! Going on with a stored conversation in place of the present one.
//!
//! All that can fail comes first, and only then the present session is left: a failure changes
//! nothing. Nothing is sent to a model here. The agent's task calls it between turns.

use crate::guard::guarded;
use crate::queue_keeper;
use crate::session::OpenSession;
use crate::shared::{RunState, Shared, lock};
use fen_contract::conversation::QueueContents;
use fen_contract::events;
use fen_contract::failure::Failure;
use fen_contract::names::{ModelId, ProviderName};
use fen_contract::record::Extra;
use fen_contract::session::{Loaded, OpenOptions, Session, SessionBackend, SessionInfo};
use fen_contract::types::Message;
use serde_json::json;
use std::path::Path;

/// What became of the model that the stored conversation was last used with.
enum Model {
    /// Nothing else is to be used than before, or nothing else is known.
    Kept,
    /// It is taken over.
    Taken(ProviderName, ModelId),
    /// Its provider is not there.
    Missing(String),
}

/// What becomes of the waiting lines of the conversation that is left.
enum Left {
    /// Its session has them.
    Stored,
    /// They are nowhere else.
    Unstored,
}

impl Shared {
    /// Leaves the present session and goes on with a stored one.
    pub(crate) async fn resume(&self, path: &Path) -> Result<SessionInfo, Failure> {
        if let Some(open) = self.open_at(path) {
            self.emit_info("this session is open already");
            return Ok(self.session_info().unwrap_or(open.session.info));
        }
        let run = self.run_state()?;
        let backend = self.backend_of_run()?;
        let (session, loaded) = open_and_load(&*backend, path, &run).await?;
        let left = if self.open_session().is_some() { Left::Stored } else { Left::Unstored };
        // Lines that wait belong to the session that is left, and go on waiting there.
        queue_keeper::settle(self).await;
        self.close_session().await;
        let began_in = session.info.cwd.clone();
        *lock(&self.session) = Some(OpenSession { backend, session });
        let added = self.transcript.replace(loaded.messages);
        self.reveal_anew();
        let queue_changed = self.restore_queue(loaded.queue, left);
        let model = self.take_model_over(&run, loaded.provider, loaded.model);
        for result in added {
            self.store(&Message::from(result)).await;
        }
        let info = self.session_info().ok_or_else(|| Failure::new("the session is gone"))?;
        self.bus.emit(events::ResetConversation { extra: Extra::new() });
        self.emit_own(
            "fen/conversation-resumed",
            [("session-id", json!(info.id)), ("message-count", json!(info.message_count))],
        );
        for warning in loaded.warnings {
            self.emit_info(warning);
        }
        if !began_in.as_os_str().is_empty() && began_in != run.cwd {
            self.emit_info(format!(
                "this session was begun in {}; tools work in {}",
                began_in.display(),
                run.cwd.display()
            ));
        }
        self.tell_model(&run, &model);
        if queue_changed {
            let waiting = lock(&self.inbox).queue.contents();
            queue_keeper::emit_changed(self, &waiting);
        }
        Ok(info)
    }

    /// Puts the lines of the stored conversation before those that still wait here. All of them are
    /// held until the person's next prompt. Gives whether others wait than before.
    fn restore_queue(&self, stored: QueueContents, left: Left) -> bool {
        let mut inbox = lock(&self.inbox);
        let before = inbox.queue.contents();
        match left {
            // What came since the queue was stored there has no other place.
            Left::Stored => inbox.queue.drop_told(),
            Left::Unstored => {}
        }
        inbox.queue.restore(stored.clone());
        inbox.stored_queue = stored;
        inbox.held = !inbox.queue.is_empty();
        self.queue_changed.notify_one();
        before != inbox.queue.contents()
    }

    /// The model goes with the conversation, but never to a provider of another name.
    fn take_model_over(
        &self,
        run: &RunState,
        provider: Option<String>,
        model: Option<String>,
    ) -> Model {
        let (Some(provider), Some(model)) = (provider, model) else { return Model::Kept };
        let name = ProviderName::from(provider.as_str());
        if self.provider(&name).is_err() {
            return Model::Missing(format!("{provider} with the model {model}"));
        }
        let model = ModelId::from(model);
        if (&run.provider, &run.model) == (&name, &model) {
            return Model::Kept;
        }
        self.choose_model(name.clone(), model.clone());
        Model::Taken(name, model)
    }

    fn tell_model(&self, run: &RunState, model: &Model) {
        match model {
            Model::Kept => {}
            Model::Taken(provider, model) => {
                self.emit_info(format!("the conversation goes on with {model} of {provider}"));
            }
            Model::Missing(last_used) => self.emit_error(format!(
                "this conversation was last used with {last_used}, and that provider is not there. \
                 The next prompt goes to {} with the model {}, unless you choose another one or set \
                 that provider up",
                run.provider, run.model
            )),
        }
    }
}

/// Opens first, so that nobody else adds to what is read.
async fn open_and_load(
    backend: &dyn SessionBackend,
    path: &Path,
    run: &RunState,
) -> Result<(Session, Loaded), Failure> {
    let options = OpenOptions {
        cwd: run.cwd.clone(),
        provider: Some(run.provider.to_string()),
        model: Some(run.model.to_string()),
    };
    let session = guarded(|| backend.open_existing(path, options)).await.flatten()?;
    match guarded(|| backend.load(&session.info.path)).await.flatten() {
        Ok(loaded) => Ok((session, loaded)),
        Err(failure) => {
            // What it says of closing adds nothing to why it could not be read.
            let _ = guarded(|| backend.close(&session)).await;
            Err(failure)
        }
    }
}
