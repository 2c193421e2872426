//! Describes a session without reading all of it.
//!
//! Small files are read whole, so that the list and the conversation agree to the message. Of
//! larger ones only the head and the tail are interpreted; the messages between are counted by
//! their first and last characters, and in very large files estimated.

use crate::layout;
use crate::line::{self, Content, Header, Line};
use crate::lines::{Lines, RawLine};
use crate::reader;
use fen_contract::names::{Count, Millis, SessionId};
use fen_contract::session::SessionInfo;
use fen_contract::types::Message;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Up to this size a file is read whole.
const WHOLE_BYTES: u64 = 256 << 10;
/// Up to this size the messages of a file are counted; beyond it their number is estimated.
const COUNTED_BYTES: u64 = 4 << 20;
/// How much of each end is interpreted.
const END_BYTES: u64 = 64 << 10;
/// The longest title that is made from a message, in characters.
const TITLE_CHARS: usize = 80;

/// What a glance at a file tells.
#[derive(Default)]
struct Glance {
    header: Option<Header>,
    title: Option<String>,
    first_words: Option<String>,
    messages: u64,
    entries: bool,
}

/// Describes a file; `None` if it holds nothing of a session.
pub(crate) fn describe(path: &Path, file: &File) -> io::Result<Option<SessionInfo>> {
    let metadata = file.metadata()?;
    let size = metadata.len();
    let glance = if size <= WHOLE_BYTES { whole(file)? } else { ends(file, size)? };
    if glance.header.is_none() && !glance.entries {
        return Ok(None);
    }
    let header = glance.header.unwrap_or_default();
    let id = match (&header.id, layout::id_in_name(path)) {
        (Some(id), _) => id.as_str().into(),
        (None, Some(id)) => id.into(),
        (None, None) => {
            SessionId::from(path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        }
    };
    let modified = metadata
        .modified()
        .ok()
        .and_then(|moment| moment.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| u64::try_from(since.as_millis()).ok())
        .map(Millis);
    Ok(Some(SessionInfo {
        id,
        path: path.to_owned(),
        cwd: header.cwd.unwrap_or_default(),
        timestamp: header.timestamp.or(modified).unwrap_or_default(),
        title: glance.title.or(glance.first_words),
        message_count: Count(glance.messages),
        version: Count(header.version),
        size: Some(Count(size)),
        modified,
    }))
}

fn whole(mut file: &File) -> io::Result<Glance> {
    file.rewind()?;
    let contents = reader::read(file);
    let entries = !contents.tree.is_empty();
    let messages = contents.tree.into_messages();
    Ok(Glance {
        header: contents.header,
        title: contents.title,
        first_words: messages.iter().find_map(words_of_user),
        messages: messages.len() as u64,
        entries,
    })
}

fn ends(mut file: &File, size: u64) -> io::Result<Glance> {
    let mut glance = Glance::default();
    file.rewind()?;
    let head = read_up_to(file, END_BYTES)?;
    let mut sample = Sample::default();
    let mut rest = head.as_slice();
    while let Some(newline) = memchr::memchr(b'\n', rest) {
        sample.add(&rest[..newline]);
        glance.look_at(&rest[..newline]);
        rest = &rest[newline + 1..];
    }
    if glance.first_words.is_none() {
        // A first message that is longer than the head: its beginning is there all the same.
        glance.first_words = beginning_of_user_text(rest);
    }
    file.seek(SeekFrom::Start(size - END_BYTES))?;
    let tail = read_up_to(file, END_BYTES)?;
    let first_line = memchr::memchr(b'\n', &tail).map_or(tail.len(), |newline| newline + 1);
    for line in tail[first_line..].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        sample.add(line);
        glance.look_at(line);
    }
    glance.messages = if size <= COUNTED_BYTES { count(file)? } else { sample.estimate(size) };
    glance.entries |= glance.messages > 0;
    Ok(glance)
}

