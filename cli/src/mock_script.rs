//! The script that the provider `mock` plays: a JSON list of answers, or a file in Lua or Fennel that
//! gives such a list or a function of the request.

use crate::files::read_config;
use fen_contract::failure::Failure;
use fen_contract::types::ErrorKind;
use fen_provider_mock::{Script, Turn};
use fen_script::answers::{Answers, Asking};
use fen_script::language::language_of;
use serde_json::Value;
use std::path::Path;

/// Reads the script; without one the mock echoes.
pub async fn read(path: Option<&Path>) -> Result<Script, Failure> {
    let Some(path) = path else { return Ok(Script::Echo) };
    let shown = path.display();
    let text = read_config(path)?
        .ok_or_else(|| Failure::caller(format!("there is no mock script {shown}")))?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    if language_of(&name).is_some() {
        let answers = Answers::load(&name, text).await.map_err(Failure::caller)?;
        return script(answers).map_err(|error| Failure::caller(format!("{shown}: {error}")));
    }
    Script::from_json(&text).map_err(|error| Failure::caller(format!("{shown}: {error}")))
}

/// What the mock plays for answers of a script.
pub fn script(answers: Answers) -> Result<Script, String> {
    match answers {
        Answers::List(list) => Script::from_values(list.into_iter().map(spelled).collect())
            .map_err(|error| error.to_string()),
        Answers::Function(asking) => Ok(Script::later(move |request| {
            let (asking, request) = (asking.clone(), request.to_json());
            Box::pin(async move { answer(&asking, request).await })
        })),
    }
}

/// An answer with the names that the mock reads: in scripts `tool_calls` is handier than `tool-calls`.
fn spelled(mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        *fields = std::mem::take(fields)
            .into_iter()
            .map(|(name, value)| {
                let value = if name == "error" { spelled(value) } else { value };
                (name.replace('_', "-"), value)
            })
            .collect();
    }
    answer
}

/// One answer; what goes wrong is told as the failure of the call.
async fn answer(asking: &Asking, request: Value) -> Turn {
    let wrong = |words: String| Turn::error(ErrorKind::InvalidRequest, words);
    match asking.ask(request).await {
        Ok(value) => serde_json::from_value(spelled(value)).unwrap_or_else(|error| {
            wrong(format!("{}: the answer is wrong: {error}", asking.place()))
        }),
        Err(words) => wrong(words),
    }
}
