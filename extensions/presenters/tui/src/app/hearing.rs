//! What the bus tells, as changes of the transcript and of what is going on.

use super::{Activity, App, Phase};
use crate::effect::Effect;
use crate::facts::Meter;
use crate::transcript::{NoteKind, Voice};
use fen_contract::conversation::QueueContents;
use fen_contract::events::{Event, OwnEvent};
use fen_contract::names::ToolCallId;
use fen_contract::record::Extra;
use fen_contract::types::{Message, StopReason};
use serde_json::Value;
use std::time::Duration;

impl App {
    pub(super) fn hear_event(&mut self, event: &Event) {
        match event {
            Event::AssistantTextDelta(delta) => {
                self.activity.enter(Phase::Answering, self.now);
                self.activity.arrived(delta.delta.len());
                self.transcript.grow(Voice::Answer, &delta.delta);
            }
            Event::AssistantThinkingDelta(delta) => {
                self.activity.enter(Phase::Thinking, self.now);
                self.activity.arrived(delta.delta.len());
                self.transcript.grow(Voice::Thinking, &delta.delta);
            }
            Event::ToolCallStart(_) => self.activity.enter(Phase::Calling, self.now),
            Event::ToolCallDelta(delta) => {
                self.activity.arrived(delta.delta.len());
                // Pieces of arguments show as a growing count alone.
            }
            Event::MessageAppended(event) => self.message_appended(&event.message),
            Event::ToolCall(event) => {
                self.activity.enter(Phase::Running, self.now);
                self.transcript.begin_call(event.tool_call.clone(), &self.labels, self.now);
            }
            Event::ToolResult(event) => {
                self.transcript.finish_call(event.result.clone(), Some(self.now));
            }
            Event::LlmStart(_) => {
                self.activity.enter(Phase::Waiting, self.now);
                self.wish(Effect::AskFacts);
            }
            Event::LlmEnd(event) => {
                let usage = event.message.usage.as_ref();
                let output = usage.and_then(|usage| usage.output).map_or(0, |count| count.0);
                self.activity.call_over(output);
                if let Some(usage) = usage {
                    self.meter.add(usage, self.facts.info.as_ref());
                }
                if let Some(notice) = &event.message.notice {
                    self.transcript.note(NoteKind::Info, notice.as_str().into());
                }
            }
            Event::AgentTurnComplete(_) => {
                self.transcript.turn_over();
                self.activity = Activity::Idle;
                self.wish(Effect::AskFacts);
            }
            Event::Cancelled(_) => self.transcript.note(NoteKind::Info, "cancelled".into()),
            Event::Error(event) => {
                let text = with_owner(&event.error, &event.extra);
                self.tell_error(&text);
            }
            Event::ExtensionError(event) => {
                let owner = event.owner.as_ref().map_or("?", |owner| owner.as_str());
                let text = format!("extension {owner}: {}", event.error);
                self.tell_error(&text);
            }
            Event::Info(event) => {
                let text = event.info.as_ref().or(event.text.as_ref());
                if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
                    self.transcript.note(NoteKind::Info, text.as_str().into());
                }
            }
            // What an extension shows is no part of the conversation.
            Event::AssistantText(event) if event.extra.contains_key("owner") => {
                let text = with_owner(&event.text, &event.extra);
                self.transcript.note(NoteKind::Said, text.as_str().into());
            }
            Event::CompactionSummary(event) => {
                let text = format!("Earlier messages were summed up:\n\n{}", event.summary);
                self.transcript.note(NoteKind::Said, text.as_str().into());
            }
            Event::SetStatusInfo(event) => self.status_info.clone_from(&event.info),
            Event::ResetConversation(_) => self.forget_conversation(),
            // A hint that panels have something new; they are asked below.
            Event::Redraw(_) => {}
            Event::ReinitPresenter(_) => {
                self.reload_data();
                self.wish(Effect::Redraw);
            }
            Event::Dismiss(_) => self.dismissed(),
            Event::Own(event) => self.hear_own(event),
            _ => {}
        }
        if calls_for_refresh(event) {
            self.wish(Effect::Refresh);
        }
    }

    fn message_appended(&mut self, message: &Message) {
        match message {
            Message::User(user) => {
                let time = Some(user.timestamp.0);
                self.transcript.push_user(message, &user.content, time);
            }
            Message::Assistant(answer) => {
                self.transcript.push_answer(message, answer, None);
                // Failures and cancellations are events of their own.
                if answer.stop_reason == Some(StopReason::Length) {
                    let text = "the answer was cut off at its limit of tokens";
                    self.transcript.note(NoteKind::Info, text.into());
                }
            }
            // Its own event comes with it.
            Message::ToolResult(_) => {}
        }
    }

    fn hear_own(&mut self, event: &OwnEvent) {
        let field = |name: &str| event.fields().get(name);
        let text = |name: &str| field(name).and_then(Value::as_str).unwrap_or_default();
        let number = |name: &str| field(name).and_then(Value::as_u64).unwrap_or_default();
        match event.name() {
            "fen/tool-output" => {
                let id = ToolCallId::from(text("tool-call-id"));
                self.transcript.call_output(&id, text("delta"));
            }
            "fen/retry" => {
                let at = self.now + Duration::from_millis(number("delay-ms").min(86_400_000));
                let why = match text("error") {
                    "" => text("error-kind").to_owned(),
                    error => error.to_owned(),
                };
                let attempt = number("attempt");
                self.activity.enter(Phase::Retrying { attempt, at, why }, self.now);
            }
            "fen/queue-changed" => {
                let lines = |name: &str| -> Vec<String> {
                    let listed = field(name).and_then(Value::as_array).into_iter().flatten();
                    listed.filter_map(Value::as_str).map(str::to_owned).collect()
                };
                let (steering, follow_up) = (lines("steering"), lines("follow-up"));
                self.facts.queue = QueueContents { steering, follow_up };
                self.queue_changed();
            }
            "fen/conversation-resumed" => {
                self.forget_conversation();
                self.wish(Effect::Reload);
            }
            _ => {}
        }
    }

    fn forget_conversation(&mut self) {
        self.transcript.clear();
        self.meter = Meter::default();
        self.selection = None;
        self.search = None;
        self.ink.forget_rows();
        if !std::mem::take(&mut self.held).is_empty() {
            self.notify("the output of your commands stays behind");
        }
        self.wish(Effect::AskFacts);
    }

    pub(super) fn replace_conversation(&mut self, messages: Vec<Message>) {
        self.transcript.clear();
        // What these stand at is gone.
        self.selection = None;
        self.search = None;
        for message in messages {
            self.transcript.push_stored(message, &self.labels);
        }
        self.wish(Effect::AskFacts);
    }

    /// Reads again what is data: keys and themes.
    pub(crate) fn reload_data(&mut self) {
        let mut problems = self.themes.reload();
        problems.extend(self.themes.problems());
        for problem in problems {
            self.tell_error(&problem);
        }
        if let Ok(theme) = self.themes.get(&self.theme.name.clone()) {
            self.theme = theme;
        }
        self.wish(Effect::ReadKeys);
        self.wish(Effect::AskFacts);
    }
}

/// What an extension says, with its name before it.
fn with_owner(text: &str, extra: &Extra) -> String {
    match extra.get("owner").and_then(Value::as_str) {
        Some(owner) => format!("{owner}: {text}"),
        None => text.to_owned(),
    }
}

/// Whether panels and status items may look otherwise after it.
fn calls_for_refresh(event: &Event) -> bool {
    match event {
        Event::TextDelta(_)
        | Event::ThinkingDelta(_)
        | Event::ToolCallDelta(_)
        | Event::AssistantTextDelta(_)
        | Event::AssistantThinkingDelta(_) => false,
        Event::Own(event) => event.name() != "fen/tool-output",
        _ => true,
    }
}
