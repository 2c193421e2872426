//! A presenter for tests of extensions: a virtual screen that a test looks at and types on.
//!
//! [`Screen::new`] gives an extension, which registers the presenter `screen`, and a
//! [`ScreenHandle`], by which the test drives the run. The screen is lines of text: the status row,
//! panels below it, the end of the transcript, panels above the input, open questions, the input.
//! Panels and status items are asked in a task of their own, so that a slow one holds up no event;
//! what they said last is shown meanwhile, and requests to redraw that come while they are asked
//! are folded into one more round.
//!
//! It needs a tokio runtime, whose clock may be paused, and no terminal. Nothing in it sleeps. Tests
//! run best on one thread, where [`ScreenHandle::wait_idle`] is exact.
//!
//! ```no_run
//! # async fn test(load: impl Fn(fen_testing::presenter::ScreenExtension),
//! #     run: impl Future<Output = ()>) {
//! use fen_testing::presenter::Screen;
//!
//! let (extension, screen) = Screen::new();
//! load(extension);
//! tokio::join!(run, async {
//!     screen.type_text("hello");
//!     screen.enter().await;
//!     screen.wait_idle().await;
//!     assert!(screen.shows("> hello"));
//!     screen.quit();
//! });
//! # }
//! ```

mod cells;
mod event_log;
mod frame;
mod handle;
mod painter;
mod patience;
mod questions;
mod state;
mod transcript;

pub use handle::ScreenHandle;
pub use questions::{Answer, Asked, Form, Outcome};
pub use state::ScreenView;

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::conversation::{Conversation, Submitted, WhenBusy};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::Ui;
use painter::Painter;
use questions::ScreenUi;
use state::Shared;
use std::sync::Arc;

/// Makes virtual screens.
pub struct Screen;

impl Screen {
    /// A screen of 80 columns and 24 rows: the extension to load and the handle to drive it by.
    #[allow(clippy::new_ret_no_self, reason = "a screen is its two ends")]
    pub fn new() -> (ScreenExtension, ScreenHandle) {
        Screen::sized(80, 24)
    }

    /// The same in another size; it has one column and one row at least.
    pub fn sized(width: u16, height: u16) -> (ScreenExtension, ScreenHandle) {
        let shared = Arc::new(Shared::new(width, height));
        (ScreenExtension { shared: shared.clone() }, ScreenHandle::new(shared))
    }
}

/// The extension `screen`, which registers the presenter of the same name.
pub struct ScreenExtension {
    shared: Arc<Shared>,
}

impl Extension for ScreenExtension {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "screen".to_owned(),
            description: "A virtual screen for tests".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        // Handlers hear before subscribers do: this is how the handle knows that there is still
        // something to be read.
        let shared = self.shared.clone();
        api.on(
            "*",
            Arc::new(move |event| {
                shared.tell(event);
                Ok(())
            }),
        );
        let spec = PresenterSpec {
            name: "screen".to_owned(),
            one_shot: None,
            presenter: Arc::new(ScreenPresenter { shared: self.shared.clone() }),
        };
        api.register(spec.into())?;
        Ok(())
    }
}

struct ScreenPresenter {
    shared: Arc<Shared>,
}

impl Presenter for ScreenPresenter {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            self.shared.begin(context);
            let painter = Painter::start(self.shared.clone(), context);
            if let Some(prompt) = context.prompt.clone() {
                let (shared, conversation) = (self.shared.clone(), context.conversation.clone());
                // In a task, since a command may ask before it is done.
                tokio::spawn(async move { submit(&shared, &*conversation, prompt).await });
            }
            while let Some(event) = context.events.next_event().await {
                self.shared.hear(event);
            }
            painter.stop().await
        })
    }

    fn shutdown<'a>(
        &'a self,
        _context: &'a PresenterContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        self.shared.end();
        Box::pin(std::future::ready(Ok(())))
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        Some(Arc::new(ScreenUi { shared: self.shared.clone() }))
    }
}

/// Takes a line as typed; a refusal is shown.
async fn submit(shared: &Shared, conversation: &dyn Conversation, line: String) -> Submitted {
    let submitted = conversation.submit_line(line, WhenBusy::Steering).await;
    if let Submitted::Rejected(failure) = &submitted {
        shared.update(|state| state.transcript.error(None, &failure.message));
    }
    submitted
}
