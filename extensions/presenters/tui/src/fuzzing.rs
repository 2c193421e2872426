//! What tests and the fuzz target share: foreign text in every place where it can show, and the check of
//! what reaches the terminal.

use crate::app::{App, Start};
use crate::facts::Facts;
use crate::input::{Ask, Input};
use crate::screen::Painter;
use crate::theme::{Depth, Themes};
use fen_contract::events::{self, Event};
use fen_contract::record::Extra;
use fen_contract::types::{
    AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason, TextContent,
    ThinkingContent, ToolCall, ToolResultMessage, UserMessage,
};
use fen_contract::ui::{Choice, Offer, Page, PageFormat, PanelView, Question, Segment, StatusView};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;

/// An application without anything of a person's.
fn app(columns: u16, rows: u16) -> App {
    let (mut themes, _) = Themes::load(None, Depth::True);
    let theme = themes.get("dark").unwrap_or_else(|_| Arc::new(crate::theme::Theme::plain()));
    let mut app = App::new(Start {
        keymap: crate::keymap::Keymap::built_in(),
        themes,
        theme,
        history: fen_editor::History::default(),
        vi: None,
        facts: Facts::default(),
        labels: Default::default(),
        now: Instant::now(),
    });
    app.resize(columns, rows);
    app
}

/// Tells the application of a text in one of the ways in which it hears of foreign text.
fn tell(app: &mut App, way: u8, text: &str) {
    let now = app.now;
    let event = |app: &mut App, event: Event| app.hear(Input::Event(Arc::new(event)), now);
    let call = Arc::new(ToolCall::new(text, text, json!({"path": text, "command": text})));
    match way % 16 {
        0 => app.hear(Input::Conversation(vec![UserMessage::new(text).into()]), now),
        1 => {
            let blocks = vec![
                AssistantBlock::Thinking(ThinkingContent::new(text)),
                AssistantBlock::Text(TextContent::new(text)),
            ];
            let answer = AssistantMessage::new(blocks, StopReason::Stop);
            app.hear(Input::Conversation(vec![Message::from(answer)]), now);
        }
        2 => {
            let delta = text.to_owned();
            event(app, events::AssistantTextDelta { delta, extra: Extra::new() }.into());
        }
        3 => {
            let delta = text.to_owned();
            event(app, events::AssistantThinkingDelta { delta, extra: Extra::new() }.into());
        }
        4 => event(app, events::ToolCall { tool_call: call, extra: Extra::new() }.into()),
        5 => {
            event(app, events::ToolCall { tool_call: call.clone(), extra: Extra::new() }.into());
            let details = json!({"diff": text, "added": 1, "removed": 1});
            let result = AgentToolResult::text(text).with_details(details);
            let result = Arc::new(ToolResultMessage::new(&call, result));
            event(app, events::ToolResult { result, extra: Extra::new() }.into());
        }
        6 => {
            event(app, events::ToolCall { tool_call: call.clone(), extra: Extra::new() }.into());
            let result = Arc::new(ToolResultMessage::new(&call, AgentToolResult::error(text)));
            event(app, events::ToolResult { result, extra: Extra::new() }.into());
        }
        7 => {
            let info = Some(text.to_owned());
            event(app, events::Info { info, text: None, extra: Extra::new() }.into());
        }
        8 => {
            let error = text.to_owned();
            event(app, events::Error { error, extra: Extra::new() }.into());
        }
        9 => {
            let segment = || Segment { text: text.to_owned(), style: Some(text.to_owned()) };
            let panel = PanelView {
                owner: text.into(),
                name: text.to_owned(),
                title: Some(text.to_owned()),
                placement: Default::default(),
                order: 1.0,
                height: None,
                rows: vec![vec![segment()]],
            };
            let item = StatusView {
                owner: text.into(),
                name: text.to_owned(),
                side: Default::default(),
                order: 1.0,
                segment: segment(),
            };
            app.hear(Input::Contributions(vec![panel], vec![item]), now);
        }
        10 => {
            let info = Some(text.to_owned());
            event(app, events::SetStatusInfo { info, extra: Extra::new() }.into());
        }
        11 => {
            let (answer, _) = oneshot::channel();
            let question = Question { text: text.to_owned(), ..Question::default() };
            app.hear(Input::Ask(Ask::Confirm(question, answer)), now);
        }
        12 => {
            let (answer, _) = oneshot::channel();
            let offer = Offer::from((text.to_owned(), json!(1))).with_detail(text);
            let choice =
                Choice { title: text.to_owned(), choices: vec![offer], ..Choice::default() };
            app.hear(Input::Ask(Ask::Pick(choice, answer)), now);
        }
        13 => {
            let format = PageFormat::Markdown;
            let page = Page { title: text.to_owned(), text: text.to_owned(), format };
            app.hear(Input::Ask(Ask::Show(page)), now);
        }
        14 => app.hear(Input::Stderr(text.to_owned()), now),
        _ => app.feel(&fen_tty::input::Input::Paste(text.to_owned()), now),
    }
}

/// The bytes that a terminal of this size gets when foreign text shows in these ways.
pub fn screens(columns: u16, rows: u16, told: &[(u8, String)]) -> Vec<u8> {
    let mut app = app(columns, rows);
    let mut bytes = Vec::new();
    let mut painter = Painter::new(&mut bytes);
    for (way, text) in told {
        tell(&mut app, *way, text);
        app.take_effects();
        let size = app.size;
        // A vector takes every byte.
        let _ = painter.put(size, |buffer| crate::view::draw(&mut app, buffer));
    }
    drop(painter);
    bytes
}

/// Whether what goes to the terminal is printable text and commands of the painter's own kinds: places,
/// colours, clearing, and holding a frame back.
pub fn only_own_commands(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let mut rest = text;
    while let Some(at) = rest.find(char::is_control) {
        let Some(command) = rest[at..].strip_prefix("\u{1b}[") else { return false };
        let Some(end) = command.find(|c: char| c.is_ascii_alphabetic()) else { return false };
        let (parameters, last) = (&command[..end], &command[end..=end]);
        let known = match last {
            "H" => parameters.chars().all(|c| c.is_ascii_digit() || c == ';'),
            "m" => parameters.chars().all(|c| c.is_ascii_digit() || matches!(c, ';' | ':')),
            "J" => parameters == "2",
            "h" | "l" => matches!(parameters, "?2026" | "?25"),
            _ => false,
        };
        if !known {
            return false;
        }
        rest = &command[end + 1..];
    }
    true
}
