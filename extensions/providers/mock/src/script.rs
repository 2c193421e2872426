//! What the mock is to say.

use fen_contract::failure::BoxFuture;
use fen_contract::types::{AgentContext, ErrorKind, Message, StopReason, Usage};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// One answer of the mock. In JSON the names are kebab-case.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Turn {
    /// Reasoning before the text.
    pub thinking: Option<String>,
    /// Visible text.
    pub text: Option<String>,
    /// Tool calls after the text.
    pub tool_calls: Vec<Call>,
    /// A failure instead of the end; what came before it counts as partial.
    pub error: Option<Error>,
    /// Milliseconds to wait before the first event.
    pub delay_ms: u64,
    /// Milliseconds to wait between two deltas, or bursts of them.
    pub delta_delay_ms: u64,
    /// How many characters one delta has; 8 if absent.
    pub chunk: Option<usize>,
    /// How many deltas are sent between two pauses; 1 if absent. A pause takes a millisecond or two at
    /// the least, so this is how a stream gets faster than that.
    pub burst: Option<usize>,
    /// The stop reason, where it is not the natural one.
    pub stop_reason: Option<StopReason>,
    /// Token counts, where an estimate will not do.
    pub usage: Option<Usage>,
}

/// A tool call of a [`Turn`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Call {
    /// The call's id; numbered if absent.
    #[serde(default)]
    pub id: Option<String>,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub arguments: Value,
}

/// A failure of a [`Turn`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Error {
    /// The kind, such as `rate-limit`.
    pub kind: ErrorKind,
    /// The words.
    pub message: String,
    /// How long the pretended server asks to wait.
    #[serde(default)]
    pub retry_after_ms: Option<u64>,
}

impl Turn {
    /// An answer of text only.
    pub fn text(text: impl Into<String>) -> Self {
        Turn { text: Some(text.into()), ..Turn::default() }
    }

    /// An answer that calls one tool.
    pub fn call(name: impl Into<String>, arguments: Value) -> Self {
        Turn::default().and_call(name, arguments)
    }

    /// The same answer with a further call.
    pub fn and_call(mut self, name: impl Into<String>, arguments: Value) -> Self {
        self.tool_calls.push(Call { id: None, name: name.into(), arguments });
        self
    }

    /// A failure.
    pub fn error(kind: ErrorKind, message: impl Into<String>) -> Self {
        let error = Error { kind, message: message.into(), retry_after_ms: None };
        Turn { error: Some(error), ..Turn::default() }
    }
}

/// What a closure is told of the request.
pub struct MockRequest<'a> {
    /// How many requests came before.
    pub number: usize,
    /// The request.
    pub context: &'a AgentContext,
}

impl MockRequest<'_> {
    /// The text of the last message that is not an answer.
    pub fn last_text(&self) -> String {
        self.context
            .messages
            .iter()
            .rev()
            .find_map(|message| match message {
                Message::User(message) => Some(message.content.text()),
                Message::ToolResult(message) => Some(message.text()),
                Message::Assistant(_) => None,
            })
            .unwrap_or_default()
    }

    /// The request as data: `number` from 1 on, `text` (the last text), `messages`, `tools` and
    /// `system-prompt`.
    pub fn to_json(&self) -> Value {
        json!({
            "number": self.number + 1,
            "text": self.last_text(),
            "messages": self.context.messages,
            "tools": self.context.tools,
            "system-prompt": self.context.system_prompt,
        })
    }
}

/// A closure that answers requests.
pub type Answer = Arc<dyn Fn(&MockRequest<'_>) -> Turn + Send + Sync>;

/// A closure that answers requests and takes its time.
pub type LaterAnswer = Arc<dyn Fn(&MockRequest<'_>) -> BoxFuture<'static, Turn> + Send + Sync>;

/// Where the answers come from.
#[derive(Clone, Default)]
pub enum Script {
    /// Each request is answered with its last text.
    #[default]
    Echo,
    /// One after the other; then a failure that says that the script is over.
    Turns(Vec<Turn>),
    /// Made from the request.
    Answer(Answer),
    /// Made from the request elsewhere, such as by a script.
    Later(LaterAnswer),
}

/// A script that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is no list at all.
    #[error("the mock script is not a list of turns: {0}")]
    NoList(#[from] serde_json::Error),
    /// One of its turns is wrong.
    #[error("turn {number} of the mock script is wrong: {error}")]
    Turn {
        /// Which, from 1 on.
        number: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

impl Script {
    /// Reads a JSON list of turns, or an object with the list under `turns`.
    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Document {
            List(Vec<Value>),
            Object { turns: Vec<Value> },
        }
        let (Document::List(values) | Document::Object { turns: values }) =
            serde_json::from_str(text)?;
        Script::from_values(values)
    }

    /// Takes the turns as data.
    pub fn from_values(values: Vec<Value>) -> Result<Self, ScriptError> {
        // Read one by one, so that the error names the turn and the field.
        let read = |(index, value)| {
            serde_json::from_value(value)
                .map_err(|error| ScriptError::Turn { number: index + 1, error })
        };
        Ok(Script::Turns(values.into_iter().enumerate().map(read).collect::<Result<_, _>>()?))
    }

    /// A script made by a closure.
    pub fn answer(answer: impl Fn(&MockRequest<'_>) -> Turn + Send + Sync + 'static) -> Self {
        Script::Answer(Arc::new(answer))
    }

    /// A script made by a closure that takes its time.
    pub fn later(
        answer: impl Fn(&MockRequest<'_>) -> BoxFuture<'static, Turn> + Send + Sync + 'static,
    ) -> Self {
        Script::Later(Arc::new(answer))
    }

    /// The answer to a request.
    pub async fn turn(&self, request: &MockRequest<'_>) -> Turn {
        match self {
            Script::Later(answer) => answer(request).await,
            Script::Echo => Turn::text(request.last_text()),
            Script::Answer(answer) => answer(request),
            Script::Turns(turns) => turns.get(request.number).cloned().unwrap_or_else(|| {
                Turn::error(
                    ErrorKind::InvalidRequest,
                    format!("the mock script is over after {} turns", turns.len()),
                )
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_a_list_and_its_mistakes_are_named() {
        let script = r#"[{"text":"hi","tool-calls":[{"name":"ls"}]},
                         {"error":{"kind":"rate-limit","message":"slow"}}]"#;
        let Script::Turns(turns) = Script::from_json(script).unwrap() else { panic!("turns") };
        assert_eq!(turns[0].tool_calls[0].name, "ls");
        assert_eq!(turns[1].error.as_ref().unwrap().kind, ErrorKind::RateLimit);
        let error = Script::from_json(r#"[{"txt":"hi"}]"#).err().unwrap();
        assert!(error.to_string().starts_with("turn 1 "), "{error}");
        assert!(error.to_string().contains("txt"), "{error}");
    }
}
