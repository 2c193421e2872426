//! The test's end of the screen: hands and eyes.

use super::patience::{LIMIT, Patience};
use super::questions::{Answer, Asked};
use super::state::{Run, Running, ScreenView, Shared};
use super::submit;
use fen_contract::command::Completion;
use fen_contract::conversation::Submitted;
use fen_contract::events::Event;
use fen_contract::failure::Failure;
use fen_contract::ui::{Row, Segment};
use serde_json::Value;
use std::sync::Arc;

/// Types on a virtual screen and looks at it. Clones share one screen.
///
/// What waits fails the test with the screen in its message if the run ends first, if nothing comes
/// within a minute, or if a question was answered with a label that it does not have.
#[derive(Clone)]
pub struct ScreenHandle {
    shared: Arc<Shared>,
}

impl ScreenHandle {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        ScreenHandle { shared }
    }

    // Hands.

    /// Adds to the text in the input row.
    pub fn type_text(&self, text: &str) {
        self.shared.update(|state| state.input.push_str(text));
    }

    /// Submits what is typed; while a turn is under way it steers. It waits for the run to begin,
    /// and for a command to be done: where that asks something, answer before, or from beside with
    /// `tokio::join!`.
    pub async fn enter(&self) -> Submitted {
        let line = self.shared.update(|state| std::mem::take(&mut state.input));
        let running = self.running("the run to begin").await;
        submit(&self.shared, &*running.conversation, line).await
    }

    /// Types a line and submits it.
    pub async fn say(&self, line: &str) -> Submitted {
        self.type_text(line);
        self.enter().await
    }

    /// Presses a key such as `ctrl-g` and waits for its control: `None` if no control has the key,
    /// else how that went.
    pub async fn key(&self, key: &str) -> Option<Result<(), Failure>> {
        self.running("the run to begin").await.api.press(key).await
    }

    /// Answers the question that waits longest, or the next one if none does.
    pub fn answer(&self, answer: impl Into<Answer>) {
        let answer = answer.into();
        self.shared.update(|state| state.questions.answer(answer));
    }

    /// The same with no answer.
    pub fn decline(&self) {
        self.answer(Answer::Declined);
    }

    /// What is offered to complete a line that begins with `/`.
    pub async fn complete(&self, line: &str) -> Vec<Completion> {
        self.running("the run to begin").await.conversation.complete(line.to_owned()).await
    }

    /// Gives the screen another size; it has one column and one row at least.
    pub fn resize(&self, width: u16, height: u16) {
        self.shared.update(|state| state.size = (width.max(1), height.max(1)));
        self.shared.want_round();
    }

    /// Ends the run, or lets it end as soon as it begins.
    pub fn quit(&self) {
        let conversation = self.shared.update(|state| match &state.run {
            Run::Running(running) => Some(running.conversation.clone()),
            Run::Ahead => {
                state.quit_early = true;
                None
            }
            Run::Over => None,
        });
        if let Some(conversation) = conversation {
            conversation.quit();
        }
    }

    // Eyes.

    /// The screen as it is now.
    pub fn view(&self) -> ScreenView {
        self.shared.look(|state| state.view())
    }

    /// Its rows as text, as many as it has, without space at their ends.
    pub fn screen(&self) -> Vec<String> {
        self.view().lines()
    }

    /// The rows joined by line breaks.
    pub fn screen_text(&self) -> String {
        self.view().text()
    }

    /// Whether a row has this text in it.
    pub fn shows(&self, text: &str) -> bool {
        self.view().shows(text)
    }

    /// Its rows with their styles.
    pub fn rows(&self) -> Vec<Row> {
        self.view().rows
    }

    /// What the status row has to say, left side first, not clipped and without the space between.
    pub fn segments(&self) -> Vec<Segment> {
        let view = self.view();
        [view.status_left, view.status_right].concat()
    }

    /// How many times panels and status items were asked so far.
    pub fn renders(&self) -> u64 {
        self.view().renders
    }

    /// The questions so far, in order, open ones too.
    pub fn questions(&self) -> Vec<Asked> {
        self.shared.look(|state| state.questions.asked.clone())
    }

    /// The remarks so far (`Ui::notify`).
    pub fn notices(&self) -> Vec<String> {
        self.shared.look(|state| state.notices.clone())
    }

    /// The events that the screen has read so far, the last 10,000 of them.
    pub fn events(&self) -> Vec<Value> {
        self.shared.look(|state| state.events.kept()).iter().map(json).collect()
    }

    // Waiting.

    /// Waits until the screen looks like this and gives it. It looks whenever the test's task is
    /// woken, so it can miss what is only there in passing; wait for an event then.
    pub async fn wait_for(&self, mut look: impl FnMut(&ScreenView) -> bool) -> ScreenView {
        self.until("the screen to look as wanted", |shared| {
            let view = shared.look(|state| state.view());
            look(&view).then_some(view)
        })
        .await
    }

    /// Waits for an event of this name that it did not give before: the first call gives the first
    /// one of the run, the second call the second. The screen has taken it in then.
    pub async fn wait_event(&self, name: &str) -> Value {
        let next = |shared: &Shared| shared.update_quietly(|state| state.events.take_next(name));
        json(&self.until(&format!("`{name}`"), next).await)
    }

    /// Waits for a question to be open and gives it.
    pub async fn wait_question(&self) -> Asked {
        let open = |shared: &Shared| shared.look(|state| state.questions.first_open());
        self.until("a question", open).await
    }

    /// Waits until no turn is under way, every event so far is read and every panel and status item
    /// drawn after the last of them, or until the run is over. On a runtime of several threads it
    /// can come just before a turn that begins with a line that waited.
    pub async fn wait_idle(&self) {
        let idle = |shared: &Shared| {
            let running = shared.look(|state| match &state.run {
                Run::Ahead => None,
                Run::Running(running) => Some(Some(running.clone())),
                Run::Over => Some(None),
            });
            match running? {
                None => Some(()),
                // Asked first: a turn is told of as over only after it is.
                Some(running) if running.conversation.is_busy() => None,
                Some(_) => shared.look(|state| state.is_settled().then_some(())),
            }
        };
        self.until("the screen to come to rest", idle).await;
    }

    async fn running(&self, what: &str) -> Running {
        let running = |shared: &Shared| {
            shared.look(|state| match &state.run {
                Run::Running(running) => Some(running.clone()),
                Run::Ahead | Run::Over => None,
            })
        };
        self.until(what, running).await
    }

    async fn until<T>(&self, what: &str, mut look: impl FnMut(&Shared) -> Option<T>) -> T {
        let mut changes = self.shared.changed.subscribe();
        let mut patience = None;
        loop {
            let mistake = self.shared.look(|state| state.mistake.clone());
            if let Some(mistake) = mistake {
                panic!("{mistake}");
            }
            let is_over = self.shared.look(|state| matches!(state.run, Run::Over));
            if let Some(found) = look(&self.shared) {
                return found;
            }
            if is_over {
                panic!("the run is over; waited for {what}; {}", self.last_seen());
            }
            let patience = patience.get_or_insert_with(Patience::begin);
            tokio::select! {
                biased;
                () = patience.over() => {
                    panic!("waited {} s for {what}; {}", LIMIT.as_secs(), self.last_seen());
                }
                // The sender is ours, so it does not end.
                _ = changes.changed() => {}
            }
        }
    }

    fn last_seen(&self) -> String {
        let events = self.shared.look(|state| state.events.kept());
        let last: Vec<&str> = events.iter().rev().take(20).map(|event| event.name()).collect();
        format!(
            "the last events, latest first: {}; the screen:\n{}",
            last.join(" "),
            self.screen_text()
        )
    }
}

fn json(event: &Arc<Event>) -> Value {
    serde_json::to_value(event).expect("an event is always JSON")
}
