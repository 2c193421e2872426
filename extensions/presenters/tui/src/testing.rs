//! Plays the application on a virtual terminal, for tests: events and keys in, screens out.

use crate::app::{App, Start};
use crate::effect::Effect;
use crate::facts::Facts;
use crate::input::Input;
use crate::screen::Painter;
use crate::theme::{Depth, Themes};
use fen_contract::events::{self, Event};
use fen_contract::names::Millis;
use fen_contract::provider::ModelInfo;
use fen_contract::record::Extra;
use fen_contract::types::{
    AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason, TextContent, ToolCall,
    ToolResultMessage, Usage, UserMessage,
};
use fen_editor::History;
use std::io::Write;
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where the painter writes.
#[derive(Clone, Default)]
struct Wire(Arc<Mutex<Vec<u8>>>);

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The application on a virtual terminal.
pub(crate) struct Play {
    pub app: App,
    painter: Painter<Wire>,
    wire: Wire,
    terminal: vt100::Parser,
    now: Instant,
    /// The wishes so far.
    pub effects: Vec<Effect>,
    count: u64,
    /// Kept until the end.
    _folder: tempfile::TempDir,
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}

/// A fixed time of day for messages.
const TIME: u64 = 1_750_000_000_000;

impl Play {
    pub fn new(columns: u16, rows: u16) -> Play {
        Play::with_theme(columns, rows, "dark", Depth::True)
    }

    pub fn with_theme(columns: u16, rows: u16, theme: &str, depth: Depth) -> Play {
        let folder = tempfile::tempdir().unwrap();
        let (mut themes, _) = Themes::load(Some(&folder.path().join("themes")), depth);
        let theme = themes.get(theme).unwrap();
        let now = Instant::now();
        let info =
            ModelInfo { context_window: Some(200_000_u64.into()), ..ModelInfo::named("script") };
        let facts = Facts {
            provider: "mock".to_owned(),
            model: "script".to_owned(),
            info: Some(info),
            cwd: "/home/ada/engine".to_owned(),
            ..Facts::default()
        };
        let mut app = App::new(Start {
            keymap: crate::keys::load(&folder.path().join("keybindings.json"), &[]).0,
            themes,
            theme,
            history: History::open(folder.path().join("history.jsonl")).0,
            vi: None,
            facts,
            labels: Default::default(),
            now,
        });
        app.resize(columns, rows);
        let wire = Wire::default();
        Play {
            app,
            painter: Painter::new(wire.clone()),
            wire,
            terminal: vt100::Parser::new(cells(rows), cells(columns), 0),
            now,
            effects: Vec::new(),
            count: 0,
            _folder: folder,
        }
    }

    pub fn hear(&mut self, input: Input) -> &mut Self {
        self.app.hear(input, self.now);
        self.effects.extend(self.app.take_effects());
        self
    }

    pub fn event(&mut self, event: impl Into<Event>) -> &mut Self {
        self.hear(Input::Event(Arc::new(event.into())))
    }

    /// An event beyond the contract.
    pub fn own(&mut self, name: &str, fields: serde_json::Value) -> &mut Self {
        let fields = fields.as_object().cloned().unwrap_or_default();
        self.event(Event::Own(events::OwnEvent::from_fields(name, fields).unwrap()))
    }

    /// Time goes by.
    pub fn wait(&mut self, time: Duration) -> &mut Self {
        self.now += time;
        self.app.tick(self.now);
        self
    }

    /// Types keys by name, such as `ctrl-f a b enter`.
    pub fn keys(&mut self, names: &str) -> &mut Self {
        for name in names.split_whitespace() {
            let key = name.parse().unwrap_or_else(|_| panic!("no key `{name}`"));
            self.app.feel(&fen_tty::input::Input::Key(key), self.now);
            self.effects.extend(self.app.take_effects());
        }
        self
    }

