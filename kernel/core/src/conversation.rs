//! The running conversation as presenters and extensions reach it: requests to the agent.
//!
//! It never changes the conversation itself and never waits for a turn: it leaves requests in the
//! inbox and wakes the agent.

use crate::dispatch::{Line, classify};
use crate::shared::{Inbox, Request, Shared, Typed, lock};
use fen_contract::agent::Agent;
use fen_contract::cancel::CancelToken;
use fen_contract::command::Completion;
use fen_contract::conversation::{
    Conversation, ModelChoice, QueueContents, QueueName, Submitted, Telling, WhenBusy, WhenIdle,
};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::{ModelId, ProviderName};
use fen_contract::provider::ThinkingLevel;
use fen_contract::session::{FindOptions, SessionInfo};
use fen_contract::ui::Ui;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The handle that implements [`Conversation`].
pub(crate) struct Handle(pub Arc<Shared>);

impl Handle {
    /// Takes a prompt. `line` is what the person typed for it.
    fn submit(&self, text: String, line: Option<String>, when_busy: WhenBusy) -> Submitted {
        if text.trim().is_empty() {
            return Submitted::Rejected(Failure::caller("an empty prompt is not sent"));
        }
        let mut inbox = lock(&self.0.inbox);
        // Asked under the lock: the agent empties the inbox once more when the run ends, so a line
        // is either refused here or still taken up there.
        if self.0.quit.is_cancelled() {
            return Submitted::Rejected(Failure::caller("the run is ending"));
        }
        if !inbox.busy {
            inbox.busy = true;
            inbox.held = false;
            // The turn can be cancelled from now on, before the agent has taken it up.
            *lock(&self.0.turn_cancel) = Some(CancelToken::new());
            // It is told of once the agent has stored it.
            inbox.start = Some(Typed { text, line });
            self.0.wake.notify_one();
            return Submitted::Started;
        }
        let name = match when_busy {
            WhenBusy::Reject => {
                return Submitted::Rejected(Failure::caller("the agent is busy"));
            }
            WhenBusy::Steering => QueueName::Steering,
            WhenBusy::FollowUp => QueueName::FollowUp,
        };
        self.push(&mut inbox, name, text, line)
    }

    /// Leaves a request for the agent, which has to be idle, and waits for the answer.
    async fn request<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<Result<T, Failure>>) -> Request,
    ) -> Result<T, Failure> {
        let (done, answer) = oneshot::channel();
        {
            let mut inbox = lock(&self.0.inbox);
            if self.0.quit.is_cancelled() {
                return Err(Failure::caller("the run is ending"));
            }
            if inbox.busy {
                return Err(Failure::caller("the agent is busy; cancel the turn first"));
            }
            inbox.requests.push_back(request(done));
        }
        self.0.wake.notify_one();
        answer.await.unwrap_or_else(|_| Err(Failure::new("the run is ending")))
    }

    fn push(
        &self,
        inbox: &mut Inbox,
        name: QueueName,
        text: String,
        line: Option<String>,
    ) -> Submitted {
        let line = line.unwrap_or_else(|| text.clone());
        match inbox.queue.push(name, text, line) {
            Ok(()) => {
                // It is told of once it is stored.
                self.0.queue_changed.notify_one();
                Submitted::Queued(name)
            }
            Err(full) => Submitted::Rejected(Failure::caller(full.to_string())),
        }
    }
}

impl Conversation for Handle {
    fn agent(&self) -> Agent {
        self.0.agent()
    }

    fn is_ending(&self) -> bool {
        self.0.quit.is_cancelled()
    }

    fn is_busy(&self) -> bool {
        lock(&self.0.inbox).busy
    }

    fn session(&self) -> Option<SessionInfo> {
        self.0.session_info()
    }