fn read_up_to(file: &File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Glance {
    fn look_at(&mut self, bytes: &[u8]) {
        match line::parse(bytes).0 {
            Some(Line::Header(header)) if self.header.is_none() => self.header = Some(header),
            Some(Line::Entry(entry)) => {
                self.entries = true;
                match entry.content {
                    Content::Title(title) => self.title = Some(title),
                    Content::Message(message) if self.first_words.is_none() => {
                        self.first_words = words_of_user(&message);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Lines seen at the ends of a file, from which the number between is guessed.
#[derive(Default)]
struct Sample {
    bytes: u64,
    messages: u64,
}

impl Sample {
    fn add(&mut self, line: &[u8]) {
        self.bytes += line.len() as u64 + 1;
        self.messages += u64::from(looks_like_message(line));
    }

    fn estimate(&self, size: u64) -> u64 {
        // Lines too long for a sample: at least the one that fills the file.
        let guess = u128::from(self.messages) * u128::from(size) / u128::from(self.bytes.max(1));
        u64::try_from(guess).unwrap_or(u64::MAX).max(1)
    }
}

fn count(mut file: &File) -> io::Result<u64> {
    file.rewind()?;
    let mut lines = Lines::new(file);
    let mut messages = 0;
    while let Some(line) = lines.next_line()? {
        if let RawLine::Bytes(bytes) = line {
            messages += u64::from(looks_like_message(bytes));
        }
    }
    Ok(messages)
}

/// Tells a whole message by its ends, as fen of any version writes it.
fn looks_like_message(line: &[u8]) -> bool {
    (line.starts_with(br#"{"type":"message""#) || line.starts_with(br#"{"role":"#))
        && line.ends_with(b"}")
}

fn words_of_user(message: &Message) -> Option<String> {
    match message {
        Message::User(user) => {
            let title = title_from(&user.content.text());
            (!title.is_empty()).then_some(title)
        }
        _ => None,
    }
}

/// The beginning of a text in one line.
fn title_from(text: &str) -> String {
    let mut title = String::new();
    let mut left = TITLE_CHARS;
    for word in text.split_whitespace() {
        if !title.is_empty() {
            title.push(' ');
        }
        for character in word.chars() {
            if left == 0 {
                title.push('…');
                return title;
            }
            title.push(character);
            left -= 1;
        }
        left = left.saturating_sub(1);
    }
    title
}

/// Takes the first words out of a line whose end is not at hand.
pub(crate) fn beginning_of_user_text(line: &[u8]) -> Option<String> {
    let role = memchr::memmem::find(line, br#""role":"user","content":"#)?;
    let content = &line[role + br#""role":"user","content":"#.len()..];
    let text = match content.strip_prefix(b"\"") {
        Some(text) => text,
        None => {
            let key = memchr::memmem::find(content, br#""text":""#)?;
            &content[key + br#""text":""#.len()..]
        }
    };
    let text = &text[..text.len().min(8 * TITLE_CHARS)];
    // The cut may have gone through an escape or a character; the longest of these is 12 bytes.
    (0..=12).find_map(|cut| {
        let part = text.get(..text.len().checked_sub(cut)?)?;
        let quoted = [b"\"", part, b"\""].concat();
        let text: String = serde_json::from_slice(&quoted).ok()?;
        Some(title_from(&text)).filter(|title| !title.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_and_cut_between_characters() {
        assert_eq!(title_from("  Fix\n\tthe   bug "), "Fix the bug");
        let title = title_from(&"ü".repeat(200));
        assert_eq!(title, format!("{}…", "ü".repeat(TITLE_CHARS)));
    }

    #[test]
    fn the_beginning_of_a_text_is_found_wherever_it_was_cut() {
        let line = r#"{"type":"message","message":{"role":"user","content":"#;
        let long = r"ab\n\ud83d\ude00ü\\".repeat(200);
        for lead in 0..20 {
            let plain = format!("{line}\"{}{long}", "x".repeat(lead));
            let title = beginning_of_user_text(plain.as_bytes()).unwrap();
            assert!(title.starts_with(&"x".repeat(lead)), "{title}");
            let blocks = format!("{line}[{{\"type\":\"text\",\"text\":\"{long}");
            assert!(beginning_of_user_text(blocks.as_bytes()).unwrap().starts_with("ab"));
        }
    }
}
