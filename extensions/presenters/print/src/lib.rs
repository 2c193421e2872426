//! The presenter `print`: runs one prompt and ends.
//!
//! The answer goes to standard output: as it streams in where that is a terminal, else the final
//! text alone. Everything else goes to standard error.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::conversation::{Submitted, WhenBusy};
use fen_contract::events::{Event, TurnStatus};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_core::printable::printable;
use fen_presenter_kit::idle::is_idle;
use fen_presenter_kit::output::{Reader, write_stderr, write_stdout};
use fen_presenter_kit::words;
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, PoisonError};

/// The extension that registers the presenter.
pub fn extension() -> impl Extension {
    Print
}

struct Print;

impl Extension for Print {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "print".to_owned(),
            description: "Runs one prompt; the answer goes to standard output".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let spec = PresenterSpec {
            name: "print".to_owned(),
            one_shot: Some(true),
            presenter: Arc::new(PrintPresenter),
        };
        api.register(spec.into())?;
        Ok(())
    }
}

struct PrintPresenter;

impl Presenter for PrintPresenter {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let Some(prompt) = context.prompt.clone() else {
                return Err(Failure::caller(
                    "there is no prompt; give one after -p, or on standard input",
                ));
            };
            let output = Output::new();
            match context.conversation.submit_line(prompt, WhenBusy::Reject).await {
                Submitted::Started | Submitted::Queued(_) => {}
                Submitted::Command(outcome) => {
                    context.conversation.quit();
                    while let Some(event) = context.events.next_event().await {
                        // A failure is told once, by whoever gets it from here.
                        if outcome.is_ok() || !matches!(&*event, Event::Error(_)) {
                            output.show(&event)?;
                        }
                    }
                    return outcome;
                }
                Submitted::Rejected(failure) => return Err(failure),
            }
            while let Some(event) = context.events.next_event().await {
                let reader = output.show(&event)?;
                let ended = matches!(&*event, Event::AgentTurnComplete(_));
                if reader == Reader::Gone || (ended && is_idle(&*context.conversation)) {
                    context.conversation.quit();
                }
            }
            Ok(())
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Deltas as they come.
    Streaming,
    /// The result of the turn.
    FinalText,
}

/// What was written, as far as the next piece depends on it.
#[derive(Default)]
struct Line {
    open: bool,
    closed_stdout: bool,
}

struct Output {
    style: Style,
    line: Mutex<Line>,
}

impl Output {
    fn new() -> Self {
        let style =
            if std::io::stdout().is_terminal() { Style::Streaming } else { Style::FinalText };
        Output { style, line: Mutex::default() }
    }

    fn line(&self) -> std::sync::MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, text: &str) -> Result<Reader, Failure> {
        let mut line = self.line();
        if line.closed_stdout || text.is_empty() {
            return Ok(if line.closed_stdout { Reader::Gone } else { Reader::Present });
        }
        let reader = write_stdout(text)?;
        line.open = !text.ends_with('\n');
        line.closed_stdout = reader == Reader::Gone;
        Ok(reader)
    }

    /// A line of progress on standard error, on a line of its own where both are one terminal.
    fn note(&self, text: &str) -> Result<Reader, Failure> {
        let reader = self.end_line()?;
        write_stderr(&format!("{text}\n"));
        Ok(reader)
    }

    fn end_line(&self) -> Result<Reader, Failure> {
        let open = self.line().open;
        if open { self.say("\n") } else { self.say("") }
    }

    fn show(&self, event: &Event) -> Result<Reader, Failure> {
        match event {
            Event::AssistantTextDelta(delta) if self.style == Style::Streaming => {
                self.say(&printable(&delta.delta))
            }
            Event::AssistantText(text) if text.extra.contains_key("owner") => {
                self.note(&printable(&text.text))
            }
            Event::LlmEnd(end) if self.style == Style::Streaming => {
                // A provider that does not stream has its text here only.
                let reader = self.end_line()?;
                if let Some(notice) = &end.message.notice {
                    self.note(&printable(notice))?;
                }
                Ok(reader)
            }
            Event::LlmEnd(end) => {
                // The text beside tool calls is progress; the last text is the result.
                let calls = end.message.tool_calls().next().is_some();
                if let Some(text) = end.message.text().filter(|_| calls && !end.message.is_error())
                {
                    self.note(&printable(text.trim_end()))?;
                }
                match &end.message.notice {
                    Some(notice) => self.note(&printable(notice)),
                    None => Ok(Reader::Present),
                }
            }
            Event::ToolCall(event) => self.note(&format!("→ {}", words::call(&event.tool_call))),
            Event::ToolResult(event) => {
                let mark = if event.result.is_error { "✗" } else { "✓" };
                self.note(&format!("{mark} {}", words::result(&event.result)))
            }
            Event::Error(event) => self.note(&words::error(event)),
            Event::ExtensionError(event) => self.note(&words::extension_error(event)),
            Event::Info(event) => match event.info.as_ref().or(event.text.as_ref()) {
                Some(text) => self.note(&printable(text)),
                None => Ok(Reader::Present),
            },
            Event::Own(own) if own.name() == "fen/retry" => self.note(&words::retry(own)),
            Event::AgentTurnComplete(turn) => match (self.style, turn.status, &turn.result) {
                (Style::FinalText, TurnStatus::Ok, Some(text)) => {
                    let mut text = printable(text).into_owned();
                    text.push('\n');
                    self.say(&text)
                }
                (_, TurnStatus::Cancelled, _) => self.note("cancelled"),
                _ => self.end_line(),
            },
            _ => Ok(Reader::Present),
        }
    }
}
