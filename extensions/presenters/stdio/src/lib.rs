//! The presenter `stdio`: a chat of plain lines, for dumb terminals and screen readers.
//!
//! It never moves the cursor and uses no colour. A line is a prompt or a command; while a turn is
//! under way a line steers it, and one that begins with `>` waits for its end.

mod input;

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::conversation::{Submitted, WhenBusy};
use fen_contract::events::{Event, TurnStatus};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::Ui;
use fen_core::printable::{printable, printable_line};
use fen_presenter_kit::idle::is_idle;
use fen_presenter_kit::output::{Reader, write_stderr, write_stdout};
use fen_presenter_kit::words;
use input::{Input, LineUi, Typed};
use std::io::IsTerminal as _;
use std::sync::Arc;

/// The extension that registers the presenter.
pub fn extension() -> impl Extension {
    Stdio
}

struct Stdio;

impl Extension for Stdio {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "stdio".to_owned(),
            description: "A chat of plain lines".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let spec = PresenterSpec {
            name: "stdio".to_owned(),
            one_shot: None,
            presenter: Arc::new(StdioPresenter { input: Arc::new(Input::default()) }),
        };
        api.register(spec.into())?;
        Ok(())
    }
}

struct StdioPresenter {
    input: Arc<Input>,
}

impl Presenter for StdioPresenter {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let mut chat = Chat { context, line_open: false, gone: false };
            chat.greet()?;
            self.input.start();
            if let Some(prompt) = context.prompt.clone() {
                chat.submit(prompt).await?;
            } else {
                chat.invite()?;
            }
            let mut input_open = true;
            loop {
                tokio::select! {
                    biased;
                    event = context.events.next_event() => match event {
                        Some(event) => chat.show(&event)?,
                        None => break,
                    },
                    typed = self.input.next(), if input_open => match typed {
                        Typed::Line(line) => chat.submit(line).await?,
                        Typed::End => {
                            input_open = false;
                        }
                        Typed::Broken(reason) => {
                            write_stderr(&format!("fen: standard input: {reason}\n"));
                            input_open = false;
                        }
                    },
                }
                if chat.gone || (!input_open && chat.is_idle()) {
                    context.conversation.quit();
                }
            }
            Ok(())
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        Some(Arc::new(LineUi { input: self.input.clone() }))
    }
}

struct Chat<'a> {
    context: &'a PresenterContext,
    line_open: bool,
    gone: bool,
}

impl Chat<'_> {
    fn greet(&mut self) -> Result<(), Failure> {
        if !std::io::stdin().is_terminal() {
            return Ok(());
        }
        let agent = self.context.conversation.agent().summary();
        self.note(&format!(
            "fen, {} of {}. Type a prompt, /help for commands, /quit to leave.",
            printable(agent.model.as_str()),
            agent.provider
        ))?;
        let title = self.context.conversation.session().and_then(|session| session.title);
        match (agent.message_count.0, title) {
            (0, _) => Ok(()),
            (count, Some(title)) => {
                self.note(&format!("Continuing “{}”, {count} messages.", printable_line(&title)))
            }
            (count, None) => self.note(&format!("Continuing, {count} messages.")),
        }
    }

    fn invite(&mut self) -> Result<(), Failure> {
        if std::io::stdin().is_terminal() {
            self.end_line()?;
            self.say("> ")?;
        }
        Ok(())
    }

    fn is_idle(&self) -> bool {
        is_idle(&*self.context.conversation)
    }

    async fn submit(&mut self, line: String) -> Result<(), Failure> {
        // The terminal has ended the line that the person typed.
        self.line_open = false;
        let (line, when_busy) = match line.strip_prefix('>') {
            Some(rest) => (rest.trim_start().to_owned(), WhenBusy::FollowUp),
            None => (line, WhenBusy::Steering),
        };
        if line.trim().is_empty() {
            return self.invite();
        }
        match self.context.conversation.submit_line(line, when_busy).await {
            // A line that waits is confirmed by its event, once it is safe.
            Submitted::Started | Submitted::Queued(_) => Ok(()),
            Submitted::Command(_) => {
                // What the command had to say comes as events, before the next invitation.
                while let Some(event) = self.context.events.try_next_event() {
                    self.show(&event)?;
                }
                if self.context.conversation.is_busy() { Ok(()) } else { self.invite() }
            }
            Submitted::Rejected(failure) => self.note(&format!("fen: {failure}")),
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        if text.is_empty() || self.gone {
            return Ok(());
        }
        self.gone = write_stdout(text)? == Reader::Gone;
        self.line_open = !text.ends_with('\n');
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), Failure> {
        if self.line_open { self.say("\n") } else { Ok(()) }
    }

    fn note(&mut self, text: &str) -> Result<(), Failure> {
        self.end_line()?;
        self.say(&format!("{text}\n"))
    }

    fn show(&mut self, event: &Event) -> Result<(), Failure> {
        match event {
            Event::AssistantTextDelta(delta) => self.say(&printable(&delta.delta)),
            Event::AssistantText(text) if text.extra.contains_key("owner") => {
                self.note(&printable(&text.text))
            }
            Event::LlmEnd(end) => {
                self.end_line()?;
                match &end.message.notice {
                    Some(notice) => self.note(&printable(notice)),
                    None => Ok(()),
                }
            }
            Event::Queued(event) => {
                let queue = event.extra.get("queue").and_then(|name| name.as_str());
                self.note(&format!("(queued: {})", queue.unwrap_or("?")))
            }
            Event::ToolCall(event) => self.note(&format!("[{}]", words::call(&event.tool_call))),
            Event::ToolResult(event) => {
                let mark = if event.result.is_error { "failed: " } else { "" };
                self.note(&format!("[{mark}{}]", words::result(&event.result)))
            }
            Event::Error(event) => self.note(&words::error(event)),
            Event::ExtensionError(event) => self.note(&words::extension_error(event)),
            Event::Info(event) => match event.info.as_ref().or(event.text.as_ref()) {
                Some(text) => self.note(&printable(text)),
                None => Ok(()),
            },
            Event::Own(own) if own.name() == "fen/retry" => self.note(&words::retry(own)),
            Event::AgentTurnComplete(turn) => {
                self.end_line()?;
                if turn.status == TurnStatus::Cancelled {
                    self.note("cancelled")?;
                }
                if self.is_idle() { self.invite() } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }
}