    /// Types text, letter by letter.
    pub fn type_text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            let key = fen_tty::key::Key::plain(fen_tty::key::Code::Char(letter));
            self.app.feel(&fen_tty::input::Input::Key(key), self.now);
            self.effects.extend(self.app.take_effects());
        }
        self
    }

    pub fn paste(&mut self, text: &str) -> &mut Self {
        self.app.feel(&fen_tty::input::Input::Paste(text.to_owned()), self.now);
        self
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.terminal.screen_mut().set_size(cells(rows), cells(columns));
        self.app.resize(columns, rows);
        self
    }

    fn agent() -> fen_contract::agent::Agent {
        let summary: fen_contract::agent::AgentSummary =
            serde_json::from_value(serde_json::json!({
                "id": "a", "provider": "mock", "model": "script", "cwd": "/", "message-count": 0,
            }))
            .unwrap();
        summary.into()
    }

    fn appended(&mut self, message: Message) -> &mut Self {
        self.count += 1;
        self.event(events::MessageAppended {
            agent: Play::agent(),
            index: self.count.into(),
            message,
            extra: Extra::new(),
        })
    }

    /// The person said something.
    pub fn said(&mut self, text: &str) -> &mut Self {
        let message = UserMessage { timestamp: Millis(TIME), ..UserMessage::new(text) };
        self.appended(message.into())
    }

    /// A call to the model begins.
    pub fn asked(&mut self) -> &mut Self {
        self.event(events::LlmStart { model: None, provider: None, extra: Extra::new() })
    }

    /// A piece of an answer streams in.
    pub fn streams(&mut self, delta: &str) -> &mut Self {
        self.event(events::AssistantTextDelta { delta: delta.to_owned(), extra: Extra::new() })
    }

    /// A piece of reasoning streams in.
    pub fn thinks(&mut self, delta: &str) -> &mut Self {
        self.event(events::AssistantThinkingDelta { delta: delta.to_owned(), extra: Extra::new() })
    }

    /// An answer is there.
    pub fn answered(&mut self, text: &str) -> &mut Self {
        self.answered_with(vec![AssistantBlock::Text(TextContent::new(text))])
    }

    pub fn answered_with(&mut self, content: Vec<AssistantBlock>) -> &mut Self {
        let mut message = AssistantMessage::new(content, StopReason::Stop);
        message.timestamp = Millis(TIME);
        self.appended(message.into())
    }

    /// The provider told what a call took.
    pub fn used(&mut self, input: u64, output: u64, cached: u64) -> &mut Self {
        let mut message = AssistantMessage::new(Vec::new(), StopReason::Stop);
        message.usage = Some(Usage {
            input: Some((input - cached).into()),
            output: Some(output.into()),
            cache_read: Some(cached.into()),
            total_tokens: Some((input + output).into()),
            ..Usage::empty()
        });
        self.event(events::LlmEnd { message: Arc::new(message), extra: Extra::new() })
    }

    /// A tool is called.
    pub fn calls(&mut self, id: &str, name: &str, arguments: serde_json::Value) -> Arc<ToolCall> {
        let call = Arc::new(ToolCall::new(id, name, arguments));
        self.event(events::ToolCall { tool_call: call.clone(), extra: Extra::new() });
        call
    }

    /// A call has its result.
    pub fn gave(&mut self, call: &ToolCall, result: AgentToolResult) -> &mut Self {
        let result = Arc::new(ToolResultMessage::new(call, result));
        self.event(events::ToolResult { result, extra: Extra::new() })
    }

    /// The turn is over.
    pub fn done(&mut self) -> &mut Self {
        self.event(events::AgentTurnComplete {
            agent: Play::agent(),
            message_count: self.count.into(),
            status: events::TurnStatus::Ok,
            error: None,
            result: None,
            extra: Extra::new(),
        })
    }

    pub fn info(&mut self, text: &str) -> &mut Self {
        self.event(events::Info { info: Some(text.to_owned()), text: None, extra: Extra::new() })
    }

    pub fn error(&mut self, text: &str) -> &mut Self {
        self.event(events::Error { error: text.to_owned(), extra: Extra::new() })
    }

    /// Draws a frame; the bytes that went to the terminal.
    pub fn draw(&mut self) -> Vec<u8> {
        let size = self.app.size;
        let app = &mut self.app;
        app.take_dirty();
        self.painter.put(size, |buffer| crate::view::draw(app, buffer)).unwrap();
        let bytes = std::mem::take(&mut *self.wire.0.lock().unwrap());
        self.terminal.process(&bytes);
        bytes
    }

    /// Draws everything, as after the program was continued.
    pub fn draw_anew(&mut self) -> Vec<u8> {
        self.painter.forget();
        self.draw()
    }

    /// What a person sees, with the cursor as `▏` before the cell that it is on.
    pub fn screen(&mut self) -> String {
        self.draw();
        let screen = self.terminal.screen();
        let (rows, columns) = (screen.size().0.get(), screen.size().1.get());
        let cursor = (!screen.hide_cursor()).then(|| screen.cursor_position());
        let mut text = String::new();
        for row in 0..rows {
            let mut line = String::new();
            for column in 0..columns {
                if cursor == Some((row, column)) {
                    line.push('▏');
                }
                match screen.cell(row, column) {
                    Some(cell) if cell.is_wide_continuation() => {}
                    Some(cell) if cell.has_contents() => line.push_str(cell.contents()),
                    _ => line.push(' '),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The colours and attributes of a word on the screen.
    pub fn look_of(&mut self, word: &str) -> String {
        self.draw();
        let screen = self.terminal.screen();
        let (rows, columns) = (screen.size().0.get(), screen.size().1.get());
        for row in 0..rows {
            let line = screen.contents_between(row, 0, row, columns);
            let Some(at) = line.find(word) else { continue };
            let column = u16::try_from(fen_cells::width(&line[..at])).unwrap();
            let cell = screen.cell(row, column).unwrap();
            let flags: Vec<&str> = [
                (cell.bold(), "bold"),
                (cell.dim(), "dim"),
                (cell.italic(), "italic"),
                (cell.underline(), "underline"),
                (cell.inverse(), "inverse"),
            ]
            .into_iter()
            .filter_map(|(is_set, name)| is_set.then_some(name))
            .collect();
            return format!("{:?} on {:?} {}", cell.fgcolor(), cell.bgcolor(), flags.join(" "));
        }
        panic!("`{word}` is not on the screen:\n{}", screen.contents());
    }
}
