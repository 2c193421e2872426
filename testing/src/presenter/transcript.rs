//! What was said and done, as the screen shows it.
//!
//! Pure: events go in, rows come out.

use super::cells::{clip, segment, wrap};
use fen_contract::events::{Event, TurnStatus};
use fen_contract::record::Extra;
use fen_contract::ui::Row;
use std::collections::VecDeque;

/// How many entries are kept.
const LIMIT: usize = 1000;

struct Entry {
    text: String,
    style: Option<&'static str>,
    lines: Lines,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    One,
    Many,
}

#[derive(Default)]
pub(crate) struct Transcript {
    entries: VecDeque<Entry>,
    /// How many entries were dropped at the beginning.
    dropped: usize,
    /// The number of the answer that streams in, counted with those that were dropped.
    streaming: Option<usize>,
}

impl Transcript {
    pub fn clear(&mut self) {
        *self = Transcript::default();
    }

    /// Takes what an event has to say, if it has.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::User(user) => self.push(format!("> {}", user.line), Some("user"), Lines::Many),
            Event::Queued(queued) => self.line(format!("(queued) {}", queued.line), "dim"),
            Event::LlmStart(_) => self.streaming = None,
            Event::AssistantTextDelta(delta) => self.streamed().push_str(&delta.delta),
            Event::AssistantText(text) => match owner(&text.extra) {
                Some(owner) => {
                    self.push(format!("{owner}: {}", text.text), Some("assistant"), Lines::Many);
                }
                None => {
                    *self.streamed() = text.text.clone();
                    self.streaming = None;
                }
            },
            Event::LlmEnd(end) => {
                if let Some(notice) = &end.message.notice {
                    self.remark(None, notice);
                }
            }
            Event::ToolCall(event) => {
                let call = &event.tool_call;
                self.line(format!("* {} {}", call.name, call.arguments), "tool");
            }
            Event::ToolResult(event) => {
                let result = &event.result;
                let text = result.text();
                let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                let (mark, style) = if result.is_error { ("!", "error") } else { ("=", "tool") };
                self.line(format!("{mark} {}: {first}", result.tool_name), style);
            }
            Event::Info(info) => {
                if let Some(text) = info.info.as_ref().or(info.text.as_ref()) {
                    self.remark(owner(&info.extra), text);
                }
            }
            Event::Error(error) => self.error(owner(&error.extra), &error.error),
            Event::ExtensionError(error) => {
                self.error(error.owner.as_ref().map(|owner| owner.as_str()), &error.error);
            }
            Event::AgentTurnComplete(turn) => {
                self.streaming = None;
                if turn.status == TurnStatus::Cancelled {
                    self.line("cancelled".to_owned(), "warning");
                }
            }
            Event::ResetConversation(_) => self.clear(),
            _ => {}
        }
    }

    /// A passing remark.
    pub fn remark(&mut self, owner: Option<&str>, text: &str) {
        self.line(signed("info", owner, text), "dim");
    }

    /// Something that failed.
    pub fn error(&mut self, owner: Option<&str>, text: &str) {
        self.line(signed("error", owner, text), "error");
    }

    /// The last rows, so many at the most, top first.
    pub fn end(&self, width: usize, height: usize) -> Vec<Row> {
        let mut rows = VecDeque::new();
        for entry in self.entries.iter().rev() {
            let lines = match entry.lines {
                Lines::One => vec![entry.text.clone()],
                Lines::Many => wrap(entry.text.trim_end_matches('\n'), width),
            };
            for line in lines.iter().rev() {
                if rows.len() == height {
                    return rows.into();
                }
                rows.push_front(clip(&[segment(line, entry.style)], width));
            }
        }
        rows.into()
    }

    fn line(&mut self, text: String, style: &'static str) {
        self.push(text, Some(style), Lines::One);
    }

    fn push(&mut self, text: String, style: Option<&'static str>, lines: Lines) {
        if self.entries.len() == LIMIT {
            self.entries.pop_front();
            self.dropped += 1;
        }
        self.entries.push_back(Entry { text, style, lines });
    }

    /// The text of the answer that streams in; a new one if none does.
    fn streamed(&mut self) -> &mut String {
        let known = self.streaming.and_then(|number| number.checked_sub(self.dropped));
        let at = match known {
            Some(at) => at,
            None => {
                self.push(String::new(), Some("assistant"), Lines::Many);
                self.streaming = Some(self.dropped + self.entries.len() - 1);
                self.entries.len() - 1
            }
        };
        &mut self.entries[at].text
    }
}

fn owner(extra: &Extra) -> Option<&str> {
    extra.get("owner").and_then(|owner| owner.as_str())
}

fn signed(what: &str, owner: Option<&str>, text: &str) -> String {
    match owner {
        Some(owner) => format!("{what} ({owner}): {text}"),
        None => format!("{what}: {text}"),
    }
}
