//! The kernel's side of the presenter: it hands events over to the screen's thread, and carries out what
//! has to be waited for.

use crate::config::Config;
use crate::facts::Facts;
use crate::input::Input;
use crate::mailbox::Mailbox;
use crate::screen;
use crate::ui::ScreenUi;
use fen_contract::api::Api;
use fen_contract::conversation::{Conversation, WhenBusy};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::{RenderContext, Ui};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;

/// What the screen's thread and the kernel's side share.
pub(crate) struct Link {
    pub mailbox: Mailbox,
    /// Panels and status items are to be asked.
    pub refresh: Notify,
    /// The size of the screen: columns in the upper half, rows in the lower one.
    size: AtomicU32,
}

impl Link {
    fn new() -> Link {
        Link {
            mailbox: Mailbox::default(),
            refresh: Notify::new(),
            size: AtomicU32::new((80 << 16) | 24),
        }
    }

    pub fn set_size(&self, columns: u16, rows: u16) {
        self.size.store((u32::from(columns) << 16) | u32::from(rows), Ordering::Relaxed);
    }

    fn size(&self) -> (u16, u16) {
        let size = self.size.load(Ordering::Relaxed);
        let half = |value: u32| u16::try_from(value & 0xffff).unwrap_or(u16::MAX);
        (half(size >> 16), half(size))
    }
}

/// What the screen's thread works with.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub conversation: Arc<dyn Conversation>,
    pub api: Arc<dyn Api>,
    pub runtime: tokio::runtime::Handle,
    pub link: Arc<Link>,
}

pub(crate) struct TuiPresenter {
    config: Config,
    link: Arc<Link>,
    ui: Arc<ScreenUi>,
    thread: Mutex<Option<std::thread::JoinHandle<Result<(), Failure>>>>,
}

impl TuiPresenter {
    pub fn new(config: Config) -> TuiPresenter {
        let link = Arc::new(Link::new());
        let ui = Arc::new(ScreenUi::new(link.clone()));
        TuiPresenter { config, link, ui, thread: Mutex::new(None) }
    }
}

impl Presenter for TuiPresenter {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let kernel = Kernel {
                conversation: context.conversation.clone(),
                api: context.api.clone(),
                runtime: tokio::runtime::Handle::current(),
                link: self.link.clone(),
            };
            let facts = Facts::of(&*context.conversation);
            let messages = stored(&*context.conversation);
            let (ended, over) = tokio::sync::oneshot::channel();
            let (config, shared, own) = (self.config.clone(), self.ui.shown(), kernel.clone());
            let begun = std::thread::Builder::new().name("screen".to_owned()).spawn(move || {
                let outcome = screen::run(&config, own, &shared, facts, messages);
                // Nobody waits where the run was ended from outside.
                let _ = ended.send(());
                outcome
            });
            let thread = begun.map_err(|error| {
                Failure::new(format!("the screen's thread cannot start: {error}"))
            })?;
            *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);

            let watching = tokio::spawn(watch_signals(self.link.clone()));
            let refreshing = tokio::spawn(refresh(kernel));
            if let Some(prompt) = context.prompt.clone() {
                // A command may ask something, which is answered while events go on.
                let conversation = context.conversation.clone();
                let link = self.link.clone();
                tokio::spawn(async move {
                    let when_busy = WhenBusy::Steering;
                    let outcome = conversation.submit_line(prompt.clone(), when_busy).await;
                    link.mailbox.push(Input::Submitted { line: prompt, outcome });
                });
            }
            let hand_over = async {
                while let Some(event) = context.events.next_event().await {
                    if !self.link.mailbox.deliver(Input::Event(event)).await {
                        return;
                    }
                }
                self.link.mailbox.push(Input::Over);
            };
            tokio::select! {
                () = async { hand_over.await; std::future::pending().await } => {}
                _ = over => {}
            }
            refreshing.abort();
            watching.abort();
            let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
            let outcome = thread.map(std::thread::JoinHandle::join);
            context.conversation.quit();
            match outcome {
                None | Some(Ok(Ok(()))) => Ok(()),
                Some(Ok(Err(failure))) => Err(failure),
                Some(Err(_)) => {
                    Err(Failure::new("the screen's thread panicked; the conversation is stored"))
                }
            }
        })
    }

    fn shutdown<'a>(
        &'a self,
        _context: &'a PresenterContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            // Where `run` was cut off, the screen goes here.
            self.link.mailbox.push(Input::Over);
            let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(thread) = thread {
                // A panic was reported by the hook.
                let _ = tokio::task::spawn_blocking(move || thread.join()).await;
            }
            fen_tty::restore::restore_now();
            Ok(())
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        Some(self.ui.clone())
    }
}

/// The messages of the conversation, sharing their text.
pub(crate) fn stored(conversation: &dyn Conversation) -> Vec<fen_contract::types::Message> {
    let agent = conversation.agent();
    (0..agent.0.message_count()).map_while(|at| agent.0.message(at)).collect()
}

/// Hears of the window's size, of a stop asked for from outside and of the end of a stop.
async fn watch_signals(link: Arc<Link>) {
    use tokio::signal::unix::{SignalKind, signal};
    let window = signal(SignalKind::window_change());
    let stop = signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()));
    let go_on = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()));
    let (Ok(mut window), Ok(mut stop), Ok(mut go_on)) = (window, stop, go_on) else {
        let line = "signals cannot be heard; ctrl-l draws anew after a change of size".to_owned();
        return link.mailbox.push(Input::Stderr(line));
    };
    loop {
        let input = tokio::select! {
            Some(()) = window.recv() => Input::Resized,
            Some(()) = stop.recv() => Input::Stop,
            Some(()) = go_on.recv() => Input::Continued,
            else => return,
        };
        link.mailbox.push(input);
    }
}

/// Asks panels and status items, one round after the other; requests in between are one more round.
async fn refresh(kernel: Kernel) {
    loop {
        let (width, height) = kernel.link.size();
        let busy = kernel.conversation.is_busy();
        let context = RenderContext { width, height, busy };
        let panels = kernel.api.panels(context.clone()).await;
        let status = kernel.api.status_items(context).await;
        if !kernel.link.mailbox.deliver(Input::Contributions(panels, status)).await {
            return;
        }
        kernel.link.refresh.notified().await;
    }
}
