//! A few lines about a stored conversation: how it began, and where it was left.
//!
//! It reads no more than the ends of a large file, so that a preview costs the same for each session.

use crate::line::{self, Content, Line};
use crate::reader;
use crate::summary;
use fen_contract::types::Message;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

/// Up to this size a file is read whole.
const WHOLE_BYTES: u64 = 256 << 10;
/// How much of the beginning of a larger one is read.
const HEAD_BYTES: u64 = 64 << 10;
/// How much of its end.
const TAIL_BYTES: u64 = 192 << 10;
/// The longest part that is shown, in characters.
const PART_CHARS: usize = 600;
/// The most lines of a part that are shown.
const PART_LINES: usize = 8;

/// The parts that were found.
#[derive(Default)]
struct Parts {
    first_prompt: Option<String>,
    last_prompt: Option<String>,
    last_answer: Option<String>,
}

impl Parts {
    fn add(&mut self, message: &Message) {
        match message {
            Message::User(user) => {
                let Some(prompt) = clipped(&user.content.text()) else { return };
                self.first_prompt.get_or_insert_with(|| prompt.clone());
                // An answer stands for the prompt before it, not for one that came later.
                self.last_answer = None;
                self.last_prompt = Some(prompt);
            }
            Message::Assistant(answer) => {
                if let Some(text) = answer.text().as_deref().and_then(clipped) {
                    self.last_answer = Some(text);
                }
            }
            Message::ToolResult(_) => {}
        }
    }

    fn text(self) -> String {
        let prompt = |text: String| format!("You: {text}");
        let last = self.last_prompt.filter(|last| Some(last) != self.first_prompt.as_ref());
        let gap = last.as_ref().map(|_| "…".to_owned());
        let parts = [
            self.first_prompt.map(prompt),
            gap,
            last.map(prompt),
            self.last_answer.map(|text| format!("Answer: {text}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "no prompt yet".to_owned() } else { parts.join("\n\n") }
    }
}

/// The beginning of a text; `None` where there is nothing to see.
fn clipped(text: &str) -> Option<String> {
    let text = text.trim();
    let mut shown: String = text.lines().take(PART_LINES).collect::<Vec<_>>().join("\n");
    if let Some((end, _)) = shown.char_indices().nth(PART_CHARS) {
        shown.truncate(end);
    }
    if shown.len() < text.len() {
        shown.push('…');
    }
    (!text.is_empty()).then_some(shown)
}

/// The preview of a session's file.
pub(crate) fn of(mut file: &File) -> io::Result<String> {
    let size = file.metadata()?.len();
    let mut parts = Parts::default();
    file.rewind()?;
    if size <= WHOLE_BYTES {
        for message in reader::read(file).tree.into_messages() {
            parts.add(&message);
        }
        return Ok(parts.text());
    }
    let head = read_up_to(file, HEAD_BYTES)?;
    let whole_lines = memchr::memrchr(b'\n', &head).map_or(0, |newline| newline + 1);
    add_lines(&mut parts, &head[..whole_lines]);
    if parts.first_prompt.is_none() {
        parts.first_prompt = summary::beginning_of_user_text(&head[whole_lines..]);
    }
    file.seek(SeekFrom::Start(size - TAIL_BYTES))?;
    let tail = read_up_to(file, TAIL_BYTES)?;
    let first_line = memchr::memchr(b'\n', &tail).map_or(tail.len(), |newline| newline + 1);
    // What lies between is not known, so what the head ended with is not the last of anything.
    (parts.last_prompt, parts.last_answer) = (None, None);
    add_lines(&mut parts, &tail[first_line..]);
    Ok(parts.text())
}

fn read_up_to(file: &File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn add_lines(parts: &mut Parts, bytes: &[u8]) {
    for bytes in bytes.split(|&byte| byte == b'\n') {
        if let Some(Line::Entry(entry)) = line::parse(bytes).0
            && let Content::Message(message) = entry.content
        {
            parts.add(&message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_cut_between_characters_and_lines() {
        assert_eq!(clipped(" \n "), None);
        assert_eq!(clipped(" a\nb "), Some("a\nb".to_owned()));
        let long = clipped(&"ü".repeat(PART_CHARS + 1)).unwrap();
        assert_eq!(long, format!("{}…", "ü".repeat(PART_CHARS)));
        assert_eq!(clipped(&"x\n".repeat(20)).unwrap().lines().count(), PART_LINES);
    }
}