    fn submit_line(&self, line: String, when_busy: WhenBusy) -> BoxFuture<'_, Submitted> {
        Box::pin(async move {
            match classify(&line) {
                Line::Command { name, arguments } => {
                    Submitted::Command(self.0.dispatch(name, arguments).await)
                }
                Line::Prompt(text) => self.submit(text.to_owned(), Some(line.clone()), when_busy),
            }
        })
    }

    fn submit_prompt(&self, text: String, when_busy: WhenBusy) -> Submitted {
        self.submit_as(text, when_busy, Telling::AsUser)
    }

    fn submit_as(&self, text: String, when_busy: WhenBusy, telling: Telling) -> Submitted {
        let line = match telling {
            Telling::AsUser => Some(text.clone()),
            Telling::Silent => None,
        };
        self.submit(text, line, when_busy)
    }

    fn enqueue(&self, queue: QueueName, text: String, when_idle: WhenIdle) -> Submitted {
        if when_idle == WhenIdle::Wait && !text.trim().is_empty() {
            let mut inbox = lock(&self.0.inbox);
            if !inbox.busy && !self.0.quit.is_cancelled() {
                inbox.held = true;
                return self.push(&mut inbox, queue, text, None);
            }
        }
        let when_busy = match queue {
            QueueName::Steering => WhenBusy::Steering,
            QueueName::FollowUp => WhenBusy::FollowUp,
        };
        self.submit_as(text, when_busy, Telling::AsUser)
    }

    fn complete(&self, line: String) -> BoxFuture<'_, Vec<Completion>> {
        Box::pin(async move { self.0.complete(&line).await })
    }

    fn append_entry(&self, kind: String, fields: Value) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move { self.0.append_entry(&kind, fields).await })
    }

    fn load_entries(&self, kind: String) -> BoxFuture<'_, Result<Vec<Value>, Failure>> {
        Box::pin(async move { self.0.load_entries(&kind).await })
    }

    fn rename_session(&self, title: String) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move { self.0.rename_session(&title).await })
    }

    fn dispatch(&self, line: String) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            match classify(&line) {
                Line::Command { name, arguments } => self.0.dispatch(name, arguments).await,
                Line::Prompt(_) => {
                    Err(Failure::caller(format!("not a command: {line}; commands begin with /")))
                }
            }
        })
    }

    fn cancel(&self) -> bool {
        match &*lock(&self.0.turn_cancel) {
            Some(token) => {
                token.cancel();
                true
            }
            None => false,
        }
    }

    fn queue(&self) -> QueueContents {
        lock(&self.0.inbox).queue.contents()
    }

    fn edit_queued(&self, queue: QueueName, position: usize, text: Option<String>) -> bool {
        let changed = lock(&self.0.inbox).queue.edit(queue, position, text);
        if changed {
            self.0.queue_changed.notify_one();
        }
        changed
    }

    fn edit_queued_if(
        &self,
        queue: QueueName,
        position: usize,
        was: &str,
        text: Option<String>,
    ) -> bool {
        let mut inbox = lock(&self.0.inbox);
        let contents = inbox.queue.contents();
        let is_the_same = contents.lines(queue).get(position).is_some_and(|line| line == was);
        let changed = is_the_same && inbox.queue.edit(queue, position, text);
        drop(inbox);
        if changed {
            self.0.queue_changed.notify_one();
        }
        changed
    }

    fn clear_queue(&self) -> QueueContents {
        let contents = lock(&self.0.inbox).queue.clear();
        self.0.queue_changed.notify_one();
        contents
    }

    fn thinking(&self) -> ThinkingLevel {
        self.0.run_state().map(|run| run.thinking).unwrap_or_default()
    }

    fn set_thinking(&self, level: ThinkingLevel) {
        self.0.change_run(|run| run.thinking = level);
    }

    fn models(&self) -> Vec<ModelChoice> {
        self.0.models().into_iter().map(|(_, choice)| choice).collect()
    }

    fn set_model(&self, provider: ProviderName, model: ModelId) -> Result<(), Failure> {
        self.0.provider(&provider)?;
        self.0.choose_model(provider, model);
        Ok(())
    }

    fn reveal_tool(&self, name: &str) -> bool {
        self.0.reveal_tool(name)
    }

    fn reset(&self) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(self.request(Request::Reset))
    }

    fn sessions(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        Box::pin(async move { self.0.stored_sessions(options).await })
    }

    fn resume(&self, path: PathBuf) -> BoxFuture<'_, Result<SessionInfo, Failure>> {
        Box::pin(self.request(|done| Request::Resume(path, done)))
    }

    fn preview_session(&self, path: PathBuf) -> BoxFuture<'_, Result<String, Failure>> {
        Box::pin(async move { self.0.preview_session(&path).await })
    }

    fn rename_stored(&self, path: PathBuf, title: String) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move { self.0.rename_stored(&path, &title).await })
    }

    fn delete_stored(&self, path: PathBuf) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move { self.0.delete_stored(&path).await })
    }

    fn quit(&self) {
        self.0.quit.cancel();
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        lock(&self.0.ui).clone()
    }
}
