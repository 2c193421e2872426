//! `/copy`: words of the conversation into the person's clipboard.

use crate::{Call, Complete, Definition, begun};
use fen_contract::failure::Failure;
use fen_contract::types::{AssistantMessage, Message};
use std::sync::Arc;

/// The longest text that is put into a clipboard, in bytes.
const MOST_BYTES: usize = 8 << 20;

const WHAT: [&str; 3] = ["last", "code", "all"];

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "copy",
        usage: "[last|code|all]",
        description: "Copy the last answer, its last block of code, or the conversation",
        idle_only: false,
        run: |call| Box::pin(async move { copy(&call) }),
        complete: Complete::AtOnce(|_api, prefix| begun(WHAT, prefix)),
    }]
}

fn copy(call: &Call<'_>) -> Result<(), Failure> {
    let text = match call.arguments {
        "" | "last" => last_answer(call)?,
        "code" => {
            let answer = last_answer(call)?;
            last_code(&answer)
                .ok_or_else(|| Failure::caller("the last answer has no block of code"))?
        }
        "all" => conversation(call)?,
        other => {
            return Err(Failure::caller(format!(
                "`{other}` is unknown; there are {}",
                WHAT.join(", ")
            )));
        }
    };
    if text.len() > MOST_BYTES {
        return Err(Failure::caller(format!(
            "this is too long for a clipboard: {} MiB, and the limit is {}",
            text.len() >> 20,
            MOST_BYTES >> 20
        )));
    }
    let no_clipboard = || Failure::caller("this presenter reaches no clipboard");
    let ui = call.ui().ok_or_else(no_clipboard)?;
    // What became of it is known to the presenter, which tells.
    ui.copy(text)
}

fn messages(call: &Call<'_>) -> impl DoubleEndedIterator<Item = Message> {
    let agent = call.context.agent.0.clone();
    (0..agent.message_count()).filter_map(move |position| agent.message(position))
}

fn words(answer: &Arc<AssistantMessage>) -> Option<String> {
    answer.text().filter(|text| !text.trim().is_empty())
}

fn last_answer(call: &Call<'_>) -> Result<String, Failure> {
    let answer = messages(call).rev().find_map(|message| match message {
        Message::Assistant(answer) => words(&answer),
        _ => None,
    });
    answer.ok_or_else(|| Failure::caller("there is no answer yet"))
}

/// The contents of the last fenced block. One that was not closed goes to the end.
fn last_code(text: &str) -> Option<String> {
    let mut open: Option<(&str, Vec<&str>)> = None;
    let mut last = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let marks = fence(trimmed);
        match &mut open {
            None => open = marks.map(|marks| (marks, Vec::new())),
            // A fence is closed by one of the same character that is no shorter.
            Some((fence, lines)) => match marks {
                Some(marks) if marks.starts_with(*fence) && trimmed.trim_end() == marks => {
                    last = Some(lines.join("\n"));
                    open = None;
                }
                _ => lines.push(line),
            },
        }
    }
    open.map(|(_, lines)| lines.join("\n")).or(last)
}

/// The marks that a line begins with, if it is a fence.
fn fence(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let marks = &line[..line.len() - rest.len()];
    // What follows backquotes is the name of a language, which has none.
    (marks.len() >= 3 && !(mark == '`' && rest.contains('`'))).then_some(marks)
}

/// Prompts and answers as text, tool calls by name.
fn conversation(call: &Call<'_>) -> Result<String, Failure> {
    let mut parts = Vec::new();
    let mut bytes = 0;
    for message in messages(call) {
        let part = match message {
            Message::User(user) => Some(format!("You:\n{}", user.content.text().trim())),
            Message::Assistant(answer) => {
                let calls: Vec<String> =
                    answer.tool_calls().map(|call| format!("[tool {}]", call.name)).collect();
                let text = words(&answer).map(|text| format!("Model:\n{}", text.trim()));
                let lines: Vec<String> = text.into_iter().chain(calls).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            }
            Message::ToolResult(_) => None,
        };
        bytes += part.as_ref().map_or(0, String::len);
        parts.extend(part);
        // It is refused for its length; there is no need to gather the rest.
        if bytes > MOST_BYTES {
            break;
        }
    }
    if parts.is_empty() {
        return Err(Failure::caller("the conversation is empty"));
    }
    Ok(parts.join("\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_block_of_code_is_found_whatever_its_fence() {
        assert_eq!(last_code("no code, `inline` only"), None);
        assert_eq!(
            last_code("```rust\nlet a;\n```\nand\n```\nb\n\nc\n```\nend").unwrap(),
            "b\n\nc"
        );
        assert_eq!(last_code("~~~\n```\n~~~").unwrap(), "```");
        assert_eq!(last_code("````\n```\nx\n```\n````").unwrap(), "```\nx\n```");
        assert_eq!(last_code("```a```\n").as_deref(), None);
        assert_eq!(last_code("  ```\n  x\n  ```").unwrap(), "  x");
        assert_eq!(last_code("```\ncut off").unwrap(), "cut off");
    }
}
